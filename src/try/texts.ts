// The report as text: for a terminal, at most a screen, and as Markdown.
import { count } from '../terminal/count.ts';
import type { Paint } from '../terminal/paint.ts';
import { clip, visible } from '../terminal/visible.ts';
import type { ClientReport, ClientViolation } from './report.ts';

const headings = { business: 'Lost or duplicated', rule: 'Rules', fragile: 'Fails although the contract allows it' };
const shownMax = 5;
const columns = 100;

/** One screen. `isNew` says whether a violation is missing in the baseline. */
export function terminalText(
  report: ClientReport,
  paint: Paint,
  isNew: (violation: ClientViolation) => boolean,
): string {
  const { violations } = report;
  const lines: string[] = [];
  let heading = '';
  for (const violation of violations.slice(0, shownMax)) {
    if (heading !== violation.severity) lines.push(paint('bold', headings[violation.severity]));
    heading = violation.severity;
    const known = isNew(violation) ? '' : ' (in the baseline)';
    lines.push(`  ${paint('red', '✗')} ${clip(visible(violation.message), columns - 4)}${known}`);
    lines.push(`    ${clip(`${visible(violation.correct)} (${violation.clause})`, columns - 4)}`);
    lines.push(paint('dim', `    ${clip(listCells(violation), columns - 4)}`));
  }
  const more = violations.length - shownMax;
  if (more > 0) lines.push(`  and ${count(more, 'other violation')}: add --report md=FILE`);
  if (lines.length > 0) lines.push('');
  for (const { title, handled, violated, sentence } of report.dimensions) {
    const all = handled + violated;
    const figure = all === 0 ? 'not exercised' : `${handled} of ${all}`;
    lines.push(`${title.padEnd(16)}${figure.padEnd(15)}${clip(sentence, columns - 31)}`);
  }
  return `${lines.join('\n')}\n\n${summary(report)}\n`;
}

/** The last line. */
function summary({ violations, cells }: ClientReport): string {
  const exercised = cells.filter(({ result }) => result !== 'not-exercised').length;
  const rest = cells.length - exercised;
  const found = violations.length === 0 ? 'No violations' : count(violations.length, 'violation');
  return `${found} in ${count(exercised, 'cell')}.${rest > 0 ? ` ${count(rest, 'cell')} not exercised.` : ''}`;
}

function listCells({ cells }: ClientViolation): string {
  const [first = '', second, ...rest] = cells;
  return [first, ...(second ? [second] : []), ...(rest.length > 0 ? [`${rest.length} more`] : [])].join(', ');
}

/** The whole report. */
export function markdownText(report: ClientReport): string {
  const inMarkdown = (text: string) => visible(text).replace(/[|<>`*_[\]\\]/g, (sign) => `\\${sign}`);
  const rows = report.violations.map(
    ({ severity, message, correct, clause, cells }) =>
      `### ${inMarkdown(message)}\n\n${headings[severity]}. ${inMarkdown(correct)}\n\nClause: ${clause}\n\nCells: ${cells.join(', ')}\n`,
  );
  const table = report.dimensions.map(
    ({ title, handled, violated, notExercised, sentence }) =>
      `| ${title} | ${handled} | ${violated} | ${notExercised} | ${inMarkdown(sentence)} |`,
  );
  const head = '| Dimension | Handled | Violated | Not exercised | Client |\n|---|---|---|---|---|';
  const missing = report.cells.filter(({ result }) => result === 'not-exercised').map(({ id }) => id);
  return [
    '# Client test\n',
    `${summary(report)}\n`,
    ...rows,
    `${head}\n${table.join('\n')}\n`,
    ...(missing.length > 0 ? [`Not exercised: ${missing.join(', ')}\n`] : []),
  ].join('\n');
}
