import { expect, test } from 'vitest';
import {
  auditKeyLimiter,
  type Bucket,
  type Limits,
  sixty,
  slidingLog,
  twoWindows,
} from '../../../fixtures/test-kit/limited-server.ts';

/** Others have taken some between two bursts. */
function shared(): Bucket {
  const inner = slidingLog(sixty);
  let total = 0;
  return (at: number) => {
    total += 1;
    for (let others = total === 32 ? 12 : 0; others > 0; others -= 1) inner(at);
    return inner(at);
  };
}

const log = () => slidingLog(sixty);
const silent = { headers: () => ({}) };
const proxied = { nameOf: () => 'proxy' };

test.each<[string, Limits, string, string | undefined]>([
  ['a sliding log', { key: log }, 'pass', 'pass'],
  ['a log that counts what it blocks', { key: () => slidingLog(sixty, true) }, 'pass', 'pass'],
  ['a log that says nothing', { key: log, ...silent }, 'pass', 'inconclusive'],
  ['an approximation', { key: () => twoWindows(sixty) }, 'warn', 'pass'],
  ['a window that others use', { key: shared }, 'inconclusive', undefined],
  ['a window that is small or shared', { key: () => slidingLog({ ...sixty, limit: 50 }) }, 'inconclusive', undefined],
  ['a window that may be the address’s', { key: log, ...silent, ...proxied }, 'inconclusive', undefined],
  ['one address only', { key: log, ...proxied }, 'inconclusive', undefined],
])('the checks of the key limiter know %s', async (_, limits, window, remaining) => {
  const results = await auditKeyLimiter(limits);
  expect(results).toMatchObject({
    'limits/key-window': window,
    ...(remaining === undefined ? {} : { 'limits/key-remaining': remaining }),
  });
  const rules = Object.keys(results).filter((id) => id.startsWith('rule/'));
  expect(rules).toEqual('headers' in limits ? ['rule/rate-headers'] : []);
});
