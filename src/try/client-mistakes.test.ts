// Whole clients with one mistake, or with a legal decision that looks like one.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ClientUnderTest } from './run-in-process.ts';
import { tryClient } from './try-client.ts';

const headersOf = ({ apiKey }: ClientUnderTest) => ({ headers: { authorization: `Bearer ${apiKey}` } });
const listSites = (casa: ClientUnderTest) => fetch(`${casa.baseUrl}/sites`, headersOf(casa));

const siteOf = async (casa: ClientUnderTest) => (await (await listSites(casa)).json()).data[0].id;

const reviewsOf = async (casa: ClientUnderTest) => {
  const base = `${casa.baseUrl}/connect/accounts`;
  const { data } = await (await fetch(base, headersOf(casa))).json();
  const path = `${base}/${data.accounts[0].accountId}/reviews`;
  return { path, ...(await (await fetch(path, headersOf(casa))).json()).data };
};

it.each<[string, string, (casa: ClientUnderTest) => Promise<unknown>]>([
  [
    'fails',
    'formats/ratings',
    async (casa) => {
      const { reviews } = await reviewsOf(casa);
      if (reviews.some(({ rating }: { rating: number }) => rating % 1 > 0)) throw new TypeError('no integer');
    },
  ],
  [
    'write-repeated',
    'formats/repl',
    async (casa) => {
      const { path, reviews } = await reviewsOf(casa);
      for (const { reviewId, replyText } of reviews) {
        if (replyText) continue;
        const body = JSON.stringify({ text: `Thanks for ${reviewId}.` });
        await fetch(`${path}/${encodeURIComponent(reviewId)}/reply`, { method: 'POST', body, ...headersOf(casa) });
      }
    },
  ],
  [
    'fails',
    'limits/read-limiter_key-',
    async (casa) => {
      const first = await listSites(casa);
      const waitMs = Number(first.headers.get('x-ratelimit-reset')) - Date.now();
      if (first.ok) return;
      if (waitMs < 0) throw new RangeError('a negative wait');
      await pause(Math.max(waitMs, 1_000 * Number(first.headers.get('retry-after'))));
      await listSites(casa);
    },
  ],
  [
    'review-lost',
    'pages/reviews-blank',
    async (casa) => {
      let { path, nextCursor, reviews } = await reviewsOf(casa);
      let total = reviews.length;
      while (nextCursor) {
        const url = `${path}?cursor=${encodeURIComponent(nextCursor)}`;
        ({ nextCursor, reviews } = (await (await fetch(url, headersOf(casa))).json()).data);
        total += reviews.length;
      }
      return total;
    },
  ],
  [
    'unknown-parameter',
    'formats/plain-type',
    async (casa) => (await fetch(`${casa.baseUrl}/articles?status=published`, headersOf(casa))).json(),
  ],
  [
    'burst',
    'load/many',
    async (casa) => {
      for (let i = 0; i < 11; i += 1) await listSites(casa);
    },
  ],
])('reports %s in %s', async (rule, cell, scenario) => {
  const { violations, advice } = await tryClient(scenario, { cells: [cell] });
  expect([...violations, ...advice].map((found) => found.rule)).toContain(rule);
});

