// The clock of the mock: it only moves forward, and everything that hangs on time follows at once.
import { formatTimestamp } from '../contract/timestamps.ts';
import { type AdminCall, fail, reply, withBody } from './reply.ts';
import { duration, number, timestamp } from './shape.ts';

/** Both forms of the timestamp: one to read, one to reckon with. */
export function describeClock({ engine: { clock } }: AdminCall) {
  return { now: formatTimestamp(clock.now()), nowMs: clock.now(), frozen: clock.frozen, scale: clock.scale };
}

export const getClock = (call: AdminCall) => reply(describeClock(call));

/** The response comes when the clock has moved, so a test can continue immediately. */
export const advanceClock = (call: AdminCall) =>
  withBody(call.request, { duration }, (input) => {
    call.engine.clock.advance(input.duration);
    return getClock(call);
  });

export const freezeClock = (call: AdminCall) => {
  call.engine.clock.freeze();
  return getClock(call);
};

export const resumeClock = (call: AdminCall) => {
  call.engine.clock.resume();
  return getClock(call);
};

/** The clock never goes back: otherwise timestamps that clients received would be in its future. */
export const setClock = (call: AdminCall) =>
  withBody(call.request, { time: timestamp }, ({ time }) => {
    const { clock } = call.engine;
    if (time < clock.now()) {
      return fail(400, `time is in the clock's past: it is ${formatTimestamp(clock.now())} and only moves forward.`);
    }
    if (time > timeMaxMs) return fail(400, 'time has to be before the year 2200.');
    clock.set(time);
    return getClock(call);
  });

// A clock far ahead is a typing error more often than a wish, and it cannot be set back.
const timeMaxMs = Date.UTC(2200, 0);

/** Up to 100,000 times as fast: a day in a second. */
export const scaleClock = (call: AdminCall) =>
  withBody(call.request, { scale: number({ min: 0.001, max: 100_000 }) }, ({ scale }) => {
    call.engine.clock.setScale(scale);
    return getClock(call);
  });
