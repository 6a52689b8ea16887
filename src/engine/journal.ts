// The last requests, with what became of each. A ring, so that a million requests cost no more memory than a thousand.
// Adding keeps references and nothing else; describing waits until somebody asks.

import type { CoreRequest, CoreResponse } from '../http/message.ts';
import type { Trace } from '../http/service.ts';
import { type JournalEntry, journalBodyBytesMax } from './journal-entry.ts';
import { describeEntry, type JournalRecord } from './journal-record.ts';

export interface JournalState {
  readonly count: number;
  readonly records: readonly JournalRecord[];
}

const journalEntriesMax = 1000;
/** Answers up to this length are kept by reference: cutting costs more than it saves. */
const responseLengthMax = 2 * journalBodyBytesMax;

type Slot = JournalEntry | JournalRecord;

export class Journal {
  readonly #ring: Slot[] = [];
  #count = 0;

  /** How many requests were seen since the last reset. */
  get count(): number {
    return this.#count;
  }

  /** Keeps a request and hands out the entry with its bodies whole; what is kept of long bodies is cut. */
  add(request: CoreRequest, response: CoreResponse, trace: Trace): JournalEntry {
    const entry: JournalEntry = { id: this.#count + 1, request, response, trace };
    this.#ring[this.#count % journalEntriesMax] = isLong(entry) ? cut(entry) : entry;
    this.#count += 1;
    return entry;
  }

  /** Oldest first. */
  records(): JournalRecord[] {
    return this.#slots().map(describe);
  }

  /** The newest first, as many as asked for. */
  newest(limit: number): JournalRecord[] {
    const slots = this.#slots();
    return slots
      .slice(Math.max(0, slots.length - limit))
      .reverse()
      .map(describe);
  }

  find(id: number): JournalRecord | null {
    const slot = this.#slots().find((other) => other.id === id);
    return slot ? describe(slot) : null;
  }

  clear(): void {
    this.#ring.length = 0;
    this.#count = 0;
  }

  state(): JournalState {
    return { count: this.#count, records: this.records() };
  }

  restore({ count, records }: JournalState): void {
    this.clear();
    this.#count = count;
    for (const record of records) this.#ring[(record.id - 1) % journalEntriesMax] = record;
  }

  #slots(): Slot[] {
    const split = this.#count % journalEntriesMax;
    return this.#count <= journalEntriesMax
      ? [...this.#ring]
      : [...this.#ring.slice(split), ...this.#ring.slice(0, split)];
  }
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
