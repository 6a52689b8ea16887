// The last requests with their responses: a thousand at most, and limited in bytes, so a million requests need no more
// memory than a thousand, however large they are. Entries are described on demand.
import { formatTimestamp } from '../contract/timestamps.ts';
import type { TimeSource } from '../domain/clock.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import type { Trace } from '../http/service.ts';
import {
  describeEntry,
  type LoggedRequest,
  type RequestLogEntry,
  requestLogBodyBytesMax,
} from './request-log-record.ts';

/** `count` can be larger than the number of records, because it continues after dropped ones. */
export interface RequestLogState {
  readonly count: number;
  readonly records: readonly LoggedRequest[];
}

/** Limits the number, as `requestLogBytesMax` limits the bytes: the first limit reached drops the oldest. */
export const requestLogEntriesMax = 1000;
/** Of all entries together; the oldest are dropped first. */
export const requestLogBytesMax = 12 * 1024 * 1024;
/** Besides its texts, an entry takes about this much where it is described: in a response, or in a snapshot. */
export const recordBytes = 2_500;
/** Responses up to this length are kept by reference: cutting costs more than it saves. */
const responseLengthMax = 2 * requestLogBodyBytesMax;

/** An entry, or a record from a snapshot, which is described already. */
interface Slot {
  readonly id: number;
  readonly entry: RequestLogEntry | null;
  readonly record: LoggedRequest | null;
  readonly bytes: number;
  readonly leftMs?: number | undefined;
  /** The whole size of a response that was cut. */
  readonly sent?: number | undefined;
}

/** The real time of a request, for people. Snapshots leave it out, because the same history gives the same bytes. */
export interface Timing {
  /** ISO 8601. */
  readonly receivedAt: string;
  /** From the request to the last byte of the response, with delays on demand. */
  readonly durationMs: number;
  readonly responseBytes: number;
}

/** The ids that are kept are one run without a gap, from `#oldest` to `#count`. */
export class RequestLog {
  readonly #source: TimeSource | undefined;
  /** A ring: the place of an id is its remainder. */
  readonly #slots: (Slot | undefined)[] = [];
  #count = 0;
  /** Id of the oldest entry; `count + 1` for an empty log. */
  #oldest = 1;
  #bytes = 0;
  #dropped = 0;

  /** `source` is the real time. */
  constructor(source?: TimeSource) {
    this.#source = source;
  }

  /** How many requests were seen since the last reset. */
  get count(): number {
    return this.#count;
  }

  /** How many of the last thousand were dropped because they were too large. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Keeps a request and hands out the entry with its bodies whole; what is kept of long bodies is cut. */
  add(request: CoreRequest, response: CoreResponse, trace: Trace): RequestLogEntry {
    this.#count += 1;
    const entry: RequestLogEntry = { id: this.#count, request, response, trace };
    this.#makeRoom();
    this.#keep({ ...slotOf(entry), leftMs: this.#source?.() });
    return entry;
  }

  /** Null for a record of a snapshot. */
  timing(id: number): Timing | null {
    const { entry, leftMs = 0, sent } = this.#at(id) ?? {};
    const arrivedMs = entry?.trace.arrivedMs;
    if (!entry || arrivedMs === undefined) return null;
    const { body, latencyMs = 0 } = entry.response;
    const durationMs = leftMs - arrivedMs + latencyMs;
    return { receivedAt: formatTimestamp(arrivedMs), durationMs, responseBytes: sent ?? byteLength(body) };
  }

  /** The response to a request that is in the request log left as another one. Null when it is not there any more. */
  replaceResponse(request: CoreRequest, response: CoreResponse): RequestLogEntry | null {
    for (let id = this.#count; id >= this.#oldest; id -= 1) {
      const slot = this.#slots[id % requestLogEntriesMax];
      if (!slot?.entry || !isSame(slot.entry.request, request)) continue;
      const entry: RequestLogEntry = { ...slot.entry, response };
      const next = { ...slotOf(entry), leftMs: slot.leftMs };
      this.#bytes += next.bytes - slot.bytes;
      this.#slots[id % requestLogEntriesMax] = next;
      return entry;
    }
    return null;
  }

  /** Oldest first. */
  records(): LoggedRequest[] {
    return this.newest(requestLogEntriesMax).reverse();
  }

  /** The newest first, as many as asked for. */
  newest(limit: number): LoggedRequest[] {
    const found: LoggedRequest[] = [];
    for (let id = this.#count; id >= this.#oldest && found.length < limit; id -= 1) {
      const slot = this.#slots[id % requestLogEntriesMax];
      if (slot) found.push(describe(slot));
    }
    return found;
  }

  /** Null for one that was dropped, and for one that never was. */
  find(id: number): LoggedRequest | null {
    const slot = this.#at(id);
    return slot ? describe(slot) : null;
  }

  /** Returns the request unchanged, to send it again; null if it was dropped or came from a snapshot. */
  findEntry(id: number): RequestLogEntry | null {
    return this.#at(id)?.entry ?? null;
  }

  #at(id: number): Slot | undefined {
    return id >= this.#oldest && id <= this.#count ? this.#slots[id % requestLogEntriesMax] : undefined;
  }

