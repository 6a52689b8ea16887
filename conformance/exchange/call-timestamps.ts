// Timestamps inside opaque calls. They are guessed from the values, so they may aim a request, and they may condemn an
// order only when every one of them speaks against it (interpretation R37).
import { parseTimestamp, type TimestampNs } from '../../src/contract/timestamps.ts';
import { isObject } from './exchange.ts';

/** Records are opaque and may be made to hurt; a real one is not nested deeper. */
const depthMax = 5;
const leavesMax = 200;
/** 2001 to 2096: the range in which a number counts as an epoch. */
const epochS = { least: 1_000_000_000, most: 4_000_000_000 };

/** ISO 8601, also with a space instead of `T`, or a number in the range of epoch seconds or milliseconds. */
export function readTimestamp(value: unknown): TimestampNs | null {
  if (typeof value === 'string') return parseTimestamp(value.replace(/^(\d{4}-\d\d-\d\d) /, '$1T'));
  if (typeof value !== 'number') return null;
  const isIn = (scale: number) => value >= epochS.least * scale && value <= epochS.most * scale;
  if (isIn(1)) return BigInt(Math.round(value * 1000)) * 1_000_000n;
  return isIn(1000) ? BigInt(Math.round(value)) * 1_000_000n : null;
}

/** Fields that all records have, because a missing one shows no order. */
export function timestampFields(records: readonly unknown[]) {
  const [first, ...rest] = records.map(timestampsOf);
  if (first === undefined) return [];
  return [...first].flatMap(([path, timestamp]) => {
    const others = rest.map((leaves) => leaves.get(path));
    return others.every((other) => other !== undefined) ? [{ path, timestamps: [timestamp, ...others] }] : [];
  });
}

/** Everything by which records show the time: a field of all of them, or of some if its name reports the call. */
export function shownTimestamps(records: readonly unknown[]): TimestampNs[] {
  const ofSome = records.flatMap((record) => [...timestampsOf(record)].filter(([path]) => roleOf(path) !== null));
  return [
    ...timestampFields(records).flatMap(({ timestamps }) => timestamps),
    ...ofSome.map(([, timestamp]) => timestamp),
  ];
}

/** Every value of a record by its path; a list is one value, since the places in it mean nothing. */
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

function timestampsOf(record: unknown): Map<string, TimestampNs> {
  const read = [...leavesOf(record)].map(([path, value]) => [path, readTimestamp(value)] as const);
  return new Map(read.flatMap(([path, timestamp]) => (timestamp === null ? [] : [[path, timestamp]])));
}

/** `level`: all timestamps are one. */
export type Direction = 'rising' | 'falling' | 'level' | 'mixed';

/** Over all of them: a single turn makes it `mixed`. */
export function directionOf(timestamps: readonly TimestampNs[]): Direction {
  const { rises, falls } = countSteps(timestamps);
  if (rises > 0 && falls > 0) return 'mixed';
  return rises > 0 ? 'rising' : falls > 0 ? 'falling' : 'level';
}

function countSteps(timestamps: readonly TimestampNs[]): { rises: number; falls: number } {
  const steps = timestamps.slice(1).map((timestamp, index) => timestamp - (timestamps[index] ?? timestamp));
  return { rises: steps.filter((step) => step > 0n).length, falls: steps.filter((step) => step < 0n).length };
}

/** Late reports and long calls reverse a few calls: this many steps must agree, with this share. */
const judgedStepsMin = 5;
const lateShareMax = 0.2;
const manySteps = 10;
const againstShareMin = 0.6;

/** A field's say on the order: how many steps it takes, and how many of them the wrong way. */
interface Vote {
  readonly path: string;
  readonly steps: number;
  readonly against: number;
}

/**
 * The result of all fields together on an order that should be `wanted`: one that keeps it is enough. Only those may
 * condemn it whose names report the call, for a customer or a reminder has timestamps in any order.
 */
export function checkOrder(records: readonly unknown[], wanted: 'rising' | 'falling'): 'kept' | 'inverted' | 'unknown' {
  const votes = timestampFields(records).map(({ path, timestamps }): Vote => {
    const { rises, falls } = countSteps(timestamps);
    return { path, steps: rises + falls, against: wanted === 'rising' ? falls : rises };
  });
  const decided = votes.filter(({ steps }) => steps > 0);
  if (decided.some(({ steps, against }) => against <= steps * lateShareMax)) return 'kept';
  const ofCalls = decided.filter(({ path }) => roleOf(path) !== null);
  return ofCalls.length > 0 && (areInverted(ofCalls) || isClear(ofCalls)) ? 'inverted' : 'unknown';
}

