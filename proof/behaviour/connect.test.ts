import { expect } from 'vitest';
import { home } from './cast.ts';
import { describeDoors, type Stage } from './doors.ts';

const connect = '/connect/accounts';
const emoji = '🥐';

const createLink = ({ ask }: Stage, body: object) => ask('POST', connect, { body });
const list = async ({ ask }: Stage) => (await ask('GET', connect)).success('listAccounts').data;
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describeDoors('POST /connect/accounts', ({ it, open }) => {
  it('makes a link that shows up as an invite', async () => {
    const stage = await open();
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

  it.each<[string, object]>([
    ['a label of 1 character', { label: 'x' }],
    ['a label of 80 characters', { label: 'x'.repeat(80) }],
    ['a label of 80 characters that are 160 UTF-16 units', { label: emoji.repeat(80) }],
    ['a label of blanks', { label: ' ' }],
    ['1 account', { maxAccounts: 1 }],
    ['20 accounts', { maxAccounts: 20 }],
    ['2.0 accounts', JSON.parse('{"maxAccounts":2.0}')],
    ['a member that is not listed', { colour: 'blue' }],
  ])('accepts %s', async (_what, more) => {
    const stage = await open();
    const answer = await createLink(stage, { provider: 'instagram', label: 'Feed', ...more });
    expect(answer.success('createConnectLink').data.label).toBe((more as { label?: string }).label ?? 'Feed');
  });

  it.each<[string, unknown, string[]]>([
    ['no body', undefined, ['']],
    ['no JSON', '{"provider":', ['']],
    ['an array', [], ['']],
    ['a text', '"x"', ['']],
    ['null', 'null', ['']],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), ['']],
    ['nothing in it', {}, ['/label', '/provider']],
    ['an unknown provider', { provider: 'myspace', label: 'x' }, ['/provider']],
    ['a provider in capitals', { provider: 'TIKTOK', label: 'x' }, ['/provider']],
    ['an empty label', { provider: 'tiktok', label: '' }, ['/label']],
    ['a label of 81 characters', { provider: 'tiktok', label: 'x'.repeat(81) }, ['/label']],
    ['a label of 81 emoji', { provider: 'tiktok', label: emoji.repeat(81) }, ['/label']],
    ['a label that is not a string', { provider: 'tiktok', label: 1 }, ['/label']],
    ['0 accounts', { provider: 'tiktok', label: 'x', maxAccounts: 0 }, ['/maxAccounts']],
    ['21 accounts', { provider: 'tiktok', label: 'x', maxAccounts: 21 }, ['/maxAccounts']],
    ['half an account', { provider: 'tiktok', label: 'x', maxAccounts: 1.5 }, ['/maxAccounts']],
    ['accounts as text', { provider: 'tiktok', label: 'x', maxAccounts: '3' }, ['/maxAccounts']],
    ['null accounts', { provider: 'tiktok', label: 'x', maxAccounts: null }, ['/maxAccounts']],
    ['everything wrong', { provider: 1, label: '', maxAccounts: 99 }, ['/label', '/maxAccounts', '/provider']],
  ])('refuses %s, lists each problem and makes no link', async (_what, body, paths) => {
    const stage = await open();
    const before = (await list(stage)).pendingInvites.length;
    const answer = await stage.ask('POST', connect, body === undefined ? {} : { body: body as object });
    expect([answer.status, answer.error.code]).toEqual([400, 'invalid_input']);
    expect([...new Set(answer.error.issues?.map(({ path }) => path))].sort()).toEqual(paths);
    expect((await list(stage)).pendingInvites).toHaveLength(before);
  });

  it('takes JSON under any content type, and a byte order mark', async () => {
    const { ask } = await open();
    const body = '\ufeff{"provider":"tiktok","label":"x"}';
    expect((await ask('POST', connect, { body, headers: { 'content-type': 'text/plain' } })).status).toBe(200);
  });

  it('needs a payment method in a world without one', async () => {
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

describeDoors('GET /connect/accounts', ({ it, open }) => {
  it('lists accounts of every provider and status, open invites and the billing position', async () => {
    const { accounts, pendingInvites, billing } = await list(await open());
    expect(accounts.map(({ accountId }) => accountId)).toEqual(home.accounts.map(({ accountId }) => accountId));
    expect(new Set(accounts.map(({ provider }) => provider)).size).toBe(9);
    expect(new Set(accounts.map(({ status }) => status)).size).toBe(5);
    expect(accounts.some(({ locked }) => locked)).toBe(true);
    const connected = accounts.filter(({ status }) => status === 'connected').length;
    expect(billing).toEqual({ connected, free: 1, billable: connected - 1, needsPayment: true });
    expect(pendingInvites.length).toBeGreaterThan(0);
  });

  it('needs payment in a world that is not paid for', async () => {
    expect((await list(await open({ world: 'unpaid' }))).billing.needsPayment).toBe(true);
  });
});

describeDoors('a connect link', ({ it, open }) => {
  const make = async (stage: Stage, maxAccounts: number) =>
    (await createLink(stage, { provider: 'google_business', label: 'Old Town', maxAccounts })).success(
      'createConnectLink',
    ).data;

  it('opens a page without a key, which connects accounts once', async () => {
    const stage = await open();
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

  it('expires on the clock, and its invite with it', async () => {
    const stage = await open();
    const { connectUrl } = await make(stage, 1);
    const labels = async () => (await list(stage)).pendingInvites.map(({ label }) => label);
    stage.casa.clock.advance(7 * 86_400_000 - 1);
    expect([(await stage.ask('GET', connectUrl)).status, (await labels()).includes('Old Town')]).toEqual([200, true]);
    stage.casa.clock.advance(1);
    expect([(await stage.ask('GET', connectUrl)).status, (await labels()).includes('Old Town')]).toEqual([410, false]);
    expect((await stage.ask('POST', connectUrl, { body: 'name=Late', headers: form })).status).toBe(410);
  });

  it('is unknown when somebody made it up', async () => {
    const { ask, casa } = await open();
    expect((await ask('GET', `${casa.origin}/connect/00000000000000000000000000000000`)).status).toBe(404);
  });

  it('costs nothing in any window', async () => {
    const stage = await open({ limits: true });
    const { connectUrl } = await make(stage, 1);
    for (let i = 0; i < 20; i += 1) expect((await stage.ask('GET', connectUrl)).status).toBe(200);
    expect((await stage.ask('GET', '/sites')).headers['x-ratelimit-remaining']).toBe('58');
  });

  it('leads to posts, reviews, a reply and insights', async () => {
    const stage = await open();
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
