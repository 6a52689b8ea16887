import { describe, expect, it } from 'vitest';
import { NAMED } from '../independent/index.ts';
import { alarmsOn } from '../kill/kill.ts';
import { startIndependentTarget, startMockTarget } from '../rigs/targets.ts';

const worlds = ['default', 'empty', 'tied-articles', 'unpaid', 'huge'] as const;

describe('the kit raises no alarm', () => {
  it.each(Object.keys(NAMED))(
    'on the second implementation in its variant %s, with permission to do everything',
    async (variant) => {
      expect(await alarmsOn(await startIndependentTarget({ variant }))).toEqual([]);
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
