// The report of a run as data, which every output reads.
import type { ClauseId } from '../contract/generated/clauses.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import { count } from '../terminal/count.ts';
import { readVersion } from '../terminal/version.ts';
import { type Cell, type CellFinding, type Dimension, dimensions, severities, type Target } from './cell.ts';
import { disturbedOperations, type Exchange, isOfPolls, isStated, type Observation, targetOf } from './cell-run.ts';
import { judge } from './judge.ts';
import { acrossCells, peakOf } from './judge-patterns.ts';
import { textsOf } from './reported.ts';

/** One mistake, with every cell that shows it. */
export interface ClientViolation extends Omit<CellFinding, 'message'> {
  /** Stable name for baselines: the rule and the dimension, and the clause of a failure. */
  readonly id: string;
  readonly dimension: Dimension;
  /** One sentence about the client in the first of the cells. */
  readonly message: string;
  readonly cells: readonly string[];
}

/** The client in one dimension. */
export interface DimensionReport {
  readonly id: Dimension;
  readonly title: string;
  readonly handled: number;
  readonly violated: number;
  readonly notExercised: number;
  /** One sentence with figures. */
  readonly sentence: string;
  /** How the client repeated disturbed requests. */
  readonly retries: readonly RetryFigure[];
  /** The most requests that the client had under way at once. */
  readonly atOnce: number;
}

/** How time passed in a run: for a function, a command, or a command with `--speed`. */
export interface TimeReport {
  readonly mode: 'virtual' | 'real' | 'scaled';
  /** How much faster than real time; null in virtual time. */
  readonly speed: number | null;
  /** The run was stopped before all violations were repeated. */
  readonly isStopped?: true;
}

/** Why a cell was not exercised: the kind of request that the client does not send, or another reason. */
export type Absence = Target | 'operation' | 'files' | 'start' | 'response' | 'stopped';

/** The report of `tryClient` and `casa try`, as in casa-client.json. */
export interface ClientReport {
  readonly casaClient: 1;
  readonly version: string;
  readonly time: TimeReport;
  /** The worst first. */
  readonly violations: readonly ClientViolation[];
  /** Undisturbed. Without any, the report does not say whether the client loses records. */
  readonly recordsReported: number;
  /** Legal behavior that users of the client might notice, for example no retries. */
  readonly advice: readonly ClientViolation[];
  readonly dimensions: readonly DimensionReport[];
  readonly cells: readonly {
    readonly id: string;
    readonly title: string;
    readonly clauses: readonly ClauseId[];
    readonly result: 'handled' | 'violated' | 'not-exercised';
    readonly requests: number;
    /** How often the client was started. */
    readonly runs: number;
    /** Why it was not exercised. */
    readonly needs?: Absence;
    /** The last output of an application that did not start. */
    readonly notStarted?: string;
  }[];
}

/** A cell with everything that the client did, or the reason why the client cannot meet it. */
export type CellResult = readonly [Cell, Observation | Absence];

/** The first reason why a client cannot meet a cell; null if it can. */
export function absenceOf(cell: Cell, used: ReadonlySet<OperationId>): Absence | null {
  if (disturbedOperations(cell, used).length > 0) return null;
  const targets = new Set(cell.operations?.map(targetOf) ?? [cell.target]);
  const [target] = targets.size === 1 ? targets : [];
  return target && [...used].every((id) => targetOf(id) !== target) ? target : 'operation';
}

/** The operations that the client used. */
export function operationsOf({ exchanges }: Observation): ReadonlySet<OperationId> {
  return new Set(exchanges.flatMap(({ operation }) => (operation ? [operation] : [])));
}

/** The control cell: of one run, and of a job that ran each minute or a poller that ran for longer. */
export interface Controls {
  readonly first: Observation;
  readonly repeated?: Observation | null;
}

/** The control cell with which a cell is compared. */
export function controlOf({ cell, startsMs }: Observation, { first, repeated }: Controls): Observation {
  const isLike = repeated && !startsMs === !repeated.startsMs && isOfPolls(cell, operationsOf(first));
  return isLike ? repeated : first;
}

