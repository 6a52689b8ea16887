// How long: milliseconds as a number, or a text such as `5m`.

import { parseInstantMs } from '../contract/instants.ts';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Throws a `RangeError` for what is no duration of at least 0. */
export function toMs(duration: number | string): number {
  const match = typeof duration === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*$/.exec(duration) : null;
  const ms = typeof duration === 'number' ? duration : Number(match?.[1]) * (unitMs[match?.[2] ?? ''] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  throw new RangeError(
    `${JSON.stringify(duration)} is no duration; write 500 (milliseconds), "30s", "5m", "2h" or "1d".`,
  );
}

/** Throws a `RangeError` for what names no instant. */
export function toEpochMs(instant: Date | number | string): number {
  const ms = typeof instant === 'string' ? parseInstantMs(instant) : Number(instant);
  if (ms !== null && Number.isFinite(ms)) return ms;
  throw new RangeError(
    `${JSON.stringify(instant)} is no instant; give a Date, epoch milliseconds or an ISO 8601 date-time.`,
  );
}
