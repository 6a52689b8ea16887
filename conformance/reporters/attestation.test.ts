import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sampleCheck, sampleFinding, sampleReport } from '../../proof/rigs/sample-report.ts';
import { conclude } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { renderAttestation } from './attestation.ts';
import { json } from './json.ts';

type Rules = Parameters<typeof conclude>[1];
const attest = (report: Report, rules: Rules = {}) =>
  JSON.parse(renderAttestation(report, conclude(report, rules), { sha256: 'ab'.repeat(32) }));
const held = sampleCheck('a/one', { kind: 'pass' }, { shown: ['4.sites.list'] });
const failed = sampleCheck('a/two', { kind: 'fail' }, { findings: [sampleFinding()] });

test('a statement names the report by the digest of its file, the target, the plan and the kit', () => {
  const report = sampleReport();
  const { subject, predicate, ...rest } = attest(report);
  const sha256 = createHash('sha256')
    .update(json.render(report, conclude(report)))
    .digest('hex');
  expect(subject).toEqual([{ name: 'report abcd1234', digest: { sha256 } }]);
  expect(rest).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
  });
  expect(predicate.configuration).toMatchObject([
    { uri: report.target },
    { name: 'plan', digest: { sha256: expect.stringMatching(/^[\da-f]{64}$/) } },
    { name: 'casa-kit conformance 1.2.3', digest: { sha256: 'ab'.repeat(32) } },
  ]);
});

test('every check stands in one list, and what stayed open in none that a policy takes for passed', () => {
  const { predicate } = attest(sampleReport());
  const lists = Object.entries(predicate).filter(([name]) => name.endsWith('Tests')) as [string, string[]][];
  expect(lists.flatMap(([, ids]) => ids).sort()).toEqual(
    sampleReport()
      .checks.map(({ id }) => id)
      .sort(),
  );
  const idsWith = (kind: string) =>
    sampleReport()
      .checks.filter(({ verdict }) => verdict.kind === kind)
      .map(({ id }) => id);
  expect(predicate.failedTests).toEqual(['rule/list-sites-shape', 'keywords/of-site']);
  expect(predicate.warnedTests).toEqual(idsWith('warn'));
  expect(predicate.casa_inconclusiveTests).toEqual(idsWith('inconclusive'));
  expect(predicate.casa_excludedTests).toEqual(idsWith('excluded'));
});

const excused = [{ check: 'a/two', reason: 'ticket', until: null }];
test.each<[string, Report, Rules, string]>([
  ['held', sampleReport({ checks: [held] }), {}, 'PASSED'],
  ['warned', sampleReport({ checks: [held, sampleCheck('a/two', { kind: 'warn' })] }), {}, 'WARNED'],
  ['failed', sampleReport({ checks: [held, failed] }), {}, 'FAILED'],
  ['is excused', sampleReport({ checks: [held, failed] }), { baseline: { excused, stale: [], expired: [] } }, 'WARNED'],
  ['proved nothing', sampleReport({ checks: [] }), {}, 'FAILED'],
  ['ended at the door', sampleReport({ checks: [], abort: { exitCode: 4, sentence: 'nobody' } }), {}, 'FAILED'],
])('a run that %s', (_, report, rules, result) => {
  expect(attest(report, rules).predicate.result).toBe(result);
});
