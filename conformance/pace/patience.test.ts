import { expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import type { BuiltRequest } from '../exchange/request.ts';
import { makeRetryPolicy } from './patience.ts';

const blocked = { status: 429, headers: { 'retry-after': '3' }, json: { error: 'rate_limit_exceeded' } };

test.each<[string, Pick<BuiltRequest, 'repeatable' | 'isHarmless'>, boolean]>([
  ['a read', { repeatable: true, isHarmless: true }, true],
  ['a request that must be rejected', { repeatable: false, isHarmless: true }, true],
  ['a write', { repeatable: false, isHarmless: false }, false],
])('%s that a limiter has blocked is repeated as its kind allows', (_, kind, isAskedAgain) => {
  const request = { method: 'POST', operation: 'createPost', target: '/', ...kind } as BuiltRequest;
  const exchange = { ...blocked, problem: 'none' } as unknown as Exchange;
  const rejected = { request, exchange, trouble: 'interference', isUnsent: false, repeats: 0 } as const;
  expect(makeRetryPolicy().waitFor(rejected) !== null).toBe(isAskedAgain);
});
