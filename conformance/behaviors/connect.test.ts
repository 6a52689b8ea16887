import { expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { lookAt } from '../exchange/look.ts';
import { connectObservers } from './connect.ts';
import { inputObservers } from './inputs.ts';

const accountId = '5a7e9c32-4f10-4b8d-93c6-e2d1b0a8f745';
const response = (operation: string, target: string, status: number, json: object) =>
  ({
    id: target,
    operation,
    target,
    url: `http://x${target}`,
    status,
    key: 'good',
    problem: 'none',
    json,
  }) as unknown as Exchange;
const accounts = response('listAccounts', '/connect/accounts', 200, {
  data: {
    accounts: [{ accountId, provider: 'google_business', status: 'connected', locked: false }],
    pendingInvites: [],
  },
});
const reviews = (query: string, status: number) =>
  response('listReviews', `/connect/accounts/${accountId}/reviews${query}`, status, {
    ...(status === 200
      ? { data: { reviews: [], nextCursor: null } }
      : { error: { code: 'invalid_input', message: '' } }),
  });

test('only the page of a given cursor shows whether the last page is empty', () => {
  const page = (query: string, shown: readonly object[], nextCursor: string | null) =>
    response('listReviews', `/connect/accounts/${accountId}/reviews${query}`, 200, {
      data: { reviews: shown, nextCursor },
    });
  const seen = (...exchanges: Exchange[]) =>
    connectObservers.reviewLastPage(lookAt([accounts, ...exchanges], null)).map(({ value }) => value);
  expect(seen(page('', [], null), page('?cursor=nope', [], null))).toEqual([]);
  expect(seen(page('', [{ reviewId: '1' }], 'c1'), page('?cursor=c1', [], null))).toEqual(['empty']);
});

test.each([
  ['an invalid cursor that is rejected', [reviews('?cursor=nope', 400)], ['reject']],
  ['an invalid cursor that is ignored', [reviews('?cursor=nope', 200)], ['ignore']],
  ['an empty cursor, which counts as absent', [reviews('?cursor=', 200), reviews('?cursor=nope', 400)], ['reject']],
  ['no cursor', [reviews('', 200)], []],
] as const)('%s', (_name, exchanges, values) => {
  const seen = inputObservers.badReviewCursor(lookAt([accounts, ...exchanges], null));
  expect(seen.map(({ value }) => value)).toEqual(values);
});
