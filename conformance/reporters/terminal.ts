// The report for a person at a terminal: the result, what is wrong, what is inconclusive, what it took, and last of
// all the result once more, because a long report scrolls and a short one is read from above.

import { count } from '../../src/terminal/count.ts';
import { type Paint, plain, type Style } from '../../src/terminal/paint.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import { type CheckResult, type ResultKind, resultKinds } from '../judge/result.ts';
import { type Range, requestsInAll } from '../plan/plan.ts';
import { reachOf } from '../report/coverage.ts';
import { figureOf, newsOf, type RunRecord, type Trend, trendOf } from '../report/history.ts';
import { type Outcome, repeatsOf } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import {
  checksWith,
  doubtsByReason,
  idleRules,
  placeOf,
  type Quoted,
  quoteFindings,
  reasonWords,
  skippedByNeed,
} from './quoted.ts';

const FINDINGS_SHOWN_MAX = 6;
const TEXT_CHARACTERS_MAX = 600;
const CURL_CHARACTERS_MAX = 2000;

/** Both are decided by the command, from the environment and the stream. */
export interface TerminalStyle {
  readonly paint: Paint;
  /** The width to follow; null where lines may be as long as they like. */
  readonly columns: number | null;
}

const plainStyle: TerminalStyle = { paint: plain, columns: null };

/** The result stands first, and last, where the prompt comes back. */
export function renderTerminal(report: Report, outcome: Outcome, { paint, columns } = plainStyle): string {
  // Nothing was looked at, so there is nothing to count.
  if (report.abort !== null && report.checks.length === 0) return `${lastLine(outcome, paint)}\n`;
  const excused = new Set(outcome.baseline.excused.map(({ check }) => check));
  const grave = checksWith(report, 'fail', 'error').filter(({ id }) => !excused.has(id));
  const lines = [
    resultLine(outcome, paint),
    ...grave.flatMap((check) => describe(check, report, paint)),
    ...checksWith(report, 'warn').flatMap((check) => describe(check, report, paint)),
    ...describeDoubts(report, paint),
    ...describeBaseline(outcome, paint),
    ...describeSkipped(report, paint),
    ...describeTrend(outcome, paint),
    '',
    ...describeNotes(report, paint),
    tally(report, paint),
    ...describeIdle(report, paint),
    reach(report),
    effort(report),
    lastLine(outcome, paint),
  ];
  // People copy the line that repeats a request, so it stays in one piece.
  const folded = lines.map((line) => (line.includes('curl ') ? line : fold(line, columns)));
  return `${folded.join('\n').trimStart()}\n`;
}

/** Findings that share an exchange share its curl line. */
function describe(check: CheckResult, report: Report, paint: Paint): string[] {
  const { kind, message } = check.result;
  const head = `${paint(styleOf[kind], kind.toUpperCase().padEnd(5))} ${paint('bold', check.id)}  ${check.title}`;
  const grave = quoteFindings(check, report).filter(({ finding }) => finding.severity !== 'note');
  const more = grave.length - FINDINGS_SHOWN_MAX;
  return [
    '',
    head,
    ...(message ? [`      ${safe(message)}`] : []),
    ...grave.slice(0, FINDINGS_SHOWN_MAX).flatMap((quoted, index) => {
      // Findings in one response share the line that repeats it.
      const isLast = index === FINDINGS_SHOWN_MAX - 1 || grave[index + 1]?.curl !== quoted.curl;
      return [...describeFinding(quoted, paint), ...(isLast ? describeCurl(quoted, paint) : [])];
    }),
    ...(more > 0 ? [`      and ${more} more`] : []),
  ];
}

/** The clause in front: it is what `--explain` takes. */
function describeFinding({ finding, sentence }: Quoted, paint: Paint): string[] {
  const more = finding.count > 1 ? ` (and ${finding.count - 1} more like it)` : '';
  return [
    `      ${paint('cyan', finding.clause)}  ${sentence}`,
    `        expected ${safe(finding.expected)}`,
    `        actual   ${safe(finding.actual)}${safe(placeOf(finding))}${more}`,
    ...(finding.message ? [`        ${safe(finding.message)}`] : []),
  ];
}

function describeCurl({ exchange, curl }: Quoted, paint: Paint): string[] {
  if (curl === null) return [];
  return [`        ${paint('dim', `${exchange?.id}  ${clip(visible(curl), CURL_CHARACTERS_MAX)}`)}`];
}

