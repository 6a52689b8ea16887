// Hooks of all parts of a page: the app, its state, the clock and the URL hash.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { App, State } from './app.ts';

export const AppContext = createContext<App | null>(null);

/** Throws outside of a page: a part alone has nothing to show. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('This component must be inside an AppContext.');
  return app;
}

/** The state, and a part that is drawn again when it changes. */
export function useAppState(): State {
  const app = useApp();
  const [state, setState] = useState(app.state);
  useEffect(() => {
    setState(app.state);
    return app.subscribe(() => setState(app.state));
  }, [app]);
  return state;
}

const tickMs = 250;

/** The time of the mock, which moves a part on by itself while the clock runs. */
export function useNow(): number {
  const app = useApp();
  const { clock } = useAppState();
  const [, setTick] = useState(0);
  useEffect(() => {
    if (clock.scale === 0) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), tickMs);
    return () => clearInterval(timer);
  }, [clock]);
  return app.now();
}

/** The real time, which is read again each second. */
export function useRealNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The part of the address after `#`, and a way to change it. A filter replaces the entry of the browser's history. */
export function useHash(): [string, (hash: string, replaces?: boolean) => void] {
  const [hash, setHash] = useState(location.hash.slice(1));
  useEffect(() => {
    const follow = () => setHash(location.hash.slice(1));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return [
    hash,
    (next, replaces = false) => {
      // At once: a field that is drawn before the event comes would lose a letter.
      setHash(next);
      if (replaces) location.replace(`#${next}`);
      else location.hash = next;
    },
  ];
}
