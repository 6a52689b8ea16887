// An exchange as the rules see it, the little of it that they remember, and the time between two of them. Separate runs
// of a program, page loads and other clients of a key send the same requests, and none is a retry.

import type { OperationId } from '../../contract/generated/operations.ts';
import { parseJson } from '../../contract/json.ts';
import { bodyText, type CoreRequest, type Passage } from '../../http/message.ts';
import { redactCutKeys, redactKeys } from '../redaction.ts';
import type { RequestLogEntry } from '../request-log-record.ts';
import { type clauseOf, digestBytes, digestText, shorten, type Violation, type Windows, windows } from './violation.ts';

/** On the mock's clock alone, so the same run is checked alike however fast the machine is. */
export interface Moment {
  readonly atMs: number;
}

/** One exchange, at the moment when the rules hear of it. */
export interface Heard extends Moment {
  readonly entry: RequestLogEntry;
  /** Milliseconds of the mock's clock in one of the machine's; 0 when it is frozen. */
  readonly scale: number;
  readonly clients: Clients;
  readonly runs: Runs;
  readonly windows: Windows;
}

/** Whether one client uses the mock, as in a test, or several that might send the same request at the same time. */
export type Clients = 'one' | 'many';

/** The part of an exchange that a rule remembers: bounded, and without the bodies of the request log. */
export interface Remembered extends Moment {
  readonly id: number;
  readonly status: number;
  /** The request in few words, for messages. */
  readonly what: string;
  readonly connection?: number | undefined;
  readonly passage?: Passage | undefined;
}

/** A finding of a rule; the judge adds the circumstances. */
export interface Finding {
  readonly rule: keyof typeof clauseOf;
  /** That of the rule when absent. */
  readonly clause?: Violation['clause'];
  readonly message: string;
  /** The earlier exchange that makes this one a violation. */
  readonly earlier: Remembered;
}

/** A map that drops its oldest entries, so the memory of a rule is bounded. */
export class Recent<Value> extends Map<string, Value> {
  /** How many entries were dropped because there were too many. */
  dropped = 0;

  /** Drops the oldest entries while there are more than this, and returns them. */
  limit(most: number): Value[] {
    const gone: Value[] = [];
    for (const [name, value] of this) {
      if (this.size <= most) break;
      this.delete(name);
      gone.push(value);
    }
    this.dropped += gone.length;
    return gone;
  }
}

/** Returns the part of an exchange that is needed after its request log entry is dropped. */
export function remember({ entry, atMs }: Heard): Remembered {
  const { id, request, response } = entry;
  const { connection, passage } = request;
  return { id, status: response.status, what: describeRequest(entry), connection, passage, atMs };
}

export function waitedMs(earlier: Moment, later: Moment): number {
  return later.atMs - earlier.atMs;
}

/**
 * Whether the client had the first response when it sent the second request. On one connection it had. On two, it is
 * `likely` if the request arrived after that response was sent, because several clients can share the mock.
 */
export function knewResponse(earlier: Remembered, later: Heard): 'yes' | 'likely' | 'no' {
  if (waitedMs(earlier, later) >= windows.togetherMs) return 'yes';
  const { request } = later.entry;
  // A browser sends equal GET requests one after the other, when a page makes two at once.
  if (request.headers['sec-fetch-site'] !== undefined && (request.method === 'GET' || request.method === 'HEAD'))
    return 'no';
  const { connection, passage } = request;
  if (connection !== undefined && connection === earlier.connection) return 'yes';
  if (!passage || !earlier.passage) return connection === earlier.connection ? 'yes' : 'no';
  const { left } = earlier.passage;
  if (left === null || passage.came < left) return 'no';
  return passage.exact || later.clients === 'one' ? 'yes' : 'likely';
}

/** Whether the response reached the client at all. */
export function isDelivered({ response: { network } }: RequestLogEntry): boolean {
  return network === undefined || network === 'slow';
}

/** The code of a tool or simple envelope; null for the limiter's body and anything else. */
export function errorCode({ response }: RequestLogEntry): string | null {
  const body = parseJson(bodyText(response)) as { error?: { code?: unknown } | null } | null | undefined;
  return typeof body?.error?.code === 'string' ? body.error.code : null;
}

/** A key as the rules remember it: distinguished from others, and not to be read back. */
export function keyMark({ trace: { key } }: RequestLogEntry): string | null {
  return key === null ? null : digestText(key);
}

