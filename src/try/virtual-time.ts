// Virtual time for clients in this process: while a cell runs, the timers and the clock that its client reads are those
// of the cell's mock. Other code keeps the real ones, because the replaced functions look up the cell of their caller.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import nodeTimers from 'node:timers';
import timerPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ControlledClock } from '../domain/clock.ts';
import type { Cell } from './cell.ts';

const real = {
  fetch: globalThis.fetch,
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  now: performance.now.bind(performance),
  abortTimeout: AbortSignal.timeout,
  pause: timerPromises.setTimeout,
  random: Math.random,
  error: console.error,
  warn: console.warn,
};

/** The time of the code of one cell, and of its mock. */
export interface OwnTime {
  nowMs(): number;
  start(work: () => void, ms: number, repeats: boolean): object;
  stop(handle: object): void;
  /** Responds to requests of the cell's client; null for a URL that is not the mock's. */
  fetch?(request: Request): Promise<Response> | null;
  /** Draws of the client, without chance. */
  random?(): number;
  /** Takes the errors and warnings of the client. */
  complain?(given: unknown[]): void;
}

/** Real time, in which timers run `speed` times as fast. */
export const scaledTime = (speed: number): OwnTime => ({
  nowMs: () => real.Date.now(),
  start: (work, ms, repeats) => (repeats ? real.setInterval : real.setTimeout)(work, ms / speed),
  stop: () => {},
});

interface Timer {
  atMs: number;
  readonly everyMs: number | null;
  readonly fire: () => void;
}

/** The least random number: near the middle, jitter makes no delay that is short by chance. */
export const lowestOf = ({ drawsLow }: Cell) => (drawsLow ? 0 : 0.5);

/** Values that differ, so no delays are equal. The text of this function runs in the process of a client too. */
export function drawsFrom(lowest: number): () => number {
  let draws = 0;
  return () => {
    draws += 1;
    return lowest + ((draws * 0.618_033_988_75) % 1) / 4;
  };
}

type VirtualOptions = Pick<VirtualTime, 'fetch' | 'complain'> & { readonly lowest: number };

/** The time of one cell, which moves when its client waits. */
export class VirtualTime implements OwnTime {
  readonly clock: ControlledClock;
  readonly fetch: (request: Request) => Promise<Response> | null;
  readonly complain: (given: unknown[]) => void;
  readonly #random: () => number;
  readonly #timers = new Map<object, Timer>();
  /** Counts everything that the client and the mock do. */
  activity = 0;
  /** More for a client with sockets, whose requests and responses take some turns on their way. */
  quietTurns = 8;

  constructor(clock: ControlledClock, { fetch, complain, lowest }: VirtualOptions) {
    this.clock = clock;
    this.fetch = fetch;
    this.complain = complain;
    this.#random = drawsFrom(lowest);
  }

  nowMs(): number {
    return this.clock.now();
  }

  random(): number {
    return this.#random();
  }

  /** Starts a timer and returns its handle, with the methods of a timer of Node. */
  start(work: () => void, ms: number, repeats: boolean): object {
    const delayMs = Number(ms) >= 1 && Number(ms) < 2 ** 31 ? Number(ms) : 1;
    const handle = {
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      close: () => this.stop(handle),
      refresh: () => {
        const timer = this.#timers.get(handle);
        if (timer) timer.atMs = this.clock.now() + delayMs;
        return handle;
      },
    };
    const atMs = this.clock.now() + delayMs;
    this.#timers.set(handle, { atMs, everyMs: repeats ? delayMs : null, fire: AsyncResource.bind(work) });
    this.activity += 1;
    return handle;
  }

  stop(handle: object): void {
    this.#timers.delete(handle);
  }

