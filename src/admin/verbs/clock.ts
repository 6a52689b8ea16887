// The clock of the mock: it only moves forward, and everything that hangs on time follows at once. A response comes
// when the clock has moved, so a test can continue immediately.
import { formatTimestamp } from '../../contract/timestamps.ts';
import { type AdminCall, fail, reply } from '../reply.ts';
import { about, duration, number, timestamp } from '../shape.ts';
import { verb } from '../verb.ts';

/** Both forms of the timestamp: one to read, one to reckon with. */
export function describeClock({ engine: { clock } }: AdminCall) {
  return { now: formatTimestamp(clock.now()), nowMs: clock.now(), frozen: clock.frozen, scale: clock.scale };
}

/** Changes the clock, and responds with it. */
const moved =
  <Input>(move: (clock: AdminCall['engine']['clock'], input: Input) => void) =>
  (call: AdminCall, input: Input) => {
    move(call.engine.clock, input);
    return reply(describeClock(call));
  };

// A clock far ahead is a typing error more often than a wish, and it cannot be set back.
const timeMaxMs = Date.UTC(2200, 0);

export const clockVerbs = {
  getClock: verb('GET /clock', 'The current time.', null, (call) => reply(describeClock(call))),
  advanceClock: verb(
    'POST /clock/advance',
    'Advance the clock. Rate limits reset, calls appear after five minutes, links expire. ' +
      'X-RateLimit-Reset moves too, so clients with their own clock wait longer after it.',
    { duration: about('Duration with its unit, for example 30s, 5m, 1h 30m or PT5M', duration) },
    moved((clock, input) => clock.advance(input.duration)),
    { tools: ['advance'] },
  ),
  freezeClock: verb(
    'POST /clock/freeze',
    'Stop the clock.',
    null,
    moved((clock) => clock.freeze()),
  ),
  resumeClock: verb(
    'POST /clock/resume',
    'Start the clock again.',
    null,
    moved((clock) => clock.resume()),
  ),
  /** The clock never goes back: otherwise timestamps that clients received would be in its future. */
  setClock: verb(
    'POST /clock/set',
    'Jump forward to a timestamp.',
    { time: about('Time as an ISO 8601 date-time, not before that of the clock', timestamp) },
    (call, { time }) => {
      const { clock } = call.engine;
      if (time < clock.now()) {
        return fail(400, `time is in the clock's past: it is ${formatTimestamp(clock.now())} and only moves forward.`);
      }
      if (time > timeMaxMs) return fail(400, 'time must be before the year 2200.');
      clock.set(time);
      return reply(describeClock(call));
    },
  ),
  /** Up to 100,000 times as fast: a day in a second. */
  scaleClock: verb(
    'POST /clock/scale',
    'Change the speed of the clock.',
    { scale: about('Milliseconds that pass in one of the system', number({ min: 0.001, max: 100_000 })) },
    moved((clock, { scale }) => clock.setScale(scale)),
  ),
} as const;
