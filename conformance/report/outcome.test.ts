import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleFinding, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import type { ResultKind } from '../judge/result.ts';
import { type KnownFailure, noClaims } from './claims.ts';
import { reachOf } from './coverage.ts';
import { conclude, exitCodeOf } from './outcome.ts';
import type { Report } from './report.ts';

const entry: KnownFailure = { check: 'sites/list', reason: 'ticket 12', until: null };

/** One check for each result; the clause of sites/list is the only one that is cited. */
function reportOf(...kinds: readonly ResultKind[]): Report {
  return sampleReport({ checks: kinds.map((kind, index) => sampleCheck(`test/n${index}`, { kind })) });
}

describe('the exit code', () => {
  test.each<[string, Report, number]>([
    ['0 when something held and nothing failed', reportOf('pass', 'warn', 'inconclusive'), 0],
    ['1 for a failure, next to anything', reportOf('pass', 'fail', 'error'), 1],
    ['4 for a check that could not be carried out', reportOf('pass', 'error'), 4],
    ['3 when nothing was proven', reportOf('inconclusive', 'skipped'), 3],
    ['3 when no check ran', reportOf(), 3],
    ['the one of the preflight', sampleReport({ abort: { exitCode: 2, sentence: 'no' } }), 2],
  ])('is %s', (_, report, code) => {
    expect(exitCodeOf(report)).toBe(code);
  });

  test('is 1 for a warning when --fail-on says so', () => {
    expect(exitCodeOf(reportOf('pass', 'warn'), { failOn: ['warn'] })).toBe(1);
    expect(exitCodeOf(reportOf('pass', 'inconclusive'), { failOn: ['warn'] })).toBe(0);
  });

  test.each([
    [{ count: 1 }, 0],
    [{ count: 2 }, 3],
    [{ share: 0 }, 0],
    [{ share: 0.5 }, 3],
  ])('with --min-verified %j and one proven clause is %i', (minVerified, code) => {
    expect(exitCodeOf(reportOf('pass'), { minVerified })).toBe(code);
  });

  test('is 0 when the claims know every failure, and 1 when they know one of two', () => {
    const claims = { ...noClaims, excused: [entry] };
    const outcome = conclude(reportOf('pass', 'fail'), { claims });
    expect(outcome.exitCode).toBe(0);
    expect(outcome.sentence).toMatch(/^No check failed, except 1 known failure\. /);
    expect(exitCodeOf(reportOf('pass', 'fail', 'fail'), { claims })).toBe(1);
  });

  test('is 1 for an entry that no longer fails, and the sentence names it', () => {
    const outcome = conclude(reportOf('pass'), { claims: { ...noClaims, stale: [entry] } });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.sentence).toBe(
      'The claims do not match the run: sites/list no longer fails: remove it from the claims.',
    );
  });
});

describe('the reach of a run', () => {
  test('counts clauses that a server can show and the contract states', () => {
    const { visible, tested, verified } = reachOf(sampleReport());
    expect(visible).toBeGreaterThan(200);
    expect(tested).toBeGreaterThanOrEqual(verified);
    const failed = sampleCheck('test/one', { kind: 'fail' }, { findings: [sampleFinding({ clause: '4.sites.list' })] });
    expect(reachOf(sampleReport({ checks: [failed] }))).toMatchObject({ visible, tested: 1, violated: 1, verified: 0 });
    expect(reachOf(reportOf('pass'))).toMatchObject({ visible, tested: 1, violated: 0, verified: 1 });
    expect(reachOf(reportOf('skipped'))).toMatchObject({ visible, tested: 0, verified: 0 });
  });
});
