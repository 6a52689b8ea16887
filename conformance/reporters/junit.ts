// JUnit XML: a suite for each section of the contract, a case for each check. Inconclusive checks are skipped, and
// warnings pass with a text in system-out. Jenkins rejects elements that junit-10.xsd lacks, such as properties.

import { escapeHtml, visible, visibleLines } from '../../src/terminal/visible.ts';
import { type CheckResult, isOpen, type ResultKind } from '../judge/result.ts';
import { isInSection, type Section, sections } from '../report/coverage.ts';
import type { Reporter } from '../report/outcome.ts';
import { type Report, titleOf } from '../report/report.ts';
import { failuresIn, linesOf, type Quoted, quoteFindings, reasonOf } from './quoted.ts';

export const junit: Reporter = {
  kind: 'junit',
  start: /^<\?xml[^>]*>\s*<testsuites name="(Conformance of |[^"]* next to )/,
  render(report, outcome) {
    const failures = failuresIn(report, outcome);
    // Known failures, and failures that another failure explains, are skipped: each cause is one failure.
    const reasons = new Map([
      ...failures.flatMap(({ check, others }) => others.map((id) => [id, `Fails because of ${check.id}`] as const)),
      ...outcome.claims.excused.map(({ check, reason }) => [check, `known failure: ${reason}`] as const),
    ]);
    const facts = new Map(failures.map((failure) => [failure.check.id, linesOf(failure)]));
    const { skipped: _, ...counts } = tally(report.checks, reasons);
    const aborts = report.abort === null ? 0 : 1;
    const attributes = attributesOf({
      name: `${titleOf(report)}${report.isMockTime ? ' (times are the mock’s)' : ''}`,
      ...counts,
      tests: counts.tests + aborts,
      errors: counts.errors + aborts,
      time: report.used.seconds.toFixed(3),
    });
    const suites = sections.map((section) => suiteOf(section, { report, reasons, facts }));
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites${attributes}>`,
      ...suites,
      ...abortOf(report),
    ];
    return `${[...lines, '</testsuites>'].filter((line) => line !== '').join('\n')}\n`;
  },
};

/** A check belongs to the section of its first clause. */
function suiteOf(section: Section, context: Context): string {
  const { report, reasons } = context;
  const checks = report.checks.filter(({ cites: [first] }) => first !== undefined && isInSection(first, section));
  if (checks.length === 0) return '';
  const name = `${section.number} ${section.title}`;
  const attributes = attributesOf({ name, ...tally(checks, reasons), timestamp: report.startedAt.slice(0, 19) });
  const cases = checks.map((check) => caseOf(check, name, context));
  return [`  <testsuite${attributes}>`, ...cases, '  </testsuite>'].join('\n');
}

/** A run that ended early has no checks, and a file without an error would look like success. */
function abortOf({ abort }: Report): string[] {
  if (abort === null) return [];
  const message = attributesOf({ message: abort.sentence, type: `exit ${abort.exitCode}` });
  return [
    '  <testsuite name="preflight" tests="1" failures="0" errors="1" skipped="0">',
    `    <testcase name="preflight" classname="preflight"><error${message}/></testcase>`,
    '  </testsuite>',
  ];
}

/** Details without a JUnit element are in system-out. */
function caseOf(check: CheckResult, suite: string, context: Context): string {
  const { report } = context;
  const quoted = quoteFindings(check, report);
  return [
    `    <testcase${attributesOf({ name: check.id, classname: suite, time: secondsOf(check, report) })}>`,
    ...endingOf(check, quoted, context),
    `      <system-out>${escaped([...headOf(check), ...spoken(check, quoted)].join('\n'))}</system-out>`,
    '    </testcase>',
  ].join('\n');
}

/** Returns the seconds of the exchanges of a check, shared ones included. */
function secondsOf({ exchanges }: CheckResult, report: Report): string {
  const ids = new Set(exchanges);
  const own = report.exchanges.filter(({ id }) => ids.has(id));
  return (own.reduce((total, { sentAt, receivedAt }) => total + receivedAt - sentAt, 0) / 1000).toFixed(3);
}

function headOf({ title, level, result, cites }: CheckResult): string[] {
  return [title, `${level}, ${result.kind}, tests ${cites.join(', ')}`].map(visible);
}

type SkipReasons = ReadonlyMap<string, string>;

interface Context {
  readonly report: Report;
  readonly reasons: SkipReasons;
  /** Proof, facts and commands of each check that names a cause. */
  readonly facts: ReadonlyMap<string, readonly string[]>;
}

function endingOf(check: CheckResult, quoted: readonly Quoted[], { reasons, facts }: Context): string[] {
  const { kind } = check.result;
  if (kind === 'pass' || kind === 'warn' || kind === 'note') return [];
  if (kind === 'error') return [`      <error${attributesOf({ message: reasonOf(check), type: 'error' })}/>`];
  if (kind !== 'fail') return [`      <skipped${attributesOf({ message: reasonOf(check) })}/>`];
  const reason = reasons.get(check.id);
  if (reason !== undefined) return [`      <skipped${attributesOf({ message: reason })}/>`];
  const [first] = quoted.filter(({ finding }) => finding.severity === 'fail');
  const message = first?.text ?? check.title;
  const text = [...quoted.map(describe), ...(facts.get(check.id) ?? []).map(visible)].join('\n\n');
  return [
    `      <failure${attributesOf({ message, type: first?.finding.clause ?? 'fail' })}>${escaped(text)}</failure>`,
  ];
}

/** Viewers of JUnit show system-out unchanged, so it contains the curl commands. */
function spoken({ result }: CheckResult, quoted: readonly Quoted[]): string[] {
  const lines = result.kind === 'fail' ? [] : quoted.map(describe);
  return [...lines, ...new Set(quoted.flatMap(({ curl }) => (curl === null ? [] : [curl])))];
}

function describe({ finding, text, sentence }: Quoted): string {
  return [`${finding.severity}: ${text}`, `  ${finding.clause}  "${sentence}"`].map(visible).join('\n');
}

function tally(checks: readonly CheckResult[], reasons: SkipReasons) {
  const having = (kind: ResultKind) => checks.filter(({ result }) => result.kind === kind);
  const left = having('fail').filter(({ id }) => reasons.has(id)).length;
  return {
    tests: checks.length,
    failures: having('fail').length - left,
    errors: having('error').length,
    skipped: checks.filter(({ result }) => isOpen(result.kind)).length + left,
  };
}

/** Escapes values, so text of a target cannot end an attribute. */
function attributesOf(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(visible(String(value)))}"`)
    .join('');
}

/** Uses no CDATA, because text could end it. */
function escaped(text: string): string {
  return escapeHtml(visibleLines(text)).replace(/[\ufffe\uffff]/g, '\ufffd');
}