/** A reason that halts many checks is printed once. */
const SAME_SHOWN_MAX = 2;

function describeDoubts(report: Report, paint: Paint): string[] {
  return [...doubtsByReason(report)].flatMap(([reason, checks]) => {
    const messages = [...new Set(checks.map(({ result }) => result.message ?? ''))];
    const rows = messages.flatMap((message) => {
      const ids = checks.filter(({ result }) => (result.message ?? '') === message).map(({ id }) => id);
      return ids.length > SAME_SHOWN_MAX
        ? [[`${count(ids.length, 'check')}`, message, ids]]
        : ids.map((id) => [id, message, []]);
    }) as [head: string, message: string, ids: string[]][];
    const width = Math.max(...rows.map(([head]) => head.length));
    return [
      '',
      `${paint(styleOf.inconclusive, 'inconclusive')}  ${reason}: ${reasonWords[reason]}`,
      ...rows.flatMap(([head, message, ids]) => [
        `      ${head.padEnd(width)}  ${paint('dim', safe(message))}`,
        ...(ids.length === 0 ? [] : [`        ${paint('dim', ids.join(', '))}`]),
      ]),
    ];
  });
}

/** Shown also when all is well: an excuse must not be forgotten. */
function describeBaseline({ baseline }: Outcome, paint: Paint): string[] {
  const rows = [
    ...baseline.excused.map(({ check, reason }) => `${paint('dim', 'known failure')} ${check}: ${safe(reason)}`),
    ...baseline.expired.map(({ check, until }) => `${check} was a known failure until ${until}; it counts again.`),
    ...baseline.stale.map(({ check }) => `${check} no longer fails: take it out of the baseline.`),
  ];
  return rows.length === 0 ? [] : ['', ...rows];
}

const NEEDS_SHOWN_MAX = 3;

/** One line: what was left out is no result. The flags and keys that open the most stand in it. */
function describeSkipped(report: Report, paint: Paint): string[] {
  const groups = skippedByNeed(report);
  if (groups.length === 0) return [];
  const shown = groups.slice(0, NEEDS_SHOWN_MAX).map(({ need, checks }) => `${need}: ${checks.length}`);
  const rest = groups.length - shown.length;
  const reasons = [...shown, ...(rest === 0 ? [] : [count(rest, 'more reason')])].join('; ');
  const all = groups.reduce((total, { checks }) => total + checks.length, 0);
  return [
    '',
    `${paint(styleOf.skipped, 'skipped')}  ${count(all, 'check')} ${paint('dim', `(${safe(reasons)})`)}; --list tells what each needs`,
  ];
}

/** What is new comes before what is old, and a run that proves less says so. */
function describeTrend({ trend }: Outcome, paint: Paint): string[] {
  return trend === undefined
    ? []
    : ['', paint('bold', 'since the last run'), ...newsLines(trend).map((line) => `      ${line}`)];
}

/** They are counted among the inconclusive ones, so they have to be reported. */
function describeIdle(report: Report, paint: Paint): string[] {
  const idle = idleRules(report).length;
  if (idle === 0) return [];
  const words = `${count(idle, 'rule')} without anything to judge`;
  return [paint('dim', `the inconclusive ones include ${words}`)];
}

function describeNotes(report: Report, paint: Paint): string[] {
  const noted = report.checks.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'note')).length;
  const words = 'on unspecified behavior; the reports list them';
  return noted === 0 ? [] : [paint('dim', `${count(noted, 'note')} ${words}`)];
}

/** In the order of gravity, zeros left out. */
function tally({ summary }: Report, paint: Paint): string {
  const counted = resultKinds
    .filter((kind) => summary[kind] > 0)
    .map((kind) => paint(styleOf[kind], `${summary[kind]} ${kind}`));
  const all = Object.values(summary).reduce((total, number) => total + number, 0);
  return counted.length === 0
    ? 'no check ran'
    : `${count(all, 'check or rule', 'checks and rules')}: ${counted.join(' · ')}`;
}

function reach(report: Report): string {
  const { visible: all, tested, verified } = reachOf(report);
  return `${tested} of ${all} clauses that a server can show were put to the test; ${verified} held`;
}

