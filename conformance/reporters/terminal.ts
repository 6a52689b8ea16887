// The report on a terminal: each failure, then a summary of at most 25 lines with the result at the end.

import { grouped } from '../../src/contract/words.ts';
import { count } from '../../src/terminal/count.ts';
import { type Paint, plain, type Style } from '../../src/terminal/paint.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import type { CheckResult, ResultKind } from '../judge/result.ts';
import { claimNotes } from '../report/claims.ts';
import { figureOf, newsOf, type RunRecord, type Trend, trendOf } from '../report/history.ts';
import { impacts, untestedAreas } from '../report/impact.ts';
import type { Outcome } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import {
  checksWith,
  countsIn,
  effortText,
  failuresIn,
  idleGroup,
  inconclusiveByGroup,
  keptBodiesText,
  quoteFindings,
  reachText,
  resultWords,
} from './quoted.ts';
import { summaryOf } from './summary.ts';

/** In full; the other findings of a check are counted. */
const findingsShownMax = 3;
const textCharactersMax = 1500;
const curlCharactersMax = 2000;

/** Both are decided by the command, from the environment and the stream. */
export interface TerminalStyle {
  readonly paint: Paint;
  /** The width to follow; null where lines may have any length. */
  readonly columns: number | null;
}

const plainStyle: TerminalStyle = { paint: plain, columns: null };

const terminalFacts = new Set(['Deployment', 'Side A', 'Side B', 'Organization']);

/** Returns failures and warnings, then the summary. The last line is the result, because a terminal shows its end. */
export function renderTerminal(report: Report, outcome: Outcome, { paint, columns } = plainStyle): string {
  // Without checks there is nothing to count.
  if (report.abort !== null && report.checks.length === 0) return `${sentenceOf(outcome, paint)}\n`;
  const { subject, impacts: all } = summaryOf(report, outcome);
  const felt = all.map(
    ({ impact, causes }) => `${impacts[impact][0].toLowerCase()} (${idsIn(causes.map(({ check }) => check.id))})`,
  );
  const lines = [
    ...failuresIn(report, outcome).flatMap((failure) => [
      ...describe(failure.check, report, paint),
      // The responses that contradict each other, commands where one does not repeat the failure, and the other facts.
      ...(failure.proof.length === 0 ? [] : ['      Proof']),
      ...failure.proof.map(({ exchange, text }) => `        ${exchange}  ${safe(text)}`),
      ...(failure.repeat.length === 0 ? [] : ['      Repeat']),
      ...failure.repeat.map((command) => `        ${paint('dim', clip(visible(command), curlCharactersMax))}`),
      ...failure.facts.map((fact) => `      ${safe(fact)}`),
    ]),
    ...checksWith(report, 'error', 'warn').flatMap((check) => describe(check, report, paint)),
    ...describeClaims(outcome),
    // New failures come before old ones, and lost coverage is reported.
    ...(outcome.trend === undefined
      ? []
      : ['', paint('bold', 'Since the last run'), ...newsLines(outcome.trend).map((line) => `  ${line}`)]),
    ...describeInconclusive(report, { paint, columns }),
    ...describeAreas(report, paint),
    '',
    `Tested   ${safe(subject.flatMap(({ name, text }) => (terminalFacts.has(name) ? [text] : [])).join('; '))}`,
    ...(felt.length === 0 ? [] : [`Impact   ${felt.join(', ')}`]),
    ...tally(report, paint),
    `Clauses  ${reachText(report)}`,
    `Sent     ${effortText(report)}`,
    ...(report.keepsBodies ? [`Bodies   ${keptBodiesText}`] : []),
    resultLine(outcome, paint),
  ];
  // People copy the curl command, so it stays in one piece.
  const folded = lines.map((line) => (line.includes('curl ') ? line : fold(line, columns)));
  return `${folded.join('\n').trimStart()}\n`;
}

