import { createClient } from 'casa-kit/api';
import { useEffect, useState } from 'react';

/** Shows the number of calls, and looks for new ones every minute. */
export function Calls({ baseUrl, apiKey }) {
  const [calls, setCalls] = useState([]);
  useEffect(() => {
    const api = createClient({ baseUrl, key: apiKey });
    let timer;
    let since;
    const poll = async () => {
      const { data } = await api.listCalls(since === undefined ? {} : { since });
      since = data.nextCursor ?? since ?? new Date().toISOString();
      setCalls((known) => [...known, ...data.calls]);
      timer = setTimeout(poll, 60_000);
    };
    poll();
    return () => clearTimeout(timer);
  }, [baseUrl, apiKey]);
  return <p role="status">{calls.length} calls</p>;
}
