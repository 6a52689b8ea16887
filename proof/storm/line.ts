// A client of bytes: it sends what no decent client would, and reads one answer after the other from one connection.
import { connect, type Socket } from 'node:net';

/** A status; or the connection ended before a whole answer came, was reset, or nothing came in time. */
export type Outcome = number | 'closed' | 'reset' | 'silent';

/** What came of one request. */
export interface Answer {
  readonly outcome: Outcome;
  /** The mock marks an answer behind which one of its own errors stands. */
  readonly isBug: boolean;
}

const waitMs = 30_000;
const headEnd = '\r\n\r\n';

/** One connection. Answers are given to those who wait for them in the order of the requests. */
export class Line {
  readonly #socket: Socket;
  readonly #waiting: { bodiless: boolean; resolve(answer: Answer): void }[] = [];
  #received: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #end: 'closed' | 'reset' | null = null;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (bytes) => {
      this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
      this.#read();
    });
    this.#socket.on('error', () => this.#finish('reset'));
    this.#socket.on('end', () => this.#finish('closed'));
    this.#socket.on('close', () => this.#finish('closed'));
  }

  get isOpen(): boolean {
    return this.#end === null;
  }

  /** Nothing once the connection has ended: the outcome tells that. */
  write(bytes: string | Uint8Array): void {
    if (this.isOpen) this.#socket.write(bytes);
  }

  /** The next answer that nobody waits for yet. */
  answer(bodiless = false): Promise<Answer> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve({ outcome: 'silent', isBug: false });
        this.destroy();
      }, waitMs);
      const told = (answer: Answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.#waiting.push({ bodiless, resolve: told });
      if (this.#end === null) this.#read();
      else this.#finish(this.#end);
    });
  }

  /** Closes this side only. */
  endWriting(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** As a client does that crashes. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** All who wait get the same end: the first one that was seen. */
  #finish(how: 'closed' | 'reset'): void {
    this.#end ??= how;
    for (const { resolve } of this.#waiting.splice(0)) resolve({ outcome: this.#end, isBug: false });
    this.#socket.destroy();
  }

  #read(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const answer = this.#take(next.bodiless);
      if (answer === null) return;
      this.#waiting.shift();
      next.resolve(answer);
    }
  }

  /** Takes one whole answer out of what was received; null while it is not whole. */
  #take(bodiless: boolean): Answer | null {
    const at = this.#received.indexOf(headEnd);
    if (at < 0) return null;
    const head = this.#received.toString('latin1', 0, at);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
    const start = at + headEnd.length;
    const isInterim = status >= 100 && status < 200;
    const length =
      bodiless || isInterim || status === 204 || status === 304 ? 0 : lengthOf(head, this.#received, start);
    if (length === null || this.#received.length < start + length) return null;
    this.#received = this.#received.subarray(start + length);
    if (isInterim) return this.#take(bodiless);
    return { outcome: status, isBug: /^x-casa-bug:/im.test(head) };
  }
}

/** Bytes of the body; null while the end of a chunked one has not come. */
function lengthOf(head: string, bytes: Buffer, start: number): number | null {
  if (/^transfer-encoding: chunked/im.test(head)) {
    if (bytes.toString('latin1', start, start + 5) === `0${headEnd}`) return 5;
    const end = bytes.indexOf(`\r\n0${headEnd}`, start);
    return end < 0 ? null : end + 7 - start;
  }
  return Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
}
