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

/** Moves the clock of a mock, and what shares it. */
export type Move = (ms: number) => Promise<void>;

/** Something with timers that moves with a mock. */
export interface Steps {
  /** Waits for the requests in flight. Returns the milliseconds until the next timer, null without timers. */
  settle(): Promise<number | null>;
  /** Moves the mock first, or both at once. */
  advance(ms: number): Promise<void>;
}

/** A page with a timer for each frame still moves an hour in seconds. */
const stopsMax = 1000;

/** Moves by this time, and stops at each timer on the way. */
export async function advanceTogether(steps: Steps, ms: number): Promise<void> {
  const stepMinMs = Math.ceil(ms / stopsMax);
  for (let leftMs = ms; ; ) {
    const nextMs = await steps.settle();
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
  if (fake.isFakeTimers?.() !== false) setTime.call(fake, nowMs);
  if (Date.now() !== nowMs)
    throw new RangeError(
      'casa.clock.drive: the timers are real. Make them fake first, for example vi.useFakeTimers().',
    );
  clock.freeze();
  clock.resume();
  // Sockets of Node need it: a fake one would keep `fetch` from reusing a connection.
  if (timers.setImmediate !== undefined) Object.assign(globalThis, { setImmediate: timers.setImmediate });
  watchActivity(globalThis);
  const steps: Steps = { settle: settleProcess(), advance: async (ms) => void (await advance.call(fake, ms)) };
  return (ms) => advanceTogether(steps, ms);
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
