import { useCallback, useEffect, useState } from 'react';

export type HttpResponse<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'ready'; readonly value: Value };

/** Asks when the component appears and whenever `ask` changes; the second value asks again. */
export function useResponse<Value>(ask: (signal: AbortSignal) => Promise<Value>): [HttpResponse<Value>, () => void] {
  const [response, setResponse] = useState<HttpResponse<Value>>({ state: 'loading' });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks again.
  useEffect(() => {
    const leaving = new AbortController();
    setResponse({ state: 'loading' });
    ask(leaving.signal).then(
      (value) => !leaving.signal.aborted && setResponse({ state: 'ready', value }),
      (error) => !leaving.signal.aborted && setResponse({ state: 'failed', error }),
    );
    return () => leaving.abort();
  }, [ask, turn]);
  return [response, useCallback(() => setTurn((last) => last + 1), [])];
}
