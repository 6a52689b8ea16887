// Compares the runs of a deployment: new, fixed and unstable failures. The numbers of violated and verified clauses
// stay separate, so a run with fewer checks cannot look better.
import { parseJson } from '../../src/contract/json.ts';
import { count } from '../../src/terminal/count.ts';
import { isObject } from '../exchange/exchange.ts';
import { type CheckResult, hasConcluded } from '../judge/result.ts';
import { reachOf } from './coverage.ts';
import { type ExitCode, type Report, toolName } from './report.ts';

/** One line of a history file. Its fields are part of the interface: later versions read earlier lines. */
export interface RunRecord {
  readonly v: 1;
  /** ISO 8601. */
  readonly at: string;
  readonly runId: string;
  readonly target: string;
  readonly toolVersion: string;
  readonly exitCode: ExitCode;
  /** Whether the run ended before its checks did. */
  readonly aborted: boolean;
  /** Clauses that were seen broken. */
  readonly violated: number;
  /** Clauses that were put to the test and held. */
  readonly verified: number;
  /** Clauses that a server can show. */
  readonly visible: number;
  /** `check clause` of each failure. */
  readonly failing: readonly string[];
  /** Failures of earlier runs at which this one could not look again. */
  readonly open: readonly string[];
  /** Scenarios that it sent. */
  readonly further?: readonly string[];
}

export interface Trend {
  readonly current: RunRecord;
  /** The last run that came to its end; null for the first one. */
  readonly previous: RunRecord | null;
  readonly fresh: readonly string[];
  readonly gone: readonly string[];
  readonly flapping: readonly string[];
  /** Since when each failure has been seen, without a run between that saw it gone; ISO 8601. */
  readonly since: Readonly<Record<string, string>>;
  /** The newest last, the current one included. */
  readonly runs: readonly RunRecord[];
}

const failingMax = 500;
const runsComparedMax = 30;
const flapsMin = 3;

/** The record of a run, with results of earlier runs for skipped checks. */
export function recordOf(report: Report, exitCode: ExitCode, before: readonly RunRecord[]): RunRecord {
  const { visible, violated, verified } = reachOf(report);
  const failing = failuresOf(report.checks).slice(0, failingMax);
  const concluded = new Set(report.checks.filter(({ result }) => hasConcluded(result.kind)).map(({ id }) => id));
  const last = before.at(-1);
  const known = last === undefined ? [] : [...last.failing, ...last.open];
  return {
    v: 1,
    at: report.startedAt,
    runId: report.runId,
    target: report.target,
    toolVersion: report.toolVersion,
    exitCode,
    aborted: report.abort !== null,
    violated,
    verified,
    visible,
    failing,
    open: known.filter((name) => !failing.includes(name) && !concluded.has(checkOf(name))).slice(0, failingMax),
    further: (report.scenarios ?? []).flatMap(({ id, kind }) => (kind === 'asked' ? [id] : [])),
  };
}

/**
 * Returns the scenarios that the last runs have sent, the oldest run first. A run that sent only known ones begins a
 * new turn.
 */
export function furtherOf(records: readonly RunRecord[]): ReadonlySet<string> {
  let sent = new Set<string>();
  for (const { further = [] } of records) {
    if (further.every((id) => sent.has(id))) sent = new Set(further);
    else for (const id of further) sent.add(id);
  }
  return sent;
}

/** Compares a run with those before it, the oldest first. */
export function trendOf(before: readonly RunRecord[], current: RunRecord): Trend {
  const runs = [...before.slice(1 - runsComparedMax), current];
  const previous = before.findLast(({ aborted }) => !aborted) ?? null;
  const known = namesIn(before.at(-1));
  const seen = [...new Set(runs.flatMap(({ failing }) => failing))];
  return {
    current,
    previous,
    fresh: current.failing.filter((name) => !known.has(name)),
    gone: [...known].filter((name) => !namesIn(current).has(name)),
    flapping: seen.filter((name) => changesOf(name, runs) >= flapsMin),
    since: Object.fromEntries([...namesIn(current)].map((name) => [name, firstSeenAt(name, before) ?? current.at])),
    runs,
  };
}

/** The checks of which every failure was there before. */
export function knownChecks(report: Report, { current, fresh }: Trend): string[] {
  const isNew = new Set(fresh.map(checkOf));
  const failing = new Set(current.failing.map(checkOf));
  const failed = report.checks.filter(({ id, result }) => result.kind === 'fail' && failing.has(id));
  return failed.map(({ id }) => id).filter((id) => !isNew.has(id));
}