/** Returns the report of the control cell and the others. */
export function reportOf(
  { first, repeated = null }: Controls,
  results: readonly CellResult[],
  time: TimeReport,
): ClientReport {
  const control = controlFindings({ first, repeated });
  const known = new Set(control.map(({ rule }) => rule));
  const hasChance = backsOffAtFirst(results);
  const judged = results.map(([cell, given]): Row => {
    if (typeof given === 'string') return { cell, met: null, findings: [], needs: given };
    const isEnded = given.startsMs === undefined && first.ending === 'returned' && isOfPolls(cell, operationsOf(first));
    if (!isMet(given)) {
      const other = isEnded && !repeated && time.mode !== 'virtual' ? 'files' : 'response';
      const isDown = given.exchanges.length === 0;
      return { cell, met: null, findings: [], needs: isDown ? 'start' : other, notStarted: isDown && given.notStarted };
    }
    const all = judge(given, controlOf(given, { first, repeated })).filter(({ rule }) => !known.has(rule));
    return { cell, met: given, findings: all.filter((finding) => !(hasChance && isHasty(finding))) };
  });
  const across = [...acrossCells(judged.flatMap(({ met }) => met ?? []))].filter(([, { rule }]) => !known.has(rule));
  const compared = judged.map((row) => {
    const own = across.flatMap(([ids, finding]) => (ids.includes(row.cell.id) ? [finding] : []));
    return { ...row, findings: [...own, ...row.findings.filter(({ rule }) => own.every((one) => one.rule !== rule))] };
  });
  const rows = soften([{ cell: first.cell, met: first, findings: control }, ...compared], operationsOf(first));
  const found = group(rows);
  const isViolated = ({ findings }: Row) => findings.some(({ severity }) => severity !== 'advice');
  return {
    ...{ casaClient: 1, version: readVersion(), time },
    recordsReported: Math.max(...[first, repeated ?? first].map(countReported)),
    violations: found.filter(({ severity }) => severity !== 'advice'),
    advice: found.filter(({ severity }) => severity === 'advice'),
    dimensions: (Object.keys(dimensions) as Dimension[]).flatMap((id) => {
      const own = rows.filter(({ cell }) => cell.dimension === id);
      const met = own.flatMap((row) => row.met ?? []);
      const [violated, retries] = [own.filter(isViolated).length, retriesOf(met)];
      const counts = { handled: met.length - violated, violated, notExercised: own.length - met.length };
      const figures = { sentence: sentenceOf(id, met, retries), retries, atOnce: atOnce(met) };
      return own.length === 0 ? [] : [{ id, title: dimensions[id], ...counts, ...figures }];
    }),
    cells: rows.map((row) => ({
      ...{ id: row.cell.id, title: row.cell.title, clauses: row.cell.clauses },
      result: row.met === null ? 'not-exercised' : isViolated(row) ? 'violated' : 'handled',
      ...{ requests: row.met?.exchanges.length ?? 0, runs: row.met ? (row.met.runs ?? 1) : 0 },
      ...(row.needs && { needs: row.needs }),
      ...(row.notStarted && { notStarted: row.notStarted }),
    })),
  };
}

function countReported(control: Observation): number {
  const texts = new Set(textsOf(control, control));
  return Object.values(control.records).flatMap((ids) => ids.filter((id) => id !== null && texts.has(id))).length;
}

/** A job that replies again in a later run can do so on purpose. */
function controlFindings({ first, repeated }: Controls): CellFinding[] {
  const found = judge(first, null);
  const later = repeated ? judge(repeated, null).filter(({ rule }) => rule !== 'write-repeated') : [];
  return [...found, ...later.filter(({ rule }) => found.every((one) => one.rule !== rule))];
}

/** Whether the client met the disturbance. */
function isMet({ cell, ending, exchanges }: Observation): boolean {
  const first = exchanges.find(({ disturbed }) => disturbed);
  if (ending === 'stalled' || first === undefined) return false;
  return !cell.needsNext || exchanges.some(({ id, operation }) => id > first.id && operation === first.operation);
}

