// Requests on their way into the log. Concurrent ones are sent together; each waits until the replica has applied its
// own entry. After a broken connection they are sent again with their old numbers: a replica drops duplicates.
import { type CoreRequest, type CoreResponse, mcpPath } from '../http/message.ts';
import { renderRejection } from '../http/render.ts';
import { toRpcError } from '../mcp/message.ts';
import { AppendRejected, type LogConnection, type Payload } from './log.ts';
import type { Envelope } from './message.ts';

/** Injected: the process's own, or those of a simulation. */
export interface Timers {
  now(): number;
  /** Gives back a way to call it off. */
  later(ms: number, act: () => void): () => void;
  /** Once everything that has arrived was looked at. */
  soon(act: () => void): void;
}

/** How a request ends: with its response, with the reason why it has none, or with a bug of the mock. */
export type Waiting = (end: CoreResponse | WithoutResponse | Error) => void;

/** `isOpen`: the request may be carried out all the same. */
export interface WithoutResponse {
  readonly reason: string;
  readonly isOpen: boolean;
}

interface Batch {
  readonly number: number;
  readonly text: string;
  readonly waiting: readonly Waiting[];
  readonly callOff: () => void;
  hasBeenSent: boolean;
}

export interface SendQueueOptions {
  readonly from: string;
  readonly fingerprint: string;
  readonly timers: Timers;
  /** How long a request waits for its entry. */
  readonly patienceMs: number;
  /** A connection broke: the reader learns of it here as well. */
  readonly onBroken: (connection: LogConnection, error: unknown) => void;
}

/** One entry holds no more, so reading one never takes long. */
const batchCharactersMax = 256 * 1024;
/** Further requests are rejected until some of these get responses. */
const waitingCharactersMax = 64 * 1024 * 1024;

export class SendQueue {
  readonly #options: SendQueueOptions;
  #connection: LogConnection | null = null;
  #number = 0;
  /** Not numbered yet. */
  #next: { readonly envelope: string; readonly waiting: Waiting }[] = [];
  /** By number, the oldest first. */
  readonly #batches = new Map<number, Batch>();
  #characters = 0;

  constructor(options: SendQueueOptions) {
    this.#options = options;
  }

  /** How many entries wait to be applied. */
  get waiting(): number {
    return this.#batches.size;
  }

  get isFull(): boolean {
    return this.#characters >= waitingCharactersMax;
  }

  add(envelope: Envelope, waiting: Waiting): void {
    const text = JSON.stringify(envelope);
    this.#characters += text.length;
    this.#next.push({ envelope: text, waiting });
    if (this.#next.length === 1) this.#options.timers.soon(() => this.#sendNext());
  }

  /** Appends an entry without waiting for it. */
  askForCheckpoint(after: string): void {
    this.#enter('checkpoint', `,"after":"${after}"`, []);
  }

  /** Sends all entries that are not applied yet: a duplicate is harmless, a gap is not. */
  connect(connection: LogConnection): void {
    this.#connection = connection;
    for (const batch of this.#batches.values()) this.#send(batch);
  }

  disconnect(): void {
    this.#connection = null;
  }

  /** Returns the requests that wait for this entry. */
  take(number: number): readonly Waiting[] {
    const batch = this.#batches.get(number);
    if (!batch) return [];
    this.#forget(batch);
    return batch.waiting;
  }

  /** Responses everybody. */
  close(reason: string): void {
    this.#sendNext();
    for (const batch of [...this.#batches.values()]) this.#giveUp(batch, { reason, isOpen: batch.hasBeenSent });
  }

  #sendNext(): void {
    const next = this.#next;
    this.#next = [];
    for (let start = 0, end = 0; start < next.length; start = end) {
      let characters = 0;
      while (end < next.length && characters < batchCharactersMax) {
        characters += next[end]?.envelope.length ?? 0;
        end += 1;
      }
      const together = next.slice(start, end);
      this.#characters -= characters;
      const waiting = together.map((one) => one.waiting);
      this.#enter('requests', `,"requests":[${together.map(({ envelope }) => envelope).join(',')}]`, waiting);
    }
  }

  #enter(kind: Payload['kind'], more: string, waiting: readonly Waiting[]): void {
    const { from, fingerprint, timers, patienceMs } = this.#options;
    this.#number += 1;
    const number = this.#number;
    const text = `{"from":"${from}","n":${number},"f":"${fingerprint}","kind":"${kind}"${more}}`;
    const late = { reason: `the shared log has not responded for ${patienceMs / 1000} s`, isOpen: true };
    const callOff = timers.later(patienceMs, () => this.#giveUp(batch, late));
    const batch: Batch = { number, text, waiting, callOff, hasBeenSent: false };
    this.#batches.set(number, batch);
    this.#characters += text.length;
    this.#send(batch);
  }

  #send(batch: Batch): void {
    const connection = this.#connection;
    if (!connection) return;
    const isFirst = !batch.hasBeenSent;
    batch.hasBeenSent = true;
    connection.append(batch.text).catch((error: unknown) => {
      if (!(error instanceof AppendRejected)) return this.#options.onBroken(connection, error);
      // Of a copy it is not known whether the first one is in the log.
      if (isFirst) this.#giveUp(batch, { reason: error.message, isOpen: false });
    });
  }

  #giveUp(batch: Batch, end: WithoutResponse): void {
    if (!this.#batches.has(batch.number)) return;
    this.#forget(batch);
    for (const waiting of batch.waiting) waiting(end);
  }

  #forget({ number, text, callOff }: Batch): void {
    this.#batches.delete(number);
    this.#characters -= text.length;
    callOff();
  }
}

/** `transient` is the code of the contract for temporary failures. Cites 7.code.transient. */
export function rejectRequest({ path }: CoreRequest, { reason, isOpen }: WithoutResponse): CoreResponse {
  const outcome = isOpen ? 'It is not known whether the request was carried out' : 'Nothing was done';
  const { headers, ...rejection } = renderRejection({ code: 'transient', message: `${outcome}: ${reason}.` });
  const response = { ...rejection, headers: { ...headers, 'retry-after': '1' } };
  return path === mcpPath ? toRpcError(response, null) : response;
}
