// The last requests, with what became of each: a thousand at most, and no more than their share of bytes, so that a
// million requests cost no more memory than a thousand, however large they are. Adding packs an entry; describing waits
// until somebody asks.

import type { CoreRequest, CoreResponse } from '../http/message.ts';
import type { Trace } from '../http/service.ts';
import { type JournalEntry, journalBodyBytesMax } from './journal-entry.ts';
import { describeEntry, type JournalRecord } from './journal-record.ts';
import { PackedEntry } from './packed-entry.ts';
import { Pages } from './pages.ts';

/** `count` may be larger than the number of records: it goes on where it was. */
export interface JournalState {
  readonly count: number;
  readonly records: readonly JournalRecord[];
}

/** This bounds the number, `journalBytesMax` the bytes: whichever is reached first drops the oldest. */
export const journalEntriesMax = 1000;
/** Of all entries together; the oldest are dropped first. */
export const journalBytesMax = 12 * 1024 * 1024;
/** A record from a snapshot takes about this much besides its texts. */
export const recordBytes = 2_500;
/** Answers up to this length are kept by reference: cutting costs more than it saves. */
const responseLengthMax = 2 * journalBodyBytesMax;

/** Records from a snapshot are described already and never become entries again. */
type Slot = PackedEntry | JournalRecord;

/**
 * The ids that are kept are one run without a gap, from `#oldest` to `#count`; an id's place in the rings is its
 * remainder.
 */
export class Journal {
  // Two rings, by id: no object is made for an entry, because every request adds one.
  readonly #slots: (Slot | undefined)[] = [];
  readonly #sizes = new Float64Array(journalEntriesMax);
  readonly #pages = new Pages();
  /** The entry that was dropped last, to be filled again. */
  #free: PackedEntry | null = null;
  #count = 0;
  /** Id of the oldest entry that is kept; one more than `count` when there is none. */
  #oldest = 1;
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
    this.#makeRoom();
    const packed = this.#free ?? new PackedEntry();
    this.#free = null;
    packed.fill(isLong(entry) ? cut(entry) : entry, this.#pages);
    this.#keep(packed, packed.bytes);
    return entry;
  }

  /** The answer to a request that is in the journal left as another one. Null when it is not there any more. */
  replaceAnswer(request: CoreRequest, response: CoreResponse): JournalEntry | null {
    for (let id = this.#count; id >= this.#oldest; id -= 1) {
      const slot = this.#slots[id % journalEntriesMax];
      if (!(slot instanceof PackedEntry && slot.isOf(request))) continue;
      const entry: JournalEntry = { ...slot.read(), response };
      slot.clear(this.#pages);
      slot.fill({ ...entry, request: { ...entry.request, passage: request.passage } }, this.#pages);
      this.#bytes += slot.bytes - (this.#sizes[id % journalEntriesMax] as number);
      this.#sizes[id % journalEntriesMax] = slot.bytes;
      return entry;
    }
    return null;
  }

  /** Oldest first. */
  records(): JournalRecord[] {
    return this.#newest(journalEntriesMax).reverse();
  }

  /** The newest first, as many as asked for. */
  newest(limit: number): JournalRecord[] {
    return this.#newest(limit);
  }

  /** Null for one that was dropped, and for one that never was. */
  find(id: number): JournalRecord | null {
    const slot = id >= this.#oldest && id <= this.#count ? this.#slots[id % journalEntriesMax] : undefined;
    return slot ? describe(slot) : null;
  }

  /** The request as it came, for whoever wants to send it again; null when it is gone, or came out of a snapshot. */
  findEntry(id: number): JournalEntry | null {
    const slot = id >= this.#oldest && id <= this.#count ? this.#slots[id % journalEntriesMax] : undefined;
    return slot instanceof PackedEntry ? slot.read() : null;
  }

  clear(): void {
    while (this.#oldest <= this.#count) this.#dropOldest();
    this.#slots.length = 0;
    this.#count = 0;
    this.#oldest = 1;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  /** Described here at the latest, so that a snapshot is plain JSON. */
  state(): JournalState {
    return { count: this.#count, records: this.records() };
  }

  /** Records of a snapshot are trusted to be one run of ids, as `state` gives them. */
  restore({ count, records }: JournalState): void {
    this.clear();
    const [first] = records;
    this.#oldest = first?.id ?? count + 1;
    for (const record of records) {
      this.#makeRoom(record.id);
      this.#keep(record, sizeOf(record));
    }
    this.#count = count;
    this.#dropped = 0;
  }

  #newest(limit: number): JournalRecord[] {
    const found: JournalRecord[] = [];
    for (let id = this.#count; id >= this.#oldest && found.length < limit; id -= 1) {
      const slot = this.#slots[id % journalEntriesMax];
      if (slot) found.push(describe(slot));
    }
    return found;
  }

  /** A thousand are kept: the oldest goes before the next one comes. */
  #makeRoom(id = this.#count): void {
    if (id - this.#oldest >= journalEntriesMax) this.#dropOldest();
  }

  /** The one place that counts bytes: what goes in is subtracted with the same number. */
  #keep(slot: Slot, bytes: number): void {
    this.#slots[slot.id % journalEntriesMax] = slot;
    this.#sizes[slot.id % journalEntriesMax] = bytes;
    this.#bytes += bytes;
    while (this.#bytes > journalBytesMax) {
      this.#dropOldest();
      this.#dropped += 1;
    }
  }

  #dropOldest(): void {
    const place = this.#oldest % journalEntriesMax;
    const slot = this.#slots[place];
    this.#bytes -= this.#sizes[place] as number;
    this.#slots[place] = undefined;
    this.#oldest += 1;
    if (!(slot instanceof PackedEntry)) return;
    slot.clear(this.#pages);
    this.#free = slot;
  }
}

// About what a record takes in memory. A text of an answer may take two bytes for each character, headers take one. The
// headers of an answer are ours and short: they are a part of the constant.
function sizeOf({ request, response }: JournalRecord): number {
  const { method, path, query, headers } = request;
  const texts = method.length + path.length + query.length + lengthOf(headers);
  return recordBytes + texts + bodySize(request.body) + bodySize(response.body);
}

function lengthOf(headers: Readonly<Record<string, string | undefined>>): number {
  let length = 0;
  for (const name in headers) length += name.length + (headers[name]?.length ?? 0) + 50;
  return length;
}

/** Texts are counted as UTF-16, the worst that an engine may do with them. */
function bodySize(body: string | Uint8Array | null): number {
  if (body === null) return 0;
  return typeof body === 'string' ? 2 * body.length : body.length;
}

function describe(slot: Slot): JournalRecord {
  return slot instanceof PackedEntry ? describeEntry(slot.read()) : slot;
}

/** Most entries are short and are kept whole. */
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

// A part of a string or of Node's bytes keeps the whole alive: only a copy lets it go. One more than the cap is kept,
// so that it can be told that something is missing.
function copyStart(body: string | Uint8Array, lengthMax: number): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body.slice(0, Math.min(body.length, lengthMax + 1)));
  return new Uint8Array(body.subarray(0, lengthMax + 1));
}
