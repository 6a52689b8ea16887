// Moves the clock of a mock together with the fake timers of a test, or with the clock of its pages. Timers fire one
// after the other, each at its own time on both clocks, and the requests that one sends are awaited before the next.
import type { ControlledClock } from '../domain/clock.ts';
import * as timers from '../transports/node/timers.ts';
import { watchActivity } from './activity.ts';

/** The fake timers of `vi`, `jest`, `mock.timers` of `node:test`, or of a library like @sinonjs/fake-timers. */
export interface FakeTimers {
  setSystemTime?(epochMs: number): unknown;
  /** As `mock.timers` names it. */
  setTime?(epochMs: number): unknown;
  advanceTimersByTimeAsync?(ms: number): Promise<unknown>;
  advanceTimersByTime?(ms: number): unknown;
  tickAsync?(ms: number): Promise<unknown>;
  tick?(ms: number): unknown;
  isFakeTimers?(): boolean;
}

/** Moves the clock of a mock, and what shares it, until the signal is aborted. */
export type Move = (ms: number, signal: AbortSignal) => Promise<void>;

/** For a move that is in progress at the end of its test. */
export const notAwaited = () =>
  new Error('A move of the clock was not awaited: write await casa.clock.advance(…) or await casa.clock.set(…).');

/** Something with timers that moves with a mock. */
export interface Steps {
  /** Waits for the requests in flight. Returns the milliseconds until the next timer, null without timers. */
  settle(): Promise<number | null>;
  /** Moves the mock first, or both at once. */
  advance(ms: number): Promise<void>;
}

/** A page with a timer for each frame still moves an hour in seconds. */
const stopsMax = 1000;

/** Moves by this time, and stops at each timer on the way. Rejects with the reason of an aborted signal. */
export async function advanceTogether(steps: Steps, ms: number, signal: AbortSignal): Promise<void> {
  const stepMinMs = Math.ceil(ms / stopsMax);
  for (let leftMs = ms; ; ) {
    const nextMs = await steps.settle();
    signal.throwIfAborted();
    if (leftMs <= 0) return;
    const stepMs = Math.min(leftMs, Math.max(stepMinMs, nextMs ?? leftMs));
    await steps.advance(stepMs);
    leftMs -= stepMs;
  }
}

/** The mock reads `Date`, which fake timers replace, so both always show the same time. */
export function driveTimers(clock: ControlledClock, fake: FakeTimers): Move {
  const setTime = fake.setSystemTime ?? fake.setTime;
  const advance = fake.advanceTimersByTimeAsync ?? fake.tickAsync ?? fake.advanceTimersByTime ?? fake.tick;
  if (setTime === undefined || advance === undefined)
    throw new TypeError('casa.clock.drive takes the fake timers of a test runner: vi, jest or mock.timers.');
  const nowMs = clock.now();
  try {
    if (fake.isFakeTimers?.() !== false) setTime.call(fake, nowMs);
  } catch {
    // Those of mock.timers and of Jest throw unless they are fake.
  }
  if (Date.now() !== nowMs)
    throw new RangeError(`casa.clock.drive: Date is not fake. First call ${howToFake(fake)}, and do not exclude Date.`);
  clock.freeze();
  clock.resume();
  // Sockets of Node need it: a fake one would keep `fetch` from reusing a connection.
  if (timers.setImmediate !== undefined) Object.assign(globalThis, { setImmediate: timers.setImmediate });
  watchActivity(globalThis);
  const fakeDate = Date;
  // A hook of the test can make the timers real during a move.
  const explain = (error: unknown) => Promise.reject(Date === fakeDate ? error : notAwaited());
  const step = async (ms: number) => void (await advance.call(fake, ms));
  const steps: Steps = { settle: settleProcess(), advance: (ms) => step(ms).catch(explain) };
  return (ms, signal) => advanceTogether(steps, ms, signal);
}

function howToFake(fake: FakeTimers): string {
  if (fake.setTime !== undefined) return "mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] })";
  return fake.isFakeTimers ? 'vi.useFakeTimers()' : 'jest.useFakeTimers() without legacyFakeTimers';
}

/** A response crosses a socket of the same process in fewer turns of the event loop. */
const quietTurns = 25;
/** Of real time. A request that takes longer waits for a timer, such as one with a latency fault. */
const patienceMs = 1000;

function settleProcess(): Steps['settle'] {
  /** Requests that are known to wait for a timer. */
  let waiting = 0;
  return async () => {
    const activity = watchActivity(globalThis);
    let isLate = false;
    const timer = timers.setTimeout(() => {
      isLate = true;
    }, patienceMs);
    for (let quiet = 0; quiet < quietTurns && !isLate; ) {
      await turn();
      waiting = Math.min(waiting, activity.pending());
      quiet = activity.pending() === waiting ? quiet + 1 : 0;
    }
    if (isLate) waiting = activity.pending();
    timers.clearTimeout(timer);
    return activity.nextMs();
  };
}

/** A turn of the event loop, also while the timers are fake. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (timers.setImmediate !== undefined) {
      timers.setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
