// Two records that should be one call, compared: the same call may show an address signed anew, and numbers that count
// with the clock.
import type { InstantNs } from '../../../src/contract/instants.ts';
import { isObject } from '../../exchange/exchange.ts';
import { isUniqueName } from '../../exchange/same-id.ts';
import type { RunSettings } from '../../probe/probe.ts';
import { isIdName, readInstant } from './instants.ts';
import { memberOf, textOf } from './record.ts';

/** Records are opaque and may be made to hurt; a real one is not nested deeper. */
const DEPTH_MAX = 5;
const LEAVES_MAX = 200;

/** Every value of a record by its path; a list is one value. */
export function leavesOf(record: unknown): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const visit = (value: unknown, path: string, depth: number) => {
    if (leaves.size >= LEAVES_MAX) return;
    if (!isObject(value) || depth > DEPTH_MAX) return void leaves.set(path, value);
    for (const [name, member] of Object.entries(value)) visit(member, `${path}/${name}`, depth + 1);
  };
  visit(record, '', 0);
  return leaves;
}

/** A call as one answer showed it. */
export interface Seen {
  readonly call: unknown;
  /** When the answer was given, by the server's clock if it tells. */
  readonly atMs: number;
}

/** How a record that was read later is like the one before. */
export interface Likeness {
  /**
   * moved: nothing differs but addresses signed anew and numbers that count with the clock. changed: more does, under
   * one id, or a single member of a record without one.
   */
  readonly kind: 'equal' | 'moved' | 'changed' | 'other';
  /** Paths that differ. */
  readonly members: readonly string[];
  /** Those of them that do not just move. */
  readonly changed: readonly string[];
}

/** Cautious to both sides: a call that has changed must not count as another one, and another one not as a change. */
export function compareCalls(before: Seen, after: Seen): Likeness {
  if (textOf(before.call) === textOf(after.call)) return { kind: 'equal', members: [], changed: [] };
  const [left, right] = [leavesOf(before.call), leavesOf(after.call)];
  const paths = [...new Set([...left.keys(), ...right.keys()])];
  const differs = (path: string) => textOf(left.get(path)) !== textOf(right.get(path));
  const members = paths.filter(differs);
  const kept = paths.filter((path) => !differs(path) && (left.get(path) ?? null) !== null);
  const changed = members.filter((path) => !doesMove(path, before, after));
  const hasId = kept.some(isIdName) && !members.some(isIdName);
  const isTold = hasId || (kept.some((path) => readInstant(left.get(path)) !== null) && !members.some(isIdName));
  const isOneCall = hasId || (changed.length === 1 && isAlike(kept, changed, left));
  const kind = changed.length === 0 && isTold ? 'moved' : isOneCall ? 'changed' : 'other';
  return { kind, members, changed };
}

/** Fewer equal members may be equal by chance. */
const KEPT_MIN = 4;

/** Without an id: a record of some size in which one member differs, which neither names the call nor dates it. */
function isAlike(kept: readonly string[], changed: readonly string[], before: ReadonlyMap<string, unknown>): boolean {
  const isInstant = (path: string) => readInstant(before.get(path)) !== null;
  const doesTell = (path: string) => isInstant(path) || isUniqueName(before.get(path)) || isRare(before.get(path));
  const telling = kept.filter(doesTell);
  const values = new Set(telling.map((path) => before.get(path)));
  return (
    kept.length >= KEPT_MIN &&
    values.size >= 2 &&
    kept.some(isInstant) &&
    !changed.some((path) => doesTell(path) || isIdName(path))
  );
}

/** A telephone number, or a fraction of many digits: seldom the same in two calls that also share an instant. */
function isRare(value: unknown): boolean {
  if (typeof value === 'string') return /^\+?\d[\d ()/-]{6,}$/.test(value);
  return typeof value === 'number' && !Number.isInteger(value) && String(value).length > 7;
}

/** `Date` is in whole seconds at both readings, and an answer takes its time. */
const GRAIN_MS = 2000;

/** Whether the difference is explained by the time between the readings, or by an address that is signed anew. */
function doesMove(path: string, before: Seen, after: Seen): boolean {
  const [one, other] = [leavesOf(before.call).get(path), leavesOf(after.call).get(path)];
  if (isAddress(one) && isAddress(other)) return new URL(one).origin === new URL(other).origin;
  const elapsedMs = after.atMs - before.atMs;
  const [first, second] = [readInstant(one), readInstant(other)];
  if (first !== null && second !== null) return Math.abs(toMs(second - first) - elapsedMs) <= GRAIN_MS;
  if (typeof one !== 'number' || typeof other !== 'number') return false;
  return isAge(one, before) && isAge(other, after);
}

/** Only http and https: other texts with a colon are no addresses to compare by origin. */
function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

/** Milliseconds, seconds, minutes. */
const AGE_UNITS_MS = [1, 1000, 60_000];

/** Whether a number tells how long ago, or in how long, one of the instants of the record is. */
export function isAge(value: unknown, { call, atMs }: Seen): boolean {
  if (typeof value !== 'number') return false;
  const distances = [...leavesOf(call).values()]
    .map(readInstant)
    .filter((instant) => instant !== null)
    .map((instant) => Math.abs(atMs - toMs(instant)));
  return AGE_UNITS_MS.some((unit) =>
    distances.some((distance) => Math.abs(Math.abs(value) * unit - distance) <= unit + GRAIN_MS),
  );
}

/** Rounded towards 1970; nothing here needs more. */
export function toMs(instant: InstantNs): number {
  return Number(instant / 1_000_000n);
}

/** The id that the user names, or the member whose name can hardly mean anything else; null without either. */
export function idOf(call: unknown, { callIdField }: RunSettings): string | null {
  const named = callIdField === null ? undefined : memberOf(call, callIdField);
  const [guessed] = [...leavesOf(call)].flatMap(([path, value]) => (isIdName(path) ? [value] : []));
  const id = named ?? guessed ?? null;
  return id === null ? null : JSON.stringify(id);
}
