// Durations and instants as the handles of test runners take them: numbers, dates or texts.
import { parseInstantMs } from '../contract/instants.ts';
import { parseDuration } from '../terminal/duration.ts';

/** Milliseconds. Throws a `RangeError` unless it is a duration of at least 0. */
export function toMs(duration: number | string): number {
  const ms = typeof duration === 'number' ? duration : parseDuration(duration);
  if (ms !== null && Number.isFinite(ms) && ms >= 0) return ms;
  const text = String(duration).trim();
  if (/^-./.test(text)) {
    throw new RangeError(`The clock only moves forward: ${text} is a negative duration.`);
  }
  throw new RangeError(
    `${JSON.stringify(duration)} is not a duration; write 500 (milliseconds), "30s", "5m", "2h" or "1d".`,
  );
}

/** Epoch milliseconds. Throws a `RangeError` unless it names an instant. */
export function toEpochMs(instant: Date | number | string): number {
  const ms = typeof instant === 'string' ? parseInstantMs(instant) : Number(instant);
  if (ms !== null && Number.isFinite(ms)) return ms;
  throw new RangeError(
    `${JSON.stringify(instant)} is not an instant; give a Date, epoch milliseconds or an ISO 8601 date-time.`,
  );
}
