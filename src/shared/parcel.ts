// What an entry of the log says. Requests that came together share one entry: they cost one append.
import type { Envelope } from './letter.ts';

interface Sent {
  /** Who appended it: a name that no other process ever has, and a number that grows. */
  readonly from: string;
  readonly n: number;
  /** Of the engine that wrote it; others must not apply it. */
  readonly f: string;
}

/** `begin` is the first entry of a log; `checkpoint` asks all replicas for one. */
interface Begin extends Sent {
  readonly kind: 'begin';
}

interface Ask extends Sent {
  readonly kind: 'checkpoint';
}

export type Sign = Begin | Ask;

interface Requests extends Sent {
  readonly kind: 'requests';
  readonly requests: readonly Envelope[];
}

export type Parcel = Begin | Ask | Requests;

/** Null for a text that no replica of this version wrote. */
export function readParcel(text: string): Parcel | null {
  try {
    const parcel = JSON.parse(text) as Partial<Parcel> | null;
    return typeof parcel?.f === 'string' && typeof parcel.n === 'number' ? (parcel as Parcel) : null;
  } catch {
    return null;
  }
}
