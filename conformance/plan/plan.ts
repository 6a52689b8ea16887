// The checks and rules of a run, selected by globs and by their needs.

import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Target } from '../exchange/request.ts';
import type { Rule } from '../judge/rule.ts';
import type { PaceSettings } from '../pace/lanes.ts';
import { repeatsMax } from '../pace/patience.ts';
import { type Capability, needs, planLines, type Settled } from '../probe/capabilities.ts';
import type { Asked, Check, SharedRead } from '../probe/check.ts';

export interface Catalog {
  readonly checks: readonly Check[];
  readonly rules: readonly Rule[];
  /** Known ids that this run does not offer; a glob can match them without an effect. */
  readonly others?: readonly string[];
}

/** `--skip` wins over `--only`. */
export interface Selection {
  isSelected(id: string): boolean;
}

/** Rejects a glob without a match, because a run without checks must not look like a pass. */
export function select(ids: readonly string[], only: readonly string[], skip: readonly string[]): Selection {
  const patterns = { only: only.map((glob) => compile(glob, ids)), skip: skip.map((glob) => compile(glob, ids)) };
  return {
    isSelected: (id) =>
      (only.length === 0 || patterns.only.some((pattern) => pattern.test(id))) &&
      !patterns.skip.some((pattern) => pattern.test(id)),
  };
}

/** Globs of the user match checks and rules alike. */
export function selectFrom(
  { checks, rules, others = [] }: Catalog,
  { only, skip }: Pick<Settled, 'only' | 'skip'>,
): Selection {
  const ids = [...checks, ...rules].map(({ id }) => id);
  return select([...ids, ...others], only, skip);
}

/** `*` also matches slashes, so `posts*` matches a whole area. */
function compile(glob: string, ids: readonly string[]): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const pattern = new RegExp(`^${source}$`);
  if (ids.some((id) => pattern.test(id))) return pattern;
  const areas = [...new Set(ids.map((id) => `${id.split('/')[0]}/*`))];
  throw new UsageError(`No check is called "${glob}".${didYouMean(glob, [...ids, ...areas])}`);
}

/** Returns the reason why a check is skipped, or null. */
export function whySkipped(check: Check, capabilities: ReadonlySet<Capability>): string | null {
  const missing = (check.needs ?? []).filter((need) => !capabilities.has(need));
  return missing.length === 0 ? null : `needs ${listOf(missing.map((need) => needs[need].flag))}`;
}

export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

// The plan of a run: the minimum and maximum of requests and seconds. Each further option has its own line.

const audit = 'audit';

/** Every run stays between both ends, except for repeats and confirmations. */
export interface Range {
  readonly floor: number;
  readonly ceiling: number;
}

export interface PlanLine {
  /** `audit`, or the name of an option. */
  readonly name: string;
  readonly checks: number;
  readonly requests: Range;
  readonly seconds: Range;
  /** The maximum number of writes. */
  readonly writes: number;
  /** The records that these writes leave, a line for each check. */
  readonly leaves: readonly string[];
}

/** The sum of its lines, computed without a request. */
export interface Plan extends Omit<PlanLine, 'name' | 'leaves'> {
  readonly seed: number;
  readonly lines: readonly PlanLine[];
  /** The maximum number of retries, and of requests that confirm a finding. */
  readonly onTop: { readonly repeats: number; readonly confirmations: number };
  readonly expected?: Expectation;
}

/** The effort of a run on a calm deployment, and its use. */
export interface Expectation {
  readonly requests: number;
  readonly seconds: number;
  /** Of the known defects that a run without permissions can find; null for a choice of checks. */
  readonly defectsFound: number | null;
  /** Checks that send more than in a run of one minute. */
  readonly further: readonly string[];
}

/** Confirmations have the same limit as retries. */
const confirmationsMax = repeatsMax;

/** Returns the maximum that a run sends, where the client stops. */
export function requestsInAll({ requests, onTop }: Pick<Plan, 'requests' | 'onTop'>): number {
  return requests.ceiling + onTop.repeats + onTop.confirmations;
}

/** `29-60`, or `2` where both ends are the same. */
export function rangeText({ floor, ceiling }: Range): string {
  return floor === ceiling ? `${floor}` : `${floor}-${ceiling}`;
}

const nothing: Range = { floor: 0, ceiling: 0 };

/** For recorded traffic and comparisons. */
export function noPlan(checks: number): Plan {
  const onTop = { repeats: 0, confirmations: 0 };
  return { checks, requests: nothing, seconds: nothing, writes: 0, seed: 0, lines: [], onTop };
}

/** The time of a check, for the progress bar. */
export interface Step {
  readonly check: string;
  readonly seconds: Range;
}

/** The preflight reads GET /sites, which the checks share. */
const preflightRequests = 1;

export interface PlanOptions {
  readonly pace: PaceSettings;
  readonly maxWrites: number;
  /** The limit of a default run; null without a limit. */
  readonly requestsMax: number | null;
  readonly seed: number;
  /** A run of an MCP endpoint alone has no preflight. */
  readonly target?: Target['kind'];
}

