import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { casa, queries } from './casa.js';

function Sites() {
  const { data, error } = useQuery({ queryKey: ['sites'], queryFn: ({ signal }) => casa.listSites({}, { signal }) });
  if (error) return <p role="alert">{error.code}</p>;
  return (
    <ul>
      {data?.data.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  );
}

createRoot(document.getElementById('root')).render(
  <QueryClientProvider client={queries}>
    <Sites />
  </QueryClientProvider>,
);
