import { describe, expect, test } from 'vitest';
import {
  auditKeyLimiter,
  type Limits,
  sixty,
  slidingLog,
  twoWindows,
} from '../../../fixtures/test-kit/limited-server.ts';

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

  test('do not fail an approximation of a sliding window for its remaining', async () => {
    expect(await auditKeyLimiter({ key: () => twoWindows(sixty) })).not.toHaveProperty('limits/key-remaining', 'fail');
  });

  test('leave a window open of which others have taken some between two bursts', async () => {
    const key = () => {
      const inner = slidingLog(sixty);
      let total = 0;
      return (at: number) => {
        total += 1;
        for (let others = total === 32 ? 12 : 0; others > 0; others -= 1) inner(at);
        return inner(at);
      };
    };
    expect(await auditKeyLimiter({ key })).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });

  test('leave open whether a window is small or shared with others', async () => {
    const limits: Limits = { key: () => slidingLog({ ...sixty, limit: 50 }) };
    expect(await auditKeyLimiter(limits)).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });

  test('leave a window open that may be the address’s', async () => {
    const results = await auditKeyLimiter({ key: () => slidingLog(sixty), headers: () => ({}), nameOf: () => 'proxy' });
    expect(results).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });

  test('are inconclusive about a key if the server sees one address only', async () => {
    const limits: Limits = { key: () => slidingLog(sixty), nameOf: () => 'proxy' };
    expect(await auditKeyLimiter(limits)).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });
});