/** Counts a shared read in the first line that needs it. */
export function makePlan(checks: readonly Check[], { pace, maxWrites, requestsMax, seed, target }: PlanOptions): Plan {
  const isAlone = target === 'mcp';
  const known = new Set<AnyRead>(['sites', ...checks.flatMap(({ cost }) => cost.gives ?? [])]);
  const groups = [...groupByExtra(checks)].filter(([, { length }]) => length > 0 || !isAlone);
  const lines = groups.map(([name, fields], index): PlanLine => {
    const reads = new Set(fields.flatMap((check) => [...readsOf(check)]).filter((read) => !known.has(read)));
    for (const read of reads) known.add(read);
    const isFirst = index === 0;
    const first = isFirst && !isAlone ? preflightRequests : 0;
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

/** Whether a check is part of the default line. */
export function isOfAudit(check: Check): boolean {
  return lineOf(check) === audit;
}

/** Whether a check is part of each audit of one minute. */
export function isBasic(check: Check): boolean {
  return isOfAudit(check) && check.needs?.includes('extended') !== true;
}

/** Returns the first of its lines in `planLines`. */
function lineOf(check: Check): string {
  const named = new Set(check.needs?.map((need) => needs[need].line));
  return planLines.find((name) => name !== audit && named.has(name)) ?? audit;
}

/** Returns the steps in the order of the run. The first check of a shared read has its time. */
export function stepsOf(checks: readonly Check[], pace: PaceSettings): Step[] {
  const known = new Set<AnyRead>(['sites', ...checks.flatMap(({ cost }) => cost.gives ?? [])]);
  return checks.map((check) => {
    const reads = [...readsOf(check)].filter((read) => !known.has(read));
    for (const read of reads) known.add(read);
    const common = { floor: leastOfReads(reads), ceiling: mostOfReads(reads) };
    return { check: check.id, seconds: effortOf([check], { common, isFirst: false, pace, requestsMax: null }).seconds };
  });
}

/** The default line comes first, even if it is empty. */
function groupByExtra(checks: readonly Check[]): Map<string, Check[]> {
  const groups = new Map<string, Check[]>([[audit, []]]);
  for (const check of checks) {
    const name = lineOf(check);
    groups.set(name, [...(groups.get(name) ?? []), check]);
  }
  return groups;
}

interface Group {
  /** The preflight and the shared reads. */
  readonly common: Range;
  /** The first request has no delay. */
  readonly isFirst: boolean;
  readonly pace: PaceSettings;
  readonly requestsMax: number | null;
}

/** Returns requests and seconds of one line. Only paced requests have a distance, bursts do not. */
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
  const upTo = (requests: number) => Math.min(requests, room);
  const unpacedLeast = sum(checks, least) - sum(paced, least);
  const mostPaced = Math.min(common.ceiling + sum(paced, most), room - unpacedLeast);
  return {
    requests: { floor: upTo(common.floor + sum(checks, least)), ceiling: upTo(common.ceiling + sum(checks, most)) },
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

// Reads that several checks share. The first check that needs one sends it.

export type AnyRead = SharedRead | Asked;

/** The cost for the first check. */
interface ReadCost {
  /** The maximum number of requests, without those of `uses`. */
  readonly requests: number;
  readonly uses?: readonly SharedRead[];
  /** Sent in every run. */
  readonly isSure?: boolean;
}

const costs: Readonly<Record<SharedRead, ReadCost>> = {
  sites: { requests: 1, isSure: true },
  articles: { requests: 1, isSure: true },
  'articles without limit': { requests: 1 },
  accounts: { requests: 1, isSure: true },
  reviews: { requests: 3, uses: ['accounts'] },
  'review pages': { requests: 4, uses: ['reviews'] },
  insights: { requests: 3, uses: ['accounts'] },
  'insights ranges': { requests: 2, uses: ['insights'] },
  'insights without range': { requests: 1, uses: ['insights'] },
  'call row': { requests: 1, isSure: true },
  'call gate': { requests: 1, uses: ['call row'] },
  'call log': { requests: 4, uses: ['call gate'] },
  'call cut': { requests: 2, uses: ['call log'] },
  'calls after the cut': { requests: 1, uses: ['call cut'] },
  'call snapshot': { requests: 1 },
  'calls at the MCP endpoint': { requests: 3 },
  'call log at the MCP endpoint': { requests: 3, uses: ['calls at the MCP endpoint'] },
  'lists of the second key': { requests: 3 },
  'call snapshot of the second key': { requests: 1 },
  'responses without a key': { requests: 2 },
  'responses to an unknown key': { requests: 2 },
  'responses to an unknown key and invalid parameters': { requests: 2 },
};

/** Returns the reads of a check, including their own `uses`. */
export function readsOf({ cost }: Pick<Check, 'cost'>): Set<AnyRead> {
  const reads = new Set<AnyRead>();
  const add = (read: AnyRead) => {
    for (const below of typeof read === 'string' ? (costs[read].uses ?? []) : []) add(below);
    reads.add(read);
  };
  for (const read of cost.uses ?? []) add(read);
  return reads;
}

/** Returns the sum if each read is sent. */
export function mostOfReads(reads: Iterable<AnyRead>): number {
  return sum([...reads], (read) => (typeof read === 'string' ? costs[read].requests : read.cost.most));
}

/** Returns the requests of reads that every run sends. */
function leastOfReads(reads: Iterable<AnyRead>): number {
  const leastOf = (read: SharedRead) => (costs[read].isSure ? costs[read].requests : 0);
  return sum([...reads], (read) => (typeof read === 'string' ? leastOf(read) : read.cost.least));
}
