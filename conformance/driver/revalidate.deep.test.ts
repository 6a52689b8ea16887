// Deployments that change in the middle of a run. Each change ends it with a cause, and nothing after it is evidence.
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Change, changes, changing, type When } from '../../fixtures/test-kit/changing-target.ts';
import { conformance, ownCache } from '../../fixtures/test-kit/kit-command.ts';
import { startIndependentTarget, startMockTarget, type Target } from '../../fixtures/test-kit/targets.ts';
import { type RunOptions, runConformance } from '../index.ts';
import { conclude } from '../report/outcome.ts';

const servers = {
  mock: startMockTarget,
  independent: () => startIndependentTarget({ variant: 'plain' }),
} satisfies Record<string, () => Promise<Target>>;

async function audit(
  change: Change,
  when: Omit<When, 'key'>,
  more: Partial<RunOptions & { of: keyof typeof servers; mutant: string; only: string[]; key: 'good' | 'second' }> = {},
) {
  const { of = 'mock', mutant, key, ...rest } = more;
  const base = mutant === undefined ? await servers[of]() : await startMockTarget({ mutant });
  const only = key === undefined ? {} : { key: base.options.keys[key] ?? '' };
  const target = await changing(base, changes[change], { ...when, ...only });
  onTestFinished(target.close);
  const { watch: _, allowWrites: __, maxWrites: ___, ...options } = target.options;
  const report = await runConformance({ ...options, ...rest });
  const failed = report.checks.filter(({ result }) => result.kind === 'fail').map(({ id }) => id);
  return { report, failed, ...conclude(report) };
}

const causes: readonly [Change, cause: string, exitCode: number][] = [
  ['key revoked', 'key-revoked', 2],
  ['plan lapsed', 'plan-lapsed', 3],
  ['maintenance page', 'maintenance', 4],
  ['gateway in maintenance', 'maintenance', 4],
  ['maintenance as JSON', 'maintenance', 4],
  ['unavailable as JSON', 'maintenance', 4],
  ['login redirect', 'login', 2],
  ['login page', 'login', 2],
  ['other service', 'replaced', 4],
  ['nothing found', 'data-emptied', 3],
  ['emptied', 'data-emptied', 3],
  ['clock set', 'clock', 3],
];

// The bursts begin at about request 130.
describe.each([5, 20, 50, 140])('from request %i on', (from) => {
  test.each(causes)('%s is a cause and no failure', async (change, cause, exitCode) => {
    for (const of of ['mock', 'independent'] as const) {
      const { report, failed, ...ending } = await audit(change, { from }, { of });
      expect([report.abort?.cause, failed, ending.exitCode]).toEqual([cause, [], exitCode]);
      expect(report.checks.length).toBeGreaterThan(0);
    }
  });
});

test.each<[Change, string, number]>([
  ['key revoked', 'key-revoked', 2],
  ['plan lapsed', 'plan-lapsed', 3],
])('%s for the second key alone is named', async (change, cause, exitCode) => {
  const { report, failed, ...ending } = await audit(change, { from: 90 }, { key: 'second' });
  expect([report.abort?.cause, failed, ending.exitCode]).toEqual([cause, [], exitCode]);
  expect(report.abort?.sentence).toMatch(change === 'key revoked' ? /CONFORMANCE_SECOND_KEY/ : /402/);
});

test('a plan that lapses for connected accounts only is named', async () => {
  const { report, failed } = await audit('plan lapsed', { from: 40, path: /\/connect\// }, { key: 'good' });
  expect([report.abort?.cause, failed]).toEqual(['plan-lapsed', []]);
});

test('what failed before the moment remains, with exit code 1 and both sentences', async () => {
  const { report, failed, exitCode, sentence } = await audit('key revoked', { from: 50 }, { mutant: 'site-id-null' });
  expect([report.abort?.cause, exitCode]).toEqual(['key-revoked', 1]);
  expect(failed).toContain('rule/list-sites-shape');
  expect(sentence).toMatch(
    /^The deployment violates the contract: \d+ checks? failed\. Then the run ended early: .* was valid before/,
  );
});

test.each<[string, Change, When]>([
  ['one endpoint rejects the key', 'key revoked', { from: 2, path: /\/keywords/ }],
  ['every third response rejects the key', 'key revoked', { from: 2, every: 3 }],
  ['every second response rejects the key', 'key revoked', { from: 4, every: 2 }],
  ['one endpoint redirects', 'login redirect', { from: 2, path: /\/articles/ }],
  ['one endpoint returns another object', 'maintenance as JSON', { from: 2, path: /\/articles$/ }],
  ['the key is rejected for a moment', 'key revoked', { from: 30, until: 34 }],
])('is still a failure of the deployment if %s', async (_, change, when) => {
  const { report, failed, exitCode } = await audit(change, when, { key: 'good' });
  expect([report.abort, exitCode, failed.length > 0]).toEqual([null, 1, true]);
});

describe('the other commands', () => {
  test.each<[string, (base: string) => string[], RegExp]>([
    ['calibrate', (base) => ['calibrate', '--base-url', base], /which was valid before/],
    ['diff', (base) => ['diff', base, 'self'], /A: \S+ rejects the key in CONFORMANCE_API_KEY(_A)?, which was/],
  ])('%s names the cause of a key that is revoked', async (_, args, sentence) => {
    const target = await changing(await startMockTarget(), changes['key revoked'], { from: 30 });
    onTestFinished(target.close);
    const { clock, keys, baseUrl } = target.options;
    const { code, out, err } = await conformance(args(baseUrl), { ...ownCache, CONFORMANCE_API_KEY: keys.good }, clock);
    expect([code, out + err]).toEqual([2, expect.stringMatching(sentence)]);
  });
});
