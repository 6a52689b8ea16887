// An entry of the journal as it is kept: what belongs to this exchange alone lies as bytes on a page, what it shares
// with others (its operation, key, connection) is referred to. The object itself is filled again and again.

import type { Fault } from '../domain/faults.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import type { AnyOperation, Routing, ToolMatch } from '../http/route.ts';
import type { Trace } from '../http/service.ts';
import type { JournalEntry } from './journal-entry.ts';
import { bodyOf, headOf, nowhere, type Pages, tailOf } from './pages.ts';

/** Besides its texts, an entry takes about this much where it is described: in an answer, or in a snapshot. */
const describedBytes = 2_500;

/** What is written as one text of JSON. */
interface Head {
  readonly path: string;
  readonly query: string;
  readonly headers: CoreRequest['headers'];
  readonly answered: CoreResponse['headers'];
  /** The values of the path; absent where it met no operation. */
  readonly values?: Readonly<Record<string, string>>;
}

export class PackedEntry {
  id = 0;
  readonly #place = nowhere();
  #hasBody = false;
  /** The body of the answer where it came as bytes: all who ask for a page of a list share it. */
  #shared: Uint8Array | null = null;
  #method = '';
  #peer = '';
  #origin = '';
  #connection: number | undefined;
  #came: number | undefined;
  #status = 0;
  #network: CoreResponse['network'];
  #latencyMs: number | undefined;
  #unmet: Extract<Routing, string> = 'unknown_path';
  #operation: AnyOperation | null = null;
  #tool: ToolMatch['tool'] | undefined;
  #address = '';
  #key: string | null = null;
  #organizationId: string | null = null;
  // A number in an object is an object of its own; here it is not.
  readonly #nowMs = new Float64Array(1);
  #fault: Fault | null = null;
  #fired = false;
  #blockedBy: Trace['blockedBy'] = null;
  #complaint: string | null = null;
  #forwarded: Trace['forwarded'];
  #forwardedLength = 0;

  /** What it takes in memory, about. */
  get bytes(): number {
    const { start, end } = this.#place;
    const texts =
      this.#method.length + (this.#key?.length ?? 0) + (this.#complaint?.length ?? 0) + this.#forwardedLength;
    return describedBytes + end - start + 2 * texts + (this.#shared?.length ?? 0);
  }

  fill({ id, request, response, trace }: JournalEntry, pages: Pages): void {
    this.id = id;
    this.#method = request.method;
    this.#peer = request.peer;
    this.#origin = request.origin;
    this.#connection = request.connection;
    this.#came = request.passage?.came;
    this.#status = response.status;
    this.#network = response.network;
    this.#latencyMs = response.latencyMs;
    this.#keep(trace);
    const { path, query, headers, body } = request;
    const values = typeof trace.routing === 'string' ? undefined : trace.routing.path;
    const head: Head = { path, query, headers, answered: response.headers, ...(values && { values }) };
    this.#hasBody = body !== null;
    this.#shared = typeof response.body === 'string' ? null : response.body;
    const tail = typeof response.body === 'string' ? response.body : '';
    pages.write(this.#place, { head: JSON.stringify(head), body, tail });
  }

  #keep(trace: Trace): void {
    const { routing } = trace;
    if (typeof routing === 'string') this.#unmet = routing;
    this.#operation = typeof routing === 'string' ? null : routing.operation;
    this.#tool = typeof routing === 'string' ? undefined : routing.tool;
    this.#address = trace.address;
    this.#key = trace.key;
    this.#organizationId = trace.organizationId;
    this.#nowMs[0] = trace.nowMs;
    this.#fault = trace.fault;
    this.#fired = trace.fired;
    this.#blockedBy = trace.blockedBy;
    this.#complaint = trace.complaint;
    this.#forwarded = trace.forwarded;
    this.#forwardedLength = trace.forwarded ? JSON.stringify(trace.forwarded).length : 0;
  }

  /** The exchange as it was, but for what only its door could use. */
  read(): JournalEntry {
    const { path, query, headers, answered, values } = JSON.parse(headOf(this.#place)) as Head;
    const request: CoreRequest = {
      method: this.#method,
      path,
      query,
      headers,
      body: this.#hasBody ? bodyOf(this.#place) : null,
      peer: this.#peer,
      connection: this.#connection,
      origin: this.#origin,
    };
    const response: CoreResponse = {
      status: this.#status,
      headers: answered,
      body: this.#shared ?? tailOf(this.#place),
      network: this.#network,
      latencyMs: this.#latencyMs,
    };
    return { id: this.id, request, response, trace: this.#readTrace(values ?? {}) };
  }

  #readTrace(path: Readonly<Record<string, string>>): Trace {
    const [operation, tool] = [this.#operation, this.#tool];
    const met = { operation, path, ...(tool === undefined ? {} : { tool }) };
    return {
      routing: operation === null ? this.#unmet : (met as Exclude<Routing, string>),
      address: this.#address,
      key: this.#key,
      organizationId: this.#organizationId,
      nowMs: this.#nowMs[0] as number,
      fault: this.#fault,
      fired: this.#fired,
      blockedBy: this.#blockedBy,
      complaint: this.#complaint,
      ...(this.#forwarded && { forwarded: this.#forwarded }),
    };
  }

  /** Whether it is of this very request: a door numbers all that pass through it. */
  isOf({ method, path, passage }: CoreRequest): boolean {
    return this.#method === method && this.#came === passage?.came && this.read().request.path === path;
  }

  /** Nothing is kept any more. */
  clear(pages: Pages): void {
    pages.release(this.#place);
    this.#shared = null;
    this.#key = null;
    this.#complaint = null;
    this.#fault = null;
    this.#forwarded = undefined;
  }
}