  /** When the next timer is due, in epoch milliseconds; null without a timer. */
  get nextMs(): number | null {
    let next: number | null = null;
    for (const { atMs } of this.#timers.values()) if (next === null || atMs < next) next = atMs;
    return next;
  }

  /** Moves the clock, and runs the timers that are due, the earliest first. */
  moveTo(atMs: number): void {
    if (atMs > this.clock.now()) this.clock.advance(atMs - this.clock.now());
    const due = [...this.#timers].filter(([, timer]) => timer.atMs <= atMs).sort(([, a], [, b]) => a.atMs - b.atMs);
    for (const [handle, timer] of due) {
      if (!this.#timers.has(handle)) continue;
      if (timer.everyMs === null) this.#timers.delete(handle);
      else timer.atMs += timer.everyMs;
      this.activity += 1;
      timer.fire();
    }
  }

  /** Resolves once nothing has happened for some turns of the event loop, so the client can only be waiting. */
  async settle(isStopped: () => boolean = () => false): Promise<void> {
    for (let quiet = 0; quiet < this.quietTurns && !isStopped(); quiet += 1) {
      const before = this.activity;
      await new Promise((resolve) => real.setImmediate(resolve));
      if (this.activity !== before || isReadingFiles()) quiet = 0;
    }
  }
}

function isReadingFiles(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo|TCPConnect|Zlib)/.test(name));
}

/** Waits for real milliseconds, also in a cell. */
export const realPause = (ms: number): Promise<void> => real.pause(ms);
export const realNowMs = (): number => real.now();

const cells = new AsyncLocalStorage<OwnTime>();

/** Runs work in the time of a cell. */
export function inside<Result>(time: OwnTime, work: () => Result): Result {
  return cells.run(time, work);
}

let users = 0;

/** Replaces the global timers, clock, chance and `fetch` until the returned function is called. */
export function replaceTime(): () => void {
  users += 1;
  if (users === 1) setTime(virtual);
  return () => {
    users -= 1;
    if (users === 0) setTime(real);
  };
}

type Work = (...given: unknown[]) => void;
type Start = (work: Work, ms?: number, ...given: unknown[]) => never;
type Stop = (handle: never) => void;

const starting =
  (repeats: boolean, otherwise: Start): Start =>
  (work, ms = 0, ...given) => {
    const time = cells.getStore();
    return time ? (time.start(() => work(...given), ms, repeats) as never) : otherwise(work, ms, ...given);
  };
const stopping =
  (otherwise: Stop): Stop =>
  (handle) => {
    cells.getStore()?.stop(handle);
    otherwise(handle);
  };

const nowMs = () => cells.getStore()?.nowMs() ?? real.Date.now();
const complaining =
  (otherwise: typeof console.error): typeof console.error =>
  (...given) => {
    const time = cells.getStore();
    return time?.complain ? time.complain(given) : otherwise(...given);
  };

/** As `setTimeout` of `node:timers/promises`. */
function pause(ms = 0, value?: unknown, options: { signal?: AbortSignal } = {}): Promise<unknown> {
  const time = cells.getStore();
  if (!time) return real.pause(ms, value, options);
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const leave = () => {
      time.stop(handle);
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    const handle = time.start(() => resolve(value), ms, false);
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
  });
}

const virtual: typeof real = {
  ...real,
  // Native `fetch` rejects as soon as its signal aborts.
  fetch: (input, init) => {
    const time = cells.getStore();
    const request = time?.fetch && new Request(input, init);
    const response = request && time?.fetch?.(request);
    if (!request || !response) return real.fetch(input, init);
    return new Promise((resolve, reject) => {
      const leave = () => reject(request.signal.reason);
      request.signal.addEventListener('abort', leave, { once: true });
      response.then(resolve, reject);
      if (request.signal.aborted) leave();
    });
  },
  Date: new Proxy(real.Date, {
    apply: () => new real.Date(nowMs()).toString(),
    construct: (target, given, newTarget) => Reflect.construct(target, given.length > 0 ? given : [nowMs()], newTarget),
    get: (target, name, receiver) => (name === 'now' ? nowMs : Reflect.get(target, name, receiver)),
  }),
  setTimeout: Object.assign(starting(false, real.setTimeout as never), {
    [promisify.custom]: pause,
  }) as unknown as typeof setTimeout,
  clearTimeout: stopping(real.clearTimeout as never) as typeof clearTimeout,
  setInterval: starting(true, real.setInterval as never) as unknown as typeof setInterval,
  clearInterval: stopping(real.clearInterval as never) as typeof clearInterval,
  now: () => cells.getStore()?.nowMs() ?? real.now(),
  random: () => cells.getStore()?.random?.() ?? real.random(),
  error: complaining(real.error),
  warn: complaining(real.warn),
  abortTimeout: (ms) => {
    const time = cells.getStore();
    if (!time) return real.abortTimeout(ms);
    const controller = new AbortController();
    time.start(() => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')), ms, false);
    return controller.signal;
  },
  pause: pause as typeof real.pause,
};

function setTime(to: typeof real): void {
  const { now, abortTimeout, pause: promised, setImmediate: _, fetch, Date: date, random, error, warn, ...timers } = to;
  Object.assign(globalThis, timers, { fetch, Date: date });
  Object.assign(console, { error, warn });
  Math.random = random;
  Object.assign(nodeTimers, timers);
  timerPromises.setTimeout = promised as typeof timerPromises.setTimeout;
  performance.now = now;
  AbortSignal.timeout = abortTimeout;
  syncBuiltinESMExports();
}