/** The same for two requests if the client is the same, and everything it sent that counts. */
export function fingerprint(entry: RequestLogEntry): string {
  const { method, path, query, headers, body } = entry.request;
  const client = `${keyMark(entry) ?? ''} ${entry.trace.address} ${shorten(headers.prefer ?? '')}`;
  return `${shorten(method)} ${shorten(path)}?${shorten(query)} ${client} ${body === null ? '' : digestBytes(body)}`;
}

const textMax = 200;

/** The request in few words, for messages. */
export function describeRequest(entry: RequestLogEntry): string {
  const { routing } = entry.trace;
  return typeof routing === 'string' ? pathOf(entry) : routing.operation.id;
}

/** Method and path, without keys. */
export function pathOf({ request }: RequestLogEntry): string {
  const text = `${request.method} ${request.path}`;
  return text.length > textMax ? redactCutKeys(text.slice(0, textMax)) : redactKeys(text);
}

/** A tool counts as its operation, so REST and MCP requests are the same. */
export function isOperation({ trace }: RequestLogEntry, id: OperationId): boolean {
  return typeof trace.routing !== 'string' && trace.routing.operation.id === id;
}

/** Seconds with one digit, or milliseconds below one. */
export function formatWait(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

/** The part of an exchange that shows who sent it. Texts are those of the request, so a copy costs little. */
interface Exchange {
  readonly id: number;
  readonly connection: number | undefined;
  readonly address: string;
  readonly key: string | null;
  /** Path and query of a read with success; null for another request. */
  readonly read: readonly [path: string, query: string] | null;
}

/** A page or a run of a program sends fewer. */
const exchangesMax = 200;

/** The last exchanges of all clients where many use the mock: evidence that a request is of another run or client. */
export class Runs {
  readonly #recent: Exchange[] = [];
  #count = 0;

  /** To be reported every exchange, before it is checked. */
  meet({ id, request, response, trace: { address, key } }: RequestLogEntry): void {
    const { connection, method, path, query } = request;
    const read = method === 'GET' && response.status === 200 ? ([path, query] as const) : null;
    this.#recent[this.#count % exchangesMax] = { id, connection, address, key, read };
    this.#count += 1;
  }

  clear(): void {
    this.#recent.length = 0;
    this.#count = 0;
  }

  /** Whether a request came on a connection without exchanges before the response. A retry often uses the same one. */
  isOnNew(earlier: Remembered, { clients, entry }: Heard): boolean {
    return clients === 'many' && this.#isNew(entry.request.connection, earlier);
  }

  /** Whether the client repeated a read in between, as at the start of a run or page load. */
  startsAgain(earlier: Remembered, later: Heard): boolean {
    const { id, request, trace } = later.entry;
    const isLoad = later.clients === 'many' && isBrowser(request);
    if (!isLoad && !this.isOnNew(earlier, later)) return false;
    const reads = this.#recent.filter(
      ({ read, key, address }) => read && key === trace.key && address === trace.address,
    );
    const known = new Set(reads.flatMap((read) => (read.id < earlier.id ? [textOf(read)] : [])));
    return reads.some(
      (read) =>
        read.id > earlier.id &&
        read.id < id &&
        known.has(textOf(read)) &&
        (isLoad || this.#isNew(read.connection, earlier)),
    );
  }

  #isNew(connection: number | undefined, { id, connection: before }: Remembered): boolean {
    if (connection === undefined || connection === before) return false;
    return this.#recent.every((other) => other.id > id || other.connection !== connection);
  }
}

const textOf = ({ read }: Exchange) => read?.join('?');

const isBrowser = ({ headers }: CoreRequest) => headers['sec-fetch-site'] !== undefined;

/** Whether a client can send the next request on the same connection. */
export const keepsConnections = ({ headers }: CoreRequest) => headers.connection?.toLowerCase() !== 'close';

/** Whether the request can be that of another run or client. */
export function isDoubtful(earlier: Remembered, later: Heard): boolean {
  const { clients, entry } = later;
  const { connection } = entry.request;
  const isReload = isBrowser(entry.request) && waitedMs(earlier, later) >= windows.newRunMs;
  return clients === 'many' && connection !== undefined && (isReload || connection !== earlier.connection);
}
