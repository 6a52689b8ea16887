// The report as text: for a terminal, at most a screen, and as Markdown.
import { pollIntervalMs } from '../contract/generated/limits.ts';
import { count } from '../terminal/count.ts';
import type { Paint } from '../terminal/paint.ts';
import { clip, visible } from '../terminal/visible.ts';
import { usualCalls } from './cell.ts';
import type { Absence, ClientReport, ClientViolation, TimeReport } from './report.ts';

const headings = {
  business: 'Lost or duplicated',
  rule: 'Rules',
  fragile: 'Fails although the contract allows it',
  advice: 'Advice (no violation)',
};
const shownMax = 5;
const columns = 100;

/** One screen: the result, then the worst. `isNew` says whether a violation is missing in the baseline. */
export function terminalText(
  report: ClientReport,
  paint: Paint,
  isNew: (violation: ClientViolation) => boolean,
): string {
  const found = [...report.violations, ...report.advice];
  const shown = found.slice(0, shownMax).map((violation, i) => {
    const { severity, message, correct, clause } = violation;
    const isAdvice = severity === 'advice';
    return [
      ...(severity === found[i - 1]?.severity ? [] : ['', paint('bold', headings[severity])]),
      `  ${isAdvice ? '·' : paint('red', '✗')} ${wrapped(message)}${isNew(violation) ? '' : ' (in the baseline)'}`,
      `    ${wrapped(`${correct} (${clause})`)}`,
      ...listCells(violation, report).map((line) => paint('dim', `    ${clip(line, columns - 4)}`)),
    ].join('\n');
  });
  const rows = report.dimensions.map(({ title, handled, violated, sentence }) => {
    const figure = handled + violated === 0 ? 'not exercised' : `${handled} of ${handled + violated} handled`;
    return `${title.padEnd(16)}${figure.padEnd(20)}${clip(handled + violated === 0 ? '' : sentence, columns - 36)}`;
  });
  const more = found.length - shownMax;
  return [
    paint('bold', summary(report)),
    ...(report.recordsReported > 0 ? [] : [wrapped(unreported, 0)]),
    ...shown,
    ...(more > 0 ? ['', `${count(more, 'other finding')}: add --report md=FILE`] : []),
    '',
    ...rows.map((row) => row.trimEnd()),
    '',
    ...[runsText(report), absenceText(report), report.time.mode === 'virtual' ? '' : timeText(report.time)]
      .filter((text) => text !== '')
      .map((text) => wrapped(text, 0)),
    '',
  ].join('\n');
}

/** The first line. */
function summary({ violations, cells, time }: ClientReport): string {
  const exercised = cells.filter(({ result }) => result !== 'not-exercised').length;
  const isPartial = time.isStopped || cells.some(({ needs }) => needs === 'stopped');
  const isUnsure = isPartial && time.mode !== 'virtual' && violations.length > 0;
  const repeat = isUnsure ? ' Not all violations were repeated, so a busy machine can have caused them.' : '';
  const partial = isPartial ? `Partial result, because the run was stopped.${repeat} ` : '';
  const found = violations.length === 0 ? 'No violations' : count(violations.length, 'violation');
  return `${partial}${found} in the ${exercised} of ${count(cells.length, 'test case')} that were exercised.`;
}

const unreported =
  'No records were reported, so lost records are not judged: report them with saw(id), or print their IDs.';

function runsText({ cells }: ClientReport): string {
  const [runs, requests] = (['runs', 'requests'] as const).map((name) =>
    cells.reduce((sum, row) => sum + row[name], 0),
  );
  return `Your client ran ${count(runs ?? 0, 'time')} and sent ${count(requests ?? 0, 'request')}.`;
}

const needs: Readonly<Record<Absence, string>> = {
  read: 'a read',
  write: 'a write',
  poll: 'a poll of the call log',
  operation: 'a request to another endpoint',
  files: 'a command that stores files',
  start: 'a first request (check that the client starts)',
  response: 'a response that did not come, for example a second page or a call',
  stopped: 'more time',
};

type Rows = ClientReport['cells'];

