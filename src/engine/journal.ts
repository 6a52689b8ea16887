// The last requests, with what became of each: a thousand at most, and no more than their share of bytes, so that a million
// requests cost no more memory than a thousand, however large they are. Adding keeps references and nothing else; describing
// waits until somebody asks.

import type { CoreRequest, CoreResponse } from '../http/message.ts';
import type { Trace } from '../http/service.ts';
import { type JournalEntry, journalBodyBytesMax } from './journal-entry.ts';
import { describeEntry, type JournalRecord } from './journal-record.ts';

export interface JournalState {
  readonly count: number;
  readonly records: readonly JournalRecord[];
}

export const journalEntriesMax = 1000;
/** Of all entries together; the oldest are dropped first. */
export const journalBytesMax = 24 * 1024 * 1024;
/** An entry takes about this much besides its texts. */
const entryBytes = 2_000;
/** Answers up to this length are kept by reference: cutting costs more than it saves. */
const responseLengthMax = 2 * journalBodyBytesMax;

type Slot = JournalEntry | JournalRecord;

interface Kept {
  readonly slot: Slot;
  readonly bytes: number;
}

export class Journal {
  /** By id, the oldest first. */
  readonly #kept = new Map<number, Kept>();
  #count = 0;
  #bytes = 0;
  #dropped = 0;

  /** How many requests were seen since the last reset. */
  get count(): number {
    return this.#count;
  }

  /** How many of the last thousand were dropped because they were too large. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Keeps a request and hands out the entry with its bodies whole; what is kept of long bodies is cut. */
  add(request: CoreRequest, response: CoreResponse, trace: Trace): JournalEntry {
    this.#count += 1;
    const entry: JournalEntry = { id: this.#count, request, response, trace };
    this.#keep(isLong(entry) ? cut(entry) : entry);
    return entry;
  }

  /** Oldest first. */
  records(): JournalRecord[] {
    return [...this.#kept.values()].map(({ slot }) => describe(slot));
  }

  /** The newest first, as many as asked for. */
  newest(limit: number): JournalRecord[] {
    return [...this.#kept.values()]
      .slice(-limit)
      .reverse()
      .map(({ slot }) => describe(slot));
  }

  find(id: number): JournalRecord | null {
    const kept = this.#kept.get(id);
    return kept ? describe(kept.slot) : null;
  }

  clear(): void {
    this.#kept.clear();
    this.#count = 0;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  state(): JournalState {
    return { count: this.#count, records: this.records() };
  }

  restore({ count, records }: JournalState): void {
    this.clear();
    for (const record of records) this.#keep(record);
    this.#count = count;
    this.#dropped = 0;
  }

  #keep(slot: Slot): void {
    const bytes = sizeOf(slot);
    this.#kept.set(slot.id, { slot, bytes });
    this.#bytes += bytes;
    if (this.#kept.size > journalEntriesMax) this.#dropOldest();
    while (this.#bytes > journalBytesMax) {
      this.#dropOldest();
      this.#dropped += 1;
    }
  }

  #dropOldest(): void {
    const [id, { bytes }] = this.#kept.entries().next().value as [number, Kept];
    this.#kept.delete(id);
    this.#bytes -= bytes;
  }
}

// About what an entry takes in memory. A text of an answer may take two bytes for each character, headers take one.
function sizeOf({ request, response }: Slot): number {
  const { method, path, query } = request;
  const texts = method.length + path.length + query.length + lengthOf(request.headers) + lengthOf(response.headers);
  return entryBytes + texts + bodySize(request.body) + bodySize(response.body);
}

function lengthOf(headers: Readonly<Record<string, string | undefined>>): number {
  let length = 0;
  for (const name in headers) length += name.length + (headers[name]?.length ?? 0) + 50;
  return length;
}

function bodySize(body: string | Uint8Array | null): number {
  if (body === null) return 0;
  return typeof body === 'string' ? 2 * body.length : body.length;
}

function describe(slot: Slot): JournalRecord {
  return 'trace' in slot ? describeEntry(slot) : slot;
}

function isLong({ request, response }: JournalEntry): boolean {
  return (request.body?.length ?? 0) > journalBodyBytesMax || response.body.length > responseLengthMax;
}

function cut({ request, response, ...rest }: JournalEntry): JournalEntry {
  return {
    ...rest,
    request: { ...request, body: request.body && copyStart(request.body, journalBodyBytesMax) },
    response: { ...response, body: copyStart(response.body, responseLengthMax) },
  };
}

const encoder = new TextEncoder();

// A part of a string or of Node's bytes keeps the whole alive: only a copy lets it go. One more than the cap is kept, so
// that it can be told that something is missing.
function copyStart(body: string | Uint8Array, lengthMax: number): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body.slice(0, Math.min(body.length, lengthMax + 1)));
  return new Uint8Array(body.subarray(0, lengthMax + 1));
}