function describe(check: CheckResult, report: Report, paint: Paint): string[] {
  const { kind, message } = check.result;
  const head = `${paint(styleOf[kind], kind.toUpperCase().padEnd(5))} ${paint('bold', check.id)}  ${check.title}`;
  const grave = quoteFindings(check, report).filter(({ finding }) => finding.severity !== 'note');
  // Further findings about one fact of one operation say the same of other records.
  const keyed = grave.toReversed().map((each) => [`${each.finding.clause} ${each.exchange?.operation}`, each] as const);
  const first = new Set(new Map(keyed).values());
  const shown = grave.filter((each) => first.has(each)).slice(0, findingsShownMax);
  const more = grave.length - shown.length;
  return [
    '',
    head,
    ...(message ? [`      ${safe(message)}`] : []),
    ...shown.flatMap(({ finding, text, sentence, curl }, index) => [
      ...(shown[index - 1]?.text === text ? [] : [`      ${safe(text)}`]),
      // Findings print common parts once.
      ...(shown[index - 1]?.finding.clause === finding.clause
        ? []
        : [`        ${paint('cyan', finding.clause)}  "${sentence}"`]),
      ...(curl === null || shown[index + 1]?.curl === curl
        ? []
        : [`        ${paint('dim', clip(visible(curl), curlCharactersMax))}`]),
    ]),
    ...(more > 0 ? [`      ${count(more, 'more finding')}: --report html=FILE shows all.`] : []),
  ];
}

/** Shown also after a passing run, because known failures must not be forgotten. */
function describeClaims({ claims }: Outcome): string[] {
  const rows = claimNotes(claims).map(({ about, sentence }) => safe(`${about} ${sentence}`));
  return rows.length === 0 ? [] : ['', ...rows];
}

// The summary. Its parts together have at most 25 lines.

const groupLinesMax = 7;
const idsShownMax = 3;
const rowCharactersMax = 200;

/** Checks with the same reason share a row. */
function describeInconclusive(report: Report, { paint, columns }: TerminalStyle): string[] {
  const all = report.summary.inconclusive;
  if (all === 0) return [];
  const groups = [...inconclusiveByGroup(report)].map(([group, checks]) => ({ group, rows: rowsOf(checks) }));
  const told = Math.max(1, groups.filter(({ group }) => !group.startsWith(idleGroup)).length);
  const rowsMax = Math.floor((groupLinesMax - groups.length) / told);
  const lines = groups.flatMap(({ group, rows }) =>
    linesOfGroup(group, rows, group.startsWith(idleGroup) ? 0 : rowsMax),
  );
  const width = (columns ?? rowCharactersMax) - 1;
  return [
    '',
    `${paint(styleOf.inconclusive, 'NOT DECIDED')}  ${count(all, 'check')}`,
    ...lines.map((line) => safe(line, width)),
  ];
}

interface DoubtRow {
  readonly message: string;
  readonly ids: readonly string[];
}

function rowsOf(checks: readonly CheckResult[]): DoubtRow[] {
  const rows = [...grouped(checks, ({ result }) => result.message ?? '')];
  const all = rows.map(([message, own]) => ({ message, ids: own.map(({ id }) => id) }));
  return all.sort((one, other) => other.ids.length - one.ids.length);
}

/** If reasons do not fit, a group is one line. */
function linesOfGroup(group: string, rows: readonly DoubtRow[], rowsMax: number): string[] {
  if (rowsMax < 1) return [`  ${group}: ${idsIn(rows.flatMap(({ ids }) => ids))}`];
  const shown = rows.length > rowsMax ? rows.slice(0, rowsMax - 1) : rows;
  const rest = rows.slice(shown.length).flatMap(({ ids }) => ids);
  return [
    `  ${group}`,
    ...shown.map(({ message, ids }) => `    ${idsIn(ids)}: ${message}`),
    ...(rest.length === 0 ? [] : [`    ${idsIn(rest)}`]),
  ];
}

function idsIn(ids: readonly string[]): string {
  const more = ids.length > idsShownMax ? ` and ${ids.length - idsShownMax} more` : '';
  return `${ids.slice(0, idsShownMax).join(', ')}${more}`;
}

const areasShownMax = 4;

/** Areas, and how to test them: a list of flags says nothing to a reader who does not know them. */
function describeAreas(report: Report, paint: Paint): string[] {
  const areas = untestedAreas(report);
  if (areas.length === 0) return [];
  const more = areas.length - areasShownMax;
  return [
    '',
    `${paint(styleOf.skipped, 'NOT TESTED')}  ${count(areas.length, 'area')}`,
    ...areas.slice(0, areasShownMax).map(({ name, how }) => `  ${name}. To test it: ${safe(how)}`),
    ...(more > 0 ? [`  ${count(more, 'more area')}: --report html=FILE lists them.`] : []),
  ];
}

