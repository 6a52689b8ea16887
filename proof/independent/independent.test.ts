import { afterEach, describe, expect, it } from 'vitest';
import { articles, calls, get, post, reviews, upload } from './client.ts';
import { type Independent, type IndependentOptions, startIndependent, VARIANT_NAMES } from './index.ts';
import { readInstant, STYLES, writeInstant } from './time.ts';

const START = Date.UTC(2031, 3, 5, 6, 7, 8, 9);
const MINUTE = 60_000;
const CAP = 2_500_000;
const running: Independent[] = [];

async function start(options: IndependentOptions): Promise<Independent> {
  const server = await startIndependent({ now: () => START, limits: false, ...options });
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) {
    expect(server.faults).toEqual([]);
    await server.close();
  }
});

describe.each(VARIANT_NAMES)('variant %s', (variant) => {
  it('walks the articles, each once whatever the limit', async () => {
    const server = await start({ variant });
    for (const limit of ['', 'limit=1', 'limit=7', 'limit=100']) {
      const seen = await articles(server, limit);
      expect(new Set(seen.map((article) => article.id)).size).toBe(seen.length);
      if (server.variant.world === 'tied') expect(seen.length).toBeLessThanOrEqual(server.owns.articles);
      else expect(seen.length).toBe(server.owns.articles);
    }
    const { body } = await get(server, '/sites');
    for (const site of body.data) {
      const mine = await articles(server, `siteId=${site.id}&limit=9`);
      expect(mine.every((article) => String(article.siteId).toLowerCase() === site.id.toLowerCase())).toBe(true);
    }
  });

  it('delivers the same calls in the same order whatever the limit', async () => {
    const expected = { many: 75, one: 1, none: 0 };
    const chains: string[][] = [];
    for (const limit of [200, 1, 7]) {
      const server = await start({ variant });
      chains.push(await calls(server, limit, '2020-01-01T00:00:00Z'));
      expect(chains[0]?.length).toBe(expected[server.variant.calls]);
    }
    expect(chains[1]).toEqual(chains[0]);
    expect(chains[2]).toEqual(chains[0]);
    expect(new Set(chains[0]).size).toBe(chains[0]?.length);
  });

  it('delivers calls that end while polling exactly once, never before they settle', async () => {
    let now = START;
    const server = await start({ variant, now: () => now });
    const settle = server.variant.settleSeconds * 1000;
    let since = new Date(now - settle).toISOString();
    await calls(server, 200, since);
    const seen: string[] = [];
    const open = server.addCall({ endedAt: null });
    for (let step = 0; step < 40; step += 1) {
      if (step < 20) for (let twin = 0; twin <= step % 3; twin += 1) server.addCall();
      if (step === 10) server.addCall({ endedAt: now - 20 * MINUTE });
      if (step === 25) open.end(now - 7 * MINUTE);
      const { body } = await get(server, `/connect/calls/log?limit=2&since=${encodeURIComponent(since)}`);
      seen.push(...body.data.calls.map((call: unknown) => JSON.stringify(call)));
      since = body.data.nextCursor ?? since;
      now += 20_000;
    }
    now += settle;
    seen.push(...(await calls(server, 200, since)));
    const settling = server.variant.calls === 'many' ? 2 : 0;
    expect(seen.length).toBe(39 + 1 + 1 + settling);
    expect(new Set(seen).size).toBe(seen.length);
    const fresh = server.addCall();
    now += settle - 1;
    expect(await calls(server, 200, new Date(now - settle - 10).toISOString())).toEqual([]);
    now += 1;
    const got = await calls(server, 200, new Date(now - settle - 10).toISOString());
    expect(got.length, fresh.ref).toBe(1);
  });

  it('shows running calls in the snapshot and keeps organizations apart', async () => {
    const server = await start({ variant });
    const before = (await get(server, '/connect/calls/log?limit=200')).body.data.calls.length;
    server.addCall({ endedAt: null });
    const { body } = await get(server, '/connect/calls/log?limit=200');
    expect(body.data.calls.length).toBe(Math.min(before + 1, server.variant.callsPageCap));
    const other = { headers: { authorization: `Bearer ${server.keys.second}` } };
    const theirs = await get(server, '/articles', other);
    expect(theirs.body.data.length).toBe(5);
    expect((await get(server, `/articles/${theirs.body.data[0].id}`)).status).toBe(404);
    expect((await get(server, `/connect/accounts/${server.accounts.foreign}/reviews`)).status).toBe(404);
    expect((await get(server, `/connect/accounts/${server.accounts.foreign}/reviews`, other)).status).toBe(200);
    const alien = await get(server, `/keywords?siteId=${theirs.body.data[0].siteId}`);
    expect(alien.status === 404 || (alien.status === 200 && alien.body.data.length === 0)).toBe(true);
  });

  it('answers 401 without a good key and a documented refusal for bad input', async () => {
    const server = await start({ variant });
    for (const value of ['', 'Bearer', `Bearer ${server.keys.revoked}`, `Basic ${server.keys.good}`, 'Bearer x y']) {
      for (const path of ['/articles', '/connect/accounts', '/nowhere', '/articles?limit=0']) {
        const got = await get(server, path, { headers: { authorization: value } });
        expect([got.status, got.body.error.code]).toEqual([401, 'unauthorized']);
      }
    }
    const bad = ['{', '[]', 'null', '"x"', '{"provider":"nope","label":""}', '{"__proto__":1}', '[[[['];
    for (const body of bad) {
      const got = await post(server, '/connect/accounts', body);
      if (variant === 'unpaid') expect(got.body.error.code).toBe('payment_required');
      else expect([got.status, got.body.error.code]).toEqual([400, 'invalid_input']);
    }
    expect((await get(server, '/keywords')).status).toBe(400);
    expect([400, 404]).toContain((await get(server, '/sites/%zz')).status);
    expect([404, 405]).toContain((await get(server, '/articles', { method: 'DELETE' })).status);
    for (const limit of ['0', '-1', '101', '1e9', 'x', '', '5.5']) {
      const got = await get(server, `/articles?limit=${limit}`);
      expect([200, 400, 404]).toContain(got.status);
      const log = await get(server, `/connect/calls/log?limit=${limit}&since=yesterday`);
      expect([200, 400]).toContain(log.status);
    }
  });

  it('links, posts and replies', async () => {
    const server = await start({ variant });
    const { postable, reviewable } = server.accounts;
    const link = await post(server, '/connect/accounts', { provider: 'tiktok', label: 'ä'.repeat(80) });
    const copy = { accountId: 'not the path', reviewId: 7, text: 'x' };
    const made = await post(server, `/connect/accounts/${postable.toUpperCase()}/posts`, { accountId: 1, text: 'x' });
    const list = (await get(server, '/connect/accounts')).body;
    expect(Object.keys(list.data).sort()).toEqual(['accounts', 'billing', 'pendingInvites']);
    expect([typeof list.summary, list.data.accounts.length]).toEqual(['string', server.owns.accounts]);
    expect(link.status).toBe(variant === 'unpaid' ? 402 : 200);
    if (server.variant.world === 'empty' || server.variant.world === 'single') {
      expect(made.status).toBe(404);
      return;
    }
    const seen = await reviews(server, reviewable);
    expect(new Set(seen.map((review) => review.reviewId)).size).toBe(23);
    for (const review of seen.filter(
      (one, at) => at % 6 === 1 && one.replied !== true && one.replyText === undefined,
    )) {
      const path = `/connect/accounts/${reviewable}/reviews/${encodeURIComponent(String(review.reviewId))}/reply`;
      const got = await post(server, path, copy);
      if (variant === 'unpaid') expect(got.body.error.code).toBe('payment_required');
      else if (got.status !== 200) expect([got.body.error.code, variant]).toEqual(['not_supported', 'strict']);
    }
    expect((await reviews(server, reviewable)).length).toBe(23);
    expect(made.status).toBe(variant === 'unpaid' ? 402 : 200);
    const [plain, same] = await Promise.all(
      ['', '?range=28d'].map((range) => get(server, `/connect/accounts/${reviewable}/insights${range}`)),
    );
    expect(plain?.body).toEqual(same?.body);
    expect((await get(server, `/connect/accounts/${reviewable}/insights?range=1y`)).status).toBe(400);
  });

  it('takes bodies up to the cap and says 413 above it', async () => {
    const server = await start({ variant });
    for (const chunked of [false, true]) {
      expect((await upload(server, CAP, chunked)).status).toBe(variant === 'unpaid' ? 402 : 200);
      const over = await upload(server, CAP + 1, chunked);
      expect([over.status, JSON.parse(over.text).error.code]).toEqual([413, 'payload_too_large']);
      expect((await upload(server, 4 * CAP, chunked)).status).toBe(413);
    }
  });

  it('limits the address to ten in ten seconds and tells the truth about it', async () => {
    let now = START - (START % 10_000) + 1_234;
    const server = await start({ variant, limits: true, now: () => now });
    const none = { headers: { authorization: '' } };
    for (let count = 0; count < 10; count += 1) expect((await get(server, '/sites', none)).status).toBe(401);
    const blocked = await get(server, '/sites');
    expect([blocked.status, blocked.body]).toEqual([429, { error: 'rate_limit_exceeded' }]);
    expect(blocked.headers.get('x-ratelimit-limit')).toBe('10');
    expect(blocked.headers.get('x-ratelimit-remaining')).toBe('0');
    const reset = Number(blocked.headers.get('x-ratelimit-reset'));
    expect(Date.parse(blocked.headers.get('date') ?? '')).toBe(now - (now % 1000));
    expect(reset > now && reset <= now + 10_000).toBe(true);
    const wait = blocked.headers.get('retry-after');
    now = wait === null ? reset : now + Number(wait) * 1000;
    expect((await get(server, '/sites')).status).toBe(200);
  });
});

