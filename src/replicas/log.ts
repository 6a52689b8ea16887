// The one order of all replicas, as an interface: a stream of Redis, or a model of one. An entry is a text; its id
// begins with the millisecond at which the log took it.

import { createHash } from 'node:crypto';
import { parseJson } from '../contract/json.ts';
import type { Envelope } from './message.ts';

/** One entry. Ids only grow: `MILLISECONDS-NUMBER`. */
export interface LogEntry {
  readonly id: string;
  readonly text: string;
}

/** A state of the engine and the entry after which it was taken. */
export interface KeptCheckpoint {
  /** Id of the entry. */
  readonly at: string;
  /** Settings of the replicas that can continue from it. */
  readonly settings: Settings;
  readonly bytes: Uint8Array;
}

/**
 * One connection to the log. A call that rejects leaves open whether it was carried out, but for an `AppendRejected`.
 * After any other rejection the connection is of no more use.
 */
export interface LogConnection {
  /** Adds the first text of a log; does no harm where there is one already. */
  begin(text: string): Promise<void>;
  /** To a log that has begun. Texts of one connection arrive in order, without a gap, but late where it broke. */
  append(text: string): Promise<void>;
  /**
   * Returns at most `entriesAtOnce` entries after `after`, or the first ones; without new entries an empty list, after
   * a delay if it waits. Returns `gone` if the log lacks the entry `after` or has another one there: the log was
   * trimmed, or lost its end.
   */
  read(after: LogEntry | null, waits: boolean): Promise<readonly LogEntry[] | 'gone'>;
  checkpoint(): Promise<KeptCheckpoint | null>;
  /** Keeps a checkpoint unless a newer one is kept, and drops the entries before it. */
  keep(checkpoint: KeptCheckpoint): Promise<void>;
  /** Never rejects. */
  close(): void;
}

export const entriesAtOnce = 100;

/** Opens a connection; rejects when the log does not respond. */
export type OpenLog = () => Promise<LogConnection>;

/** The log has said no: the entry is not in it. */
export class AppendRejected extends Error {
  override readonly name = 'AppendRejected';
}

/** The timestamp of an entry, on the one clock of all replicas. */
export function timestampOf({ id }: Pick<LogEntry, 'id'>): number {
  return Number(id.slice(0, id.indexOf('-')));
}

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
  const payload = parseJson(text) as Partial<Payload> | null | undefined;
  return typeof payload?.f === 'string' && typeof payload.n === 'number' ? (payload as Payload) : null;
}

/** Engines with the same one give the same bytes. */
export function fingerprintOf(settings: Settings): string {
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 12);
}

export function differences(a: Settings, b: Settings): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}
