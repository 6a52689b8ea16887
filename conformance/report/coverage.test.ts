import { beforeAll, describe, expect, test } from 'vitest';
import { idleCheck, sampleCheck } from '../../fixtures/test-kit/sample-report.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { type Report, runConformance } from '../index.ts';
import type { Rule } from '../judge/judge.ts';
import { makeLedger } from '../judge/ledger.ts';
import type { CheckResult } from '../judge/result.ts';
import { coverClauses, openersOf, reachOf, requirementsOf } from './coverage.ts';

function result(rest: Partial<CheckResult>): CheckResult {
  const usual = { cites: ['4.sites.list', '2.site.id'], shown: ['4.sites.list'], exchanges: [] } as const;
  return sampleCheck('test/one', { kind: 'pass' }, { ...usual, ...rest });
}

const of = (clause: string, results: readonly CheckResult[]) =>
  coverClauses(results).find((row) => row.clause === clause);

describe('a clause', () => {
  test('holds where something was seen that could have broken it, and nowhere else', () => {
    expect(of('4.sites.list', [result({})])).toMatchObject({ result: 'pass', why: null });
    expect(of('2.site.id', [result({})])).toMatchObject({
      result: 'inconclusive',
      why: 'no response of this run shows it',
    });
  });

  test('holds by the check that cites nothing more, which need not say so', () => {
    const { shown: _shown, ...bare } = result({ cites: ['4.sites.list'] });
    expect(of('4.sites.list', [bare])?.result).toBe('pass');
    expect(of('4.sites.list', [{ ...bare, evidence: 0 }])?.result).toBe('inconclusive');
  });

  test('counts where a check has found or shown it without citing it', () => {
    const finding = { severity: 'fail', clause: '2.site.name', pointer: '', expected: 'a', actual: 'b' } as const;
    const found = result({ findings: [{ ...finding, exchange: null, count: 1 }], result: { kind: 'fail' } });
    expect(of('2.site.name', [found])?.result).toBe('fail');
    expect(of('2.site.cms', [result({ shown: ['2.site.cms'] })])?.result).toBe('pass');
  });

  test('does not hold by a check that came to no result', () => {
    const open = result({ result: { kind: 'inconclusive', reason: 'timing', message: 'too slow' } });
    expect(of('4.sites.list', [open])).toMatchObject({ result: 'inconclusive', why: 'test/one: too slow' });
  });

  test('names the flag that opens it, and what else was missing', () => {
    const skipped = result({ id: 'test/two', result: { kind: 'skipped', message: 'needs --watch' }, shown: [] });
    const halted = result({ result: { kind: 'inconclusive', reason: 'precondition', message: 'there is no site' } });
    expect(of('2.site.id', [skipped, halted])?.why).toBe('needs --watch; test/one: there is no site');
    expect(of('8.body-mcp', [])?.why).toBe('needs --mcp-url URL');
    expect(of('1.read-only', [])?.why).toContain('no check tests it');
  });

  test('says that audits alternate, and that only some state of the target shows it', () => {
    const passed = result({ cites: ['4.sites.get.id', '7.code.transient'], shown: [] });
    expect(of('4.sites.get.id', [passed])?.why).toContain('another run tests it');
    expect(of('7.code.transient', [passed])?.why).toBe('shows only while a platform fails');
  });

  test.each([
    ['2.nullable-marked', 'a permission: the service can use it or not'],
    ['6.wait', 'a rule for clients'],
    ['8.blocked-count', 'the contract leaves it open'],
  ])('%s is not counted, since no response can break it', (clause, why) => {
    expect(of(clause, [])).toMatchObject({ provable: false, why });
  });
});

test('a clause that is new since the requirement set is tested and not counted', () => {
  const requirements = { ...requirementsOf(), newSince: ['4.sites.list'] as const };
  const coverage = coverClauses([result({})], undefined, requirements);
  expect(coverage.find(({ clause }) => clause === '4.sites.list')).toMatchObject({
    result: 'pass',
    provable: false,
    why: 'new since CASA-2026.1',
  });
  expect(reachOf({ coverage }).visible).toBe(reachOf({ coverage: coverClauses([]) }).visible - 1);
});

