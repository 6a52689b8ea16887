import { describe, expect, test } from 'vitest';
import { auditKeyLimiter, sixty, toldAsSixty } from '../../proof/rigs/key-limiters.ts';
import { fixedWindow, type Limits, slidingLog, twoWindows } from '../../proof/rigs/limited-server.ts';

describe('the checks of the key limiter', () => {
  test.each<[string, Limits, Record<string, string>]>([
    ['a sliding log', { key: () => slidingLog(sixty) }, { 'limits/key-remaining': 'pass' }],
    [
      'a sliding log that counts what it blocks',
      { key: () => slidingLog(sixty, true) },
      { 'limits/key-remaining': 'pass' },
    ],
    [
      'a sliding log that says nothing',
      { key: () => slidingLog(sixty), headers: () => ({}) },
      { 'limits/key-remaining': 'inconclusive' },
    ],
  ])('find no fault with %s', async (_, limits, expected) => {
    const rules = expected['limits/key-remaining'] === 'pass' ? {} : { 'rule/rate-headers': 'fail' };
    expect(await auditKeyLimiter(limits)).toEqual({ 'limits/key-window': 'pass', ...expected, ...rules });
  });

  test.each<[string, Limits]>([
    ['sixty-one', { key: () => slidingLog({ ...sixty, limit: 61 }) }],
    ['fifty-nine of sixty', { key: () => slidingLog({ ...sixty, limit: 59 }), headers: toldAsSixty(1) }],
    ['thirty of sixty', { key: () => slidingLog({ ...sixty, limit: 30 }), headers: toldAsSixty(30) }],
    ['sixty in a fixed minute', { key: () => fixedWindow(sixty) }],
    ['sixty in half a minute', { key: () => slidingLog({ ...sixty, windowMs: 30_000 }) }],
    ['any number', {}],
  ])('catch a limiter that lets %s pass', async (_, limits) => {
    expect(await auditKeyLimiter(limits)).toMatchObject({ 'limits/key-window': 'fail' });
  });

  test('do not fail an approximation of a sliding window for its remaining', async () => {
    expect(await auditKeyLimiter({ key: () => twoWindows(sixty) })).not.toHaveProperty('limits/key-remaining', 'fail');
  });

  test('leave open whether a window is small or shared with others', async () => {
    const limits: Limits = { key: () => slidingLog({ ...sixty, limit: 50 }) };
    expect(await auditKeyLimiter(limits)).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });

  test('leave a window open that may be the address’s', async () => {
    const verdicts = await auditKeyLimiter({
      key: () => slidingLog(sixty),
      headers: () => ({}),
      nameOf: () => 'proxy',
    });
    expect(verdicts).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });

  test('do not judge a key behind a server that sees one address only', async () => {
    const limits: Limits = { key: () => slidingLog(sixty), nameOf: () => 'proxy' };
    expect(await auditKeyLimiter(limits)).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });
});
