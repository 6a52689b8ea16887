import type { Call } from 'casa-kit/api';
import { useCallback } from 'react';
import { api } from '../api.ts';
import { Loading, Problem } from '../problem.tsx';
import type { FinalCalls } from '../use-final-calls.ts';
import { useResponse } from '../use-response.ts';

export function Calls({ calls: arrived, error }: FinalCalls) {
  const [snapshot, retry] = useResponse(useCallback((signal) => api.listCalls({ limit: 20 }, { signal }), []));
  return (
    <>
      <h1>Calls</h1>
      <h2>Over, and final</h2>
      {error !== null && <Problem error={error} />}
      {arrived.length === 0 && <p className="quiet">None since you came. A call arrives five minutes after its end.</p>}
      <CallList name="Final calls" calls={arrived} />
      <h2>Now</h2>
      {snapshot.state === 'loading' && <Loading />}
      {snapshot.state === 'failed' && <Problem error={snapshot.error} retry={retry} />}
      {snapshot.state === 'ready' && <CallList name="Calls now" calls={snapshot.value.data.calls} />}
    </>
  );
}

/** The contract does not show the fields of a call, so this shows all fields. */
function CallList({ name, calls }: { name: string; calls: readonly Call[] }) {
  return (
    <ul className="cards" aria-label={name}>
      {calls.map((call) => (
        <li key={JSON.stringify(call)}>
          <dl className="fields">
            {Object.entries(call).map(([field, value]) => (
              <div key={field}>
                <dt>{field}</dt>
                <dd>{String(value ?? '–')}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