interface Row {
  readonly cell: Cell;
  readonly met: Observation | null;
  readonly findings: readonly CellFinding[];
  readonly needs?: Absence;
  readonly notStarted?: string | undefined | false;
}

/**
 * One sentence if the client did not start, or if most test cases were not exercised for reasons of ours; else null.
 */
export function whyIncomplete({ cells, time }: ClientReport): string | null {
  const starts = cells.filter(({ needs }) => needs === 'start');
  const output = starts.find(({ notStarted }) => notStarted)?.notStarted;
  const advice = 'A development server may accept one process for a project only: add --parallel 1.';
  const number = `in ${starts.length} of ${count(cells.length, 'test case')}`;
  if (output) return `The application did not start ${number}. ${advice} Its last output:\n${output}`;
  const ours = starts.length + cells.filter(({ needs }) => needs === 'stopped').length;
  if (time.mode === 'virtual' || 2 * ours <= cells.length) return null;
  return `The client sent no request ${number}, so less than half of the test cases were exercised. Check that it starts.`;
}

/**
 * A client that waits for headers without a limit has no timeout at all, which is a decision. Where the contract does
 * not state the disturbance, only its rules for retries are left.
 */
function soften(rows: Row[], used: ReadonlySet<OperationId>): Row[] {
  const slow = rows.flatMap(({ cell, met }) => (cell.dimension === 'slow' && cell.fault?.latencyMs && met) || []);
  const isCut = ({ exchanges }: Observation, { disturbed, id, endsMs }: Exchange) =>
    disturbed && exchanges.some((next) => next.id > id && next.atMs < endsMs);
  const hasTimeout = ({ cell: { target } }: Row) =>
    slow.some(
      (met) => met.cell.target === target && (met.ending === 'failed' || met.exchanges.some((one) => isCut(met, one))),
    );
  return rows.map((row) => {
    const hasNoClause = ({ severity }: CellFinding) =>
      !isStated(row.cell, used) && (severity !== 'rule' || row.cell.stated?.length === 0);
    return {
      ...row,
      findings: row.findings.map((finding) =>
        (finding.rule === 'hangs' && !hasTimeout(row)) || hasNoClause(finding) || isGivenUp(row, finding)
          ? { ...finding, severity: 'advice' as const }
          : finding,
      ),
    };
  });
}

/** The contract lets a client give up after any error response, and says nothing of how it reports that. */
function isGivenUp({ cell, met }: Row, { rule }: CellFinding): boolean {
  const isError = cell.dimension === 'limits' || cell.dimension === 'errors';
  const isSilent = /^(stops|failure-hidden|write-lost|records-lost|(?!call)\w+-lost)$/.test(rule);
  return isError && isSilent && met?.exchanges.some(({ disturbed, status }) => disturbed && status >= 400) === true;
}

/** Rules with one cause. */
const ofOneCause = ['crashes', 'without-key', 'hasty-poll'];

const ofEach = 'Handle each of these test cases: the titles say how the service responds.';

/** One violation for a rule in a dimension. Clients fail for many reasons in formats and pages. */
function group(rows: readonly Row[]): ClientViolation[] {
  const found = new Map<string, ClientViolation>();
  for (const { cell, findings } of rows) {
    const isApart = ['formats', 'pages', 'calls'].includes(cell.dimension);
    for (const finding of findings) {
      const { rule, severity, clause, correct } = finding;
      const part = correct === cell.remedy ? cell.clauses[0] : severity === 'fragile' ? clause : null;
      const id = ofOneCause.includes(rule) ? rule : `${rule} ${cell.dimension}${isApart && part ? ` ${part}` : ''}`;
      const known = found.get(id) ?? { id, ...finding, dimension: cell.dimension, cells: [] };
      const isOfCell = known.correct !== correct && correct.endsWith(`if the service ${cell.title}.`);
      found.set(id, { ...known, ...(isOfCell && { correct: ofEach }), cells: [...known.cells, cell.id] });
    }
  }
  const rankOf = ({ severity }: ClientViolation) => severities.indexOf(severity);
  return [...found.values()].sort((a, b) => rankOf(a) - rankOf(b));
}