function effort(report: Report): string {
  const { plan, used, recorded } = report;
  if (recorded !== null) {
    const others = recorded.others === 0 ? '' : `; ${count(recorded.others, 'entry', 'entries')} left out`;
    return `${count(recorded.judged, 'recorded exchange')} checked, nothing was sent${others}`;
  }
  const requests = `${count(used.requests, 'request')}${planned(plan.requests, `, at most ${requestsInAll(plan)}`)}`;
  const time = report.isMockTime ? ' of the mock’s time' : '';
  const again = repeatsOf(report);
  return `${requests} in ${used.seconds.toFixed(1)} s${time}${planned(plan.seconds)}${again === null ? '' : `; ${again}`}`;
}

/** Without a pace nobody can tell the seconds beforehand. */
function planned({ floor, ceiling }: Range, most = ''): string {
  return ceiling === 0 ? '' : ` (planned ${floor} to ${ceiling}${most})`;
}

function resultLine({ exitCode, sentence }: Outcome, paint: Paint): string {
  return paint(exitCode === 0 ? 'green' : 'red', safe(sentence));
}

function lastLine(outcome: Outcome, paint: Paint): string {
  return `${resultLine(outcome, paint)} Exit code ${outcome.exitCode}.`;
}

/** Every text that a target may have written passes here before it reaches the terminal. */
function safe(text: string, charactersMax = TEXT_CHARACTERS_MAX): string {
  return clip(visible(text), charactersMax);
}

// Lines that a narrow terminal would break anywhere are broken between words, and go on under where their text begins.

const COLUMNS_MIN = 30;
const HANGING = 2;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room.
const COLOUR = /\u001b\[\d+m/g;

/** `columns` is null where lines may be as long as they like. */
export function fold(line: string, columns: number | null): string {
  const width = Math.max(COLUMNS_MIN, (columns ?? Number.POSITIVE_INFINITY) - 1);
  if (widthOf(line) <= width) return line;
  const [indent = ''] = /^ */.exec(line) ?? [];
  const margin = ' '.repeat(indent.length + HANGING);
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

/** Counts characters, and colours as none; wide characters of East Asia count as one. */
function widthOf(text: string): number {
  return [...text.replace(COLOUR, '')].length;
}

// The colour of each result on a terminal. The word always stands next to it.

/** Red and yellow are kept for what asks something of the reader. */
export const styleOf: Readonly<Record<ResultKind, Style>> = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  note: 'blue',
  inconclusive: 'magenta',
  skipped: 'dim',
  error: 'red',
};

/** Columns as wide as their widest cell; `isRight` names those that are aligned to the right. */
export function align(
  table: readonly (readonly string[])[],
  isRight: (column: number) => boolean = () => false,
): string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const fill = (cell: string, column: number) =>
    isRight(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return table.map((row) => row.map(fill).join('  ').trimEnd());
}

// The history of a deployment as text: a row for each run, then what is new, what is gone, and since when.

const NEWS_CHARACTERS_MAX = 300;

/** Of one target; the records are its runs, the oldest first, one at least. */
export function trendText(records: readonly [RunRecord, ...RunRecord[]], paint: Paint = plain): string {
  const trends = records.map((record, index) => trendOf(records.slice(0, index), record));
  const last = trends.at(-1) as Trend;
  const rows = trends.slice(-last.runs.length).map(rowOf);
  const head = ['run', 'violated', 'verified', 'of', 'new', 'gone', ''];
  const lines = align([head, ...rows], (column) => column > 0).map((line, index) =>
    index === 0 ? paint('dim', `  ${line}`) : `  ${line}`,
  );
  return `${[paint('bold', safe(last.current.target, NEWS_CHARACTERS_MAX)), ...lines, '', ...newsLines(last)].join('\n')}\n`;
}

/** Also behind the result of a run on a terminal, and in the job summary. */
export function newsLines(trend: Trend): string[] {
  return newsOf(trend).map((text) => safe(text, NEWS_CHARACTERS_MAX));
}

/** An end that is not one of the contract: the figures of such a run are those of a part. */
function rowOf({ current, previous, fresh, gone }: Trend): string[] {
  const { at, visible: all, aborted } = current;
  const [violated, verified] = [figureOf(current, 'violated'), figureOf(current, 'verified')];
  const change = (names: readonly string[]) => (previous === null ? '' : String(names.length));
  const end = aborted ? 'ended early' : '';
  return [at.slice(0, 16).replace('T', ' '), violated, verified, `${all}`, change(fresh), change(gone), end];
}

/** `3 runs of 2 targets`, for a folder. */
export function trendHead(targets: number, runs: number): string {
  return `${count(runs, 'run')} of ${count(targets, 'target')}\n\n`;
}
