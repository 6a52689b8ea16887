// The report for a person at a terminal: what is wrong first, then what could not be told, then what it took, and last of all
// one line with the result.
import type { CheckResult } from '../check.ts';
import { count, exitMeanings, type Outcome, reachOf } from '../outcome.ts';
import type { Range } from '../plan.ts';
import type { Report } from '../report.ts';
import { clip, visible } from '../visible.ts';
import { type Paint, plain, styleOf } from './paint.ts';
import {
  checksWith,
  doubtsByReason,
  gapsOf,
  idleRules,
  placeOf,
  type Quoted,
  quoteFindings,
  reasonWords,
} from './quoted.ts';

const FINDINGS_SHOWN_MAX = 6;
const TEXT_CHARACTERS_MAX = 600;
const CURL_CHARACTERS_MAX = 2000;

export function renderTerminal(report: Report, outcome: Outcome, paint: Paint = plain): string {
  // Nothing was looked at, so there is nothing to count.
  if (report.abort !== null && report.checks.length === 0) return `${lastLine(outcome, paint)}\n`;
  const excused = new Set(outcome.baseline.excused.map(({ check }) => check));
  const grave = checksWith(report, 'fail', 'error').filter(({ id }) => !excused.has(id));
  const lines = [
    ...grave.flatMap((check) => describe(check, report, paint)),
    ...checksWith(report, 'warn').flatMap((check) => describe(check, report, paint)),
    ...describeDoubts(report, paint),
    ...describeBaseline(outcome, paint),
    ...describeGaps(report, paint),
    '',
    ...describeNotes(report, paint),
    ...describeIdle(report, paint),
    tally(report, paint),
    reach(report),
    effort(report),
    lastLine(outcome, paint),
  ];
  return `${lines.join('\n').trimStart()}\n`;
}

function describe(check: CheckResult, report: Report, paint: Paint): string[] {
  const { kind, message } = check.verdict;
  const head = `${paint(styleOf[kind], kind.toUpperCase().padEnd(5))} ${paint('bold', check.id)}  ${check.title}`;
  const grave = quoteFindings(check, report).filter(({ finding }) => finding.severity !== 'note');
  const more = grave.length - FINDINGS_SHOWN_MAX;
  return [
    '',
    head,
    ...(message ? [`      ${safe(message)}`] : []),
    ...grave.slice(0, FINDINGS_SHOWN_MAX).flatMap((quoted, index) => {
      // Findings in one answer share the line that repeats it.
      const isLast = index === FINDINGS_SHOWN_MAX - 1 || grave[index + 1]?.curl !== quoted.curl;
      return [...describeFinding(quoted, paint), ...(isLast ? describeCurl(quoted, paint) : [])];
    }),
    ...(more > 0 ? [`      and ${more} more`] : []),
  ];
}

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

function describeDoubts(report: Report, paint: Paint): string[] {
  const groups = [...doubtsByReason(report)];
  const width = Math.max(0, ...groups.flatMap(([, checks]) => checks.map(({ id }) => id.length)));
  return groups.flatMap(([reason, checks]) => [
    '',
    `${paint(styleOf.inconclusive, 'could not be told')}  ${reason}: ${reasonWords[reason]}`,
    ...checks.map(({ id, verdict }) => `      ${id.padEnd(width)}  ${paint('dim', safe(verdict.message ?? ''))}`),
  ]);
}

function describeBaseline({ baseline }: Outcome, paint: Paint): string[] {
  const rows = [
    ...baseline.excused.map(({ check, reason }) => `${paint('dim', 'known failure')} ${check}: ${safe(reason)}`),
    ...baseline.expired.map(({ check, until }) => `${check} was a known failure until ${until}; it counts again.`),
    ...baseline.stale.map(({ check }) => `${check} no longer fails: take it out of the baseline.`),
  ];
  return rows.length === 0 ? [] : ['', ...rows];
}

const GAPS_SHOWN_MAX = 12;

/** What would put more clauses to the test. */
function describeGaps(report: Report, paint: Paint): string[] {
  const gaps = gapsOf(report);
  const more = gaps.slice(GAPS_SHOWN_MAX).reduce((total, { clauses }) => total + clauses.length, 0);
  const rows = gaps
    .slice(0, GAPS_SHOWN_MAX)
    .map(({ why, clauses }) => `      ${String(clauses.length).padStart(3)}  ${paint('dim', safe(why))}`);
  if (rows.length === 0) return [];
  const rest = more === 0 ? [] : [`      ${String(more).padStart(3)}  ${paint('dim', 'more, as the reports tell')}`];
  return ['', `${paint('dim', 'not put to the test')}  clauses, and what keeps them open`, ...rows, ...rest];
}

/** They are counted among the inconclusive ones, so that they have to be named. */
function describeIdle(report: Report, paint: Paint): string[] {
  const idle = idleRules(report).map(({ id }) => id);
  return idle.length === 0
    ? []
    : [paint('dim', `${count(idle.length, 'rule')} had nothing to judge: ${idle.join(', ')}`)];
}

function describeNotes(report: Report, paint: Paint): string[] {
  const noted = report.checks.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'note')).length;
  const words = 'on what the contract leaves open; the reports have them';
  return noted === 0 ? [] : [paint('dim', `${count(noted, 'note')} ${words}`)];
}

function tally({ summary }: Report, paint: Paint): string {
  const counted = (['fail', 'error', 'warn', 'pass', 'note', 'inconclusive', 'not-applicable', 'excluded'] as const)
    .filter((kind) => summary[kind] > 0)
    .map((kind) => paint(styleOf[kind], `${summary[kind]} ${kind}`));
  const all = Object.values(summary).reduce((total, number) => total + number, 0);
  return counted.length === 0 ? 'no check ran' : `${all} checks and rules: ${counted.join(' · ')}`;
}

function reach(report: Report): string {
  const { visible: all, tested, proven } = reachOf(report);
  return `${tested} of ${all} clauses that a server can show were put to the test; ${proven} held`;
}

function effort(report: Report): string {
  const { plan, used, recorded } = report;
  if (recorded !== null) {
    const others = recorded.others === 0 ? '' : `; ${count(recorded.others, 'entry', 'entries')} left out`;
    return `${count(recorded.judged, 'recorded exchange')} judged, nothing was sent${others}`;
  }
  const range = ({ floor, ceiling }: Range) => `planned ${floor} to ${ceiling}`;
  const requests = `${count(used.requests, 'request')} (${range(plan.requests)})`;
  const time = report.isMockTime ? ' of the mock’s time' : '';
  return `${requests} in ${used.seconds.toFixed(1)} s${time} (${range(plan.seconds)})`;
}

function lastLine({ exitCode, sentence }: Outcome, paint: Paint): string {
  const meaning = exitCode === 0 ? '' : `: ${exitMeanings[exitCode]}`;
  return `${paint(exitCode === 0 ? 'green' : 'red', safe(sentence))} Exit code ${exitCode}${meaning}.`;
}

function safe(text: string): string {
  return clip(visible(text), TEXT_CHARACTERS_MAX);
}
