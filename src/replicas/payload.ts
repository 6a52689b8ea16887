// The text of an entry. Requests that came together share one entry: they cost one append.
import { createHash } from 'node:crypto';
import type { Envelope } from './message.ts';

/** By the name that users know, such as `--seed`; a value may be a digest. Replicas of one log have equal ones. */
export type Settings = Readonly<Record<string, string>>;

/**
 * `begin` is the first entry of a log. `checkpoint` requests one from all replicas; it counts only if the last one was
 * taken at the entry `after`, because several replicas can request one at the same time.
 */
type Content =
  | { readonly kind: 'begin'; readonly settings: Settings }
  | { readonly kind: 'checkpoint'; readonly after: string }
  | { readonly kind: 'requests'; readonly requests: readonly Envelope[] };

export type Payload = Content & {
  /** The appending process: a unique name of the process, and a number that grows. */
  readonly from: string;
  readonly n: number;
  /** Fingerprint of the settings of the engine that wrote it; others must not apply it. */
  readonly f: string;
};

/** Null for a text that no replica of this version wrote. */
export function readPayload(text: string): Payload | null {
  try {
    const payload = JSON.parse(text) as Partial<Payload> | null;
    return typeof payload?.f === 'string' && typeof payload.n === 'number' ? (payload as Payload) : null;
  } catch {
    return null;
  }
}

/** Engines with the same one give the same bytes. */
export function fingerprintOf(settings: Settings): string {
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 12);
}

/** The names of the settings that differ. */
export function differences(a: Settings, b: Settings): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}
