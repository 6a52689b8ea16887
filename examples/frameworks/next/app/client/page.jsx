'use client';

import { useEffect, useState } from 'react';

export default function Page() {
  const [{ data = [], code }, setAnswer] = useState({});
  useEffect(() => {
    fetch('/api/sites').then(async (response) => setAnswer(await response.json()));
  }, []);
  return (
    <>
      {code && <p role="alert">{code}</p>}
      <ul>
        {data.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </>
  );
}
