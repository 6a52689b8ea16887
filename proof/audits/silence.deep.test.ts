import { describe, expect, it } from 'vitest';
import { type IndependentOptions, NAMED } from '../independent/index.ts';
import { alarmsOn } from '../rigs/judge.ts';
import { startIndependentTarget, startMockTarget, type Target } from '../rigs/targets.ts';

const worlds = ['default', 'empty', 'tied-articles', 'unpaid', 'huge'] as const;

/** Nothing but an address and a key. */
function plainly({ options, close }: Target, seed: number): Target {
  const { baseUrl, keys, clock } = options;
  return { options: { baseUrl, keys: { good: keys.good }, seed, ...(clock && { clock }) }, close };
}

describe('the kit raises no alarm', () => {
  it.each(Object.keys(NAMED))(
    'on the second implementation in its variant %s, with permission to do everything',
    async (variant) => {
      expect(await alarmsOn(await startIndependentTarget({ variant }))).toEqual([]);
    },
  );

  it.each<[string, IndependentOptions['variant']]>([
    ['a platform that keeps four weeks of insights', { insightDaysKept: 28 }],
    ['accounts of twelve days', { ...NAMED.basic, insightDaysKept: 12 }],
    ['calls that are dropped while the run reads', { callsKeptMs: 3 * 86_400_000 - 120_000 }],
    ['calls of a week, and no older since', { callsKeptMs: 7 * 86_400_000, sinceKeptMs: 7 * 86_400_000 }],
  ])('on the second implementation with %s', async (_, variant = 'plain') => {
    expect(await alarmsOn(await startIndependentTarget({ variant }))).toEqual([]);
  });

  // What a run with time asks at once, plain audits ask in turn.
  it.each(Object.keys(NAMED).flatMap((variant) => [1, 2].map((seed) => [variant, seed] as const)))(
    'on the second implementation in its variant %s, in a plain audit with seed %i',
    async (variant, seed) => {
      expect(await alarmsOn(plainly(await startIndependentTarget({ variant }), seed))).toEqual([]);
    },
  );

  it.each(worlds.slice(0, 4).flatMap((world) => [1, 2].map((seed) => [world, seed] as const)))(
    'on the mock in its world %s, in a plain audit with seed %i',
    async (world, seed) => {
      expect(await alarmsOn(plainly(await startMockTarget({ world }), seed))).toEqual([]);
    },
  );

  it.each(worlds)('on the mock in its world %s', async (world) => {
    expect(await alarmsOn(await startMockTarget({ world }))).toEqual([]);
  });

  it('on the mock that judges its own answers', async () => {
    expect(await alarmsOn(await startMockTarget({ strict: true }))).toEqual([]);
  });

  it.each(Array.from({ length: 20 }, (_, i) => i + 1))('on the greased mock with seed %i', async (grease) => {
    expect(await alarmsOn(await startMockTarget({ grease }))).toEqual([]);
  });

  it.each([
    ['unknownSite', 'empty'],
    ['articlesUnknownSite', 'not_found'],
    ['badArticleQuery', 'clamp'],
    ['malformedId', 'invalid_input'],
    ['retryAfter', 'never'],
    ['retryAfter', 'always'],
    ['reviewEnd', 'absent'],
    ['bodyCap', 'before-key'],
    ['blockedCount', 'yes'],
    ['snapshotRunning', 'hide'],
  ] as const)('on the mock that reads the contract with %s=%s', async (name, value) => {
    expect(await alarmsOn(await startMockTarget({ choices: { [name]: value } }))).toEqual([]);
  });
});
