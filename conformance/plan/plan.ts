// The plan of a run, printed before the first request: the fewest and the most requests, and how long they take. Each
// extra that the user opened has a line of its own; the rest is the audit.

import type { Target } from '../exchange/request.ts';
import type { PaceSettings } from '../pace/lanes.ts';
import { repeatsMax } from '../pace/patience.ts';
import { planLines } from '../probe/capabilities.ts';
import type { Check, SharedRead } from '../probe/check.ts';
import { needs } from '../probe/needs.ts';
import { leastOfReads, mostOfReads, readsOf } from './shared-reads.ts';

const AUDIT = 'audit';

/**
 * Both ends are promises, repeats and confirmations apart: a run sends no fewer and no more, whatever the target has to
 * show.
 */
export interface Range {
  readonly floor: number;
  readonly ceiling: number;
}

/** One line of the printed plan. */
export interface PlanLine {
  /** `audit`, or the name of an extra. */
  readonly name: string;
  readonly checks: number;
  readonly requests: Range;
  readonly seconds: Range;
  /** Most requests that may change something. */
  readonly writes: number;
  /** The traces of these writes, a line for each check that sends some. */
  readonly leaves: readonly string[];
}

/** The sum of its lines. It is computed without asking the target anything. */
export interface Plan extends Omit<PlanLine, 'name' | 'leaves'> {
  /** Draws the unexpected inputs. */
  readonly seed: number;
  readonly lines: readonly PlanLine[];
  /** Most requests beyond the ceiling: what is rejected for a time is repeated, what looks wrong is asked again. */
  readonly onTop: { readonly repeats: number; readonly confirmations: number };
}

/** Where requests are scarce, no more confirm a finding than repeat a rejected request. */
const confirmationsMax = repeatsMax;

/** The most that a run sends, whatever the target does: the courier stops there. */
export function requestsInAll({ requests, onTop }: Pick<Plan, 'requests' | 'onTop'>): number {
  return requests.ceiling + onTop.repeats + onTop.confirmations;
}

/** `29-60`, or `2` where both ends are the same. */
export function rangeText({ floor, ceiling }: Range): string {
  return floor === ceiling ? `${floor}` : `${floor}-${ceiling}`;
}

const nothing: Range = { floor: 0, ceiling: 0 };

/** Of a report that comes from no run of its own: recorded traffic, two sides compared. */
export function noPlan(checks: number): Plan {
  const onTop = { repeats: 0, confirmations: 0 };
  return { checks, requests: nothing, seconds: nothing, writes: 0, seed: 0, lines: [], onTop };
}

/** The time a check may take; the progress bar adds these up. */
export interface Step {
  readonly check: string;
  readonly seconds: Range;
}

/**
 * The preflight reads GET /sites, which the checks share; its second request is sent only when the first is rejected.
 */
const PREFLIGHT_REQUESTS = 1;

/** What a plan has to know of the run. */
export interface PlanOptions {
  readonly pace: PaceSettings;
  readonly maxWrites: number;
  /** The promise of the audit; null where requests are not scarce. */
  readonly requestsMax: number | null;
  readonly seed: number;
  /** A run of an MCP endpoint alone has no preflight, and no line of the audit. */
  readonly target?: Target['kind'];
}

/** A shared read counts on the first line that needs it, and on no other. */
export function makePlan(checks: readonly Check[], { pace, maxWrites, requestsMax, seed, target }: PlanOptions): Plan {
  const isAlone = target === 'mcp';
  const known = new Set<SharedRead>(['sites', ...checks.flatMap(({ cost }) => cost.gives ?? [])]);
  const groups = [...groupByExtra(checks)].filter(([, { length }]) => length > 0 || !isAlone);
  const lines = groups.map(([name, fields], index): PlanLine => {
    const reads = new Set(fields.flatMap((check) => [...readsOf(check)]).filter((read) => !known.has(read)));
    for (const read of reads) known.add(read);
    const isFirst = index === 0;
    const first = isFirst && !isAlone ? PREFLIGHT_REQUESTS : 0;
    const common = { floor: first + leastOfReads(reads), ceiling: first + mostOfReads(reads) };
    const allowed = sum(fields, ({ cost }) => cost.writes ?? 0);
    const writes = name === 'writes' ? Math.min(maxWrites, allowed) : 0;
    const leaves = fields.flatMap(({ id, mutates }) => (mutates === undefined ? [] : [`${id}: ${mutates}`]));
    const group = { common, isFirst, pace, requestsMax: isFirst ? requestsMax : null };
    return { name, checks: fields.length, writes, leaves, ...effortOf(fields, group) };
  });
  const requests = addUp(lines.map(({ requests }) => requests));
  return {
    seed,
    lines,
    checks: checks.length,
    writes: sum(lines, ({ writes }) => writes),
    requests,
    seconds: addUp(lines.map(({ seconds }) => seconds)),
    onTop: {
      repeats: repeatsMax + (pace.spacingMs === 0 ? requests.ceiling : 0),
      confirmations: Math.min(
        sum(checks, ({ cost }) => cost.confirms ?? 0),
        requestsMax === null ? Number.POSITIVE_INFINITY : confirmationsMax,
      ),
    },
  };
}

