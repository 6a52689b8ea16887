// Commands of a GitHub Actions log that put failures next to the job. A step shows ten of a kind.

import { clip, visible } from '../../src/terminal/visible.ts';
import { claimNotes } from '../report/claims.ts';
import type { Outcome } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { checksWith, failuresIn, linesOf, quoteFindings } from './quoted.ts';

const shownMax = 10;
const textCharactersMax = 2000;

/** Returns failures before warnings, because GitHub shows ten of a kind. */
export function renderAnnotations(report: Report, outcome: Outcome): string {
  const lines = [
    ...(report.abort === null ? [] : [command('error', 'conformance', report.abort.sentence)]),
    ...failuresIn(report, outcome)
      .slice(0, shownMax)
      .map((failure) => {
        const { check, repeat } = failure;
        const [{ curl = null } = {}] = quoteFindings(check, report);
        const last = repeat.length > 0 || curl === null ? [] : [`Repeat: ${curl}`];
        return command('error', check.id, sentenceOf(check, report), ...linesOf(failure), ...last);
      }),
    ...checksWith(report, 'error')
      .slice(0, shownMax)
      .map((check) => command('error', check.id, sentenceOf(check, report))),
    ...claimNotes(outcome.claims).flatMap(({ about, sentence, isWrong }) =>
      isWrong ? [command('error', about, sentence)] : [],
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
function command(kind: 'error' | 'warning', title: string, ...lines: readonly string[]): string {
  const text = clip(lines.map(visible).join('\n'), textCharactersMax);
  return `::${kind} title=${escaped(visible(title)).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escaped(text)}`;
}

/** In the order of GitHub's own toolkit: the percent sign first. */
function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
