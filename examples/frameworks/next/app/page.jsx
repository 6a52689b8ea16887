import { casa } from '../lib/casa.js';

export default async function Page() {
  const { data } = await (await casa()).listSites();
  return (
    <ul>
      {data.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  );
}
