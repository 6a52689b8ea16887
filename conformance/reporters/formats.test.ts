// Every format shows the same numbers, and no text of a target that a CI log would run.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileReport, sampleCheck, sampleFinding, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import { type CheckResult, type ResultKind, resultKinds } from '../judge/result.ts';
import { noClaims } from '../report/claims.ts';
import { reachOf } from '../report/coverage.ts';
import { recordOf } from '../report/history.ts';
import { conclude } from '../report/outcome.ts';
import { renderAnnotations } from './annotations.ts';
import { reporters } from './index.ts';
import { resultWords } from './quoted.ts';
import { toSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';

function textsOf(report: ReturnType<typeof sampleReport>, rules: Parameters<typeof conclude>[1] = {}) {
  const outcome = conclude(report, rules);
  const files = reporters.map(({ kind, render }) => [kind, render(report, outcome)] as const);
  const shown = { terminal: renderTerminal(report, outcome), annotations: renderAnnotations(report, outcome) };
  return { ...(Object.fromEntries(files) as Record<(typeof files)[number][0], string>), ...shown };
}

const severe: Partial<Record<ResultKind, 'fail' | 'warn' | 'note'>> = { fail: 'fail', warn: 'warn', note: 'note' };
const anyCheck = fc
  .record({
    kind: fc.constantFrom(...resultKinds),
    clauses: fc.uniqueArray(fc.constantFrom(...(Object.keys(clauses) as ClauseId[])), { minLength: 1, maxLength: 4 }),
    isRule: fc.boolean(),
    message: fc.constantFrom(
      'needs --account ID',
      'needs --mcp-url URL',
      'not enough requests in this run: use --only',
    ),
  })
  .map(({ kind, clauses: cites, isRule, message }) => (index: number): CheckResult => {
    const severity = severe[kind];
    const findings =
      severity === undefined
        ? []
        : cites.slice(kind === 'fail' ? 0 : 1).map((clause) => sampleFinding({ severity, clause }));
    const result = { kind, message, ...(kind === 'inconclusive' ? { reason: 'vacuous' as const } : {}) };
    const rest = { cites, findings, shown: kind === 'pass' ? cites : cites.slice(0, 1) };
    return sampleCheck(`${isRule ? 'rule' : 'sites'}/n${index}`, result, rest);
  });

const matched = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, number]) => Number(number));
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('the numbers of a run', () => {
  test('are the same in every format', () => {
    fc.assert(
      fc.property(fc.array(anyCheck, { minLength: 1, maxLength: 25 }), fc.nat(2), (makers, excusedMax) => {
        const checks = makers.map((make, index) => make(index));
        const report = sampleReport({ checks });
        const failed = checks.filter(({ result }) => result.kind === 'fail').slice(0, excusedMax);
        const excused = failed.map(({ id }) => ({ check: id, reason: 'known', until: null }));
        const texts = textsOf(report, { claims: { ...noClaims, excused } });
        const { summary } = report;
        const { visible, tested, violated, warned, verified, untested } = reachOf(report);
        const json = JSON.parse(texts.json);

        for (const kind of resultKinds) {
          const [word] = resultWords[kind];
          const line = /^Checks .*$/m.exec(texts.terminal)?.[0] ?? '';
          expect([kind, matched(line, new RegExp(`(\\d+) ${word}`))]).toEqual([kind, summary[kind]]);
          const chip = new RegExp(`class="chip ${kind}"[^>]*><b>(\\d+)`);
          expect([kind, matched(texts.html, chip)]).toEqual([kind, summary[kind]]);
          expect([kind, matched(texts.md, new RegExp(`^\\| ${word} \\| (\\d+) `, 'm'))]).toEqual([kind, summary[kind]]);
          expect(json.checks.filter(({ result }: { result: string }) => result === kind)).toHaveLength(summary[kind]);
        }
        expect(matched(texts.terminal, /^NOT DECIDED {2}(\d+)/m)).toBe(summary.inconclusive);
        const [, doubts = ''] = /<section id="doubts">([\s\S]*?)<\/section>/.exec(texts.html) ?? [];
        expect([matched(doubts, /<small>(\d+)/), doubts.split('<li>').length - 1]).toEqual(
          summary.inconclusive === 0 ? [0, 0] : [summary.inconclusive, summary.inconclusive],
        );
        expect(texts.md.match(/\| No matching response \||\| Not enough data \|/g) ?? []).toHaveLength(
          summary.inconclusive,
        );
        expect(matched(texts.html, /of (\d+) failed check/) || failuresShown(texts.html)).toBe(
          summary.fail - excused.length,
        );

        const [, root = ''] = /<testsuites([^>]*)>/.exec(texts.junit) ?? [];
        const skipped = sum(all(texts.junit, /<testsuite [^>]*skipped="(\d+)"/g));
        expect(matched(root, / tests="(\d+)"/)).toBe(checks.length);
        expect(matched(root, / errors="(\d+)"/)).toBe(summary.error);
        expect(matched(root, / failures="(\d+)"/) + skipped).toBe(
          summary.fail + summary.inconclusive + summary.skipped,
        );
        expect(toSarif(report, conclude(report)).runs[0]?.tool.driver.rules).toHaveLength(checks.length);

        const of = (kind: string, text: string) => matched(text, new RegExp(`(\\d+) ${kind}`));
        const line = /^Clauses .*$/m.exec(texts.terminal)?.[0] ?? '';
        const kinds = ['failed', 'warned', 'verified', 'not tested'];
        expect(kinds.map((kind) => of(kind, line))).toEqual([violated, warned, verified, untested]);
        for (const text of [texts.html, texts.md])
          expect(matched(text, /(\d+) of \d+ requirements tested/)).toBe(tested);
        const rows = all(texts.md, /^\| \d [^|]*\| \d+ \| (\d+) \|/gm);
        expect(sum(rows)).toBe(violated);
        expect(sum(all(texts.html, /<span class="amount">[^<]*?(\d+) failed/g))).toBe(violated);
        const record = recordOf(report, 1, []);
        expect([record.violated, record.verified, record.visible]).toEqual([violated, verified, visible]);
      }),
      { numRuns: 60 },
    );
  });
});

const failuresShown = (page: string) =>
  (/<section id="failures">([\s\S]*?)<\/section><section|<section id="failures">[\s\S]*/.exec(page)?.[0] ?? '').match(
    /class="finding-card fail"/g,
  )?.length ?? 0;

test.each([
  ['GitHub', '::error title=a::b'],
  ['GitHub, after spaces', '  ::stop-commands::x'],
  ['GitHub, in a second line', 'a\r\n::error::b'],
  ['Azure Pipelines', 'a ##vso[task.complete result=Succeeded;]'],
  ['TeamCity', "##teamcity[testFailed name='a']"],
])('no format has a command of %s that a target has sent', (_, text) => {
  const { json: _json, har: _har, annotations, ...texts } = textsOf(hostileReport(text));
  const own = annotations.replace(/^::(error|warning) title=/gm, '');
  for (const [kind, shown] of Object.entries({ ...texts, own }))
    expect([kind, /(^|\s)::[\w-]+[^\n]*?::|##\w*\[/m.exec(shown)?.[0]]).toEqual([kind, undefined]);
});
