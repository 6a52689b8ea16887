// Durations as people write them: `5m`, `1h 30m`, `250ms`, and ISO 8601 (`PT5M`). One parser for command lines, the
// admin API and the handles of test runners.
import { parseTimestampMs } from '../contract/timestamps.ts';

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
type Unit = keyof typeof unitMs;

const shortForm = /^(?:\d+(?:\.\d+)?\s*(?:ms|[smhdw])\s*)+$/;
const isoForm = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i;

/** Returns milliseconds, or null for an invalid duration. Years and months have no fixed length. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim();
  const iso = isoForm.exec(trimmed);
  if (iso) {
    const [, weeks, days, hours, minutes, seconds] = iso.map((part) => Number((part ?? '0').replace(',', '.')));
    return sumUp([
      [weeks, 'w'],
      [days, 'd'],
      [hours, 'h'],
      [minutes, 'm'],
      [seconds, 's'],
    ]);
  }
  if (!shortForm.test(trimmed)) return null;
  const parts = [...trimmed.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[smhdw])/g)];
  return sumUp(parts.map(([, number, unit]) => [Number(number), unit as Unit]));
}

function sumUp(parts: readonly (readonly [number: number | undefined, unit: Unit])[]): number {
  return Math.round(parts.reduce((sum, [number = 0, unit]) => sum + number * unitMs[unit], 0));
}

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

/** Epoch milliseconds. Throws a `RangeError` unless it names a timestamp. */
export function toEpochMs(timestamp: Date | number | string): number {
  const ms = typeof timestamp === 'string' ? parseTimestampMs(timestamp) : Number(timestamp);
  if (ms !== null && Number.isFinite(ms)) return ms;
  throw new RangeError(
    `${JSON.stringify(timestamp)} is not a timestamp; pass a Date, epoch milliseconds or an ISO 8601 date-time.`,
  );
}