describe('evidence', () => {
  const claim = { clause: '4.sites.list', expected: 'a', actual: 'a' } as const;

  test('is for the clauses that a claim proves', () => {
    const ledger = makeLedger('must');
    ledger.holds(true, { ...claim, proves: ['2.site.id', '2.site.name'] });
    ledger.holds(true, { ...claim, proves: [] });
    ledger.holds(false, { ...claim, clause: '2.site.cms' });
    expect([...ledger.shown]).toEqual(['2.site.id', '2.site.name']);
    expect(ledger.evidence).toBe(3);
  });

  test('of one response does not count if another one contradicts it', () => {
    const ledger = makeLedger('must');
    ledger.holds(true, { ...claim, proves: ['2.site.id', '2.ids-uuid'] });
    ledger.holds(false, { ...claim, clause: '2.article.id', proves: ['2.article.id', '2.ids-uuid'] });
    expect([...ledger.shown]).toEqual(['2.site.id']);
  });

  test('is absent if the worst result is a note', () => {
    const ledger = makeLedger('must');
    ledger.holds(true, claim, 'note');
    ledger.holds(true, { ...claim, clause: '4.articles.list.order' });
    expect([...ledger.shown]).toEqual([]);
    const observing = makeLedger('observe');
    observing.holds(true, claim);
    expect([...observing.shown]).toEqual([]);
  });
});

describe('a run against the mock', () => {
  async function audit(): Promise<Report> {
    const { options, close } = await startMockTarget();
    const { baseUrl, keys, clock } = options;
    const plain = { baseUrl, keys: { good: keys.good }, ...(clock && { clock }) };
    const report = await runConformance(plain);
    await close();
    return report;
  }

  let plain: Report;
  beforeAll(async () => {
    plain = await audit();
  }, 60_000);

  test.each([
    ['2.create-post-output.permalink', '--account ID and --allow-writes=posts'],
    ['2.reply-review-output.replied-at', '--account ID and --allow-writes=replies'],
    ['2.connect-account-output.label', 'needs --allow-writes=links'],
    ['2.create-post-output.post-id', 'needs --account ID and --allow-writes=posts'],
    ['5.key-organization', 'needs CONFORMANCE_SECOND_KEY'],
  ])('without any permission prints what opens %s', (clause, why) => {
    const row = plain.coverage.find((each) => each.clause === clause);
    expect(row?.result).not.toBe('pass');
    expect(row?.why).toContain(why);
  });

  test.each(['1.http-json', '4.calls.envelope', '9.base-path', '4.bearer', '8.blocked-429', '4.keywords.list.site-id'])(
    'has evidence of %s',
    (clause) => {
      expect(plain.coverage.find((each) => each.clause === clause)?.result).toBe('pass');
    },
  );

  test.each([
    '2.create-post-input.account-id',
    '2.create-post-input.account-id-pattern',
    '2.create-post-input.account-id-nil-max',
    '2.create-post-input.media.image-url',
    '2.reply-review-input.account-id',
    '2.reply-review-input.review-id',
    '2.reply-review-input.review-id-length',
    '4.connect.create-link.body',
  ])('has evidence of %s without a permission to write', (clause) => {
    expect(plain.coverage.find((each) => each.clause === clause)?.result).toBe('pass');
  });

  test('obeys two minutes of requests, and its plan for a single check', () => {
    const { used, plan, exchanges } = plain;
    const repeats = exchanges.filter(({ repeatOf }) => repeatOf !== null).length;
    expect(used.requests - repeats).toBeLessThanOrEqual(120);
    expect(plan.requests.ceiling).toBeLessThanOrEqual(120);
    expect(plan.seconds.ceiling).toBeLessThanOrEqual(200);
  });
});

const shape: Rule = {
  id: 'rule/create-post-shape',
  title: 'shape',
  cites: ['2.create-post-output.post-id'],
  level: 'must',
  check: () => undefined,
};

describe('what would open the clauses that stay open', () => {
  const list = idleCheck('sites/list');
  const posts = idleCheck('posts/publishes', { clauses: ['4.connect.create-post.endpoint'] });
  const wayOf = (openers: ReturnType<typeof openersOf>, id: string) =>
    openers.find(({ clauses }) => clauses.some((clause) => clause === id))?.way;

  test('names the flag of a skipped check, also for the rule that needs its responses', () => {
    const planned = [
      { check: list, skipped: null },
      { check: posts, skipped: 'needs --allow-writes=posts' },
    ];
    const openers = openersOf(planned, [shape]);
    expect(wayOf(openers, '4.connect.create-post.endpoint')).toBe('needs --allow-writes=posts');
    expect(wayOf(openers, '2.create-post-output.post-id')).toBe('needs --allow-writes=posts');
    expect(wayOf(openers, '4.sites.list')).toBeUndefined();
  });

  test('omits clauses that no response can violate, and those that the run tests', () => {
    const openers = openersOf(
      [list, posts].map((one) => ({ check: one, skipped: null })),
      [shape],
    );
    expect(wayOf(openers, '4.any-429')).toBeUndefined();
    expect(wayOf(openers, '2.create-post-output.post-id')).toBeUndefined();
  });
});
