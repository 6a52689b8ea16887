// Whether a record holds enough data to rule out equality by chance (interpretation R56).
import { parseTimestamp } from '../../src/contract/timestamps.ts';
import { isObject } from './exchange.ts';
import { isUniqueName } from './same-id.ts';

/** A few equal records can have another reason. */
export const equalMin = 3;
const longText = 40;
/** Records are opaque; a real one is not nested deeper. */
const depthMax = 5;

/** Every value except objects. */
function leavesOf(value: unknown, depth = 0): readonly unknown[] {
  if (!isObject(value) || depth > depthMax) return [value];
  return Object.values(value).flatMap((field) => leavesOf(field, depth + 1));
}

/** Seconds from 1970 on; null for no timestamp. Numbers count in seconds or milliseconds. */
function secondsOf(value: unknown): number | null {
  const text = typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\d) /, '$1T') : null;
  const timestamp = text === null ? null : parseTimestamp(text);
  if (timestamp !== null) return Number(timestamp / 1_000_000n) / 1000;
  const isSince2001 = (scale: number) => typeof value === 'number' && value > 1e9 * scale && value < 5e9 * scale;
  if (isSince2001(1)) return Number(value);
  return isSince2001(1000) ? Number(value) / 1000 : null;
}

/** A long random id, a timestamp with a fraction of a second, or a long text together with a timestamp. */
export function isDistinctive(record: unknown): boolean {
  const values = leavesOf(record);
  const timestamps = values.map(secondsOf).filter((seconds) => seconds !== null);
  if (values.some(isUniqueName) || timestamps.some((seconds) => !Number.isInteger(seconds))) return true;
  return timestamps.length > 0 && values.some((value) => typeof value === 'string' && value.length >= longText);
}
