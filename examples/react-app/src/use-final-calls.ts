import { type Call, keepPosition } from 'casa-kit/api';
import { useEffect, useState } from 'react';
import { api } from './api.ts';

/** The position outlives a reload, so each call is handled once and no poll comes within the minute. */
const store = keepPosition(localStorage);

export interface FinalCalls {
  readonly calls: readonly Call[];
  readonly error: unknown;
}

/** For the whole app and not for a screen: who comes back to a screen must not poll within the minute (6.wait). */
export function useFinalCalls(): FinalCalls {
  const [calls, setCalls] = useState<readonly Call[]>([]);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async () => {
      for await (const call of api.calls({ store, signal: leaving.signal })) setCalls((seen) => [call, ...seen]);
    };
    follow().catch(setError);
    return () => leaving.abort();
  }, []);
  return { calls, error };
}
