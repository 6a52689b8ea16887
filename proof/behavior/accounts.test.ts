import { expect } from 'vitest';
import type { AccountData } from '../../src/domain/world-data.ts';
import { findAccount, home, isPlain, shop } from '../test-kit/actors.ts';
import { describeTransports } from './transports.ts';

const of = ({ accountId }: Pick<AccountData, 'accountId'>) => `/connect/accounts/${accountId}`;
const review = shop.reviews[0]?.reviewId ?? '';
const replyTo = (account: AccountData, reviewId = review) =>
  `${of(account)}/reviews/${encodeURIComponent(reviewId)}/reply`;

type Tried = readonly [what: string, method: string, path: string, body: object | null];

const operations: readonly Tried[] = [
  ['a post', 'POST', '/posts', { text: 'Hello.' }],
  ['reviews', 'GET', '/reviews', null],
  ['a reply', 'POST', `/reviews/${encodeURIComponent(review)}/reply`, { text: 'Hello.' }],
  ['insights', 'GET', '/insights', null],
];

describeTransports('posts', ({ it }) => {
  it.for<[string, object]>([
    ['no copy of the account', {}],
    ['a copy of the account', { accountId: shop.accountId }],
    ['another account', { accountId: home.accounts[1]?.accountId }],
    ['nonsense as account', { accountId: 'nonsense' }],
    ['a number as account', { accountId: 7 }],
    ['null as account', { accountId: null }],
  ])('are published with %s in the body', async ([_what, copy], { ask }) => {
    const { data, summary } = (await ask('POST', `${of(shop)}/posts`, { body: { text: 'x', ...copy } })).success(
      'createPost',
    );
    expect(Object.keys(data).sort()).toEqual(['permalink', 'postId']);
    expect(summary).toContain(shop.label);
  });

  it('have a permalink where the platform shows posts, and null where it does not', async ({ ask }) => {
    const tiktok = findAccount((account) => isPlain(account) && account.provider === 'tiktok');
    const permalink = async (account: AccountData) =>
      (await ask('POST', `${of(account)}/posts`, { body: { text: 'x' } })).success('createPost').data.permalink;
    expect(await permalink(shop)).toMatch(/^https:/);
    expect(await permalink(tiktok)).toBeNull();
  });
});

