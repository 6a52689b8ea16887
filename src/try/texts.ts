// The report as text: for a terminal, at most a screen, and as Markdown.
import { count } from '../terminal/count.ts';
import type { Paint } from '../terminal/paint.ts';
import { clip, visible } from '../terminal/visible.ts';
import type { ClientReport, ClientViolation, TimeReport } from './report.ts';

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
      paint('dim', `    ${clip(listCells(violation), columns - 4)}`),
    ].join('\n');
  });
  const rows = report.dimensions.map(({ title, handled, violated, sentence }) => {
    const figure = handled + violated === 0 ? 'not exercised' : `${handled} of ${handled + violated} handled`;
    return `${title.padEnd(16)}${figure.padEnd(20)}${clip(handled + violated === 0 ? '' : sentence, columns - 36)}`;
  });
  const more = found.length - shownMax;
  return [
    paint('bold', summary(report)),
    ...shown,
    ...(more > 0 ? ['', `${count(more, 'other finding')}: add --report md=FILE`] : []),
    '',
    ...rows.map((row) => row.trimEnd()),
    ...(report.time.mode === 'virtual' ? [] : ['', wrapped(timeText(report.time), 0)]),
    '',
  ].join('\n');
}

/** The first line. */
function summary({ violations, cells }: ClientReport): string {
  const exercised = cells.filter(({ result }) => result !== 'not-exercised').length;
  const rest = cells.length - exercised;
  const found = violations.length === 0 ? 'No violations' : count(violations.length, 'violation');
  return `${found}. ${count(exercised, 'test case')} exercised${rest > 0 ? `, ${rest} not exercised` : ''}.`;
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

function listCells({ cells }: ClientViolation): string {
  return [...cells.slice(0, 2), ...(cells.length > 2 ? [`${cells.length - 2} more`] : [])].join(', ');
}

/** The whole report. */
export function markdownText(report: ClientReport): string {
  const inMarkdown = (text: string) => visible(text).replace(/[|<>`*_[\]\\]/g, (sign) => `\\${sign}`);
  const rows = [...report.violations, ...report.advice].map(
    ({ severity, message, correct, clause, cells }) =>
      `### ${inMarkdown(message)}\n\n${headings[severity]}. ${inMarkdown(correct)}\n\nClause: ${clause}\n\nTest cases: ${cells.join(', ')}\n`,
  );
  const table = report.dimensions.map(
    ({ title, handled, violated, notExercised, sentence }) =>
      `| ${title} | ${handled} | ${violated} | ${notExercised} | ${inMarkdown(sentence)} |`,
  );
  const head = '| Dimension | Passed | Violated | Not exercised | Client |\n|---|---|---|---|---|';
  const missing = report.cells.filter(({ result }) => result === 'not-exercised').map(({ id }) => id);
  return [
    '# Client test\n',
    `${summary(report)} ${timeText(report.time)}\n`,
    ...rows,
    `${head}\n${table.join('\n')}\n`,
    ...(missing.length > 0 ? [`Not exercised: ${missing.join(', ')}\n`] : []),
  ].join('\n');
}
