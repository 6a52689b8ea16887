import { expect, it } from 'vitest';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { isHiddenBy } from './drift.ts';

it('names a revoked key instead of drift', async () => {
  const file = `${newFolder()}/casa.profile.json`;
  const { options, close } = await startMockTarget();
  const { baseUrl, keys, clock } = options;
  const run = (key: string | undefined, ...args: string[]) =>
    conformance(
      ['calibrate', '--base-url', baseUrl, '--only', 'sites/*', ...args],
      { CONFORMANCE_API_KEY: key ?? '' },
      clock,
    );
  expect((await run(keys.good, '--profile', file)).code).toBe(0);
  const { code, out } = await run(keys.revoked, '--check', file);
  await close();
  expect([code, out]).toEqual([2, expect.stringMatching(/^Cause: key-revoked$/m)]);
  expect(out).toMatch(/^Not drift: .* it was revoked or replaced\./m);
}, 60_000);

it('leaves out only details that a cause can change', () => {
  expect(isHiddenBy('clock', 'insightLagDays')).toBe(true);
  expect(isHiddenBy('clock', 'articleOrder')).toBe(false);
  expect(isHiddenBy('plan-lapsed', 'lockedReads')).toBe(true);
  expect(isHiddenBy('data-emptied', 'extraFields')).toBe(true);
  expect(isHiddenBy(undefined, 'insightLagDays')).toBe(false);
});
