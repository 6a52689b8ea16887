import { expect } from 'vitest';
import { home } from '../test-kit/actors.ts';
import { describeTransports, type TestMock } from './transports.ts';

const connect = '/connect/accounts';

const createLink = ({ ask }: TestMock, body: object) => ask('POST', connect, { body });
const list = async ({ ask }: TestMock) => (await ask('GET', connect)).success('listAccounts').data;
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describeTransports('POST /connect/accounts', ({ it }) => {
  it('makes a link that shows up as an invite', async ({ stage }) => {
    const before = await list(stage);
    const { data, summary } = (await createLink(stage, { provider: 'tiktok', label: 'Clips' })).success(
      'createConnectLink',
    );
    expect(data).toMatchObject({ provider: 'tiktok', label: 'Clips' });
    expect(Object.keys(data).sort()).toEqual(['connectUrl', 'expiresAt', 'label', 'provider']);
    expect(data.connectUrl.startsWith(`${stage.casa.origin}/connect/`)).toBe(true);
    expect(Date.parse(data.expiresAt) - stage.casa.clock.now()).toBe(7 * 86_400_000);
    expect(summary).toContain('Clips');
    const { pendingInvites } = await list(stage);
    expect(pendingInvites).toHaveLength(before.pendingInvites.length + 1);
    expect(pendingInvites.at(-1)).toMatchObject({
      label: 'Clips',
      provider: 'tiktok',
      maxAccounts: 1,
      expiresAt: data.expiresAt,
    });
  });

  it('takes JSON under any content type, and a byte order mark', async ({ ask }) => {
    const body = '\ufeff{"provider":"tiktok","label":"x"}';
    expect((await ask('POST', connect, { body, headers: { 'content-type': 'text/plain' } })).status).toBe(200);
  });

  it('needs a payment method in a world without one', async ({ open }) => {
    const stage = await open({ world: 'unpaid' });
    const { status, error } = await createLink(stage, { provider: 'tiktok', label: 'x' });
    expect([status, error.code, error.reason]).toEqual([402, 'payment_required', 'payment_method_required']);
    const second = await stage.ask('POST', connect, {
      key: stage.casa.keys.second,
      body: { provider: 'tiktok', label: 'x' },
    });
    expect([second.status, second.error.reason]).toEqual([402, 'renewal_pending']);
  });
});

describeTransports('GET /connect/accounts', ({ it }) => {
  it('lists accounts of every provider and status, open invites and the billing position', async ({ stage }) => {
    const { accounts, pendingInvites, billing } = await list(stage);
    expect(accounts.map(({ accountId }) => accountId)).toEqual(home.accounts.map(({ accountId }) => accountId));
    expect(new Set(accounts.map(({ provider }) => provider)).size).toBe(9);
    expect(new Set(accounts.map(({ status }) => status)).size).toBe(5);
    expect(accounts.some(({ locked }) => locked)).toBe(true);
    const connected = accounts.filter(({ status }) => status === 'connected').length;
    expect(billing).toEqual({ connected, free: 1, billable: connected - 1, needsPayment: true });
    expect(pendingInvites.length).toBeGreaterThan(0);
  });

  it('needs payment in a world that is not paid for', async ({ open }) => {
    expect((await list(await open({ world: 'unpaid' }))).billing.needsPayment).toBe(true);
  });
});