/** Whether a check stands on the line of the audit, and not on that of an extra. */
export function isOfAudit(check: Check): boolean {
  return lineOf(check) === AUDIT;
}

/** A check with several needs stands on the line that comes first in `planLines`. */
function lineOf(check: Check): string {
  const named = new Set(check.needs?.map((need) => needs[need].line));
  return planLines.find((name) => name !== AUDIT && named.has(name)) ?? AUDIT;
}

/** In the order of the run: the first check of a shared read has its time. */
export function stepsOf(checks: readonly Check[], pace: PaceSettings): Step[] {
  const known = new Set<SharedRead>(['sites', ...checks.flatMap(({ cost }) => cost.gives ?? [])]);
  return checks.map((check) => {
    const reads = [...readsOf(check)].filter((read) => !known.has(read));
    for (const read of reads) known.add(read);
    const common = { floor: leastOfReads(reads), ceiling: mostOfReads(reads) };
    return { check: check.id, seconds: effortOf([check], { common, isFirst: false, pace, requestsMax: null }).seconds };
  });
}

/** The audit comes first, even when it is empty. */
function groupByExtra(checks: readonly Check[]): Map<string, Check[]> {
  const groups = new Map<string, Check[]>([[AUDIT, []]]);
  for (const check of checks) {
    const name = lineOf(check);
    groups.set(name, [...(groups.get(name) ?? []), check]);
  }
  return groups;
}

interface Group {
  /** Requests that no check has to itself: the preflight and the shared reads. */
  readonly common: Range;
  /** The very first request leaves at once. */
  readonly isFirst: boolean;
  readonly pace: PaceSettings;
  readonly requestsMax: number | null;
}

/**
 * Requests and seconds of one line. Bursts keep their own time, so only the evenly paced requests are spaced out.
 */
function effortOf(
  checks: readonly Check[],
  { common, isFirst, pace, requestsMax }: Group,
): { requests: Range; seconds: Range } {
  const paced = checks.filter(({ cost }) => cost.ownPace !== true);
  const least = ({ cost }: Check) => cost.least ?? 0;
  const most = ({ cost }: Check) => cost.requests;
  const spacingS = pace.spacingMs / 1000;
  const intervals = (requests: number) => Math.max(0, requests - (isFirst ? 1 : 0)) * spacingS;
  const room = requestsMax ?? Number.POSITIVE_INFINITY;
  const unpacedLeast = sum(checks, least) - sum(paced, least);
  const mostPaced = Math.min(common.ceiling + sum(paced, most), room - unpacedLeast);
  return {
    requests: { floor: common.floor + sum(checks, least), ceiling: Math.min(common.ceiling + sum(checks, most), room) },
    seconds: {
      floor: Math.floor(
        intervals(common.floor + sum(paced, least)) + sum(checks, ({ cost }) => cost.leastSeconds ?? 0),
      ),
      ceiling: Math.ceil(intervals(mostPaced) + sum(checks, ({ cost }) => cost.seconds ?? 0)),
    },
  };
}

function addUp(ranges: readonly Range[]): Range {
  return { floor: sum(ranges, ({ floor }) => floor), ceiling: sum(ranges, ({ ceiling }) => ceiling) };
}

function sum<T>(rows: readonly T[], value: (row: T) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}
