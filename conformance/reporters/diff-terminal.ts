// A comparison of two deployments for a person: differences with the side at fault, totals, and the result.

import { grouped } from '../../src/contract/words.ts';
import { count } from '../../src/terminal/count.ts';
import { type Paint, plain } from '../../src/terminal/paint.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import type { CheckResult, Result, Severity } from '../judge/result.ts';
import { noClaims } from '../report/claims.ts';
import { coverClauses, requirementsOf } from '../report/coverage.ts';
import {
  type DiffEnding,
  type Difference,
  type DiffOutcome,
  type DiffSide,
  type Dimension,
  diffOutcomes,
  isDifferent,
  sameByFew,
  seenOnce,
  tallyOf,
} from '../report/difference.ts';
import type { Outcome, ReportKind } from '../report/outcome.ts';
import { type Report, summarize } from '../report/report.ts';
import { noPlan } from '../scenarios/plan/plan.ts';
import { reporters } from './index.ts';
import { fold, type TerminalStyle } from './terminal.ts';

const textCharactersMax = 400;
const shownMax = 60;
const reasonsShownMax = 8;
const fewShownMax = 6;

const styles = {
  'differs illegally': 'red',
  'differs legally': 'yellow',
  same: 'green',
  'not comparable': 'dim',
} as const satisfies Record<DiffOutcome, Parameters<Paint>[0]>;

/** Returns illegal differences first. */
export function renderDiffTerminal(
  difference: Difference,
  ending: DiffEnding,
  { paint, columns }: TerminalStyle = { paint: plain, columns: null },
): string {
  const { a, b, abort, dimensions, seconds } = difference;
  const sentence = paint(ending.exitCode === 0 ? 'green' : 'red', safe(ending.sentence));
  const last = `${sentence} Exit code ${ending.exitCode}.`;
  if (abort !== null) return `${last}\n`;
  const lines = [
    sentence,
    '',
    ...[a, b].map(({ name, label }) => `  ${name}  ${safe(label)}`),
    // Violations in one round of one side only, which are not differences yet.
    ...seenOnce(dimensions).flatMap((row) => {
      const why = row.why ?? 'a repeated request did not show it';
      return describe({ ...row, why }, paint('red', `${row.fault} violated it once`), paint);
    }),
    ...differing(dimensions, 'differs illegally', paint),
    ...differing(dimensions, 'differs legally', paint),
    ...untold(dimensions, paint),
    '',
    tallyLine(dimensions, paint),
    ...byChance(dimensions, paint),
    ...[a, b].map(effort),
    `elapsed: ${seconds.toFixed(1)} s${a.isMockTime || b.isMockTime ? ' (real time)' : ''}`,
    last,
  ];
  return `${lines.map((line) => fold(line, columns)).join('\n')}\n`;
}

function differing(dimensions: readonly Dimension[], outcome: DiffOutcome, paint: Paint): string[] {
  const rows = dimensions.filter((each) => each.outcome === outcome);
  const more = rows.length - shownMax;
  return [
    ...rows.slice(0, shownMax).flatMap((row) => {
      const whose = row.fault === null ? '' : `, and ${row.fault} violates the contract`;
      return describe(row, `${paint(styles[outcome], outcome)}${whose}`, paint);
    }),
    ...(more > 0 ? [`      and ${more} more; the reports list them`] : []),
  ];
}

/** `--explain` accepts the id of a clause. */
function describe({ layer, id, about, a, b, why }: Dimension, head: string, paint: Paint): string[] {
  return [
    '',
    `${head}  ${paint('bold', id)} (${layer})`,
    `      ${safe(about)}`,
    `      A  ${safe(a ?? 'not seen')}`,
    `      B  ${safe(b ?? 'not seen')}`,
    ...(why === null ? [] : [`      ${paint('dim', safe(why))}`]),
  ];
}