/** Empty for a run that ended before it had the figure: 0 would look like a result. */
export function figureOf(record: RunRecord, figure: 'violated' | 'verified'): string {
  return record.aborted && record[figure] === 0 ? '' : String(record[figure]);
}

/** Short runs take turns with the scenarios that do not fit into each of them. */
function turnText(runs: readonly RunRecord[]): string[] {
  const done = furtherOf(runs).size;
  return done === 0 || done <= (runs.at(-1)?.further?.length ?? 0)
    ? []
    : [`Together with the runs before it, ${done} scenarios have run.`];
}

/** News for a reader of the result; one sentence each. */
export function newsOf({ current, previous, fresh, gone, flapping, since, runs }: Trend): string[] {
  if (previous === null) return ['This is the first recorded run of this target.'];
  const day = previous.at.slice(0, 16).replace('T', ' ');
  const old = current.failing.filter((name) => !fresh.includes(name));
  return [
    ...(current.aborted ? ['The run ended early, so it tested less.'] : []),
    ...turnText(runs),
    ...(current.verified < previous.verified
      ? [
          `${count(current.verified, 'clause')} verified, ${previous.verified - current.verified} fewer than in the run of ${day}.`,
        ]
      : []),
    ...fresh.map((name) => `new: ${name}`),
    ...gone.map((name) => `fixed: ${name}`),
    ...old.map((name) => `since ${since[name]?.slice(0, 10)}: ${name}`),
    ...current.open.map((name) => `not tested again, violated since ${since[name]?.slice(0, 10)}: ${name}`),
    ...flapping.map((name) => `intermittent: ${name}`),
    ...(current.toolVersion === previous.toolVersion
      ? []
      : [`casa-kit has version ${current.toolVersion} now, and had ${previous.toolVersion}.`]),
    ...(fresh.length + gone.length === 0 && !current.aborted ? [`No change since the run of ${day}.`] : []),
  ];
}

/** Null for a malformed line: a file can be edited, or cut by a full disk. */
export function parseRecord(line: string): RunRecord | null {
  const value = parseJson(line);
  const record = value as RunRecord;
  const isRecord =
    typeof value === 'object' &&
    value !== null &&
    record.v === 1 &&
    [record.at, record.runId, record.target, record.toolVersion].every((text) => typeof text === 'string') &&
    [record.violated, record.verified, record.visible, record.exitCode].every(Number.isSafeInteger) &&
    typeof record.aborted === 'boolean' &&
    [record.failing, record.open].every(isNames) &&
    !Number.isNaN(Date.parse(record.at));
  return isRecord ? record : null;
}

/** From a JSON report; null for any other JSON. */
export function recordIn(report: unknown): RunRecord | null {
  if (!isObject(report) || report.tool !== toolName || report.target === undefined) return null;
  const objectsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
  const checks = objectsIn(report.checks).map(({ result, findings, ...check }) => ({
    ...check,
    result: { kind: result },
    findings: objectsIn(findings),
  }));
  const { code } = isObject(report.exit) ? report.exit : {};
  const given = { ...report, checks, coverage: objectsIn(report.coverage), scenarios: objectsIn(report.scenarios) };
  return parseRecord(JSON.stringify(recordOf(given as unknown as Report, code as ExitCode, [])));
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.length <= failingMax && value.every((name) => typeof name === 'string');
}

function failuresOf(checks: readonly CheckResult[]): string[] {
  const names = checks.flatMap(({ id, result, findings }) =>
    result.kind !== 'fail'
      ? []
      : findings.flatMap(({ severity, clause }) => (severity === 'fail' ? [`${id} ${clause}`] : [])),
  );
  return [...new Set(names)];
}

function checkOf(name: string): string {
  return name.split(' ')[0] ?? name;
}

function namesIn(record: RunRecord | undefined): Set<string> {
  return new Set(record === undefined ? [] : [...record.failing, ...record.open]);
}

/** Number of changes; a run that skipped the check does not count. */
function changesOf(name: string, runs: readonly RunRecord[]): number {
  const states = runs.filter(({ open }) => !open.includes(name)).map(({ failing }) => failing.includes(name));
  return states.filter((state, index) => index > 0 && state !== states[index - 1]).length;
}

/** The first of the latest consecutive runs with the failure; null if the newest run lacks it. */
function firstSeenAt(name: string, before: readonly RunRecord[]): string | null {
  const clean = before.findLastIndex((record) => !namesIn(record).has(name));
  return before.slice(clean + 1).find(({ failing }) => failing.includes(name))?.at ?? null;
}