/** The ids of the cells that were not exercised, by reason. */
function absences(cells: Rows): (readonly [Absence, Rows])[] {
  const reasons = Object.keys(needs) as Absence[];
  const found = reasons.map((reason) => [reason, cells.filter((row) => row.needs === reason)] as const);
  return found.filter(([, rows]) => rows.length > 0);
}

function absenceText({ cells }: ClientReport): string {
  const parts = absences(cells).map(
    ([reason, { length }]) => `${length} ${length === 1 ? 'needs' : 'need'} ${needs[reason]}`,
  );
  return parts.length === 0 ? '' : `Not exercised: ${parts.join(', ')}. IDs: --report md=FILE.`;
}

/** How time passed, because it limits the result. */
function timeText({ mode, speed }: TimeReport): string {
  if (mode === 'virtual') return 'Time was virtual: the timers and the clock of the client were those of the mock.';
  if (mode === 'scaled')
    return `Time was scaled: the clock of the mock and the timers of the Node.js client ran at ${speed}-fold speed.`;
  return 'Time was real: test cases with waits above two minutes ended early. For a Node.js client, add --speed 20.';
}

function wrapped(text: string, indent = 4): string {
  const line = new RegExp(`(.{1,${columns - indent}})(?: +|$)`, 'g');
  return visible(text)
    .replace(line, `$1\n${' '.repeat(indent)}`)
    .trimEnd();
}

/** The first two test cases with their titles, which complete the sentence "The mock …". */
function listCells({ cells }: ClientViolation, report: ClientReport, most = 2): string[] {
  const titles = new Map(report.cells.map(({ id, title }) => [id, title]));
  const rest = cells.length - most;
  return [...cells.slice(0, most).map((id) => `${id}: ${titles.get(id)}`), ...(rest > 0 ? [`${rest} more`] : [])];
}

/** The whole report. */
export function markdownText(report: ClientReport): string {
  const inMarkdown = (text: string) => visible(text).replace(/[|<>`*_[\]\\]/g, (sign) => `\\${sign}`);
  const rows = [...report.violations, ...report.advice].map((violation) => {
    const { severity, message, correct, clause } = violation;
    const cells = listCells(violation, report, Number.POSITIVE_INFINITY).map((line) => `- ${inMarkdown(line)}`);
    return `### ${inMarkdown(message)}\n\n${headings[severity]}. ${inMarkdown(correct)}\n\nClause: ${clause}\n\n${cells.join('\n')}\n`;
  });
  const table = report.dimensions.map(
    ({ title, handled, violated, notExercised, sentence }) =>
      `| ${title} | ${handled} | ${violated} | ${notExercised} | ${inMarkdown(sentence)} |`,
  );
  const head = '| Dimension | Passed | Violated | Not exercised | Client |\n|---|---|---|---|---|';
  const missing = absences(report.cells).map(([reason, rows]) => {
    const ids = /^(read|poll|write)$/.test(reason) ? '' : `: ${rows.map(({ id }) => id).join(', ')}`;
    return `Need ${needs[reason]} (${rows.length})${ids}\n`;
  });
  return [
    '# Client test\n',
    `${summary(report)} ${runsText(report)} ${timeText(report.time)}\n`,
    ...(report.recordsReported > 0 ? [] : [`${unreported}\n`]),
    ...rows,
    `${head}\n${table.join('\n')}\n`,
    ...(missing.length > 0 ? ['## Not exercised\n', ...missing] : []),
  ].join('\n');
}

/** The first poll after the last call. */
const callsMinutes = Math.ceil(
  (1_000 * Math.max(...usualCalls.map(({ visibleS }) => visibleS)) + pollIntervalMs) / 60_000,
);

/** Returns a note if test cases can be missing because calls arrive too late for the client; else an empty text. */
export function noteOfMinutes({ cells, time }: ClientReport, minutes = time.mode === 'real' ? 2 : 10): string {
  const isHidden = ({ id, needs: missing }: Rows[number]) =>
    missing === 'write' || (missing === 'response' && id.startsWith('calls/'));
  if (minutes >= callsMinutes || cells.some(({ needs: missing }) => missing === 'poll') || !cells.some(isHidden))
    return '';
  return `After ${count(minutes, 'minute')}, later calls are missing, and so are writes that follow them. Use --minutes ${callsMinutes}.\n`;
}
