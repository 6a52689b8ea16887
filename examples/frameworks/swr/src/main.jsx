import { createRoot } from 'react-dom/client';
import useSWR, { SWRConfig } from 'swr';
import { casa, config } from './casa.js';

function Sites() {
  const { data, error } = useSWR('sites', () => casa.listSites());
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
  <SWRConfig value={config}>
    <Sites />
  </SWRConfig>,
);
