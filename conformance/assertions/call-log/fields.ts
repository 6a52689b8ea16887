// Two records that should be one call, compared: the same call may show an address signed again, and numbers that count
// with the clock.
import type { TimestampNs } from '../../../src/contract/timestamps.ts';
import { isObject } from '../../exchange/exchange.ts';
import { isUniqueName } from '../../exchange/same-id.ts';
import type { RunSettings } from '../../probe/probe.ts';
import { fieldOf, textOf } from './record.ts';
import { isIdName, readTimestamp } from './timestamps.ts';

/** Records are opaque and may be made to hurt; a real one is not nested deeper. */
const depthMax = 5;
const leavesMax = 200;

/** Every value of a record by its path; a list is one value. */
export function leavesOf(record: unknown): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const visit = (value: unknown, path: string, depth: number) => {
    if (leaves.size >= leavesMax) return;
    if (!isObject(value) || depth > depthMax) return void leaves.set(path, value);
    for (const [name, field] of Object.entries(value)) visit(field, `${path}/${name}`, depth + 1);
  };
  visit(record, '', 0);
  return leaves;
}

/** A call as one response showed it. */
export interface Seen {
  readonly call: unknown;
  /** Time of the response, by the server's clock if it is known. */
  readonly atMs: number;
}

/** How a record that was read later is like the one before. */
export interface Likeness {
  /**
   * moved: nothing differs but addresses signed again and numbers that count with the clock. changed: more does, under
   * one id, or a single field of a record without one.
   */
  readonly kind: 'equal' | 'moved' | 'changed' | 'other';
  /** Paths that differ. */
  readonly fields: readonly string[];
  /** Those of them that do not just move. */
  readonly changed: readonly string[];
}

/** Cautious to both sides: a call that has changed must not count as another one, and another one not as a change. */
export function compareCalls(before: Seen, after: Seen): Likeness {
  if (textOf(before.call) === textOf(after.call)) return { kind: 'equal', fields: [], changed: [] };
  const [left, right] = [leavesOf(before.call), leavesOf(after.call)];
  const paths = [...new Set([...left.keys(), ...right.keys()])];
  const differs = (path: string) => textOf(left.get(path)) !== textOf(right.get(path));
  const fields = paths.filter(differs);
  const kept = paths.filter((path) => !differs(path) && (left.get(path) ?? null) !== null);
  const changed = fields.filter((path) => !doesMove(path, before, after));
  const hasId = kept.some(isIdName) && !fields.some(isIdName);
  const isKnown = hasId || (kept.some((path) => readTimestamp(left.get(path)) !== null) && !fields.some(isIdName));
  const isOneCall = hasId || (changed.length === 1 && isAlike(kept, changed, left));
  const kind = changed.length === 0 && isKnown ? 'moved' : isOneCall ? 'changed' : 'other';
  return { kind, fields, changed };
}

/** Fewer equal fields may be equal by chance. */
const keptMin = 4;

/** Without an id: a record of some size in which one field differs, which neither names the call nor dates it. */
function isAlike(kept: readonly string[], changed: readonly string[], before: ReadonlyMap<string, unknown>): boolean {
  const isTimestamp = (path: string) => readTimestamp(before.get(path)) !== null;
  const isDistinctive = (path: string) =>
    isTimestamp(path) || isUniqueName(before.get(path)) || isRare(before.get(path));
  const distinctive = kept.filter(isDistinctive);
  const values = new Set(distinctive.map((path) => before.get(path)));
  return (
    kept.length >= keptMin &&
    values.size >= 2 &&
    kept.some(isTimestamp) &&
    !changed.some((path) => isDistinctive(path) || isIdName(path))
  );
}

/** A telephone number, or a fraction of many digits: seldom the same in two calls that also share a timestamp. */
function isRare(value: unknown): boolean {
  if (typeof value === 'string') return /^\+?\d[\d ()/-]{6,}$/.test(value);
  return typeof value === 'number' && !Number.isInteger(value) && String(value).length > 7;
}

/** `Date` is in whole seconds in both reads, and a response takes time. */
const grainMs = 2000;

/** Whether the time between the reads, or a newly signed URL, explains the difference. */
function doesMove(path: string, before: Seen, after: Seen): boolean {
  const [one, other] = [leavesOf(before.call).get(path), leavesOf(after.call).get(path)];
  if (isAddress(one) && isAddress(other)) return new URL(one).origin === new URL(other).origin;
  const elapsedMs = after.atMs - before.atMs;
  const [first, second] = [readTimestamp(one), readTimestamp(other)];
  if (first !== null && second !== null) return Math.abs(toMs(second - first) - elapsedMs) <= grainMs;
  if (typeof one !== 'number' || typeof other !== 'number') return false;
  return isAge(one, before) && isAge(other, after);
}

/** Only http and https have an origin to compare. */
function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

/** Milliseconds, seconds, minutes. */
const ageUnitsMs = [1, 1000, 60_000];

/** Whether a number is the age, or the remaining time, of one of the record's timestamps. */
export function isAge(value: unknown, { call, atMs }: Seen): boolean {
  if (typeof value !== 'number') return false;
  const distances = [...leavesOf(call).values()]
    .map(readTimestamp)
    .filter((timestamp) => timestamp !== null)
    .map((timestamp) => Math.abs(atMs - toMs(timestamp)));
  return ageUnitsMs.some((unit) =>
    distances.some((distance) => Math.abs(Math.abs(value) * unit - distance) <= unit + grainMs),
  );
}

/** Rounded towards 1970; nothing here needs more. */
export function toMs(timestamp: TimestampNs): number {
  return Number(timestamp / 1_000_000n);
}

/** The id that the user names, or the field whose name can hardly mean anything else; null without either. */
export function idOf(call: unknown, { callIdField }: RunSettings): string | null {
  const named = callIdField === null ? undefined : fieldOf(call, callIdField);
  const [guessed] = [...leavesOf(call)].flatMap(([path, value]) => (isIdName(path) ? [value] : []));
  const id = named ?? guessed ?? null;
  return id === null ? null : JSON.stringify(id);
}