it.each([
  ['an empty page', 'pages/reviews-empty-start', true, ['business review-lost', 'advice first-page-review']],
  ['a short page', 'pages/reviews-short', true, ['advice first-page-review', 'advice review-fewer']],
  ['an empty page without a report', 'pages/reviews-empty-start', false, ['advice first-page-review']],
])('tests a client that reads one page, with %s', async (_what, cell, isReported, rules) => {
  const report = await tryClient(
    async (casa) => {
      const { reviews } = await reviewsOf(casa);
      return isReported ? reviews : reviews.length;
    },
    { cells: [cell] },
  );
  expect(report.recordsReported).toBe(isReported ? 10 : 0);
  const found = [...report.violations, ...report.advice];
  expect(found.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(rules);
});

it('accepts that a client selects records by a field', async () => {
  const report = await tryClient(
    async (casa) => {
      const { data } = await (
        await fetch(`${casa.baseUrl}/keywords?siteId=${await siteOf(casa)}`, headersOf(casa))
      ).json();
      return data.filter(({ difficulty }: { difficulty: number | null }) => (difficulty ?? 0) > 2);
    },
    { cells: ['formats/null-fields'] },
  );
  expect([report.violations, report.cells[1]?.result]).toEqual([[], 'handled']);
});

it('reports a retry without the key', async () => {
  const report = await tryClient(
    async (casa) => {
      const first = await listSites(casa);
      if (first.status === 503) await pause(2_000);
      const { ok } = first.status === 503 ? await fetch(`${casa.baseUrl}/sites`) : first;
      if (!ok) throw new Error('no sites');
    },
    { cells: ['errors/read-503-once'] },
  );
  expect(report.violations).toMatchObject([{ rule: 'without-key', cells: ['errors/read-503-once'] }]);
});

it.each([
  ['null only', (cursor: unknown) => cursor === null || cursor === undefined, []],
  ['an empty string too', (cursor: unknown) => !cursor, ['review-lost']],
])('tests a client that takes %s for the end of reviews', async (_what, isEnd, rules) => {
  const report = await tryClient(
    async (casa) => {
      const read = async (path: string) => (await (await fetch(casa.baseUrl + path, headersOf(casa))).json()).data;
      const reviews: unknown[] = [];
      for (const { accountId, provider } of (await read('/connect/accounts')).accounts) {
        if (provider !== 'google_business') continue;
        for (let query = ''; ; ) {
          const page = await read(`/connect/accounts/${accountId}/reviews${query}`);
          reviews.push(...(page?.reviews ?? []));
          if (isEnd(page?.nextCursor)) break;
          query = `?cursor=${encodeURIComponent(page.nextCursor)}`;
        }
      }
      return reviews;
    },
    { cells: ['pages/reviews-blank'] },
  );
  expect(report.violations.map(({ rule }) => rule)).toEqual(rules);
  for (const { correct } of report.violations) expect(correct).toMatch(/^Send back an empty string too/);
});

it.each([
  ['hides a lost write', 'connections/write-before', () => 'published', ['write-lost']],
  ['says that a write is lost', 'connections/write-before', () => 'unknown', []],
  ['hides a write that was denied', 'refusals/write-403', null, ['write-lost']],
  ['leaves out a platform without posts', 'refusals/write-400', null, []],
])('tests a client that %s', async (_what, cell, ofLost, rules) => {
  const report = await tryClient(
    async (casa) => {
      const { headers } = headersOf(casa);
      const list = await (await fetch(`${casa.baseUrl}/connect/accounts`, { headers })).json();
      const { accountId } = list.data.accounts.find(({ status }: { status: string }) => status === 'connected');
      const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
      const body = JSON.stringify({ accountId, text: 'Open again' });
      return fetch(`${casa.baseUrl}/connect/accounts/${accountId}/posts`, { ...sent, body }).then(
        () => 'published',
        ofLost,
      );
    },
    { cells: [cell] },
  );
  expect(report.violations.map(({ rule }) => rule)).toEqual(rules);
});

it('reports a client that tells errors apart by their words', async () => {
  const report = await tryClient(
    async (casa) => {
      const read = async (path: string) => (await fetch(casa.baseUrl + path, headersOf(casa))).json();
      for (const { accountId, status } of (await read('/connect/accounts')).data.accounts) {
        if (status !== 'connected') continue;
        const { error } = await read(`/connect/accounts/${accountId}/insights`);
        if (/unauthorized/i.test(error?.message)) throw new Error('The key is invalid.');
      }
    },
    { cells: ['refusals/one-account'] },
  );
  expect(report.violations).toMatchObject([{ rule: 'stops-for-all', cells: ['refusals/one-account-other-words'] }]);
});

it.each([
  ['instants', (at: string) => Date.parse(at), []],
  ['texts', (at: string) => at, ['article-lost']],
])('tests a client that compares timestamps as %s', async (_what, keyOf, rules) => {
  const report = await tryClient(
    async (casa) => {
      const { data } = await (await fetch(`${casa.baseUrl}/articles?limit=100`, headersOf(casa))).json();
      return data.reduce((newest: { createdAt: string }, article: { createdAt: string }) =>
        keyOf(article.createdAt) > keyOf(newest.createdAt) ? article : newest,
      );
    },
    { cells: ['formats/timestamp-mixed', 'pages/articles-oldest'] },
  );
  expect(report.violations.map(({ rule }) => rule)).toEqual(rules);
});

it.each([
  ['shows a failed list as empty', () => [], 'limits/later-limiter_key-always', ['advice failure-hidden']],
  ['shows a failed list as failed', () => 'failed', 'limits/later-limiter_key-always', []],
  ['hides a 503, which no clause has for keywords', () => [], 'errors/later-503-always', ['advice failure-hidden']],
])('tests a client that %s', async (_what, ofFailed, cell, rules) => {
  const report = await tryClient(
    async (casa) => {
      const keywords = await fetch(`${casa.baseUrl}/keywords?siteId=${await siteOf(casa)}`, headersOf(casa));
      return keywords.ok ? (await keywords.json()).data.map(({ keyword }: { keyword: string }) => keyword) : ofFailed();
    },
    { cells: [cell] },
  );
  const found = [...report.violations, ...report.advice];
  expect(found.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(rules);
});

it('reports sites and accounts that a failure hides in one finding', async () => {
  const report = await tryClient(
    async (casa) => {
      const read = async (path: string) => (await fetch(`${casa.baseUrl}${path}`, headersOf(casa))).json();
      const [{ data: sites }, { data }] = [await read('/sites'), await read('/connect/accounts')];
      await read('/connect/calls/log');
      return data ? [sites, data.accounts] : [];
    },
    { cells: ['errors/later-503-always'] },
  );
  expect(report.advice).toMatchObject([
    {
      rule: 'records-lost',
      message: expect.stringMatching(/^Reported neither \d of \d sites and \d of \d accounts nor an error\.$/),
      correct: expect.stringMatching(/^Show the records after a retry, or report an error, if the service always/),
    },
  ]);
});

it('reports a client that prefers X-RateLimit-Reset to Retry-After', async () => {
  const report = await tryClient(
    async (casa) => {
      const first = await listSites(casa);
      if (first.status === 429) await pause(Number(first.headers.get('x-ratelimit-reset')) - Date.now());
      if (first.status === 429 && !(await listSites(casa)).ok) throw new Error('limited');
    },
    { cells: ['limits/read-limiter_key-longer'] },
  );
  expect(report.violations).toMatchObject([{ rule: 'early-retry', cells: ['limits/read-limiter_key-longer'] }]);
});

it('accepts that a client reports each of more accounts twice', async () => {
  const report = await tryClient(
    async (casa) => {
      const { data } = await (await fetch(`${casa.baseUrl}/connect/accounts`, headersOf(casa))).json();
      return data.accounts.flatMap(({ accountId }: { accountId: string }) => [
        { accountId, range: '7d' },
        { accountId, range: '28d' },
      ]);
    },
    { cells: ['load/slow', 'refusals/one-account'] },
  );
  expect(report.violations).toEqual([]);
});

it('advises a client that opens a connect link to leave it to the customer', async () => {
  const report = await tryClient(
    async (casa) => {
      const body = JSON.stringify({ provider: 'tiktok', label: 'Shop' });
      const sent = await fetch(`${casa.baseUrl}/connect/accounts`, { method: 'POST', body, ...headersOf(casa) });
      await fetch((await sent.json()).data.connectUrl);
    },
    { cells: ['formats/plain-type'] },
  );
  expect([report.violations, report.advice]).toMatchObject([[], [{ rule: 'link-opened', cells: ['control'] }]]);
});

it('reports a client that stores articles by slug', async () => {
  const report = await tryClient(
    async (casa) => {
      const { data } = await (await fetch(`${casa.baseUrl}/articles?limit=100`, headersOf(casa))).json();
      return Object.fromEntries(data.map((article: { slug: string }) => [article.slug, article]));
    },
    { cells: ['pages/articles-alike'] },
  );
  expect(report.violations).toMatchObject([{ rule: 'article-lost', cells: ['pages/articles-alike'] }]);
});

it.each([
  ['from the beginning', () => '1970-01-01T00:00:00Z'],
  ['from the present', () => new Date().toISOString()],
  ['without since', () => null],
])('accepts a job that reads a page of the call log, %s', async (_what, start) => {
  const report = await tryClient(
    async (casa) => {
      const since = start();
      const query = new URLSearchParams(since === null ? {} : { since });
      await listSites(casa);
      const { data } = await (await fetch(`${casa.baseUrl}/connect/calls/log?${query}`, headersOf(casa))).json();
      return data.calls;
    },
    { cells: ['calls/'] },
  );
  expect(report.violations).toEqual([]);
  const isPresent = (start() ?? '') > '1971';
  expect(report.cells.find(({ id }) => id === 'calls/ties')?.result).toBe(isPresent ? 'not-exercised' : 'handled');
  expect(report.cells.find(({ id }) => id === 'calls/seconds')?.result).toBe('not-exercised');
});

it.each([
  ['60 s', 60_000, 0, []],
  ['60 to 70 s', 60_000, 10_000, []],
  ['55 to 65 s', 55_000, 10_000, ['hasty-poll']],
])('tests a client that polls each %s', async (_what, leastMs, jitterMs, rules) => {
  const report = await tryClient(
    async (casa) => {
      for (let since = new Date().toISOString(); !casa.signal.aborted; ) {
        const query = new URLSearchParams({ since });
        const { data } = await (await fetch(`${casa.baseUrl}/connect/calls/log?${query}`, headersOf(casa))).json();
        casa.saw(...data.calls);
        since = data.nextCursor ?? since;
        await pause(leastMs + Math.random() * jitterMs);
      }
    },
    { cells: ['calls/ties', 'calls/seconds'] },
  );
  expect(report.violations.map(({ rule }) => rule)).toEqual(rules);
});

it.each<[string, string[], (casa: ClientUnderTest) => Promise<unknown>, string[], string[]]>([
  [
    'reads articles of the same time on separate pages',
    ['pages/articles-ties'],
    async (casa) => (await fetch(`${casa.baseUrl}/articles?limit=1`, headersOf(casa))).json(),
    ['handled', 'not-exercised'],
    ['To read all records, follow the cursors to the end.'],
  ],
  [
    'compares UUIDs as texts',
    ['formats/uuid-case'],
    async (casa) => {
      const { data } = await (await fetch(`${casa.baseUrl}/articles?limit=100`, headersOf(casa))).json();
      const id = await siteOf(casa);
      return data.filter(({ siteId }: { siteId: string }) => siteId === id);
    },
    ['handled', 'handled'],
    Array(2).fill('Compare UUIDs without regard to case.'),
  ],
  [
    'fails in two formats',
    ['formats/plain-type', 'formats/other-type'],
    async (casa) => {
      const { headers } = await listSites(casa);
      if (headers.get('content-type') !== 'application/json; charset=utf-8') throw new Error('no sites');
    },
    ['handled', 'violated', 'violated'],
    ['Handle each of these test cases: the titles say how the service responds.'],
  ],
  [
    'crashes after a 502 for sites, which the contract does not list, and not after one for accounts',
    ['errors/read-502-once'],
    async (casa) => {
      if (!(await fetch(`${casa.baseUrl}/connect/accounts`, headersOf(casa))).ok) throw new Error('no accounts');
      return siteOf(casa);
    },
    ['handled', 'handled'],
    ['You can retry: with back-off, or after the wait time of a 429.'],
  ],
])('tests a client that %s', async (_what, cells, scenario, results, corrections) => {
  const report = await tryClient(scenario, { cells });
  expect(report.cells.map(({ result }) => result)).toEqual(results);
  expect([...report.violations, ...report.advice].map(({ correct }) => correct)).toEqual(corrections);
});
