import { describe, expect, it } from 'vitest';
import { failuresOn, startIndependentTarget, startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { type IndependentOptions, namedVariants, variantNames } from '../independent/index.ts';
import { describeSilence } from './audits.ts';

// On an account that can post. The kill matrix runs all checks on the variants.
describeSilence(variantNames, ['posts']);

const worlds = ['default', 'empty', 'tied-articles', 'unpaid'] as const;

describe('the suite reports no failure', () => {
  it.each<[string, IndependentOptions['variant']]>([
    ['a platform that keeps four weeks of insights', { insightDaysKept: 28 }],
    ['accounts of twelve days', { ...namedVariants.basic, insightDaysKept: 12 }],
    ['calls that are dropped while the run reads', { callsKeptMs: 3 * 86_400_000 - 120_000 }],
    ['calls of a week, and no older since', { callsKeptMs: 7 * 86_400_000, sinceKeptMs: 7 * 86_400_000 }],
  ])('on the second implementation with %s', async (_, variant = 'plain') => {
    expect(await failuresOn(await startIndependentTarget({ variant }))).toEqual([]);
  });

  // Plain audits alternate the requests that a run with time sends at once. Those of the variants are in
  // audits.deep.test.ts, where others use the deployment.
  it.each(worlds)('on the mock in its world %s, in a plain audit', async (world) => {
    const { options, close } = await startMockTarget({ world });
    const { baseUrl, keys, clock } = options;
    const plain = { baseUrl, keys: { good: keys.good }, ...(clock && { clock }) };
    expect(await failuresOn({ options: plain, close })).toEqual([]);
  });

  it.each(worlds)('on the mock in its world %s, which checks its own responses', async (world) => {
    expect(await failuresOn(await startMockTarget({ world, strict: true }))).toEqual([]);
  });

  it('on the relaxed mock, when it leaves the limits alone', async () => {
    const target = await startMockTarget({ limits: false, settleS: 0 });
    const { sourceAddresses: _addresses, callEndedAtField: _field, ...options } = target.options;
    expect(await failuresOn({ ...target, options: { ...options, gentle: true, watch: false } })).toEqual([]);
  });

  // Seeds 1 to 3 are in the kill matrix, as each named variant with every permission is.
  it.each([4, 5])('on the greased mock with seed %i', async (grease) => {
    expect(await failuresOn(await startMockTarget({ grease }))).toEqual([]);
  });

  // Each of these values differs from the default. They do not affect each other.
  it.each([
    { unknownSite: 'empty', articlesUnknownSite: 'not_found', badArticleQuery: 'clamp', malformedId: 'invalid_input' },
    { retryAfter: 'never', reviewEnd: 'absent', bodyCap: 'before-key', blockedCount: 'yes', snapshotRunning: 'hide' },
    { retryAfter: 'always' },
  ] as const)('on the mock that reads the contract with %j', async (behavior) => {
    expect(await failuresOn(await startMockTarget({ behavior }))).toEqual([]);
  });
});
