// Whole clients with one mistake, or with a legal decision that looks like one.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { headersOf, listSites, read, tried } from '../../fixtures/test-kit/tried-client.ts';
import type { ClientUnderTest } from './run-in-process.ts';

const siteOf = async (casa: ClientUnderTest) => (await read(casa, '/sites')).data[0].id;

const reviewsOf = async (casa: ClientUnderTest) => {
  const { data } = await read(casa, '/connect/accounts');
  const path = `/connect/accounts/${data.accounts[0].accountId}/reviews`;
  return { path: casa.baseUrl + path, ...(await read(casa, path)).data };
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
  ['unknown-parameter', 'formats/plain-type', async (casa) => read(casa, '/articles?status=published')],
  [
    'burst',
    'load/many',
    async (casa) => {
      for (let i = 0; i < 11; i += 1) await listSites(casa);
    },
  ],
])('reports %s in %s', async (rule, cell, scenario) => {
  const { violations, advice } = await tried([cell], scenario);
  expect([...violations, ...advice].map((found) => found.rule)).toContain(rule);
});

it.each([
  ['an empty page', 'pages/reviews-empty-start', true, ['business review-lost', 'advice first-page-review']],
  ['a short page', 'pages/reviews-short', true, ['advice first-page-review', 'advice review-fewer']],
  ['an empty page without a report', 'pages/reviews-empty-start', false, ['advice first-page-review']],
])('tests a client that reads one page, with %s', async (_what, cell, isReported, rules) => {
  const report = await tried([cell], async (casa) => {
    const { reviews } = await reviewsOf(casa);
    return isReported ? reviews : reviews.length;
  });
  expect(report.recordsReported).toBe(isReported ? 10 : 0);
  const found = [...report.violations, ...report.advice];
  expect(found.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(rules);
});

it('accepts that a client selects records by a field', async () => {
  const report = await tried(['formats/null-fields'], async (casa) => {
    const { data } = await read(casa, `/keywords?siteId=${await siteOf(casa)}`);
    return data.filter(({ difficulty }: { difficulty: number | null }) => (difficulty ?? 0) > 2);
  });
  expect([report.violations, report.cells[1]?.result]).toEqual([[], 'handled']);
});

it('reports a retry without the key', async () => {
  const report = await tried(['errors/read-503-once'], async (casa) => {
    const first = await listSites(casa);
    if (first.status === 503) await pause(2_000);
    const { ok } = first.status === 503 ? await fetch(`${casa.baseUrl}/sites`) : first;
    if (!ok) throw new Error('no sites');
  });
  expect(report.violations).toMatchObject([{ rule: 'without-key', cells: ['errors/read-503-once'] }]);
});

it.each([
  ['null only', (cursor: unknown) => cursor === null || cursor === undefined, []],
  ['an empty string too', (cursor: unknown) => !cursor, ['review-lost']],
])('tests a client that takes %s for the end of reviews', async (_what, isEnd, rules) => {
  const report = await tried(['pages/reviews-blank'], async (casa) => {
    const reviews: unknown[] = [];
    for (const { accountId, provider } of (await read(casa, '/connect/accounts')).data.accounts) {
      if (provider !== 'google_business') continue;
      for (let query = ''; ; ) {
        const { data: page } = await read(casa, `/connect/accounts/${accountId}/reviews${query}`);
        reviews.push(...(page?.reviews ?? []));
        if (isEnd(page?.nextCursor)) break;
        query = `?cursor=${encodeURIComponent(page.nextCursor)}`;
      }
    }
    return reviews;
  });
  expect(report.violations.map(({ rule }) => rule)).toEqual(rules);
  for (const { correct } of report.violations) expect(correct).toMatch(/^Send back an empty string too/);
});

it.each([
  ['hides a lost write', 'connections/write-before', () => 'published', ['write-lost']],
  ['says that a write is lost', 'connections/write-before', () => 'unknown', []],
  ['hides a write that was denied', 'refusals/write-403', null, ['write-lost']],
  ['leaves out a platform without posts', 'refusals/write-400', null, []],
])('tests a client that %s', async (_what, cell, ofLost, rules) => {
  const report = await tried([cell], async (casa) => {
    const { headers } = headersOf(casa);
    const list = await (await fetch(`${casa.baseUrl}/connect/accounts`, { headers })).json();
    const { accountId } = list.data.accounts.find(({ status }: { status: string }) => status === 'connected');
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    const body = JSON.stringify({ accountId, text: 'Open again' });
    return fetch(`${casa.baseUrl}/connect/accounts/${accountId}/posts`, { ...sent, body }).then(
      () => 'published',
      ofLost,
    );
  });
  expect(report.violations.map(({ rule }) => rule)).toEqual(rules);
});

it('reports a client that tells errors apart by their words', async () => {
  const report = await tried(['refusals/one-account'], async (casa) => {
    for (const { accountId, status } of (await read(casa, '/connect/accounts')).data.accounts) {
      if (status !== 'connected') continue;
      const { error } = await read(casa, `/connect/accounts/${accountId}/insights`);
      if (/unauthorized/i.test(error?.message)) throw new Error('The key is invalid.');
    }
  });
  expect(report.violations).toMatchObject([{ rule: 'stops-for-all', cells: ['refusals/one-account-other-words'] }]);
});

it.each([
  ['instants', (at: string) => Date.parse(at), []],
  ['texts', (at: string) => at, ['article-lost']],
])('tests a client that compares timestamps as %s', async (_what, keyOf, rules) => {
  const report = await tried(['formats/timestamp-mixed', 'pages/articles-oldest'], async (casa) => {
    const { data } = await read(casa, '/articles?limit=100');
    return data.reduce((newest: { createdAt: string }, article: { createdAt: string }) =>
      keyOf(article.createdAt) > keyOf(newest.createdAt) ? article : newest,
    );
  });
  expect(report.violations.map(({ rule }) => rule)).toEqual(rules);
});

it.each([
  ['shows a failed list as empty', () => [], 'limits/later-limiter_key-always', ['advice failure-hidden']],
  ['shows a failed list as failed', () => 'failed', 'limits/later-limiter_key-always', []],
  ['hides a 503, which no clause has for keywords', () => [], 'errors/later-503-always', ['advice failure-hidden']],
])('tests a client that %s', async (_what, ofFailed, cell, rules) => {
  const report = await tried([cell], async (casa) => {
    const keywords = await fetch(`${casa.baseUrl}/keywords?siteId=${await siteOf(casa)}`, headersOf(casa));
    return keywords.ok ? (await keywords.json()).data.map(({ keyword }: { keyword: string }) => keyword) : ofFailed();
  });
  const found = [...report.violations, ...report.advice];
  expect(found.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(rules);
});

it.each([
  [
    'reads the HTML of a gateway as JSON',
    'errors/read-gateway',
    (response: Response) => response.json(),
    ['advice crashes'],
  ],
  ['checks the status first', 'errors/read-gateway', (response: Response) => response.ok && response.json(), []],
  ['shows an empty body as no accounts', 'errors/read-empty', readLoosely, ['advice account-lost']],
  ['shows a login page as no accounts', 'errors/read-login', readLoosely, ['advice account-lost']],
  ['rejects a login page', 'errors/read-login', (response: Response) => response.json(), []],
])('tests a client that %s', async (_what, cell, readBody, rules) => {
  const report = await tried([cell], async (casa) => {
    const body = await readBody(await fetch(`${casa.baseUrl}/connect/accounts`, headersOf(casa)));
    if (!body) throw new Error('no accounts');
    return body.data.accounts.map(({ accountId }: { accountId: string }) => accountId);
  });
  const found = [...report.violations, ...report.advice];
  expect(found.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(rules);
});

it('reports sites and accounts that a failure hides in one finding', async () => {
  const report = await tried(['errors/later-503-always'], async (casa) => {
    const [{ data: sites }, { data }] = [await read(casa, '/sites'), await read(casa, '/connect/accounts')];
    await read(casa, '/connect/calls/log');
    return data ? [sites, data.accounts] : [];
  });
  expect(report.advice).toMatchObject([
    {
      rule: 'records-lost',
      message: expect.stringMatching(/^Reported neither \d of \d sites and \d of \d accounts nor an error\.$/),
      correct: expect.stringMatching(/^Show the records after a retry, or report an error, if the service always/),
    },
  ]);
});

it('reports a client that prefers X-RateLimit-Reset to Retry-After', async () => {
  const report = await tried(['limits/read-limiter_key-longer'], async (casa) => {
    const first = await listSites(casa);
    if (first.status === 429) await pause(Number(first.headers.get('x-ratelimit-reset')) - Date.now());
    if (first.status === 429 && !(await listSites(casa)).ok) throw new Error('limited');
  });
  expect(report.violations).toMatchObject([{ rule: 'early-retry', cells: ['limits/read-limiter_key-longer'] }]);
});

it('accepts that a client reports each of more accounts twice', async () => {
  const report = await tried(['load/slow', 'refusals/one-account'], async (casa) => {
    const { data } = await read(casa, '/connect/accounts');
    return data.accounts.flatMap(({ accountId }: { accountId: string }) => [
      { accountId, range: '7d' },
      { accountId, range: '28d' },
    ]);
  });
  expect(report.violations).toEqual([]);
});

it('advises a client that opens a connect link to leave it to the customer', async () => {
  const report = await tried(['formats/plain-type'], async (casa) => {
    const body = JSON.stringify({ provider: 'tiktok', label: 'Shop' });
    const sent = await fetch(`${casa.baseUrl}/connect/accounts`, { method: 'POST', body, ...headersOf(casa) });
    await fetch((await sent.json()).data.connectUrl);
  });
  expect([report.violations, report.advice]).toMatchObject([[], [{ rule: 'link-opened', cells: ['control'] }]]);
});

it('reports a client that stores articles by slug', async () => {
  const report = await tried(['pages/articles-alike'], async (casa) => {
    const { data } = await read(casa, '/articles?limit=100');
    return Object.fromEntries(data.map((article: { slug: string }) => [article.slug, article]));
  });
  expect(report.violations).toMatchObject([{ rule: 'article-lost', cells: ['pages/articles-alike'] }]);
});

it.each([
  ['from the beginning', () => '1970-01-01T00:00:00Z'],
  ['from the present', () => new Date().toISOString()],
  ['without since', () => null],
])('accepts a job that reads a page of the call log, %s', async (_what, start) => {
  const report = await tried(['calls/'], async (casa) => {
    const since = start();
    const query = new URLSearchParams(since === null ? {} : { since });
    await listSites(casa);
    const { data } = await read(casa, `/connect/calls/log?${query}`);
    return data.calls;
  });
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
  const report = await tried(['calls/ties', 'calls/seconds'], async (casa) => {
    for (let since = new Date().toISOString(); !casa.signal.aborted; ) {
      const query = new URLSearchParams({ since });
      const { data } = await read(casa, `/connect/calls/log?${query}`);
      casa.saw(...data.calls);
      since = data.nextCursor ?? since;
      await pause(leastMs + Math.random() * jitterMs);
    }
  });
  expect(report.violations.map(({ rule }) => rule)).toEqual(rules);
});

it.each<[string, string[], (casa: ClientUnderTest) => Promise<unknown>, string[], string[]]>([
  [
    'reads articles of the same time on separate pages',
    ['pages/articles-ties'],
    async (casa) => read(casa, '/articles?limit=1'),
    ['handled', 'not-exercised'],
    ['To read all records, follow the cursors to the end.'],
  ],
  [
    'compares UUIDs as texts',
    ['formats/uuid-case'],
    async (casa) => {
      const { data } = await read(casa, '/articles?limit=100');
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
  const report = await tried(cells, scenario);
  expect(report.cells.map(({ result }) => result)).toEqual(results);
  expect([...report.violations, ...report.advice].map(({ correct }) => correct)).toEqual(corrections);
});

it.each([
  ['after the pages of a round', false, false, [/^Reported neither \d+ of \d+ calls nor an error\.$/]],
  ['after the pages of a round, and errors', false, true, [/^Did not report \d+ of \d+ calls\.$/]],
  ['after each page, and errors', true, true, []],
])('tests a poller that reports calls %s', async (_when, isDirect, complains, messages) => {
  const report = await tried(['calls/many-500'], async (casa) => {
    let since = new Date().toISOString();
    while (!casa.signal.aborted) {
      const round: string[] = [];
      for (let isFull = true; isFull; ) {
        const response = await fetch(`${casa.baseUrl}/connect/calls/log?limit=200&since=${since}`, headersOf(casa));
        if (!response.ok) {
          if (complains) console.error('status', response.status);
          round.length = 0;
          break;
        }
        const { data } = await response.json();
        since = data.nextCursor ?? since;
        const ids = data.calls.map(({ id }: { id: string }) => id);
        if (isDirect) casa.saw(...ids);
        else round.push(...ids);
        isFull = ids.length === 200;
      }
      casa.saw(...round);
      await pause(60_000);
    }
  });
  expect(report.violations).toMatchObject(
    messages.map((message) => ({ rule: 'call-lost', message: expect.stringMatching(message) })),
  );
  expect(report.cells).toMatchObject([{ id: 'control' }, { id: 'calls/many-500' }]);
});

async function readLoosely(response: Response) {
  return response.json().catch(() => ({ data: { accounts: [] } }));
}