const hastyMs = 100;

function isHasty({ rule, message }: CellFinding): boolean {
  return rule === 'no-back-off' && message.includes('with a wait of');
}

/** Whether most first retries after a failure wait. Then a short one is chance: clients add jitter to their delays. */
function backsOffAtFirst(results: readonly CellResult[]): boolean {
  const waits = results.flatMap(([{ dimension }, met]) => {
    if (typeof met === 'string') return [];
    const first = dimension === 'errors' ? met.exchanges.find(({ outcome }) => +outcome > 501) : undefined;
    const next = met.exchanges.find(({ id, print }) => first && id > first.id && print === first.print);
    return first && next ? [next.atMs - first.atMs] : [];
  });
  return waits.length > 0 && waits.filter((ms) => ms >= hastyMs).length > waits.length / 2;
}

// The behavior of the client in a dimension, as figures and in a sentence.

/** How the client repeated disturbed requests with one outcome. */
interface RetryFigure {
  /** A status, `late`, or the network fault. */
  readonly outcome: string;
  readonly requests: number;
  readonly retried: number;
  /** The most retries of one request. */
  readonly times: number;
  /** The shortest and the longest wait before a retry, in seconds; null without a retry. */
  readonly waitS: readonly [least: number, most: number] | null;
}

/** By outcome, in the order of the requests. */
function retriesOf(observations: readonly Observation[]): RetryFigure[] {
  const byOutcome = new Map<string, { requests: number; waits: number[]; times: number }>();
  for (const { exchanges, startsMs = [] } of observations) {
    const repeats = new Map<string, number>();
    for (const [i, { disturbed, outcome, print, atMs }] of exchanges.entries()) {
      if (!disturbed || outcome === '200') continue;
      const found = byOutcome.get(outcome) ?? { requests: 0, waits: [], times: 0 };
      byOutcome.set(outcome, found);
      found.requests += 1;
      const next = exchanges.slice(i + 1).find((exchange) => exchange.print === print);
      // The next run of a job is no retry.
      if (!next || startsMs.some((startMs) => startMs > atMs && startMs <= next.atMs)) continue;
      found.waits.push(next.atMs - atMs);
      repeats.set(print, (repeats.get(print) ?? 0) + 1);
      found.times = Math.max(found.times, repeats.get(print) ?? 0);
    }
  }
  const inS = (ms: number) => Number((ms / 1000).toFixed(1));
  return [...byOutcome].map(([outcome, { requests, waits, times }]) => ({
    ...{ outcome, requests, retried: waits.length, times },
    waitS: waits.length === 0 ? null : [inS(Math.min(...waits)), inS(Math.max(...waits))],
  }));
}

function sentenceOf(
  dimension: Dimension,
  observations: readonly Observation[],
  retries: readonly RetryFigure[],
): string {
  if (observations.length === 0) return 'The client made no request that these test cases disturb.';
  if (dimension === 'load') return `Sent at most ${count(atOnce(observations), 'request')} at once.`;
  if (['control', 'formats', 'pages', 'calls'].includes(dimension)) {
    const ended = observations.filter(({ ending }) => ending !== 'failed' && ending !== 'endless').length;
    const requests = observations.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
    return `Ended without an error in ${ended} of ${count(observations.length, 'test case')}, with ${count(requests, 'request')}.`;
  }
  const sentences = retries.map(({ outcome, requests, retried, times, waitS }) => {
    if (waitS === null) return `${outcome}: no retries.`;
    const range = waitS[0] === waitS[1] ? `${waitS[0]} s` : `${waitS[0]}-${waitS[1]} s`;
    return `${outcome}: retried ${retried} of ${count(requests, 'request')} after ${range}, at most ${count(times, 'time')}.`;
  });
  return sentences.join(' ');
}

/** The most requests that were under way at once. */
function atOnce(observations: readonly Observation[]): number {
  return Math.max(1, ...observations.map(({ exchanges }) => peakOf(exchanges)));
}