describe('beyond the named variants', () => {
  it('limits a key to sixty a minute over several addresses', async () => {
    let now = START;
    for (const keyWindow of ['sliding', 'counter'] as const) {
      const server = await start({ variant: { keyWindow, trustForwarded: true }, limits: true, now: () => now });
      const from = (host: number): RequestInit => ({ headers: { 'x-forwarded-for': `10.0.0.${host}` } });
      for (let count = 0; count < 60; count += 1) expect((await get(server, '/sites', from(count))).status).toBe(200);
      const blocked = await get(server, '/sites', from(61));
      expect([blocked.status, blocked.headers.get('x-ratelimit-limit')]).toEqual([429, '60']);
      now += Number(blocked.headers.get('retry-after')) * 1000;
      expect((await get(server, '/sites', from(62))).status).toBe(200);
    }
  });

  it('walks by title and counts addresses approximately', async () => {
    let now = START;
    const options = {
      limits: true,
      now: () => now,
      variant: { articleOrder: 'title', addressWindow: 'counter' },
    } as const;
    const server = await start(options);
    const first = await get(server, '/articles?limit=100');
    expect(first.body.data.length).toBe(57);
    now += 100_000;
    for (let count = 0; count < 10; count += 1) expect((await get(server, '/sites')).status).toBe(200);
    const blocked = await get(server, '/sites');
    now = Number(blocked.headers.get('x-ratelimit-reset'));
    expect([blocked.status, (await get(server, '/sites')).status]).toEqual([429, 200]);
    const other = await start({ variant: { articleOrder: 'title' } });
    expect((await articles(other, 'limit=4')).length).toBe(57);
  });

  it('loses tied articles at page edges unless pages are cut short', async () => {
    const [tied, short] = [await start({ variant: 'tied' }), await start({ variant: 'tied-short' })];
    expect((await articles(tied, 'limit=100')).length).toBe(48);
    expect((await articles(tied, 'limit=2')).length).toBeLessThan(48);
    expect((await articles(short, 'limit=2')).length).toBeLessThan(48);
    for (const limit of [5, 6, 20]) expect((await articles(short, `limit=${limit}`)).length).toBe(48);
  });

  it('uses calls up where it remembers deliveries, and repeats them where it does not', async () => {
    for (const variant of ['consuming', 'plain'] as const) {
      const server = await start({ variant });
      const path = '/connect/calls/log?limit=1&since=2020-01-01T00:00:00Z';
      const [first, again] = [await get(server, path), await get(server, path)];
      expect(JSON.stringify(first.body) === JSON.stringify(again.body)).toBe(variant === 'plain');
    }
  });

  it('reads back every form of time it writes', () => {
    const ns = BigInt(START) * 1_000_000n + 456_789n;
    for (const name of Object.keys(STYLES) as (keyof typeof STYLES)[]) {
      expect(readInstant(writeInstant(ns, name, 9)), name).toBe(ns);
    }
    for (const text of ['2031-02-30T00:00:00Z', '2031-01-01', '20310101T25Z', 'now', '2031-01-01T00:00:00+99:00']) {
      expect(readInstant(text), text).toBeUndefined();
    }
  });

  it('refuses an unknown variant or wrongness', async () => {
    await expect(startIndependent({ mutate: 'none' })).rejects.toThrow('no wrongness');
    await expect(startIndependent({ variant: 'nope' as 'plain' })).rejects.toThrow('no variant');
  });
});
