import { expect } from 'vitest';
import type { AccountData } from '../../src/domain/world-data.ts';
import { findAccount, home, isPlain, shop } from './cast.ts';
import { describeDoors } from './doors.ts';

const of = ({ accountId }: Pick<AccountData, 'accountId'>) => `/connect/accounts/${accountId}`;
const review = shop.reviews[0]?.reviewId ?? '';
const replyTo = (account: AccountData, reviewId = review) =>
  `${of(account)}/reviews/${encodeURIComponent(reviewId)}/reply`;
const croissant = '🥐';

type Tried = readonly [what: string, method: string, path: string, body: object | null];

const operations: readonly Tried[] = [
  ['a post', 'POST', '/posts', { text: 'Hello.' }],
  ['reviews', 'GET', '/reviews', null],
  ['a reply', 'POST', `/reviews/${encodeURIComponent(review)}/reply`, { text: 'Hello.' }],
  ['insights', 'GET', '/insights', null],
];

describeDoors('posts', ({ it, open }) => {
  it.each<[string, object]>([
    ['a text of 1 character', { text: 'x' }],
    ['a text of 5000 characters', { text: 'x'.repeat(5000) }],
    ['a text of 5000 emoji', { text: croissant.repeat(5000) }],
    ['a text of blanks', { text: '  ' }],
    ['an image and a link', { text: 'x', media: { imageUrl: 'https://x.example/a.jpg' }, link: 'https://x.example/' }],
    ['a link of another scheme', { text: 'x', link: 'mailto:a@x.example' }],
    ['no copy of the account', { text: 'x' }],
    ['a copy of the account', { text: 'x', accountId: shop.accountId }],
    ['another account in the body', { text: 'x', accountId: home.accounts[1]?.accountId }],
    ['nonsense as account in the body', { text: 'x', accountId: 'nonsense' }],
    ['a number as account in the body', { text: 'x', accountId: 7 }],
    ['null as account in the body', { text: 'x', accountId: null }],
  ])('are published with %s', async (_what, body) => {
    const { ask } = await open();
    const { data, summary } = (await ask('POST', `${of(shop)}/posts`, { body })).success('createPost');
    expect(Object.keys(data).sort()).toEqual(['permalink', 'postId']);
    expect(summary).toContain(shop.label);
  });

  it.each<[string, object, string[]]>([
    ['no text', {}, ['/text']],
    ['an empty text', { text: '' }, ['/text']],
    ['a text of 5001 characters', { text: 'x'.repeat(5001) }, ['/text']],
    ['a text of 5001 emoji', { text: croissant.repeat(5001) }, ['/text']],
    ['a text that is not a string', { text: ['x'] }, ['/text']],
    ['media without an image', { text: 'x', media: {} }, ['/media/imageUrl']],
    ['media that is not an object', { text: 'x', media: 'a.jpg' }, ['/media']],
    ['null as media', { text: 'x', media: null }, ['/media']],
    ['an image that is not a URI', { text: 'x', media: { imageUrl: 'a b' } }, ['/media/imageUrl']],
    ['a link without a scheme', { text: 'x', link: 'x.example' }, ['/link']],
    ['null as link', { text: 'x', link: null }, ['/link']],
    ['two problems', { text: '', link: '' }, ['/link', '/text']],
  ])('are refused with %s', async (_what, body, paths) => {
    const { ask } = await open();
    const { status, error } = await ask('POST', `${of(shop)}/posts`, { body });
    expect([status, error.code, error.issues?.map(({ path }) => path).sort()]).toEqual([400, 'invalid_input', paths]);
  });

  it('are different each time', async () => {
    const { ask } = await open();
    const post = async () =>
      (await ask('POST', `${of(shop)}/posts`, { body: { text: 'x' } })).success('createPost').data;
    expect((await post()).postId).not.toBe((await post()).postId);
  });

  it('have a permalink where the platform shows posts, and null where it does not', async () => {
    const { ask } = await open();
    const tiktok = findAccount((account) => isPlain(account) && account.provider === 'tiktok');
    const permalink = async (account: AccountData) =>
      (await ask('POST', `${of(account)}/posts`, { body: { text: 'x' } })).success('createPost').data.permalink;
    expect(await permalink(shop)).toMatch(/^https:/);
    expect(await permalink(tiktok)).toBeNull();
  });
});