  clear(): void {
    this.#slots.length = 0;
    this.#count = 0;
    this.#oldest = 1;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  /** Described here at the latest, so a snapshot is plain JSON. */
  state(): RequestLogState {
    return { count: this.#count, records: this.records() };
  }

  /** Records of a snapshot are trusted to be one run of ids, as `state` gives them. */
  restore({ count, records }: RequestLogState): void {
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
    if (id - this.#oldest >= requestLogEntriesMax) this.#dropOldest();
  }

  #keep(slot: Slot): void {
    this.#slots[slot.id % requestLogEntriesMax] = slot;
    this.#bytes += slot.bytes;
    while (this.#bytes > requestLogBytesMax) {
      this.#dropOldest();
      this.#dropped += 1;
    }
  }

  #dropOldest(): void {
    const place = this.#oldest % requestLogEntriesMax;
    this.#bytes -= this.#slots[place]?.bytes ?? 0;
    this.#slots[place] = undefined;
    this.#oldest += 1;
  }
}

function slotOf(whole: RequestLogEntry): Slot {
  const entry = cut(whole);
  const { key, complaint, forwarded } = entry.trace;
  const noted = (key?.length ?? 0) + (complaint?.length ?? 0) + (forwarded ? JSON.stringify(forwarded).length : 0);
  const sent = entry.response === whole.response ? undefined : byteLength(whole.response.body);
  return { id: entry.id, entry, record: null, bytes: sizeOf(entry) + 2 * noted, sent };
}

// About what a record takes in memory. A text of a response may take two bytes for each character, headers take one.
// The headers of a response are ours and short: they are a part of the constant.
function sizeOf({ request, response }: Pick<RequestLogEntry | LoggedRequest, 'request' | 'response'>): number {
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

function describe({ entry, record }: Slot): LoggedRequest {
  return record ?? describeEntry(entry as RequestLogEntry);
}

/** Every transport numbers its requests. */
function isSame(one: CoreRequest, other: CoreRequest): boolean {
  return one.method === other.method && one.passage?.came === other.passage?.came && one.path === other.path;
}

/** Most responses are short and are kept whole. */
function cut({ request, response, ...rest }: RequestLogEntry): RequestLogEntry {
  const isLong = response.body.length > responseLengthMax;
  return {
    ...rest,
    request: request.body ? { ...request, body: copyStart(request.body, requestLogBodyBytesMax) } : request,
    response: isLong ? { ...response, body: copyStart(response.body, responseLengthMax) } : response,
  };
}

const encoder = new TextEncoder();

const byteLength = (body: string | Uint8Array) => (typeof body === 'string' ? encoder.encode(body) : body).length;

// A part of a string or of Node's bytes keeps the whole in memory: only a copy releases it. One more than the cap is
// kept, to show that something is missing.
function copyStart(body: string | Uint8Array, lengthMax: number): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body.slice(0, Math.min(body.length, lengthMax + 1)));
  return new Uint8Array(body.subarray(0, lengthMax + 1));
}
