// Commands of a GitHub Actions log that put failures next to the job. A step shows ten of a kind.

import { clip, visible } from '../../src/terminal/visible.ts';
import type { Outcome } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { checksWith, failuresIn, quoteFindings } from './quoted.ts';

const shownMax = 10;
const textCharactersMax = 1000;

/** Returns failures before warnings, because GitHub shows ten of a kind. */
export function renderAnnotations(report: Report, outcome: Outcome): string {
  const lines = [
    ...(report.abort === null ? [] : [command('error', 'conformance', report.abort.sentence)]),
    ...[...failuresIn(report, outcome).map(({ check }) => check), ...checksWith(report, 'error')]
      .map((check) => command('error', check.id, sentenceOf(check, report)))
      .slice(0, shownMax),
    ...outcome.baseline.stale.map(({ check }) =>
      command('error', check, 'It no longer fails: remove it from the baseline.'),
    ),
    ...checksWith(report, 'warn')
      .map((check) => command('warning', check.id, sentenceOf(check, report)))
      .slice(0, shownMax),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the first finding; the report has the others. */
function sentenceOf(check: Report['checks'][number], report: Report): string {
  const [first] = quoteFindings(check, report);
  if (first === undefined) return check.result.message ?? check.title;
  const { finding, text, sentence } = first;
  return `${text} Clause ${finding.clause}: "${sentence}"`;
}

/** Escapes colons and line breaks, which would end the command. */
function command(kind: 'error' | 'warning', title: string, text: string): string {
  return `::${kind} title=${escapeProperty(visible(title))}::${escaped(clip(visible(text), textCharactersMax))}`;
}

/** In the order of GitHub's own toolkit: the percent sign first. */
function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
