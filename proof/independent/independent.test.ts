// Freedoms that no named variant uses, or that no run of the suite can show. Everything else about this server is shown
// by the suite, which is silent on every variant (proof/audits/silence.deep.test.ts) and notices every mutant of it.

import { afterEach, expect, it } from 'vitest';
import { type Independent, type IndependentOptions, startIndependent } from './index.ts';
import { readTimestamp, styles, writeTimestamp } from './time.ts';

const startMs = Date.UTC(2031, 3, 5, 6, 7, 8, 9);
const running: Independent[] = [];

async function start(options: IndependentOptions): Promise<Independent> {
  const server = await startIndependent({ now: () => startMs, limits: false, ...options });
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) {
    expect(server.faults).toEqual([]);
    await server.close();
  }
});

it('limits a key to sixty a minute over several addresses', async () => {
  let now = startMs;
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

it('walks by title, and counts addresses approximately', async () => {
  let now = startMs;
  const variant = { articleOrder: 'title', addressWindow: 'counter' } as const;
  const server = await start({ limits: true, now: () => now, variant });
  for (let count = 0; count < 10; count += 1) expect((await get(server, '/sites')).status).toBe(200);
  const blocked = await get(server, '/sites');
  now = Number(blocked.headers.get('x-ratelimit-reset'));
  expect([blocked.status, (await get(server, '/sites')).status]).toEqual([429, 200]);
  expect((await articles(await start({ variant: { articleOrder: 'title' } }), 'limit=4')).length).toBe(57);
});

it('loses tied articles at page edges unless pages are cut short', async () => {
  const [tied, short] = [await start({ variant: 'tied' }), await start({ variant: 'tied-short' })];
  expect((await articles(tied, 'limit=100')).length).toBe(48);
  expect((await articles(tied, 'limit=2')).length).toBeLessThan(48);
  expect((await articles(short, 'limit=2')).length).toBeLessThan(48);
  for (const limit of [5, 6, 20]) expect((await articles(short, `limit=${limit}`)).length).toBe(48);
});

it.each([
  ['consuming', false],
  ['plain', true],
] as const)('as %s repeats what it delivered: %s', async (variant, isSame) => {
  const server = await start({ variant });
  const path = '/connect/calls/log?limit=1&since=2020-01-01T00:00:00Z';
  const [first, again] = [await get(server, path), await get(server, path)];
  expect(JSON.stringify(first.body) === JSON.stringify(again.body)).toBe(isSame);
});

it('reads back every form of time that it writes', () => {
  const ns = BigInt(startMs) * 1_000_000n + 456_789n;
  for (const name of Object.keys(styles) as (keyof typeof styles)[])
    expect(readTimestamp(writeTimestamp(ns, name, 9)), name).toBe(ns);
  for (const text of ['2031-02-30T00:00:00Z', '2031-01-01', '20310101T25Z', 'now', '2031-01-01T00:00:00+99:00'])
    expect(readTimestamp(text), text).toBeUndefined();
});

it('rejects an unknown variant', async () => {
  await expect(startIndependent({ variant: 'nope' as 'plain' })).rejects.toThrow('no variant');
});

/** With the valid key; parses JSON of any content type. */
async function get(server: Independent, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${server.keys.good}`, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(server.baseUrl + path, { ...init, headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Walks to the end; throws where the cursor is not the last item's createdAt. Cites 4.articles.list.cursor. */
async function articles(server: Independent, query: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 200; page += 1) {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await get(server, `/articles?${query}${next}`);
    all.push(...body.data);
    const last = body.data.at(-1);
    cursor = body.cursor;
    if (cursor === null) return all;
    if (readTimestamp(cursor) !== readTimestamp(last.createdAt))
      throw new Error(`the cursor ${cursor} is not the last createdAt`);
  }
  throw new Error('the article chain does not end');
}
