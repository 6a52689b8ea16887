import { expect } from 'vitest';
import { goodKey, revokedKey, samples, secondKey, secondOrganization, shop, unknownKey } from '../test-kit/actors.ts';
import { describeTransports } from './transports.ts';

describeTransports('the key', ({ it }) => {
  it.for(Object.entries(samples))('is required by %s', async ([_id, { method, target, body }], { ask }) => {
    const sent = body ? { body } : {};
    expect((await ask(method, target, sent)).status).toBe(200);
    for (const key of [null, unknownKey, revokedKey, 'nonsense', `${goodKey}0`, goodKey.toUpperCase()]) {
      const response = await ask(method, target, { ...sent, key });
      expect([response.status, response.code, response.headers['www-authenticate']]).toEqual([
        401,
        'unauthorized',
        'Bearer',
      ]);
    }
  });

  it('is not read from the query', async ({ ask }) => {
    expect((await ask('GET', `/sites?key=${goodKey}&authorization=Bearer%20${goodKey}`, { key: null })).status).toBe(
      401,
    );
  });

  it('is rejected before a path, a body and its size are looked at', async ({ ask }) => {
    const body = new Uint8Array(2_500_001);
    expect((await ask('GET', '/nowhere', { key: null })).status).toBe(401);
    expect((await ask('POST', '/connect/accounts', { key: unknownKey, body })).status).toBe(401);
  });
});

describeTransports('two organizations', ({ it }) => {
  it('see their own records only', async ({ ask }) => {
    const mine = (await ask('GET', '/articles?limit=100')).success('listArticles').data;
    const theirs = (await ask('GET', '/articles?limit=100', { key: secondKey })).success('listArticles').data;
    expect(theirs.map(({ id }) => id).sort()).toEqual(secondOrganization.articles.map(({ id }) => id).sort());
    expect(mine.filter(({ id }) => theirs.some((other) => other.id === id))).toEqual([]);
    const sites = (await ask('GET', '/sites', { key: secondKey })).success('listSites').data;
    expect(sites.map(({ id }) => id)).toEqual(secondOrganization.sites.map(({ id }) => id));
    const calls = (await ask('GET', '/connect/calls/log?since=2000-01-01T00:00:00Z', { key: secondKey })).success(
      'listCalls',
    );
    expect(calls.data.calls.every(({ id }) => secondOrganization.calls.some((call) => call.id === id))).toBe(true);
  });

  it('response for a record of the other exactly as for one that does not exist', async ({ ask }) => {
    const none = '11111111-1111-4111-8111-111111111111';
    for (const { method, target, body } of Object.values(samples)) {
      const [theirs, path] = [target, target].map((text, i) => (i === 0 ? text : text.replace(/[0-9a-f-]{36}/g, none)));
      if (theirs === path || theirs === undefined || path === undefined) continue;
      const wish = { key: secondKey, ...(body ? { body } : {}) };
      const [foreign, missing] = [await ask(method, theirs, wish), await ask(method, path, wish)];
      expect([foreign.status, foreign.code]).toEqual([404, 'not_found']);
      expect(foreign.text).toBe(missing.text);
    }
  });

  it('cannot write into each other', async ({ ask }) => {
    const target = `/connect/accounts/${shop.accountId}`;
    const review = encodeURIComponent(shop.reviews[0]?.reviewId ?? '');
    const before = (await ask('GET', `${target}/reviews`)).text;
    await ask('POST', `${target}/reviews/${review}/reply`, { key: secondKey, body: { text: 'Mine now.' } });
    await ask('POST', '/connect/accounts', {
      key: secondKey,
      body: { provider: 'tiktok', label: 'Theirs' },
    });
    expect((await ask('GET', `${target}/reviews`)).text).toBe(before);
    const { pendingInvites } = (await ask('GET', '/connect/accounts')).success('listAccounts').data;
    expect(pendingInvites.map(({ label }) => label)).not.toContain('Theirs');
  });
});

describeTransports('an organization that was added', ({ it }) => {
  it('has a separate key and separate data', async ({ ask, casa }) => {
    const { key } = casa.organizations.add();
    await ask('POST', '/connect/accounts', { key, body: { provider: 'tiktok', label: 'Worker 2' } });
    const labels = async (of: string) =>
      (await ask('GET', '/connect/accounts', { key: of }))
        .success('listAccounts')
        .data.pendingInvites.map(({ label }) => label);
    expect(await labels(key)).toContain('Worker 2');
    expect(await labels(casa.keys.good)).not.toContain('Worker 2');
  });
});
