// A difference in the form of a report, for all reporters. Each dimension is a check, which passes for equal sides.
import { count } from '../../src/terminal/count.ts';
import type { CheckResult, Result, Severity } from '../judge/result.ts';
import { noPlan } from '../plan/plan.ts';
import { coverClauses } from '../report/coverage.ts';
import { type DiffEnding, type Difference, type Dimension, isDifferent, tallyOf } from '../report/difference.ts';
import type { Outcome, ReportKind } from '../report/outcome.ts';
import { type Report, summarize } from '../report/report.ts';
import { reporters } from './index.ts';

/** Returns the text of one report. Only JSON has its own schema. */
export function renderDiff(kind: ReportKind, difference: Difference, ending: DiffEnding): string {
  if (kind === 'json') return renderDiffJson(difference, ending);
  const reporter = reporters.find((each) => each.kind === kind);
  return reporter?.render(reportOf(difference, ending), outcomeOf(ending)) ?? '';
}

function outcomeOf({ exitCode, sentence }: DiffEnding): Outcome {
  return { exitCode, sentence, baseline: { excused: [], stale: [], expired: [] } };
}

/** Tests B by the behavior of A. */
function reportOf(difference: Difference, { isLegalFine = false }: DiffEnding): Report {
  const { a, b, tool, toolVersion, contractVersion, runId, startedAt, seconds, abort, keepsBodies } = difference;
  const checks = difference.dimensions.map((dimension) => checkOf(dimension, isLegalFine));
  return {
    tool,
    toolVersion,
    contractVersion,
    target: b.target,
    compared: { a: a.label, b: b.label },
    runId,
    startedAt,
    isMockTime: false,
    plan: noPlan(checks.length),
    used: { requests: a.requests + b.requests, seconds },
    recorded: null,
    summary: summarize(checks),
    checks,
    coverage: coverClauses(checks),
    behaviors: [],
    exchanges: difference.exchanges,
    isEmpty: false,
    abort,
    keepsBodies,
  };
}

function checkOf(dimension: Dimension, isLegalFine: boolean): CheckResult {
  const { layer, id, about, clauses, outcome, why, exchanges } = dimension;
  const severity: Severity = outcome === 'differs legally' && isLegalFine ? 'warn' : 'fail';
  const result: Result = isDifferent(dimension)
    ? { kind: severity }
    : outcome === 'same'
      ? { kind: 'pass' }
      : { kind: 'inconclusive', reason: 'precondition', message: why ?? 'not enough data' };
  const [clause] = clauses;
  return {
    id: `diff/${layer}/${id}`,
    title: `${outcome}: ${about}`,
    level: 'must',
    cites: clauses,
    result,
    findings: isDifferent(dimension) && clause !== undefined ? [findingOf(dimension, clause, severity)] : [],
    evidence: outcome === 'not comparable' ? 0 : 1,
    ...(clauses.length === 0 ? {} : { shown: outcome === 'same' ? clauses : [] }),
    exchanges,
  };
}

/** Shows the response of the side at fault, else of B. */
function findingOf(
  { a, b, fault, why, times, exchanges }: Dimension,
  clause: CheckResult['cites'][number],
  severity: Severity,
): CheckResult['findings'][number] {
  const side = fault === 'A' ? 'a' : 'b';
  const whose = fault === null ? 'neither side violates the contract' : `${fault} violates the contract`;
  return {
    severity,
    clause,
    pointer: '',
    expected: `${a ?? 'nothing'}, as on A`,
    actual: `${b ?? 'nothing'} on B`,
    exchange: exchanges.find((each) => each.startsWith(side)) ?? exchanges.at(-1) ?? null,
    message: `${whose}${why === null ? '' : `; ${why}`}. Both sides did the same ${count(times, 'time')}`,
    count: 1,
  };
}

// A difference as JSON; its shape is published as spec/diff.schema.json.

export function renderDiffJson(difference: Difference, ending: DiffEnding): string {
  return `${JSON.stringify(toDiffJson(difference, ending), null, 2)}\n`;
}

/** Lists each field, so a new one does not change the published schema by accident. */
export function toDiffJson(difference: Difference, { exitCode, sentence }: DiffEnding) {
  const { tool, toolVersion, contractVersion, runId, startedAt, seconds, a, b, keepsBodies } = difference;
  return {
    tool,
    toolVersion,
    contractVersion,
    runId,
    startedAt,
    seconds,
    exit: { code: exitCode, sentence },
    a,
    b,
    summary: tallyOf(difference.dimensions),
    dimensions: difference.dimensions,
    exchanges: difference.exchanges,
    abort: difference.abort,
    keepsBodies,
  };
}
