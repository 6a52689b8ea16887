import { useCallback, useEffect, useState } from 'react';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | null;
}

export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Null when there is no further page. */
  readonly more: (() => void) | null;
}

interface Wanted<Item> {
  readonly read: (cursor: string | null, signal: AbortSignal) => Promise<Page<Item>>;
  readonly cursor: string | null;
}

/** A list that grows by a page whenever the reader wants more. It begins again when `read` changes. */
export function usePages<Item>(read: Wanted<Item>['read']): Pages<Item> {
  const [wanted, setWanted] = useState<Wanted<Item>>({ read, cursor: null });
  const [seen, setSeen] = useState<Page<Item>>({ items: [], cursor: null });
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<unknown>(null);
  if (wanted.read !== read) setWanted({ read, cursor: null });

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    setLoading(true);
    setError(null);
    wanted.read(wanted.cursor, signal).then(
      ({ items, cursor }) => {
        if (signal.aborted) return;
        setSeen((last) => ({ items: wanted.cursor === null ? items : [...last.items, ...items], cursor }));
        setLoading(false);
      },
      (failure) => {
        if (signal.aborted) return;
        setError(failure);
        setLoading(false);
      },
    );
    return () => leaving.abort();
  }, [wanted]);

  const more = useCallback(() => setWanted({ read, cursor: seen.cursor }), [read, seen.cursor]);
  return { items: seen.items, isLoading, error, more: seen.cursor === null || isLoading ? null : more };
}