/** Names behaviors, and counts clauses by reason, the most frequent first. */
function untold(dimensions: readonly Dimension[], paint: Paint): string[] {
  const open = dimensions.filter(({ outcome }) => outcome === 'not comparable');
  if (open.length === 0) return [];
  const behaviors = open.filter(({ layer }) => layer === 'behavior');
  const clauses = open.filter(({ layer }) => layer !== 'behavior');
  const reasons = grouped(
    clauses.filter(({ fault }) => fault === null),
    ({ why }) => (why ?? '').replace(/: an audit needs .*/, ''),
  );
  const ranked = [...reasons].sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1));
  const rest = ranked.slice(reasonsShownMax).flatMap(([, rows]) => rows).length;
  const width = Math.max(0, ...behaviors.map(({ id }) => id.length));
  return [
    '',
    `${paint(styles['not comparable'], 'not comparable')}  ${count(behaviors.length, 'behavior')}, ${count(clauses.length, 'clause')}`,
    ...behaviors.map(({ id, why }) => `      ${id.padEnd(width)}  ${paint('dim', safe(why ?? ''))}`),
    ...ranked
      .slice(0, reasonsShownMax)
      .map(([why, { length }]) => `      ${count(length, 'clause')}  ${paint('dim', safe(why))}`),
    ...(rest > 0 ? [`      ${count(rest, 'more clause')}`] : []),
  ];
}

function tallyLine(dimensions: readonly Dimension[], paint: Paint): string {
  const tally = tallyOf(dimensions);
  const open = dimensions.filter(({ outcome }) => outcome === 'not comparable');
  const behaviors = open.filter(({ layer }) => layer === 'behavior').length;
  const notComparable = `not comparable: ${count(behaviors, 'behavior')}, ${count(open.length - behaviors, 'clause')}`;
  return diffOutcomes
    .filter((outcome) => tally[outcome] > 0)
    .map((outcome) =>
      paint(
        styles[outcome],
        outcome === 'not comparable'
          ? notComparable
          : `${tally[outcome]} ${(tally[outcome]) === 1 ? outcome : outcome.replace(/^differs/, 'differ')}`,
      ),
    )
    .join(' · ');
}

function byChance(dimensions: readonly Dimension[], paint: Paint): string[] {
  const few = sameByFew(dimensions).map(({ id }) => id);
  if (few.length === 0) return [];
  const more = few.length > fewShownMax ? ` and ${few.length - fewShownMax} more` : '';
  const named = few.slice(0, fewShownMax).join(', ');
  return [paint('dim', `compared in only one or two responses: ${named}${more}`)];
}

function effort({ name, requests, seconds, isMockTime, rounds }: DiffSide): string {
  const time = `${seconds.toFixed(1)} s${isMockTime ? ' (mock time)' : ''}`;
  return `${name}: ${count(requests, 'request')} in ${time}, ${count(rounds, 'run')}`;
}

function safe(text: string): string {
  return clip(visible(text), textCharactersMax);
}

// A difference in the form of a report, for all reporters. Each dimension is a check, which passes for equal sides.

/** Returns the text of one report. Only JSON has its own schema. */
export function renderDiff(kind: ReportKind, difference: Difference, ending: DiffEnding): string {
  if (kind === 'json') return renderDiffJson(difference, ending);
  const reporter = reporters.find((each) => each.kind === kind);
  return reporter?.render(reportOf(difference, ending), outcomeOf(ending)) ?? '';
}

function outcomeOf({ exitCode, sentence }: DiffEnding): Outcome {
  return { exitCode, sentence, claims: noClaims };
}

function reportOf(difference: Difference, { isLegalFine = false }: DiffEnding): Report {
  const { a, b, tool, toolVersion, contractVersion, runId, startedAt, seconds, abort, keepsBodies } = difference;
  const checks = difference.dimensions.map((dimension) => checkOf(dimension, isLegalFine));
  return {
    tool,
    toolVersion,
    contractVersion,
    requirements: requirementsOf(),
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
    message: `${whose}${why === null ? '' : `; ${why}`}. Each side behaved in this way ${count(times, 'time')}`,
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
