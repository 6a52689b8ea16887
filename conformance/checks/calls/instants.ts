// Instants inside opaque calls. They are guessed from the values, so they may aim a request, and they may condemn an order
// only when every one of them speaks against it (rulings R37).
import { type InstantNs, parseInstant } from '../../../src/contract/instants.ts';
import { isObject } from '../../exchange.ts';

/** A member that holds an instant in every record. */
export interface InstantMember {
  readonly path: string;
  readonly instants: readonly InstantNs[];
}

const DEPTH_MAX = 5;
const LEAVES_MAX = 100;
/** 2001 to 2096, which is what tells an epoch from any other number. */
const EPOCH_S = { least: 1_000_000_000, most: 4_000_000_000 };

/** ISO 8601, with a blank for the `T` too, or a number that can hardly be anything but seconds or milliseconds since the epoch. */
export function readInstant(value: unknown): InstantNs | null {
  if (typeof value === 'string') return parseInstant(value.replace(/^(\d{4}-\d\d-\d\d) /, '$1T'));
  if (typeof value !== 'number') return null;
  const isIn = (scale: number) => value >= EPOCH_S.least * scale && value <= EPOCH_S.most * scale;
  if (isIn(1)) return BigInt(Math.round(value * 1000)) * 1_000_000n;
  return isIn(1000) ? BigInt(Math.round(value)) * 1_000_000n : null;
}

export function instantMembers(records: readonly unknown[]): InstantMember[] {
  const [first, ...rest] = records.map(leavesOf);
  if (first === undefined) return [];
  return [...first].flatMap(([path, instant]) => {
    const others = rest.map((leaves) => leaves.get(path));
    return others.every((other) => other !== undefined) ? [{ path, instants: [instant, ...others] }] : [];
  });
}

function leavesOf(record: unknown): Map<string, InstantNs> {
  const leaves = new Map<string, InstantNs>();
  const visit = (value: unknown, path: string, depth: number) => {
    if (leaves.size >= LEAVES_MAX || depth > DEPTH_MAX) return;
    if (isObject(value))
      for (const [name, member] of Object.entries(value)) visit(member, `${path}/${name}`, depth + 1);
    const instant = readInstant(value);
    if (instant !== null) leaves.set(path, instant);
  };
  visit(record, '', 0);
  return leaves;
}

export type Direction = 'rising' | 'falling' | 'level' | 'mixed';

export function directionOf(instants: readonly InstantNs[]): Direction {
  const { rises, falls } = countSteps(instants);
  if (rises > 0 && falls > 0) return 'mixed';
  return rises > 0 ? 'rising' : falls > 0 ? 'falling' : 'level';
}

function countSteps(instants: readonly InstantNs[]): { rises: number; falls: number } {
  const steps = instants.slice(1).map((instant, index) => instant - (instants[index] ?? instant));
  return { rises: steps.filter((step) => step > 0n).length, falls: steps.filter((step) => step < 0n).length };
}

/** Late reports and long calls turn a few calls round: so many steps must speak, and so many of them with one voice. */
const STEPS_MIN = 4;
const LATE_SHARE_MAX = 0.2;
const MANY_STEPS = 10;
const AGAINST_SHARE_MIN = 0.6;

/** What all members together say of an order that should be `wanted`: one that keeps it is enough. */
export function judgeOrder(records: readonly unknown[], wanted: 'rising' | 'falling'): 'kept' | 'inverted' | 'unknown' {
  const votes = instantMembers(records).map(({ instants }) => {
    const { rises, falls } = countSteps(instants);
    return wanted === 'rising' ? { steps: rises + falls, against: falls } : { steps: rises + falls, against: rises };
  });
  const telling = votes.filter(({ steps }) => steps > 0);
  if (telling.some(({ steps, against }) => against <= steps * LATE_SHARE_MAX)) return 'kept';
  const isInverted = telling.every(({ steps, against }) => {
    const needed = steps >= MANY_STEPS ? steps * (1 - LATE_SHARE_MAX / 2) : steps;
    return steps >= STEPS_MIN && against >= needed;
  });
  // One member that speaks against it at every step is the order itself; the others need only not speak for it.
  const isClear =
    telling.some(({ steps, against }) => steps >= MANY_STEPS && against === steps) &&
    telling.every(({ steps, against }) => against >= steps * AGAINST_SHARE_MIN);
  return telling.length > 0 && (isInverted || isClear) ? 'inverted' : 'unknown';
}

const SECOND_NS = 1_000_000_000n;

/**
 * Where to cut a page so that the cut is hardest on the server: between calls of one instant, else of one second; null
 * when the calls show neither. A cut at `j` leaves `j` calls before it.
 */
export function hardestCut(records: readonly unknown[]): { at: number; isTie: boolean } | null {
  const rank = ({ instants }: InstantMember) => (directionOf(instants) === 'rising' ? 0 : 1);
  const members = instantMembers(records).sort((a, b) => rank(a) - rank(b));
  const cutWhere = (isHard: (left: InstantNs, right: InstantNs) => boolean) => {
    for (const { instants } of members) {
      const at = instants.findIndex((instant, index) => index > 0 && isHard(instants[index - 1] ?? instant, instant));
      if (at > 0) return at;
    }
    return null;
  };
  const tie = cutWhere((left, right) => left === right);
  if (tie !== null) return { at: tie, isTie: true };
  const second = cutWhere((left, right) => left / SECOND_NS === right / SECOND_NS);
  return second === null ? null : { at: second, isTie: false };
}
