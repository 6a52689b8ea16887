import { describe, expect, it } from 'vitest';
import type { Casa } from './casa.ts';
import { createMock } from './create-mock.ts';

const tiktokAccount = '36055244-74fd-4bcb-a415-2c4508bf4584';
const googleAccount = 'd4eb016a-1355-4e9e-af8b-f38083d082f4';

async function ask(casa: Casa, path: string, init: RequestInit = {}) {
  const response = await casa.fetch(path, { ...init, headers: { authorization: `Bearer ${casa.keys.good}` } });
  return { status: response.status, body: await response.json() };
}

const post = { method: 'POST', body: JSON.stringify({ text: 'Hello' }) };

describe('casa.reviews.arrive', () => {
  it('puts a review where its date says, and counts it', async () => {
    const casa = await createMock({ strict: true });
    const before = (await ask(casa, `/connect/accounts/${googleAccount}/reviews`)).body.data;
    casa.clock.advance('1h');
    const arrived = casa.reviews.arrive({ accountId: googleAccount, author: 'Ada', rating: 1, text: 'Bad.' });
    const { data } = (await ask(casa, `/connect/accounts/${googleAccount}/reviews`)).body;
    expect(data.reviews[0]).toEqual(arrived);
    expect(arrived).toMatchObject({
      author: 'Ada',
      rating: 1,
      text: 'Bad.',
      date: new Date(casa.clock.now()).toISOString(),
    });
    expect(data.aggregate.reviewCount).toBe(before.aggregate.reviewCount + 1);
    const reply = { method: 'POST', body: JSON.stringify({ text: 'Sorry.' }) };
    const path = `/connect/accounts/${googleAccount}/reviews/${encodeURIComponent(arrived.reviewId)}/reply`;
    expect((await ask(casa, path, reply)).status).toBe(200);
  });

  it('needs nothing, and keeps the cursors of pages', async () => {
    const casa = await createMock({ strict: true });
    const [account] = (await ask(casa, '/connect/accounts')).body.data.accounts;
    expect(account).toBeDefined();
    const first = (await ask(casa, `/connect/accounts/${googleAccount}/reviews`)).body.data;
    casa.reviews.arrive();
    const next = await ask(
      casa,
      `/connect/accounts/${googleAccount}/reviews?cursor=${encodeURIComponent(first.nextCursor)}`,
    );
    expect(next.status).toBe(200);
  });
});

describe('casa.articles', () => {
  it('publishes a draft, and adds an article that is the newest', async () => {
    const casa = await createMock({ strict: true });
    const { data } = (await ask(casa, '/articles?limit=100')).body;
    const draft = data.find(({ status }: { status: string }) => status === 'draft');
    casa.clock.advance('1h');
    const now = new Date(casa.clock.now()).toISOString();
    expect(casa.articles.publish(draft.id)).toMatchObject({ status: 'published', publishedAt: now, updatedAt: now });
    expect((await ask(casa, `/articles/${draft.id}`)).body.data).toMatchObject({
      status: 'published',
      createdAt: draft.createdAt,
    });
    const added = casa.articles.put({ title: 'Fresh & new' });
    expect(added).toMatchObject({ slug: 'fresh-new', status: 'draft', createdAt: now });
    const newest = (await ask(casa, `/articles?siteId=${added.siteId}&limit=1`)).body.data;
    expect(newest).toEqual([added]);
    expect((await ask(casa, '/articles?limit=100')).body.data).toHaveLength(data.length + 1);
    casa.reset();
    expect((await ask(casa, '/articles?limit=100')).body.data).toEqual(data);
  });
});

describe('casa.accounts.set', () => {
  it.each([
    [{ status: 'expired' }, 401, 'provider_auth'],
    [{ status: 'pending_api_access' }, 403, 'provider_permission'],
    [{ locked: true }, 402, 'payment_required'],
    [{ needsPayment: true }, 402, 'payment_required'],
    [{ trouble: 'provider_error' }, 502, 'provider_error'],
  ] as const)('%j makes a post response %i', async (state, status, code) => {
    const casa = await createMock({ strict: true });
    casa.accounts.set(googleAccount, state);
    const rejected = await ask(casa, `/connect/accounts/${googleAccount}/posts`, post);
    expect([rejected.status, rejected.body.error.code]).toEqual([status, code]);
    casa.accounts.set(googleAccount, { status: 'connected', locked: false, needsPayment: false, trouble: null });
    const again = { ...post, body: JSON.stringify({ text: 'Hello again' }) };
    expect((await ask(casa, `/connect/accounts/${googleAccount}/posts`, again)).status).toBe(200);
    expect(casa.violations()).toEqual([]);
  });
});

describe('the handles reject', () => {
  const arrive = (accountId: string) => (casa: Casa) => casa.reviews.arrive({ accountId });
  it.each<[string, (casa: Casa) => unknown, string]>([
    ['a review of an unknown account', arrive('none'), 'Organization "org_1" has no account "none"; GET'],
    ['a review without reviews', arrive(tiktokAccount), 'casa.reviews.arrive: tiktok has no reviews.'],
    ['an unknown account', (casa) => casa.accounts.set('x', {}), 'Organization "org_1" has no account "x"; GET'],
    [
      'a mistyped state',
      (casa) => casa.accounts.set(googleAccount, { lockd: true } as never),
      'Did you mean "locked"?',
    ],
    [
      'a review of some day',
      (casa) => casa.reviews.arrive({ date: 'yesterday' }),
      'date must be an ISO 8601 date-time, such as "2026-01-15T12:00:00Z", not "yesterday".',
    ],
    ['an article without a UUID', (casa) => casa.articles.put({ id: '7' }), 'id must be a UUID, not "7".'],
    ['an unknown article', (casa) => casa.articles.publish('x'), 'Organization "org_1" has no article "x".'],
    [
      'an unknown organization',
      (casa) => casa.articles.put({ organizationId: 'x' }),
      'There is no organization "x"; GET',
    ],
    ['a clock with scale 0', (casa) => casa.clock.scale(0), 'A clock scale is a number above 0'],
  ])('%s', async (_what, act, sentence) => {
    const casa = await createMock();
    const before = JSON.stringify(casa.snapshot());
    expect(() => act(casa)).toThrow(sentence);
    expect(JSON.stringify(casa.snapshot())).toBe(before);
  });
});

it('casa.clock.scale lets a clock run faster', async () => {
  const casa = await createMock({ clock: 'running' });
  casa.clock.scale(1000);
  const before = casa.clock.now();
  await expect.poll(() => casa.clock.now() - before).toBeGreaterThan(1000);
});