describeDoors('replies', ({ it, open }) => {
  it.each<[string, object]>([
    ['a text of 1 character', { text: 'x' }],
    ['a text of 4096 characters', { text: 'x'.repeat(4096) }],
    ['a text of 4096 emoji', { text: croissant.repeat(4096) }],
    [
      'other ids in the body',
      { text: 'x', accountId: home.accounts[1]?.accountId, reviewId: shop.reviews[1]?.reviewId },
    ],
    ['malformed ids in the body', { text: 'x', accountId: 'nonsense', reviewId: '' }],
    ['ids of other types in the body', { text: 'x', accountId: {}, reviewId: 5 }],
  ])('with %s go to the review of the path', async (_what, body) => {
    const { ask, casa } = await open();
    const { data } = (await ask('POST', replyTo(shop), { body })).success('replyToReview');
    expect(data).toEqual({ repliedAt: new Date(casa.clock.now()).toISOString() });
    const { reviews } = (await ask('GET', `${of(shop)}/reviews`)).success('listReviews').data;
    const sent = (body as { text: string }).text;
    expect(reviews.filter(({ replyText }) => replyText === sent).map(({ reviewId }) => reviewId)).toEqual([review]);
  });

  it.each<[string, object, string[]]>([
    ['no text', {}, ['/text']],
    ['an empty text', { text: '' }, ['/text']],
    ['a text of 4097 characters', { text: 'x'.repeat(4097) }, ['/text']],
    ['a text of 4097 emoji', { text: croissant.repeat(4097) }, ['/text']],
  ])('are refused with %s, and change nothing', async (_what, body, paths) => {
    const { ask } = await open();
    const before = (await ask('GET', `${of(shop)}/reviews`)).text;
    const { status, error } = await ask('POST', replyTo(shop), { body });
    expect([status, error.code, error.issues?.map(({ path }) => path)]).toEqual([400, 'invalid_input', paths]);
    expect((await ask('GET', `${of(shop)}/reviews`)).text).toBe(before);
  });

  it('to a review that the account does not have are not found', async () => {
    const { ask } = await open();
    const other = home.accounts.find(({ accountId, reviews }) => accountId !== shop.accountId && reviews.length > 0);
    for (const reviewId of ['nobody', '%', 'a/b', other?.reviews[0]?.reviewId ?? '']) {
      expect((await ask('POST', replyTo(shop, reviewId), { body: { text: 'x' } })).code).toBe('not_found');
    }
  });

  it('replace the one before', async () => {
    const { ask } = await open();
    for (const text of ['First.', 'Second.']) await ask('POST', replyTo(shop), { body: { text } });
    const { reviews } = (await ask('GET', `${of(shop)}/reviews`)).success('listReviews').data;
    expect(reviews.find(({ reviewId }) => reviewId === review)).toMatchObject({ replied: true, replyText: 'Second.' });
  });

  it('reach reviews whose ids need percent-encoding', async () => {
    const { ask } = await open({ grease: 3, choices: { reviewReplied: 'always' } });
    const { reviews } = (await ask('GET', `${of(shop)}/reviews`)).success('listReviews').data;
    expect(reviews.some(({ reviewId }) => /[/%?# ]/.test(reviewId))).toBe(true);
    for (const { reviewId } of reviews) {
      const answer = await ask('POST', replyTo(shop, reviewId), { body: { text: `To ${reviewId}` } });
      expect(answer.status).toBe(200);
    }
    const again = (await ask('GET', `${of(shop)}/reviews`)).success('listReviews').data.reviews;
    expect(again.map(({ replyText }) => replyText)).toEqual(again.map(({ reviewId }) => `To ${reviewId}`));
  });
});

describeDoors('reviews', ({ it, open }) => {
  it('come newest first, each once, and end in null', async () => {
    const { ask } = await open();
    const seen: string[] = [];
    let target = `${of(shop)}/reviews`;
    for (;;) {
      const { data } = (await ask('GET', target)).success('listReviews');
      seen.push(...data.reviews.map(({ reviewId }) => reviewId));
      expect(data.aggregate?.reviewCount).toBe(shop.reviews.length);
      expect(seen.length).toBeLessThanOrEqual(shop.reviews.length);
      if (data.nextCursor === null || data.nextCursor === undefined) break;
      target = `${of(shop)}/reviews?cursor=${encodeURIComponent(data.nextCursor)}`;
    }
    const expected = [...shop.reviews].sort((a, b) => (a.date < b.date ? 1 : -1)).map(({ reviewId }) => reviewId);
    expect(seen).toEqual(expected);
  });

  it('are an empty page for an account without any', async () => {
    const { ask } = await open();
    const bare = findAccount((account) => isPlain(account) && account.label.includes('without reviews'));
    expect((await ask('GET', `${of(bare)}/reviews`)).success('listReviews').data).toEqual({
      reviews: [],
      nextCursor: null,
    });
  });

  it.each(['', 'nonsense', 'after.nobody'])('refuse the cursor %j', async (cursor) => {
    const { ask } = await open();
    expect((await ask('GET', `${of(shop)}/reviews?cursor=${cursor}`)).code).toBe('invalid_input');
  });
});

describeDoors('insights', ({ it, open }) => {
  it.each([
    ['', 28],
    ['?range=7d', 7],
    ['?range=28d', 28],
    ['?range=90d', 90],
  ])('with %j have %i days and end today on the clock', async (query, days) => {
    const { ask, casa } = await open();
    casa.clock.advance('36h');
    const { range, metrics } = (await ask('GET', `${of(shop)}/insights${query}`)).success('getInsights').data;
    expect(range.endDate).toBe(new Date(casa.clock.now()).toISOString().slice(0, 10));
    expect(metrics.length).toBeGreaterThan(0);
    for (const { points = [], total } of metrics) {
      expect([points.length, points[0]?.date, points.at(-1)?.date]).toEqual([days, range.startDate, range.endDate]);
      expect(total).toBe(points.reduce((sum, { value = 0 }) => sum + value, 0));
    }
  });

  it('without a range are those of 28 days', async () => {
    const { ask } = await open();
    expect((await ask('GET', `${of(shop)}/insights`)).text).toBe(
      (await ask('GET', `${of(shop)}/insights?range=28d`)).text,
    );
  });

  it.each(['', '1d', '28', '28D', '365d'])('refuse the range %j', async (range) => {
    const { ask } = await open();
    const { status, error } = await ask('GET', `${of(shop)}/insights?range=${range}`);
    expect([status, error.code, error.issues?.map(({ path }) => path)]).toEqual([400, 'invalid_input', ['/range']]);
  });
});

describeDoors('an account id', ({ it, open }) => {
  const versions = [...'12345678'].map((version) => `11111111-1111-${version}111-8111-111111111111`);
  const variants = [...'89abAB'].map((variant) => `11111111-1111-4111-${variant}111-111111111111`);
  const edges = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

  it.each(operations)('that is well-formed and unknown is not found, for %s', async (_what, method, path, body) => {
    const { ask } = await open();
    for (const accountId of [...versions, ...variants, ...edges, edges[1]?.toUpperCase()]) {
      const answer = await ask(method, `/connect/accounts/${accountId}${path}`, body ? { body } : {});
      expect([accountId, answer.status, answer.code]).toEqual([accountId, 404, 'not_found']);
    }
  });

  it.each(operations)('that is malformed is refused, for %s', async (_what, method, path, body) => {
    const { ask } = await open();
    const bad = ['0', '9', 'a', 'f'].map((version) => `11111111-1111-${version}111-8111-111111111111`);
    const worse = ['0', '7', 'c', 'f'].map((variant) => `11111111-1111-4111-${variant}111-111111111111`);
    for (const accountId of [...bad, ...worse, 'x', '1', `${shop.accountId}0`, `{${shop.accountId}}`, '%20']) {
      const answer = await ask(method, `/connect/accounts/${accountId}${path}`, body ? { body } : {});
      expect([accountId, answer.status, answer.code]).toEqual([accountId, 400, 'invalid_input']);
      expect(answer.error.issues?.[0]?.path).toBe('/accountId');
    }
  });

  it('is found in either case of letters', async () => {
    const { ask } = await open();
    expect((await ask('GET', `/connect/accounts/${shop.accountId.toUpperCase()}/insights`)).status).toBe(200);
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

describeDoors('a seeded account', ({ it, open }) => {
  it.each(stated)('that is %s gives the errors that it is there for', async (_what, account, expected) => {
    const { ask } = await open();
    for (const [what, method, path, body] of operations) {
      const code = expected[what] ?? (expected['a post'] as string);
      const answer = await ask(method, `${of(account)}${path}`, body ? { body } : {});
      expect([what, answer.code, answer.status]).toEqual([what, code, statusOf[code]]);
      if (code === 'payment_required') expect(answer.error.reason).toBe('payment_method_required');
    }
  });
});