describeTransports('replies', ({ it }) => {
  it.for<[string, object]>([
    ['no ids', {}],
    ['other ids', { accountId: home.accounts[1]?.accountId, reviewId: shop.reviews[1]?.reviewId }],
    ['malformed ids', { accountId: 'nonsense', reviewId: '' }],
    ['ids of other types', { accountId: {}, reviewId: 5 }],
  ])('with %s in the body go to the review of the path', async ([_what, copies], { ask, casa }) => {
    const { data } = (await ask('POST', replyTo(shop), { body: { ...copies, text: 'x' } })).success('replyToReview');
    expect(data).toEqual({ repliedAt: new Date(casa.clock.now()).toISOString() });
    const { reviews } = (await ask('GET', `${of(shop)}/reviews`)).success('listReviews').data;
    expect(reviews.filter(({ replyText }) => replyText === 'x').map(({ reviewId }) => reviewId)).toEqual([review]);
  });

  it('to a review that the account does not have are not found', async ({ ask }) => {
    const other = home.accounts.find(({ accountId, reviews }) => accountId !== shop.accountId && reviews.length > 0);
    for (const reviewId of ['nobody', '%', 'a/b', other?.reviews[0]?.reviewId ?? '']) {
      expect((await ask('POST', replyTo(shop, reviewId), { body: { text: 'x' } })).code).toBe('not_found');
    }
  });

  it('reach reviews whose ids need percent-encoding', async ({ open }) => {
    const { ask } = await open({ grease: 3, behavior: { reviewReplied: 'always' } });
    const { reviews } = (await ask('GET', `${of(shop)}/reviews`)).success('listReviews').data;
    expect(reviews.some(({ reviewId }) => /[/%?# ]/.test(reviewId))).toBe(true);
    for (const { reviewId } of reviews) {
      const response = await ask('POST', replyTo(shop, reviewId), { body: { text: `To ${reviewId}` } });
      expect(response.status).toBe(200);
    }
    const again = (await ask('GET', `${of(shop)}/reviews`)).success('listReviews').data.reviews;
    expect(again.map(({ replyText }) => replyText)).toEqual(again.map(({ reviewId }) => `To ${reviewId}`));
  });
});

describeTransports('an account id', ({ it }) => {
  const versions = [...'12345678'].map((version) => `11111111-1111-${version}111-8111-111111111111`);
  const variants = [...'89abAB'].map((variant) => `11111111-1111-4111-${variant}111-111111111111`);
  const edges = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

  it.for(operations)(
    'that is well-formed and unknown is not found, for %s',
    async ([_what, method, path, body], { ask }) => {
      for (const accountId of [...versions, ...variants, ...edges, edges[1]?.toUpperCase()]) {
        const response = await ask(method, `/connect/accounts/${accountId}${path}`, body ? { body } : {});
        expect([accountId, response.status, response.code]).toEqual([accountId, 404, 'not_found']);
      }
    },
  );

  it.for(operations)('that is malformed is rejected, for %s', async ([_what, method, path, body], { ask }) => {
    const invalid = ['0', '9', 'a', 'f'].map((version) => `11111111-1111-${version}111-8111-111111111111`);
    const worse = ['0', '7', 'c', 'f'].map((variant) => `11111111-1111-4111-${variant}111-111111111111`);
    for (const accountId of [...invalid, ...worse, 'x', '1', `${shop.accountId}0`, `{${shop.accountId}}`, '%20']) {
      const response = await ask(method, `/connect/accounts/${accountId}${path}`, body ? { body } : {});
      expect([accountId, response.status, response.code]).toEqual([accountId, 400, 'invalid_input']);
      expect(response.error.issues?.[0]?.path).toBe('/accountId');
    }
  });
});

type Stated = readonly [what: string, account: AccountData, expected: Readonly<Record<string, string>>];

const all = (code: string) => ({ 'a post': code, reviews: code, insights: code });
const stated: readonly Stated[] = [
  ...(['pending', 'expired', 'revoked'] as const).map(
    (status): Stated => [status, findAccount((account) => account.status === status), all('provider_auth')],
  ),
  ['pending API access', findAccount(({ status }) => status === 'pending_api_access'), all('provider_permission')],
  [
    'locked',
    findAccount(({ locked }) => locked),
    { 'a post': 'payment_required', reviews: 'ok', 'a reply': 'payment_required', insights: 'ok' },
  ],
  ...(['provider_error', 'transient', 'rate_limited'] as const).map(
    (trouble): Stated => [trouble, findAccount((account) => account.trouble === trouble), all(trouble)],
  ),
  ['google_calendar', findAccount(({ provider }) => provider === 'google_calendar'), all('not_supported')],
  [
    'google_analytics',
    findAccount(({ provider }) => provider === 'google_analytics'),
    { ...all('not_supported'), insights: 'ok' },
  ],
  [
    'instagram',
    findAccount(({ provider }) => provider === 'instagram'),
    { 'a post': 'ok', reviews: 'not_supported', 'a reply': 'not_supported', insights: 'ok' },
  ],
];

const statusOf: Readonly<Record<string, number>> = {
  ok: 200,
  provider_auth: 401,
  provider_permission: 403,
  payment_required: 402,
  provider_error: 502,
  transient: 503,
  rate_limited: 429,
  not_supported: 400,
};

describeTransports('a seeded account', ({ it }) => {
  it.for(stated)('that is %s gives the errors that it is there for', async ([_what, account, expected], { ask }) => {
    for (const [what, method, path, body] of operations) {
      const code = expected[what] ?? (expected['a post'] as string);
      const response = await ask(method, `${of(account)}${path}`, body ? { body } : {});
      expect([what, response.code, response.status]).toEqual([what, code, statusOf[code]]);
      if (code === 'payment_required') expect(response.error.reason).toBe('payment_method_required');
    }
  });
});
