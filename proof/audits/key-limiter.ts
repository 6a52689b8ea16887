// The checks of the key limiter, begun at each second of a minute: where a run begins must not decide what it finds.
import { describe, expect, test } from 'vitest';
import { auditKeyLimiter, fromFirst, noon, partsOf, sixty } from '../rigs/key-limiters.ts';
import { type Bucket, fixedWindow, slidingLog, twoWindows } from '../rigs/limited-server.ts';

/** Begins a run every so many seconds of a minute. */
export function describeKeyLimiter(stepS: number): void {
  describe('the checks of the key limiter', () => {
    test.each<[string, () => Bucket]>([
      ['a sliding log', () => slidingLog(sixty)],
      ['a sliding log that counts what it blocks', () => slidingLog(sixty, true)],
      ['two windows that approximate a sliding one', () => twoWindows(sixty)],
      ['a log of ten-second parts', () => partsOf(10_000)],
    ])('find no fault with %s, whenever the run begins', async (_, key) => {
      for (let second = 0; second < 60; second += stepS) {
        const verdicts = await auditKeyLimiter({ key }, noon + second * 1000);
        expect(verdicts).not.toMatchObject({ 'limits/key-window': 'fail' });
        expect(verdicts).not.toMatchObject({ 'limits/key-remaining': 'fail' });
      }
    });

    test.each<[string, () => Bucket]>([
      ['a fixed minute', () => fixedWindow(sixty)],
      ['a minute that begins with a request', () => fromFirst()],
      ['a log of forty seconds', () => slidingLog({ ...sixty, windowMs: 40_000 })],
      ['sixty once and for all', () => slidingLog({ ...sixty, windowMs: 3_600_000 })],
    ])('catch %s, whenever the run begins', async (_, key) => {
      for (let second = 0; second < 60; second += stepS) {
        expect(await auditKeyLimiter({ key }, noon + second * 1000 + 300)).toMatchObject({
          'limits/key-window': 'fail',
        });
      }
    });
  });
}