/** A single field of few calls proves nothing: calls inside of a longer one begin the later the sooner they end. */
function areInverted(votes: readonly Vote[]): boolean {
  const stepsMin = votes.length > 1 ? judgedStepsMin : manySteps;
  return votes.every(({ steps, against }) => {
    const needed = steps >= manySteps ? steps * (1 - lateShareMax / 2) : steps;
    return steps >= stepsMin && against >= needed;
  });
}

/** One field that contradicts at every step is the order itself; the others must only not support it. */
function isClear(votes: readonly Vote[]): boolean {
  return (
    votes.some(({ steps, against }) => steps >= manySteps && against === steps) &&
    votes.every(({ steps, against }) => against >= steps * againstShareMin)
  );
}

const secondNs = 1_000_000_000n;

/**
 * Where to cut a page so the cut is hardest on the server: inside the widest run of calls of one timestamp, behind
 * its second call, else of one second; null when the calls show neither. A cut at `j` leaves `j` calls before it.
 * Of runs of one width, it is the one nearest to `wanted`.
 */
export function hardestCut(records: readonly unknown[], wanted: number): { at: number; isTie: boolean } | null {
  const fields = timestampFields(records);
  const rising = fields.filter(({ timestamps }) => directionOf(timestamps) === 'rising');
  const others = fields.filter((field) => !rising.includes(field));
  for (const [isTie, grainNs] of [
    [true, 1n],
    [false, secondNs],
  ] as const) {
    for (const group of [rising, others]) {
      const runs = group.flatMap(({ timestamps }) => runsOf(timestamps, grainNs));
      const awayFrom = ({ start }: { start: number }) => Math.abs(start - wanted);
      const [widest] = runs.sort((a, b) => b.width - a.width || awayFrom(a) - awayFrom(b));
      if (widest !== undefined) return { at: widest.start + Math.min(2, widest.width - 1), isTie };
    }
  }
  return null;
}

/** Two or more timestamps in a row that are one when cut to the grain. */
function runsOf(timestamps: readonly TimestampNs[], grainNs: bigint): { start: number; width: number }[] {
  const runs: { start: number; width: number }[] = [];
  let start = 0;
  for (let index = 1; index <= timestamps.length; index += 1) {
    const [left, right] = [timestamps[start] ?? 0n, timestamps[index]];
    if (right !== undefined && left / grainNs === right / grainNs) continue;
    if (index - start > 1) runs.push({ start, width: index - start });
    start = index;
  }
  return runs;
}

/** Ordinal and week dates are ISO 8601 too, but the suite does not read them. */
const otherIsoDate = /^\d{4}-?(\d{3}|W\d\d-?\d)T\d\d/i;

export function isDateTime(cursor: string): boolean {
  return parseTimestamp(cursor) !== null || otherIsoDate.test(cursor);
}

// The names of fields, and the moments they report. The contract does not show the fields of a call (interpretation
// R34), so a name counts only where it can hardly mean anything else.

/** `startedAt` and `started_at` alike: the words of a name, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
}

const fillingWords = new Set('at on time ts timestamp date datetime utc ms epoch iso call the'.split(' '));
const startWords = new Set('start started begin began begun initiated created dialed dialled rang'.split(' '));
const endWords = new Set('end ended finish finished over completed terminated hangup'.split(' '));
const homeNames = new Set(
  'call timing timings times time meta metadata data details timestamps period interval'.split(' '),
);

/** `call`: the name shows only that it is a timestamp, for example `timestamp`. */
export type Role = 'start' | 'end' | 'call';

/** The event of the call that a field name describes; null if it is unclear. */
export function roleOf(path: string): Role | null {
  const [name = '', ...homes] = path.split('/').filter(Boolean).reverse();
  if (homes.some((home) => wordsOf(home).some((word) => !homeNames.has(word)))) return null;
  const words = wordsOf(name).filter((word) => !fillingWords.has(word));
  if (words.length === 0) return 'call';
  if (words.every((word) => startWords.has(word))) return 'start';
  return words.every((word) => endWords.has(word)) ? 'end' : null;
}

const idName = /^(id|uid|uuid|guid|sid|call_?(id|uid|uuid|guid|sid))$/i;

/** At the top or one level below: an id further down is more likely one of a customer. */
export function isIdName(path: string): boolean {
  const names = path.split('/').filter(Boolean);
  return names.length <= 2 && idName.test(names.at(-1) ?? '');
}
