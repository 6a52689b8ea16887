// What REST clients see through every transport. Single facts of the contract are not repeated here: the suite finds no
// fault in the mock (proof/audits/), and the kill matrix shows that it would (proof/kill/).
import { expect, it } from 'vitest';
import {
  findAccount,
  goodKey,
  home,
  revokedKey,
  samples,
  secondKey,
  secondOrganization,
  shop,
  unknownKey,
} from '../../fixtures/test-kit/actors.ts';
import { startTestEngine, toMcp, toolCall, toRequest } from '../../fixtures/test-kit/engine.ts';
import type { Provider } from '../../src/contract/generated/types.ts';
import type { AccountData } from '../../src/domain/world-data.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { describeTransports, type TestMock } from './transports.ts';

const accounts = '/connect/accounts';

describeTransports('a request', ({ it, ownsOrigin }) => {
  it.for([
    ['GET', '/', 404, 'not_found'],
    ['GET', '/articles/', 404, 'not_found'],
    ['GET', '/articles/a%2Fb', 404, 'not_found'],
    ['GET', '/articles/%20', 404, 'not_found'],
    ['GET', '/Articles', 404, 'not_found'],
    ['GET', '/connect/calls', 404, 'not_found'],
    ['DELETE', '/sites', 405, 'method_not_allowed'],
    ['PATCH', samples.getInsights.target, 405, 'method_not_allowed'],
    ['GET', samples.createPost.target, 405, 'method_not_allowed'],
  ] as const)('%s %s returns %i with the code %s', async ([method, target, status, code], { ask }) => {
    const response = await ask(method, target);
    expect([response.status, response.code]).toEqual([status, code]);
    expect('x-casa-unmatched' in response.headers).toBe(
      status === 404 && !target.startsWith('/articles/%20') && target !== '/articles/a%2Fb',
    );
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('with another method receives the offered methods', async ({ ask }) => {
    expect((await ask('DELETE', accounts)).headers.allow?.split(', ').sort()).toEqual(['GET', 'POST']);
    expect((await ask('HEAD', '/sites')).status).toBe(405);
  });

  it.runIf(ownsOrigin)('has one base path: other versions and no version are unknown', async ({ ask, casa }) => {
    for (const path of ['/articles', '/api/articles', '/api/v2/articles']) {
      const response = await ask('GET', `${casa.origin}${path}`);
      expect([response.status, response.code]).toEqual([404, 'not_found']);
    }
  });

  it('takes JSON under any content type, and a byte order mark', async ({ ask }) => {
    const body = '\ufeff{"provider":"tiktok","label":"x"}';
    expect((await ask('POST', accounts, { body, headers: { 'content-type': 'text/plain' } })).status).toBe(200);
  });

  it.for(['/sites?%', '/sites?%zz=1', '/sites?a=%ff'])('with a broken URL is rejected: %s', async (target, { ask }) => {
    const { status, error } = await ask('GET', target);
    expect([status, error.code]).toEqual([400, 'invalid_input']);
  });

  it.for([
    [2_500_000, 400, 'invalid_input'],
    [2_500_001, 413, 'payload_too_large'],
  ] as const)('with %i bytes returns %i', async ([bytes, status, code], { ask }) => {
    const response = await ask('POST', accounts, { body: new Uint8Array(bytes).fill(0x20) });
    expect([response.status, response.code]).toEqual([status, code]);
  });

  it('is counted in bytes and not in characters', async ({ ask }) => {
    const body = `{"provider":"tiktok","label":"x","pad":"${'€'.repeat(833_400)}"}`;
    expect((await ask('POST', accounts, { body })).status).toBe(413);
  });
});

describeTransports('the key', ({ it }) => {
  it.for(Object.entries(samples))('is required by %s', async ([_id, { method, target, body }], { ask }) => {
    const sent = body ? { body } : {};
    expect((await ask(method, target, sent)).status).toBe(200);
    for (const key of [null, unknownKey, revokedKey, `${goodKey}0`]) {
      const { status, code, headers } = await ask(method, target, { ...sent, key });
      expect([status, code, headers['www-authenticate']]).toEqual([401, 'unauthorized', 'Bearer']);
    }
  });

  it('is read from its header only, before a path and the size of a body', async ({ ask }) => {
    const query = `key=${goodKey}&authorization=Bearer%20${goodKey}`;
    expect((await ask('GET', `/sites?${query}`, { key: null })).status).toBe(401);
    expect((await ask('GET', '/nowhere', { key: null })).status).toBe(401);
    expect((await ask('POST', accounts, { key: unknownKey, body: new Uint8Array(2_500_001) })).status).toBe(401);
  });

  it('shows the records of its organization only, and writes only there', async ({ ask, casa }) => {
    const sites = (await ask('GET', '/sites', { key: secondKey })).success('listSites').data;
    expect(sites).toEqual(secondOrganization.sites);
    const reply = { key: secondKey, body: { text: 'Mine now.' } };
    const foreign = await ask('POST', samples.replyToReview.target, reply);
    const missing = await ask('POST', samples.replyToReview.target.replace(shop.accountId, unknownId), reply);
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    const { key } = casa.organizations.add();
    await ask('POST', accounts, { key, body: { provider: 'tiktok', label: 'Worker 2' } });
    expect((await ask('GET', accounts, { key })).text).toContain('Worker 2');
    expect((await ask('GET', accounts)).text).not.toContain('Worker 2');
  });
});

const unknownId = '11111111-1111-4111-8111-111111111111';

const sites = ({ ask }: TestMock, from: string, key = goodKey) => ask('GET', '/sites', { from, key });

describeTransports('the limits', ({ it }) => {
  it('stop the eleventh request of an address in ten seconds, before its key is read', async ({ open }) => {
    const stage = await open({ limits: true });
    for (let i = 0; i < 10; i += 1) expect((await sites(stage, '203.0.113.1', unknownKey)).status).toBe(401);
    const { status, json, headers } = await sites(stage, '203.0.113.1');
    expect([status, json, headers['x-ratelimit-limit']]).toEqual([429, { error: 'rate_limit_exceeded' }, '10']);
    expect((await sites(stage, '203.0.113.2')).status).toBe(200);
  });

  it('stop the sixty-first request of a key in a minute, wherever it comes from', async ({ open }) => {
    const stage = await open({ limits: true });
    for (let i = 0; i < 60; i += 1) await sites(stage, `203.0.113.${Math.floor(i / 10)}`);
    const { status, json, headers } = await sites(stage, '203.0.113.99');
    expect([status, json, headers['x-ratelimit-limit']]).toEqual([429, { error: 'rate_limit_exceeded' }, '60']);
    expect((await sites(stage, '203.0.113.99', secondKey)).status).toBe(200);
  });

  it('can be disabled', async ({ stage }) => {
    for (let i = 0; i < 70; i += 1) expect((await sites(stage, '203.0.113.1')).status).toBe(200);
  });
});

const form = { 'content-type': 'application/x-www-form-urlencoded' };

describeTransports('a connect link', ({ it }) => {
  const list = async ({ ask }: TestMock) => (await ask('GET', accounts)).success('listAccounts').data;
  const make = async ({ ask }: TestMock, maxAccounts: number) => {
    const body = { provider: 'google_business', label: 'Old Town', maxAccounts };
    return (await ask('POST', accounts, { body })).success('createConnectLink').data.connectUrl;
  };

  it('opens a page without a key, which connects accounts once', async ({ stage }) => {
    const before = await list(stage);
    const url = await make(stage, 2);
    expect((await list(stage)).pendingInvites).toHaveLength(before.pendingInvites.length + 1);
    const page = await stage.ask('GET', url, { key: null });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Old Town');
    const done = await stage.ask('POST', url, { key: null, body: 'name=North&name=South', headers: form });
    expect(done.status).toBe(200);
    const after = await list(stage);
    expect(after.accounts.slice(before.accounts.length)).toMatchObject([
      { name: 'North', label: 'Old Town', provider: 'google_business', status: 'connected', locked: false },
      { name: 'South', label: 'Old Town', provider: 'google_business', status: 'connected', locked: false },
    ]);
    expect(after.pendingInvites).toEqual(before.pendingInvites);
    expect(after.billing.connected).toBe(before.billing.connected + 2);
    const again = await stage.ask('POST', url, { key: null, body: 'name=West', headers: form });
    expect([again.status, (await stage.ask('GET', url, { key: null })).status]).toEqual([410, 410]);
    expect(await list(stage)).toEqual(after);
  });

  it('costs nothing in any window', async ({ open }) => {
    const stage = await open({ limits: true });
    const url = await make(stage, 1);
    for (let i = 0; i < 20; i += 1) expect((await stage.ask('GET', url)).status).toBe(200);
    expect((await stage.ask('GET', '/sites')).headers['x-ratelimit-remaining']).toBe('58');
  });

  it('needs a payment method in a world without one', async ({ open }) => {
    const { ask } = await open({ world: 'unpaid' });
    const { status, error } = await ask('POST', accounts, { body: { provider: 'tiktok', label: 'x' } });
    expect([status, error.code, error.reason]).toEqual([402, 'payment_required', 'payment_method_required']);
  });

  it('links to posts, reviews, a reply and insights', async ({ stage }) => {
    const { ask } = stage;
    await ask('POST', await make(stage, 1), { key: null, body: 'name=Old+Town', headers: form });
    const target = `${accounts}/${(await list(stage)).accounts.at(-1)?.accountId}`;
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

describeTransports('replies', ({ it }) => {
  it('reach reviews whose ids need percent-encoding', async ({ open }) => {
    const { ask } = await open({ grease: 3, behavior: { reviewReplied: 'always' } });
    const target = `${accounts}/${shop.accountId}/reviews`;
    const { reviews } = (await ask('GET', target)).success('listReviews').data;
    expect(reviews.some(({ reviewId }) => /[/%?# ]/.test(reviewId))).toBe(true);
    for (const { reviewId } of reviews) {
      const body = { text: `To ${reviewId}` };
      expect((await ask('POST', `${target}/${encodeURIComponent(reviewId)}/reply`, { body })).status).toBe(200);
    }
    const again = (await ask('GET', target)).success('listReviews').data.reviews;
    expect(again.map(({ replyText }) => replyText)).toEqual(again.map(({ reviewId }) => `To ${reviewId}`));
  });
});

type Stated = readonly [what: string, account: AccountData, expected: Readonly<Record<string, string>>];

const all = (code: string) => ({ posts: code, reviews: code, insights: code });
const of = (name: Provider) => (account: AccountData) => account.provider === name;
const stated: readonly Stated[] = [
  ...(['pending', 'expired', 'revoked'] as const).map(
    (status): Stated => [status, findAccount((account) => account.status === status), all('provider_auth 401')],
  ),
  ['pending API access', findAccount(({ status }) => status === 'pending_api_access'), all('provider_permission 403')],
  ['locked', findAccount(({ locked }) => locked), { ...all('ok 200'), posts: 'payment_required 402' }],
  ...(['provider_error 502', 'transient 503', 'rate_limited 429'] as const).map((code): Stated => {
    const [trouble] = code.split(' ');
    return [code, findAccount((account) => account.trouble === trouble), all(code)];
  }),
  ['a calendar', findAccount(of('google_calendar')), all('not_supported 400')],
  ['an Instagram page', findAccount(of('instagram')), { ...all('ok 200'), reviews: 'not_supported 400' }],
];

describeTransports('a seeded account', ({ it }) => {
  it.for(stated)('that is %s gives the errors that it is there for', async ([_what, account, expected], { ask }) => {
    for (const [noun, code] of Object.entries(expected)) {
      const sent = noun === 'posts' ? { body: { text: 'Hello.' } } : {};
      const response = await ask(noun === 'posts' ? 'POST' : 'GET', `${accounts}/${account.accountId}/${noun}`, sent);
      expect([noun, `${response.code} ${response.status}`]).toEqual([noun, code]);
      if (response.status === 402) expect(response.error.reason).toBe('payment_method_required');
    }
  });
});

const broken = {
  ...home,
  sites: home.sites.map((site) => ({ ...site, cms: 7 }) as never),
  customers: [{ ...home.customers?.[0], name: 7 } as never],
};
const data = { ...defaultWorld, organizations: [broken] };

it.each([
  ['listSites', '/data/0/cms', toRequest('GET /sites', '/api/v1', { key: goodKey })],
  ['customers_list', '/data/customers/0/name', toMcp(toolCall('customers_list'))],
])('a response of %s with a wrong %s is a bug that only a strict mock shows', async (name, path, request) => {
  const ask = async (strict: boolean) => {
    const { engine } = startTestEngine({ data, strict });
    return request.path === '/mcp' ? engine.handleMcp(request) : engine.handle(request);
  };
  await expect(ask(true)).rejects.toThrow(`${name} returned 200 against the contract: ${path} must be string`);
  expect((await ask(false)).status).toBe(200);
});
