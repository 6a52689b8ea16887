// An exchange as the rules see it, and the time between two of them.
import type { OperationId } from '../../contract/generated/operations.ts';
import type { ControlledClock } from '../../domain/clock.ts';
import { bodyText } from '../../http/message.ts';
import type { JournalEntry } from '../journal-entry.ts';

export interface Moment {
  /** The mock's clock. */
  readonly atMs: number;
  /** The time that the mock's clock is derived from: it goes on while the mock's clock is frozen. */
  readonly sourceMs: number;
}

export interface Heard extends Moment {
  readonly entry: JournalEntry;
  /** Whether the mock's clock stood still, so that only somebody's hand moves it on. */
  readonly frozen: boolean;
}

/** Hears an entry now. */
export function hear(entry: JournalEntry, clock: ControlledClock): Heard {
  return { entry, atMs: entry.trace.nowMs, sourceMs: clock.state().sourceMs, frozen: clock.frozen };
}

/**
 * How long the client waited. The longer of the two clocks counts: a client under a frozen or hurried clock waits on its
 * own, and nobody is to be accused because the two differ.
 */
export function waitedMs(earlier: Moment, later: Moment): number {
  return Math.max(later.atMs - earlier.atMs, later.sourceMs - earlier.sourceMs);
}

/** Two requests as close as this may have been under way together. */
const togetherMs = 100;

/**
 * Whether the client had the first answer when it sent the second request. On one connection it had, unless a browser lined
 * the two up: it does so for pages that ask for one thing from two places at once. On different connections nobody knows.
 */
export function knewAnswer(earlier: Heard, later: Heard): boolean {
  const { connection, headers } = later.entry.request;
  const isBrowser = headers['sec-fetch-site'] !== undefined;
  if (!isBrowser && connection === earlier.entry.request.connection) return true;
  return waitedMs(earlier, later) >= togetherMs;
}

/** Whether the answer reached the client at all. */
export function isDelivered({ response: { network } }: JournalEntry): boolean {
  return network === undefined || network === 'slow';
}

/** The code of a tool or simple envelope; null for the limiter's body and anything else. */
export function errorCode({ response }: JournalEntry): string | null {
  try {
    const { error } = JSON.parse(bodyText(response)) as { error?: { code?: unknown } };
    return typeof error?.code === 'string' ? error.code : null;
  } catch {
    return null;
  }
}

/** The same for two requests if the client is the same, and everything it sent that counts. */
export function fingerprint({ request, trace }: JournalEntry): string {
  const { method, path, query, headers, body } = request;
  const client = `${trace.key ?? ''} ${trace.address} ${headers.prefer ?? ''}`;
  return `${method} ${path}?${query} ${client} ${body === null ? '' : digest(body)}`;
}

// Two independent 32-bit sums and the length: not for secrets, only to tell bodies apart without keeping them.
function digest(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const tail = bytes.length - (bytes.length % 4);
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  const mix = (word: number) => {
    a = Math.imul(a ^ word, 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(b + word, 0x85ebca6b) ^ (b >>> 13);
  };
  for (let i = 0; i < tail; i += 4) mix(view.getInt32(i, true));
  for (let i = tail; i < bytes.length; i += 1) mix(bytes[i] as number);
  return `${bytes.length} ${a >>> 0} ${b >>> 0}`;
}

/** The request in few words, for messages. */
export function describeRequest({ request, trace }: JournalEntry): string {
  return typeof trace.routing === 'string' ? `${request.method} ${request.path}` : trace.routing.operation.id;
}

export function isOperation({ trace }: JournalEntry, id: OperationId): boolean {
  return typeof trace.routing !== 'string' && trace.routing.operation.id === id;
}

/** Seconds with one digit, or milliseconds below one. */
export function formatWait(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}
