// A page that is loaded again finds the mock as it left it: the state is put into the session storage when the page
// goes, and taken out when it comes back. Each tab has its own.

import { hashToUnit } from '../domain/random.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Casa } from './casa.ts';

/** The part of a window that is used here. */
interface BrowserPage {
  readonly sessionStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  addEventListener(type: 'pagehide', listener: () => void): void;
}

/** Gives back how to keep the state now; outside a page that does nothing. */
export function keepInSession(casa: Casa): () => void {
  const page = findPage();
  if (!page) return () => {};
  const key = `casa-kit ${casa.baseUrl}`;
  // Identifies a world without its timestamps: with a running clock they change each time it is loaded.
  const { world, random, behaviors } = casa.snapshot();
  const identity = hashToUnit(JSON.stringify([world, random, behaviors]).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, ''));
  recall(casa, page, { key, identity });
  const keep = () => {
    // The history of requests stays behind: it can be larger than what a session may store.
    const state = { ...casa.snapshot(), requestLog: { count: 0, records: [] }, violations: [] };
    try {
      page.sessionStorage.setItem(key, JSON.stringify({ identity, state }));
    } catch {
      page.sessionStorage.removeItem(key);
      console.warn('casa: this world is too large for the session storage; the next page starts afresh.');
    }
  };
  page.addEventListener('pagehide', keep);
  return keep;
}

/** null outside a page, and in one whose storage is forbidden. */
function findPage(): BrowserPage | null {
  try {
    const page = globalThis as unknown as Partial<BrowserPage>;
    return page.sessionStorage && typeof page.addEventListener === 'function' ? (page as BrowserPage) : null;
  } catch {
    // Access throws if storage is blocked for the page.
    return null;
  }
}

/** A state that cannot be read is dropped, not reported: the mock begins afresh, as on a first visit. */
function recall(casa: Casa, page: BrowserPage, { key, identity }: { key: string; identity: number }): void {
  const text = page.sessionStorage.getItem(key);
  if (text === null) return;
  try {
    const kept = JSON.parse(text) as { identity: number; state: Snapshot };
    // Skips the state of another world, after a change of the options or of the version.
    if (kept.identity === identity) casa.restore(kept.state, { clock: 'elapsed' });
  } catch {
    page.sessionStorage.removeItem(key);
  }
}