describeTransports('a connect link', ({ it }) => {
  const make = async (stage: TestMock, maxAccounts: number) =>
    (await createLink(stage, { provider: 'google_business', label: 'Old Town', maxAccounts })).success(
      'createConnectLink',
    ).data;

  it('opens a page without a key, which connects accounts once', async ({ stage }) => {
    const { connectUrl } = await make(stage, 2);
    const page = await stage.ask('GET', connectUrl, { key: null });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Old Town');
    const before = await list(stage);
    const done = await stage.ask('POST', connectUrl, { key: null, body: 'name=North&name=South', headers: form });
    expect(done.status).toBe(200);
    const after = await list(stage);
    expect(after.accounts.slice(before.accounts.length)).toMatchObject([
      { name: 'North', label: 'Old Town', provider: 'google_business', status: 'connected', locked: false },
      { name: 'South', label: 'Old Town', provider: 'google_business', status: 'connected', locked: false },
    ]);
    expect(after.pendingInvites).toHaveLength(before.pendingInvites.length - 1);
    expect(after.billing.connected).toBe(before.billing.connected + 2);
    const again = await stage.ask('POST', connectUrl, { key: null, body: 'name=West', headers: form });
    expect([again.status, (await stage.ask('GET', connectUrl, { key: null })).status]).toEqual([410, 410]);
    expect(await list(stage)).toEqual(after);
  });

  it('costs nothing in any window', async ({ open }) => {
    const stage = await open({ limits: true });
    const { connectUrl } = await make(stage, 1);
    for (let i = 0; i < 20; i += 1) expect((await stage.ask('GET', connectUrl)).status).toBe(200);
    expect((await stage.ask('GET', '/sites')).headers['x-ratelimit-remaining']).toBe('58');
  });

  it('links to posts, reviews, a reply and insights', async ({ stage }) => {
    const { ask } = stage;
    const { connectUrl } = await make(stage, 1);
    await ask('POST', connectUrl, { key: null, body: 'name=Old+Town', headers: form });
    const target = `${connect}/${(await list(stage)).accounts.at(-1)?.accountId}`;
    const post = (await ask('POST', `${target}/posts`, { body: { text: 'Fresh rye.' } })).success('createPost');
    expect(post.data.postId).not.toBe('');
    const page = (await ask('GET', `${target}/reviews`)).success('listReviews').data;
    const [first] = page.reviews;
    expect([page.reviews.length, typeof page.nextCursor]).toEqual([10, 'string']);
    const reply = `${target}/reviews/${encodeURIComponent(first?.reviewId ?? '')}/reply`;
    (await ask('POST', reply, { body: { text: 'Thank you.' } })).success('replyToReview');
    const again = (await ask('GET', `${target}/reviews`)).success('listReviews').data;
    expect(again.reviews[0]).toEqual({ ...first, replied: true, replyText: 'Thank you.' });
    const insights = (await ask('GET', `${target}/insights?range=7d`)).success('getInsights').data;
    expect(insights.metrics.length).toBeGreaterThan(0);
  });
});

const log = '/connect/calls/log';
const settleMs = 300_000;

async function poll({ ask }: TestMock, since: string, limit?: number) {
  const more = limit === undefined ? '' : `&limit=${limit}`;
  return (await ask('GET', `${log}?since=${encodeURIComponent(since)}${more}`)).success('listCalls').data;
}

/** Polls until nothing is new, as section 6 requires. */
async function drain(stage: TestMock, since: string, limit?: number) {
  const ids: unknown[] = [];
  let cursor = since;
  for (;;) {
    const { calls, nextCursor } = await poll(stage, cursor, limit);
    ids.push(...calls.map(({ id }) => id));
    expect(ids.length).toBeLessThanOrEqual(home.calls.length + 10);
    if (nextCursor === null) return { ids, cursor };
    cursor = nextCursor;
  }
}

const now = ({ casa }: TestMock) => new Date(casa.clock.now()).toISOString();

describeTransports('polling the call log', ({ it }) => {
  it.for([undefined, 1, 200])('with a limit of %s delivers each settled call once', async (limit, { stage }) => {
    const { ids } = await drain(stage, '2000-01-01T00:00:00Z', limit);
    const settled = home.calls.filter(({ endedAt, reportedAt }) => {
      const visible = Math.max(Date.parse(endedAt) + settleMs, Date.parse(reportedAt ?? endedAt));
      return visible <= stage.casa.clock.now();
    });
    expect([...ids].sort()).toEqual(settled.map(({ id }) => id).sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('delivers a call when it has been over for five minutes, and not before', async ({ stage }) => {
    const since = now(stage);
    await drain(stage, since);
    stage.casa.calls.ring({ durationS: 30, outcome: 'voicemail', provisional: 'answered' });
    const { cursor } = await drain(stage, since);
    stage.casa.clock.advance(30_000 + settleMs - 1);
    const before = await drain(stage, cursor);
    stage.casa.clock.advance(1);
    const { calls } = await poll(stage, before.cursor);
    expect(calls.map(({ outcome, status }) => [outcome, status])).toContainEqual(['voicemail', 'final']);
    expect((await poll(stage, (await drain(stage, before.cursor)).cursor)).calls).toEqual([]);
  });
});
