import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Casa } from '../testing/casa.ts';
import { type StartMockOptions, startMock } from '../testing/start-mock.ts';
import '../testing/vitest.ts';
import type { Article, Call, Client, ClientOptions, Review } from './index.ts';
import { ApiError, createClient, keepPosition } from './index.ts';

/** A client whose waits move the clock of its mock; after each test it must have kept the contract. */
async function withClient(
  use: (given: { casa: Casa; api: Client; waits: number[] }) => Promise<void>,
  mock: StartMockOptions = {},
  client: Partial<ClientOptions> = {},
) {
  await using casa = await startMock(mock);
  const waits: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    waits.push(ms);
    casa.clock.advance(ms);
  };
  const { baseUrl, keys } = casa;
  await use({ casa, waits, api: createClient({ baseUrl, key: keys.good, sleep, now: casa.clock.now, ...client }) });
  expect(casa).toHaveNoViolations();
}

const googleAccount = 'd4eb016a-1355-4e9e-af8b-f38083d082f4';
const expiredAccount = '2fbdd76c-f8b3-4052-9d7d-b06ef5fa9f90';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a client', () => {
  it('has a typed method for each operation', () =>
    withClient(async ({ api }) => {
      const { data } = await api.listArticles({ limit: 2 });
      expectTypeOf(data).toEqualTypeOf<Article[]>();
      expect(data).toHaveLength(2);
      const id = data[0]?.id ?? '';
      expect((await api.getArticle({ id })).data).toEqual(data[0]);
      const { data: sites } = await api.listSites();
      expect((await api.listKeywords({ siteId: sites[0]?.id ?? '' })).data.length).toBeGreaterThan(0);
      expect((await api.listAccounts()).data.accounts.length).toBeGreaterThan(5);
      const link = await api.createConnectLink({ provider: 'tiktok', label: 'Shop' });
      expect(link.data.connectUrl).toMatch(/^http/);
      expect((await api.createPost({ accountId: googleAccount, text: 'Hello' })).data.postId).toMatch(/./);
      expect((await api.getInsights({ accountId: googleAccount, range: '7d' })).data.metrics.length).toBeGreaterThan(0);
      const [review] = await collect(api.reviews(googleAccount));
      const reply = { accountId: googleAccount, reviewId: review?.reviewId ?? '', text: 'Thanks' };
      expect((await api.replyToReview(reply)).data.repliedAt).toMatch(/^\d/);
      // @ts-expect-error an article has an id
      await api.getArticle({}).catch(() => {});
      // @ts-expect-error there is no such provider
      await api.createConnectLink({ provider: 'myspace', label: 'x' }).catch(() => {});
    }));

  it('says which option is missing, for example because a variable is not set', () => {
    const baseUrl = 'http://127.0.0.1:1/api/v1';
    expect(() => createClient({ key: 'a' } as ClientOptions)).toThrow('createClient needs a baseUrl.');
    expect(() => createClient({ baseUrl, key: '' })).toThrow('createClient needs a key.');
  });

  it('sends further headers next to its own', () =>
    withClient(
      async ({ casa, api }) => {
        await api.listSites();
        const { headers } = casa.requests.find({})[0]?.request ?? { headers: {} };
        expect(headers).toMatchObject({ 'x-trace': 'a', authorization: expect.stringContaining('cdef') });
      },
      {},
      { headers: { 'x-trace': 'a', authorization: 'Bearer other' } },
    ));

  it('walks through all pages', () =>
    withClient(async ({ casa, api }) => {
      const articles = await collect(api.articles({ limit: 7 }));
      expectTypeOf(articles).toEqualTypeOf<Article[]>();
      const [first] = casa.snapshot().world as unknown as { articles: unknown[] }[];
      expect(new Set(articles.map(({ id }) => id)).size).toBe(first?.articles.length);
      const reviews = await collect(api.reviews(googleAccount));
      expectTypeOf(reviews).toEqualTypeOf<Review[]>();
      expect(new Set(reviews.map(({ reviewId }) => reviewId)).size).toBe(reviews.length);
      expect(casa.requests.count({ operation: 'listReviews' })).toBeGreaterThan(1);
    }));

  it('waits as long as a limiter states, and continues', () =>
    withClient(
      async ({ api, waits }) => {
        for (let i = 0; i < 25; i += 1) await api.listSites();
        expect(waits).toEqual([10_100, 10_100]);
      },
      { limits: true },
    ));

  it.each(['always', 'never'] as const)('waits for the reset where Retry-After comes %s', (retryAfter) =>
    withClient(
      async ({ api, waits }) => {
        for (let i = 0; i < 11; i += 1) await api.listSites();
        expect(waits).toEqual([10_100]);
      },
      { limits: true, behavior: { retryAfter } },
    ),
  );

  it.each(['transient', 'provider_error', 'rate_limited'] as const)('backs off after %s', (error) =>
    withClient(async ({ casa, api, waits }) => {
      casa.faults.add({ error, times: 3 });
      expect((await api.listSites()).data).toHaveLength(3);
      expect(waits).toHaveLength(3);
      if (error !== 'rate_limited') expect([...waits].sort((a, b) => a - b)).toEqual(waits);
    }),
  );

  it('gives up after some repetitions, and says how often it asked', () =>
    withClient(
      async ({ casa, api }) => {
        casa.faults.add('*=transient');
        const rejected = api.listSites();
        await expect(rejected).rejects.toMatchObject({ status: 503, code: 'transient', attempts: 3 });
        await expect(rejected).rejects.toBeInstanceOf(ApiError);
      },
      {},
      { retries: 2 },
    ));

  it.each([
    ['listArticles', { limit: 0 }, 400, 'invalid_input'],
    ['getInsights', { accountId: expiredAccount }, 401, 'provider_auth'],
    ['getArticle', { id: '00000000-0000-4000-8000-000000000000' }, 404, 'not_found'],
  ] as const)('sends %s %j once, and hands the rejection on', (method, input, status, code) =>
    withClient(async ({ casa, api }) => {
      await expect(api[method](input as never)).rejects.toMatchObject({ status, code, attempts: 1 });
      expect(casa.requests.count()).toBe(1);
    }),
  );

  it('reports the issues and the reason of a rejection', () =>
    withClient(async ({ casa, api }) => {
      const sentence = 'listReviews needs accountId: api.listReviews({ accountId }).';
      await expect(api.listReviews({} as never)).rejects.toThrow(sentence);
      await expect(api.listArticles({ limit: 0 })).rejects.toMatchObject({ issues: [{ path: '/limit' }] });
      casa.faults.add({ error: 'payment_required', times: 1 });
      await expect(api.listAccounts()).rejects.toMatchObject({ reason: 'payment_method_required' });
    }));

  it('never sends a write again that may have been made', () =>
    withClient(async ({ casa, api }) => {
      casa.faults.add('createPost=provider_error@1x');
      await expect(api.createPost({ accountId: googleAccount, text: 'Once' })).rejects.toMatchObject({ attempts: 1 });
      casa.faults.add('createPost=network:reset@1x');
      await expect(api.createPost({ accountId: googleAccount, text: 'Twice' })).rejects.toThrow('fetch failed');
      expect(casa.requests.count({ operation: 'createPost' })).toBe(2);
    }));

  it('sends a write again that a limiter rejected', () =>
    withClient(
      async ({ api, waits }) => {
        for (let i = 0; i < 10; i += 1) await api.listSites();
        await api.createPost({ accountId: googleAccount, text: 'Later' });
        expect(waits).toHaveLength(1);
      },
      { limits: true },
    ));

  it('retries a read after a lost response', () =>
    withClient(async ({ casa, api, waits }) => {
      casa.faults.add('*=network:reset@1x');
      expect((await api.listSites()).data).toHaveLength(3);
      expect(waits).toHaveLength(1);
    }));

  it('rejects at once where it would have to wait beyond its deadline, and says how long', () =>
    withClient(
      async ({ casa, api, waits }) => {
        for (let i = 0; i < 10; i += 1) await api.listSites();
        const rejected = api.listSites({}, { deadlineMs: 5_000 });
        const limited = { status: 429, code: 'rate_limit_exceeded', retryAfterMs: 10_100 };
        await expect(rejected).rejects.toMatchObject(limited);
        await expect(rejected).rejects.toThrow('rate_limit_exceeded (429, wait 11 s)');
        expect(waits).toEqual([]);
        casa.clock.advance('1m');
      },
      { limits: true },
    ));

  it('does not wait for the window of the key', () =>
    withClient(async ({ casa, api, waits }) => {
      casa.faults.add('*=limiter_key@1x');
      await expect(api.listSites()).rejects.toMatchObject({ status: 429, attempts: 1 });
      expect(waits).toEqual([]);
      casa.clock.advance('1m');
    }));

  it('follows its deadline with waits that grow', () =>
    withClient(
      async ({ casa, api, waits }) => {
        casa.faults.add('*=transient');
        const startMs = casa.clock.now();
        await expect(api.listSites()).rejects.toMatchObject({ code: 'transient' });
        expect(waits.length).toBeGreaterThan(1);
        expect(casa.clock.now() - startMs).toBeLessThanOrEqual(15_000);
      },
      {},
      { retries: 99 },
    ));

  it('reports each wait before it begins', async () => {
    const told: unknown[] = [];
    await withClient(
      async ({ casa, api, waits }) => {
        casa.faults.add('*=transient@1x');
        casa.faults.add('*=network:reset@1x');
        await api.listSites();
        expect(told).toEqual([
          { attempt: 1, waitMs: waits[0], reason: 'network' },
          { attempt: 2, waitMs: waits[1], reason: 'transient' },
        ]);
      },
      {},
      { onRetry: (retry) => told.push(retry) },
    );
  });

  it('stops when its signal aborts', () =>
    withClient(async ({ casa, api }) => {
      casa.faults.add('*=transient');
      await expect(api.listSites({}, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
      expect(casa.requests.count()).toBe(0);
    }));

  it('requests its key before each request, and works without a socket', async () => {
    await using casa = await startMock();
    const keys = ['casa_wrong', casa.keys.good];
    const options = { key: () => keys.shift() ?? '', fetch: casa.fetch as typeof fetch };
    const api = createClient({ baseUrl: `${casa.baseUrl}/`, ...options });
    await expect(api.listSites()).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await api.listSites()).data).toHaveLength(3);
  });
});

