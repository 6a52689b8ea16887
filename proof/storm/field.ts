// The means of an attack: connections to the mock, chance that repeats itself, and a book of the outcomes.
import { type Answer, Line } from './line.ts';
import { Tally } from './tally.ts';

export const goodKey = 'casa_0123456789abcdef0123456789abcdef';

/** A request as text: no client library would send most of these. */
export interface Ask {
  readonly method?: string;
  /** Behind the origin, and as it is: nothing is encoded. */
  readonly path: string;
  /** null sends no key. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sent as it came from this machine: the control plane refuses what a proxy passed on. */
  readonly isLocal?: boolean;
  /** A 5xx may come, because it was asked for. */
  readonly wishes5xx?: boolean;
}

/** One kind of misuse, played over and over with other chances. */
export interface Attack {
  readonly name: string;
  /** The requests that it sends. */
  readonly sends: string;
  /** How often it is chosen, beside the others. */
  readonly share: number;
  readonly run: (field: Field) => Promise<void>;
}

/**
 * What one attacker at a time has in hand. Its chance comes from the storm's seed, so that a storm repeats, as far as
 * connections do.
 */
export class Field {
  readonly port: number;
  /** Where the attack that runs keeps its book. */
  tally = new Tally();
  readonly #random: () => number;
  #line: Line | null = null;

  constructor(port: number, random: () => number) {
    this.port = port;
    this.#random = random;
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** For ids and keys that are nobody's. */
  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.below(16).toString(16)).join('');
  }

  /** An address of its own for nearly every request, so that not all ends at the first limiter. */
  address(): string {
    return `10.${this.below(250)}.${this.below(250)}.${this.below(250)}`;
  }

  /** Sends a request over the connection of this field, and notes what came of it. */
  async ask(ask: Ask): Promise<void> {
    const startedMs = performance.now();
    const isReused = this.#line?.isOpen === true;
    const first = await this.#exchange(ask);
    // The mock may close a connection that rests just when a request is on its way: any client asks again.
    const answer =
      isReused && typeof first.outcome === 'string' && first.outcome !== 'silent' ? this.#exchange(ask) : first;
    this.note(await answer, startedMs, ask.wishes5xx);
  }

  #exchange(ask: Ask): Promise<Answer> {
    if (!this.#line?.isOpen) this.#line = new Line(this.port);
    this.#line.write(headOf(ask, this.address()));
    if (ask.body !== undefined) this.#line.write(ask.body);
    return this.#line.answer(ask.method === 'HEAD');
  }

  /**
   * Sends bytes over a connection of their own and waits for so many answers; `shut` closes the own side behind them.
   */
  async raw(pieces: readonly (string | Uint8Array)[], { answers = 1, shut = false } = {}): Promise<void> {
    const line = new Line(this.port);
    const startedMs = performance.now();
    for (const piece of pieces) line.write(piece);
    if (shut) line.endWriting();
    for (let i = 0; i < answers; i += 1) this.note(await line.answer(), startedMs);
    line.destroy();
  }

  /**
   * Opens a connection, writes, waits for some turns of the clock and goes away: nothing is answered, and nothing is
   * due.
   */
  async abandon(pieces: readonly (string | Uint8Array)[], { everyMs = 5, reset = false } = {}): Promise<void> {
    const line = new Line(this.port);
    for (const piece of pieces) {
      line.write(piece);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    if (reset) line.reset();
    else line.destroy();
    this.tally.noteUnanswerable();
  }

  /** For attacks that speak to the mock on a line of their own. */
  note(answer: Answer, startedMs: number, wishes5xx = false): void {
    this.tally.note(answer, { ms: performance.now() - startedMs, wishes5xx });
  }

  close(): void {
    this.#line?.destroy();
  }
}

/** `content-length` may be given in `headers` to be a lie. */
export function headOf(
  { method = 'GET', path, key = goodKey, headers = {}, body, isLocal = false }: Ask,
  address: string,
): string {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body?.length;
  const lines = {
    host: '127.0.0.1',
    ...(isLocal ? {} : { 'x-forwarded-for': address }),
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(length === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(length) }),
    ...headers,
  };
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
}
