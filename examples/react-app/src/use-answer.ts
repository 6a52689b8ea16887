import { useCallback, useEffect, useState } from 'react';

export type Answer<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'ready'; readonly value: Value };

/** Asks when the component appears and whenever `ask` changes; the second value asks again. */
export function useAnswer<Value>(ask: (signal: AbortSignal) => Promise<Value>): [Answer<Value>, () => void] {
  const [answer, setAnswer] = useState<Answer<Value>>({ state: 'loading' });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks again.
  useEffect(() => {
    const leaving = new AbortController();
    setAnswer({ state: 'loading' });
    ask(leaving.signal).then(
      (value) => !leaving.signal.aborted && setAnswer({ state: 'ready', value }),
      (error) => !leaving.signal.aborted && setAnswer({ state: 'failed', error }),
    );
    return () => leaving.abort();
  }, [ask, turn]);
  return [answer, useCallback(() => setTurn((last) => last + 1), [])];
}