describe('a poll of the call log', () => {
  const idOf = (call: Call) => String(call.id ?? call.callId);

  it.each([
    ['nothing was kept', null, ''],
    ['half of the minute is over', 30_000, '30000'],
    ['the minute is over', -5, ''],
    ['the clock was put back by a day', 86_400_000, '60000'],
    ['no number was kept', Number.NaN, ''],
  ])('waits for the rest of the minute after a restart: %s', (_what, restMs, waited) =>
    withClient(async ({ casa, api, waits }) => {
      const kept = new Map<string, string>();
      const storage = {
        getItem: (name: string) => kept.get(name) ?? null,
        setItem: (name: string, value: string) => void kept.set(name, value),
      };
      const store = keepPosition(storage, 'log');
      const stop = new AbortController();
      await store.save(new Date(casa.clock.now()).toISOString());
      casa.calls.ring({ durationS: 0 });
      casa.clock.advance('6m');
      if (restMs !== null) await store.saveNextPoll?.(casa.clock.now() + restMs);
      for await (const _call of api.calls({ store, signal: stop.signal })) {
        expect([waits.join(), Number(kept.get('log-next-poll')) - casa.clock.now()]).toEqual([waited, 60_000]);
        stop.abort();
        break;
      }
      expect(stop.signal.aborted).toBe(true);
    }),
  );

  it('delivers each call once, a minute apart, and keeps its position over a restart', () =>
    withClient(async ({ casa, api, waits }) => {
      const saved: string[] = [];
      const store = { load: () => saved.at(-1) ?? null, save: (since: string) => void saved.push(since) };
      const seen: string[] = [];
      for (let i = 0; i < 3; i += 1) {
        const rung = Array.from({ length: 5 }, () => idOf(casa.calls.ring({ durationS: 0 }) as never));
        const stop = new AbortController();
        for await (const call of api.calls({ store, signal: stop.signal })) {
          seen.push(idOf(call));
          if (rung.includes(idOf(call)) && rung.every((id) => seen.includes(id))) stop.abort();
        }
        casa.clock.advance('1m');
      }
      expect(seen.length).toBeGreaterThanOrEqual(15);
      expect(new Set(seen).size).toBe(seen.length);
      expect(saved).not.toEqual([]);
      expect(waits.every((ms) => ms === 60_000)).toBe(true);
    }));

  it('waits for the window of the key, and continues', () =>
    withClient(async ({ casa, api, waits }) => {
      const stop = new AbortController();
      const ring = casa.calls.ring({ durationS: 0 });
      casa.faults.add('listCalls=limiter_key@1x');
      for await (const call of api.calls({ signal: stop.signal })) {
        if (idOf(call) === idOf(ring as never)) stop.abort();
      }
      expect(waits[0]).toBeGreaterThan(15_000);
    }));

  it('starts at the current time, and waits at least a minute', () =>
    withClient(async ({ casa, api, waits }) => {
      const stop = new AbortController();
      const ring = casa.calls.ring({ durationS: 0 });
      const calls: Call[] = [];
      for await (const call of api.calls({ intervalMs: 5, signal: stop.signal })) {
        calls.push(call);
        if (idOf(call) === idOf(ring as never)) stop.abort();
      }
      expect(calls.map(idOf)).toContain(idOf(ring as never));
      expect(new Set(waits)).toEqual(new Set([60_000]));
    }));

  it('ends after the calls that are there, for a job', () =>
    withClient(async ({ casa, api, waits }) => {
      const kept: string[] = [];
      const store = { load: () => kept.at(-1), save: (since: string) => void kept.push(since) };
      const read = async () => (await collect(api.calls({ store, once: true, limit: 2 }))).map(idOf);
      expect(await read()).toEqual([]);
      const rung = [1, 2, 3].map(() => idOf(casa.calls.ring({ durationS: 0 }) as never));
      casa.clock.advance('6m');
      const first = await read();
      expect(first).toEqual(expect.arrayContaining(rung));
      casa.clock.advance('1m');
      const second = await read();
      expect(new Set([...first, ...second]).size).toBe(first.length + second.length);
      expect(waits).toEqual([]);
    }));

  it('polls again at once after a full page', () =>
    withClient(async ({ casa, api, waits }) => {
      const stop = new AbortController();
      const rung = new Set(Array.from({ length: 5 }, () => idOf(casa.calls.ring({ durationS: 0 }) as never)));
      for await (const call of api.calls({ limit: 2, signal: stop.signal })) {
        rung.delete(idOf(call));
        if (rung.size === 0) stop.abort();
      }
      const pages = casa.requests.find({ operation: 'listCalls' }).length;
      expect(pages).toBeGreaterThan(waits.length + 2);
    }));
});
