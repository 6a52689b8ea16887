// Separate runs of a program, page loads and other clients of a key send the same requests, and none is a retry.
import type { CoreRequest } from '../../http/message.ts';
import type { RequestLogEntry } from '../request-log-record.ts';
import { type Heard, type KnownRuns, type Remembered, waitedMs } from './heard.ts';
import { windows } from './violation.ts';

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

/** The last exchanges of all clients, where many use the mock. */
export class Runs implements KnownRuns {
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

  isOnNew(earlier: Remembered, { clients, entry }: Heard): boolean {
    return clients === 'many' && this.#isNew(entry.request.connection, earlier);
  }

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
