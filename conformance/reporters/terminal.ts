// The report for a person at a terminal: what is wrong first, then what could not be told, then one line that sums up.
import { clauses } from '../../src/contract/generated/clauses.ts';
import type { CheckResult, Finding } from '../check.ts';
import { curlOf } from '../curl.ts';
import type { Report } from '../report.ts';
import { type Paint, plain, styleOf } from './paint.ts';

const FINDINGS_SHOWN_MAX = 6;

export function renderTerminal(report: Report, paint: Paint = plain): string {
  const lines = describePasses(report, paint);
  for (const kind of ['fail', 'error', 'warn'] as const) {
    for (const check of report.checks.filter(({ verdict }) => verdict.kind === kind))
      lines.push(...describe(check, report, paint));
  }
  lines.push(...describeDoubts(report, paint), '', summary(report, paint), effort(report));
  if (report.abort) lines.push('', paint('red', report.abort.sentence));
  return `${lines.join('\n').trimStart()}\n`;
}

/** One line for each check that passed, with the clause it is about. */
function describePasses(report: Report, paint: Paint): string[] {
  const passed = report.checks.filter(({ verdict }) => verdict.kind === 'pass' || verdict.kind === 'note');
  const width = Math.max(0, ...passed.map(({ id }) => id.length));
  return passed.map(({ id, verdict, cites, findings }) => {
    const more = cites.length > 1 ? ` +${cites.length - 1}` : '';
    const notes = findings.length > 0 ? paint('blue', `  ${findings.length} noted`) : '';
    return `${paint(styleOf[verdict.kind], verdict.kind.padEnd(5))} ${id.padEnd(width)}  ${paint('dim', `${cites[0]}${more}`)}${notes}`;
  });
}

function describe(check: CheckResult, report: Report, paint: Paint): string[] {
  const { kind, message } = check.verdict;
  const head = `${paint(styleOf[kind], kind.toUpperCase().padEnd(5))} ${paint('bold', check.id)}  ${check.title}`;
  const grave = check.findings.filter(({ severity }) => severity !== 'note');
  const shown = grave.slice(0, FINDINGS_SHOWN_MAX).flatMap((finding) => describeFinding(finding, report, paint));
  const more = grave.length - FINDINGS_SHOWN_MAX;
  return [
    '',
    head,
    ...(message ? [`      ${message}`] : []),
    ...shown,
    ...(more > 0 ? [`      and ${more} more`] : []),
  ];
}

function describeFinding(finding: Finding, report: Report, paint: Paint): string[] {
  const exchange = report.exchanges.find(({ id }) => id === finding.exchange);
  const place = finding.pointer === '' ? '' : ` at ${finding.pointer}`;
  const count = finding.count > 1 ? ` (and ${finding.count - 1} more like it)` : '';
  return [
    `      ${paint('cyan', finding.clause)}  ${clauses[finding.clause].fact}`,
    `        expected ${finding.expected}`,
    `        actual   ${finding.actual}${place}${count}`,
    ...(finding.message ? [`        ${finding.message}`] : []),
    ...(exchange ? [`        ${paint('dim', `${exchange.id}  ${curlOf(exchange)}`)}`] : []),
  ];
}

function describeDoubts(report: Report, paint: Paint): string[] {
  const doubts = report.checks.filter(({ verdict, id }) => {
    // A rule that no exchange concerned is no news.
    return verdict.kind === 'inconclusive' && !(id.startsWith('rule/') && verdict.reason === 'vacuous');
  });
  if (doubts.length === 0) return [];
  const width = Math.max(...doubts.map(({ id }) => id.length));
  const rows = doubts.map(
    ({ id, verdict }) => `      ${id.padEnd(width)}  ${paint('dim', `${verdict.reason}: ${verdict.message ?? ''}`)}`,
  );
  return ['', paint(styleOf.inconclusive, 'could not be told'), ...rows];
}

function summary(report: Report, paint: Paint): string {
  const counted = (['fail', 'error', 'warn', 'pass', 'note', 'inconclusive', 'not-applicable', 'excluded'] as const)
    .filter((kind) => report.summary[kind] > 0)
    .map((kind) => paint(styleOf[kind], `${report.summary[kind]} ${kind}`));
  const visible = report.coverage.filter(({ seenBy, standing }) => seenBy === 'server' && standing !== 'silent');
  const proven = visible.filter(({ verdict }) => verdict === 'pass').length;
  return `${counted.join(' · ') || 'no check ran'} · ${proven} of ${visible.length} clauses proven`;
}

function effort({ plan, used }: Report): string {
  const { requests, seconds } = plan;
  const spent = `${used.requests} requests in ${used.seconds.toFixed(1)} s`;
  return `${spent} (planned ${requests.floor} to ${requests.ceiling}, ${seconds.floor} to ${seconds.ceiling} s)`;
}