/** In the order of severity, zeros left out; notes are in the reports. */
function tally(report: Report, paint: Paint): string[] {
  const { checks } = report;
  const counted = countsIn(report).map(([kind, number]) => paint(styleOf[kind], `${number} ${resultWords[kind][0]}`));
  const notes = checks.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'note')).length;
  return [
    `Checks   ${counted.length === 0 ? 'none' : counted.join(', ')}`,
    ...(notes === 0 ? [] : [`Notes    ${notes} on unspecified behavior (--report html=FILE lists them)`]),
  ];
}

const endings: Readonly<Record<Outcome['exitCode'], string>> = {
  0: 'PASSED',
  1: 'FAILED',
  2: 'STOPPED',
  3: 'NOT VERIFIED',
  4: 'INCOMPLETE',
};

function resultLine(outcome: Outcome, paint: Paint): string {
  const { exitCode } = outcome;
  return `Result   ${paint(exitCode === 0 ? 'green' : 'red', endings[exitCode])}  ${sentenceOf(outcome, plain)}`;
}

function sentenceOf({ exitCode, sentence }: Outcome, paint: Paint): string {
  return `${paint(exitCode === 0 ? 'green' : 'red', safe(sentence))} Exit code ${exitCode}.`;
}

function safe(text: string, charactersMax = textCharactersMax): string {
  return clip(visible(text), charactersMax);
}

// Long lines are folded between words, with an indent.

const columnsMin = 30;
const hanging = 2;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors have no width.
const colour = /\u001b\[\d+m/g;

/** Returns the line unchanged if `columns` is null. */
export function fold(line: string, columns: number | null): string {
  const width = Math.max(columnsMin, (columns ?? Number.POSITIVE_INFINITY) - 1);
  if (widthOf(line) <= width) return line;
  const [indent = ''] = /^ */.exec(line) ?? [];
  const margin = ' '.repeat(indent.length + hanging);
  const rows: string[] = [];
  let row = indent;
  for (const word of line.slice(indent.length).split(/(?<= )(?=[^ ])/)) {
    if (row.trim() !== '' && widthOf(row) + widthOf(word.trimEnd()) > width) {
      rows.push(row.trimEnd());
      row = margin;
    }
    row += word;
  }
  return [...rows, row.trimEnd()].join('\n');
}

/** Counts characters without colors; wide East Asian characters count as one. */
function widthOf(text: string): number {
  return [...text.replace(colour, '')].length;
}

/** Red and yellow mean that the reader must act. */
export const styleOf: Readonly<Record<ResultKind, Style>> = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  note: 'blue',
  inconclusive: 'magenta',
  skipped: 'dim',
  error: 'red',
};

export function align(
  table: readonly (readonly string[])[],
  isRight: (column: number) => boolean = () => false,
): string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const fill = (cell: string, column: number) =>
    isRight(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return table.map((row) => row.map(fill).join('  ').trimEnd());
}

// The history of a deployment: a row for each run, then new and fixed failures.

const newsCharactersMax = 300;

/** Returns the runs of one target. The oldest record comes first. */
export function trendText(records: readonly [RunRecord, ...RunRecord[]], paint: Paint = plain): string {
  const trends = records.map((record, index) => trendOf(records.slice(0, index), record));
  const last = trends.at(-1) as Trend;
  const rows = trends.slice(-last.runs.length).map(rowOf);
  const head = ['run', 'violated', 'verified', 'of', 'new', 'fixed', ''];
  const lines = align([head, ...rows], (column) => column > 0).map((line, index) =>
    index === 0 ? paint('dim', `  ${line}`) : `  ${line}`,
  );
  return `${[paint('bold', safe(last.current.target, newsCharactersMax)), ...lines, '', ...newsLines(last)].join('\n')}\n`;
}

/** Also part of the terminal report and the job summary. */
export function newsLines(trend: Trend): string[] {
  return newsOf(trend).map((text) => safe(text, newsCharactersMax));
}

/** Marks runs that ended early, because their numbers are incomplete. */
function rowOf({ current, previous, fresh, gone }: Trend): string[] {
  const { at, visible: all, aborted } = current;
  const [violated, verified] = [figureOf(current, 'violated'), figureOf(current, 'verified')];
  const change = (names: readonly string[]) => (previous === null ? '' : String(names.length));
  const end = aborted ? 'ended early' : '';
  return [at.slice(0, 16).replace('T', ' '), violated, verified, `${all}`, change(fresh), change(gone), end];
}
