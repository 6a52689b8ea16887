// Two records that should be one call, compared: the same call may show an address signed again, and numbers that count
// with the clock.

import type { TimestampNs } from '../../src/contract/timestamps.ts';
import { isIdName, leavesOf, readTimestamp } from './call-timestamps.ts';
import { canonical } from './canonical.ts';
import { isObject } from './exchange.ts';
import type { Given } from './history.ts';
import { shownNames } from './personal.ts';
import { isUniqueName } from './same-id.ts';

type Named = Pick<Given, 'callIdField'>;

export { leavesOf } from './call-timestamps.ts';

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
  if (typeof one !== 'number' || typeof other !== 'number' || duration.test(path)) return false;
  return isAge(one, before) && isAge(other, after);
}

/** How long a call took: that of an ended call is final, and grows only if a server counts up to now. */
const duration = /duration|length/i;

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
export function idOf(call: unknown, { callIdField }: Named): string | null {
  const named = callIdField === null ? undefined : fieldOf(call, callIdField);
  const [guessed] = [...leavesOf(call)].flatMap(([path, value]) => (isIdName(path) ? [value] : []));
  const id = named ?? guessed ?? null;
  return id === null ? null : JSON.stringify(id);
}

// A call is opaque: its fields are not shown (interpretation R34). So two calls are the same when their whole JSON is,
// unless the user names the field that identifies one.

/** A call as text. Signatures of URLs are ignored. */
export function textOf(call: unknown): string {
  return canonical(call).replace(signed, '$1"');
}

const signed = /("https?:\/\/[^"?]*)\?[^"]*"/g;

/** A field by its name, or by a path with dots; undefined if it does not exist. */
export function fieldOf(record: unknown, field: string): unknown {
  if (isObject(record) && Object.hasOwn(record, field)) return record[field];
  let node = record;
  for (const name of field.split('.')) {
    if (!isObject(node) || !Object.hasOwn(node, name)) return undefined;
    node = node[name];
  }
  return node;
}

/** The identity of a call: the field of `--call-id-field`, or the complete record. */
export function markOf(call: unknown, { callIdField }: Named): string {
  const id = callIdField === null ? undefined : fieldOf(call, callIdField);
  return id === undefined || id === null ? textOf(call) : canonical(id);
}

/** Whether each call has the field that `--call-id-field` names; the MCP endpoint may name it otherwise. */
export function areNamed(calls: readonly unknown[], { callIdField }: Named): boolean {
  return callIdField !== null && calls.every((call) => (fieldOf(call, callIdField) ?? null) !== null);
}

/** Among fewer calls every text may differ by chance. */
const differentMin = 10;

/** Whether some text that names a call is another one in every call: then two calls that are alike are one. */
export function haveIds(calls: readonly unknown[]): boolean {
  const different = [...new Map(calls.map((call) => [textOf(call), call])).values()].filter(isObject);
  const names = Object.keys(different[0] ?? {});
  return names.some((name) => {
    const values = different.map((call) => call[name]);
    const areIds = values.every((value) => mayBeId(name, value));
    return areIds && different.length >= differentMin && new Set(values).size === values.length;
  });
}

/** Fields of a person, who can call twice. */
const person = /^(caller|callee|customer|contact|agent|user|from|to)/i;

/** A caller can have a number or a name: digits alone are an id only in an id field. */
function mayBeId(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || readTimestamp(value) !== null || person.test(name)) return false;
  const isNumber = /^\+?[\d\s().*-]+$/.test(value);
  return isNumber ? /id$/i.test(name) && !value.startsWith('+') : /\d/.test(value);
}

/** The relation of an earlier reading to a later one: calls may be added at the end only. */
export function isPrefix(start: readonly string[], whole: readonly string[]): boolean {
  return start.length <= whole.length && start.every((mark, index) => mark === whole[index]);
}

/** The items that the first list holds more often than the second. */
export function without(marks: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const mark of others) left.set(mark, (left.get(mark) ?? 0) + 1);
  return marks.filter((mark) => {
    const count = left.get(mark) ?? 0;
    left.set(mark, count - 1);
    return count <= 0;
  });
}

const namesShownMax = 8;

/** A sentence if the field that the user names is in no record; a list without records is inconclusive. */
export function whyMissing(flag: string, field: string, calls: readonly unknown[]): string | null {
  if (calls.length === 0 || calls.some((call) => fieldOf(call, field) !== undefined)) return null;
  return `${flag} ${field} is in no call record; they have ${namesIn(calls)}`;
}

function namesIn(calls: readonly unknown[]): string {
  const names = [...new Set(calls.flatMap((call) => (isObject(call) ? Object.keys(call) : [])))];
  return shownNames(names, namesShownMax) || 'no fields';
}

/** Why a check can do nothing without the field of the end, which the user has named or the delivered calls have. */
export function whyNoEnd(calls: readonly unknown[], field: string, { callEndedAtField }: Given): string | null {
  const why = whyMissing('--call-ended-at-field', field, calls);
  if (why === null || callEndedAtField !== null) return why;
  return `no record here has ${field}, as others do; they have ${namesIn(calls)}`;
}
