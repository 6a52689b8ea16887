// A short run of the simulator. More seeds are in simulate.deep.test.ts; the long run is `npm run simulate`.
import { describe, expect, it } from 'vitest';
import { mutantNamed } from '../../src/mutants/index.ts';
import { describeRun, simulate } from './simulate.ts';

describe('a mock that is used by its clients for hours', () => {
  it.each([1, 6])('holds every invariant with the seed %i', async (seed) => {
    const result = await simulate({ seed, hours: 10 });
    expect(result.failure && describeRun(result)).toBeNull();
    expect(result.exchanges).toBeGreaterThan(1500);
    expect(result.blocked).toBeGreaterThan(50);
  });

  it('is the same again from the same seed', async () => {
    const [one, two] = [await simulate({ seed: 5, hours: 8 }), await simulate({ seed: 5, hours: 8 })];
    expect(one).toEqual(two);
    expect(one).not.toEqual(await simulate({ seed: 8, hours: 8 }));
  });
});

describe('an invariant that can fail', () => {
  it.each([
    ['address-limit-11', 'limits'],
    ['key-window-fixed-by-clock', 'limits'],
    ['retry-after-always-one', 'limits'],
    ['calls-lost-at-page-edge', 'calls'],
    ['calls-tie-lost-between-pages', 'calls'],
    ['accounts-of-first-organization', 'isolation'],
    ['reviews-row-lost-at-page-edge', 'records'],
    ['reply-goes-to-newest', 'records'],
    ['unknown-account-post-succeeds', 'writes'],
    ['accounts-id-number', 'answers'],
    ['body-cap-one-byte-less', 'rejections'],
    ['accounts-flicker', 'accounts'],
    ['insights-default-7d', 'time'],
    ['calls-cursor-inclusive', 'violations'],
  ])('finds %s by its %s', async (name, invariant) => {
    const result = await simulate({ seed: 1, hours: 60, mutant: mutantNamed(name) });
    expect(result.failure?.invariant).toBe(invariant);
    expect(describeRun(result)).toContain(`  ${invariant}: Violation: `);
  });
});
