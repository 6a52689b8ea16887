// What a run will send, told before the first request: the fewest and the most requests, and how long they take. Each extra
// that the user opened has a line of its own; the rest is the audit.
import type { Capability, Check, SharedRead } from './check.ts';
import type { PaceSettings } from './pacer.ts';

export interface Range {
  readonly floor: number;
  readonly ceiling: number;
}

export interface PlanLine {
  /** `audit`, or the name of an extra. */
  readonly name: string;
  readonly checks: number;
  readonly requests: Range;
  readonly seconds: Range;
  /** Most requests that may change something. */
  readonly writes: number;
  /** What those leave behind, a line for each check that sends some. */
  readonly leaves: readonly string[];
}

export interface Plan extends Omit<PlanLine, 'name' | 'leaves'> {
  readonly lines: readonly PlanLine[];
}

/** What a check may take, for the bar that tells the time left. */
export interface Step {
  readonly check: string;
  readonly seconds: Range;
}

/** The preflight reads GET /sites, which the checks share; its second request is sent only when the first is refused. */
const PREFLIGHT_REQUESTS = 1;

/** The other shared reads hang on what these show. */
const ALWAYS_SENT: ReadonlySet<SharedRead> = new Set<SharedRead>(['sites', 'articles', 'accounts', 'call snapshot']);

const extras: readonly (readonly [name: string, opener: (need: Capability) => boolean])[] = [
  ['writes', (need) => need.startsWith('writes:')],
  ['key window', (need) => need === 'source-addresses'],
  ['MCP', (need) => need === 'mcp'],
  ['watch', (need) => need === 'watch'],
  ['second key', (need) => need === 'second-key'],
  ['revoked key', (need) => need === 'revoked-key'],
  ['control', (need) => need === 'control'],
];

export interface PlanOptions {
  readonly pace: PaceSettings;
  readonly maxWrites: number;
}

export function makePlan(checks: readonly Check[], { pace, maxWrites }: PlanOptions): Plan {
  const groups = groupByExtra(checks);
  const known = new Set<string>(['sites']);
  const lines: PlanLine[] = [];
  for (const [name, members] of groups) {
    const reads = new Set<SharedRead>(
      members.flatMap(({ cost }) => cost.uses ?? []).filter((read) => !known.has(read)),
    );
    for (const read of reads) known.add(read);
    const isFirst = name === 'audit';
    const first = isFirst ? PREFLIGHT_REQUESTS : 0;
    const sure = [...reads].filter((read) => ALWAYS_SENT.has(read)).length;
    const common = { floor: first + sure, ceiling: first + reads.size };
    const writes =
      name === 'writes'
        ? Math.min(
            maxWrites,
            sum(members, ({ cost }) => cost.writes ?? 0),
          )
        : 0;
    const leaves = members.flatMap(({ id, mutates }) => (mutates === undefined ? [] : [`${id}: ${mutates}`]));
    lines.push({ name, checks: members.length, writes, leaves, ...effortOf(members, { common, isFirst, pace }) });
  }
  return {
    lines,
    checks: checks.length,
    writes: sum(lines, ({ writes }) => writes),
    requests: addUp(lines.map(({ requests }) => requests)),
    seconds: addUp(lines.map(({ seconds }) => seconds)),
  };
}

export function stepsOf(checks: readonly Check[], pace: PaceSettings): Step[] {
  return checks.map((check) => ({
    check: check.id,
    seconds: effortOf([check], { common: { floor: 0, ceiling: 0 }, isFirst: false, pace }).seconds,
  }));
}

function groupByExtra(checks: readonly Check[]): Map<string, Check[]> {
  const groups = new Map<string, Check[]>([['audit', []]]);
  for (const check of checks) {
    const name = extras.find(([, opens]) => check.needs?.some(opens))?.[0] ?? 'audit';
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
}

function effortOf(checks: readonly Check[], { common, isFirst, pace }: Group): { requests: Range; seconds: Range } {
  const paced = checks.filter(({ cost }) => cost.ownPace !== true);
  const least = ({ cost }: Check) => cost.least ?? 0;
  const most = ({ cost }: Check) => cost.requests;
  const spacingS = pace.spacingMs / 1000;
  const intervals = (requests: number) => Math.max(0, requests - (isFirst ? 1 : 0)) * spacingS;
  return {
    requests: { floor: common.floor + sum(checks, least), ceiling: common.ceiling + sum(checks, most) },
    seconds: {
      floor: Math.floor(
        intervals(common.floor + sum(paced, least)) + sum(checks, ({ cost }) => cost.leastSeconds ?? 0),
      ),
      ceiling: Math.ceil(intervals(common.ceiling + sum(paced, most)) + sum(checks, ({ cost }) => cost.seconds ?? 0)),
    },
  };
}

function addUp(ranges: readonly Range[]): Range {
  return { floor: sum(ranges, ({ floor }) => floor), ceiling: sum(ranges, ({ ceiling }) => ceiling) };
}

function sum<T>(rows: readonly T[], value: (row: T) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}
