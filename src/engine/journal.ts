// The last requests, with what became of each: a thousand at most, and no more than their share of bytes, so that a
// million requests cost no more memory than a thousand, however large they are. Describing waits until somebody asks.
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import type { Trace } from '../http/service.ts';
import { describeEntry, type JournalEntry, type JournalRecord, journalBodyBytesMax } from './journal-record.ts';

/** `count` may be larger than the number of records: it goes on where it was. */
export interface JournalState {
  readonly count: number;
  readonly records: readonly JournalRecord[];
}

/** This bounds the number, `journalBytesMax` the bytes: whichever is reached first drops the oldest. */
export const journalEntriesMax = 1000;
/** Of all entries together; the oldest are dropped first. */
export const journalBytesMax = 12 * 1024 * 1024;
/** Besides its texts, an entry takes about this much where it is described: in an answer, or in a snapshot. */
export const recordBytes = 2_500;
/** Answers up to this length are kept by reference: cutting costs more than it saves. */
const responseLengthMax = 2 * journalBodyBytesMax;

/** An entry, or a record from a snapshot, which is described already. */
interface Slot {
  readonly id: number;
  readonly entry: JournalEntry | null;
  readonly record: JournalRecord | null;
  readonly bytes: number;
}

/** The ids that are kept are one run without a gap, from `#oldest` to `#count`. */
export class Journal {
  /** A ring: the place of an id is its remainder. */
  readonly #slots: (Slot | undefined)[] = [];
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
    this.#keep(slotOf(entry));
    return entry;
  }

  /** The answer to a request that is in the journal left as another one. Null when it is not there any more. */
  replaceAnswer(request: CoreRequest, response: CoreResponse): JournalEntry | null {
    for (let id = this.#count; id >= this.#oldest; id -= 1) {
      const slot = this.#slots[id % journalEntriesMax];
      if (!slot?.entry || !isSame(slot.entry.request, request)) continue;
      const entry: JournalEntry = { ...slot.entry, response };
      const next = slotOf(entry);
      this.#bytes += next.bytes - slot.bytes;
      this.#slots[id % journalEntriesMax] = next;
      return entry;
    }
    return null;
  }

  /** Oldest first. */
  records(): JournalRecord[] {
    return this.newest(journalEntriesMax).reverse();
  }

  /** The newest first, as many as asked for. */
  newest(limit: number): JournalRecord[] {
    const found: JournalRecord[] = [];
    for (let id = this.#count; id >= this.#oldest && found.length < limit; id -= 1) {
      const slot = this.#slots[id % journalEntriesMax];
      if (slot) found.push(describe(slot));
    }
    return found;
  }

  /** Null for one that was dropped, and for one that never was. */
  find(id: number): JournalRecord | null {
    const slot = this.#at(id);
    return slot ? describe(slot) : null;
  }

  /** The request as it came, for whoever wants to send it again; null when it is gone, or came out of a snapshot. */
  findEntry(id: number): JournalEntry | null {
    return this.#at(id)?.entry ?? null;
  }

  #at(id: number): Slot | undefined {
    return id >= this.#oldest && id <= this.#count ? this.#slots[id % journalEntriesMax] : undefined;
  }

  clear(): void {
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
      this.#keep({ id: record.id, entry: null, record, bytes: sizeOf(record) });
    }
    this.#count = count;
    this.#dropped = 0;
  }

  /** A thousand are kept: the oldest goes before the next one comes. */
  #makeRoom(id = this.#count): void {
    if (id - this.#oldest >= journalEntriesMax) this.#dropOldest();
  }

  #keep(slot: Slot): void {
    this.#slots[slot.id % journalEntriesMax] = slot;
    this.#bytes += slot.bytes;
    while (this.#bytes > journalBytesMax) {
      this.#dropOldest();
      this.#dropped += 1;
    }
  }

  #dropOldest(): void {
    const place = this.#oldest % journalEntriesMax;
    this.#bytes -= this.#slots[place]?.bytes ?? 0;
    this.#slots[place] = undefined;
    this.#oldest += 1;
  }
}

function slotOf(whole: JournalEntry): Slot {
  const entry = cut(whole);
  const { key, complaint, forwarded } = entry.trace;
  const noted = (key?.length ?? 0) + (complaint?.length ?? 0) + (forwarded ? JSON.stringify(forwarded).length : 0);
  return { id: entry.id, entry, record: null, bytes: sizeOf(entry) + 2 * noted };
}

// About what a record takes in memory. A text of an answer may take two bytes for each character, headers take one. The
// headers of an answer are ours and short: they are a part of the constant.
function sizeOf({ request, response }: Pick<JournalEntry | JournalRecord, 'request' | 'response'>): number {
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

function describe({ entry, record }: Slot): JournalRecord {
  return record ?? describeEntry(entry as JournalEntry);
}

/** A door numbers all requests that pass through it. */
function isSame(one: CoreRequest, other: CoreRequest): boolean {
  return one.method === other.method && one.passage?.came === other.passage?.came && one.path === other.path;
}

/** Most answers are short and are kept whole. */
function cut({ request, response, ...rest }: JournalEntry): JournalEntry {
  const isLong = response.body.length > responseLengthMax;
  return {
    ...rest,
    request: request.body ? { ...request, body: copyStart(request.body, journalBodyBytesMax) } : request,
    response: isLong ? { ...response, body: copyStart(response.body, responseLengthMax) } : response,
  };
}

const encoder = new TextEncoder();

// A part of a string or of Node's bytes keeps the whole alive: only a copy lets it go. One more than the cap is kept,
// so that it can be told that something is missing.
function copyStart(body: string | Uint8Array, lengthMax: number): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body.slice(0, Math.min(body.length, lengthMax + 1)));
  return new Uint8Array(body.subarray(0, lengthMax + 1));
}
