import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { clauses } from '../contract/generated/clauses.ts';
import { matrix } from './matrix.ts';
import type { ClientUnderTest } from './run-in-process.ts';
import { markdownText, terminalText } from './texts.ts';
import { tryClient } from './try-client.ts';

const headersOf = ({ apiKey }: ClientUnderTest) => ({ headers: { authorization: `Bearer ${apiKey}` } });
const listSites = (casa: ClientUnderTest) => fetch(`${casa.baseUrl}/sites`, headersOf(casa));

const siteOf = async (casa: ClientUnderTest) => (await (await listSites(casa)).json()).data[0].id;

/** Reads the sites with one retry after the wait time of a 429. */
const patient =
  (wait: (ms: number) => Promise<unknown>, send: (casa: ClientUnderTest) => Promise<Response> = listSites) =>
  async (casa: ClientUnderTest) => {
    let response = await send(casa);
    if (response.status === 429) {
      await wait(Number(response.headers.get('retry-after')) * 1000);
      response = await send(casa);
    }
    if (!response.ok) throw new Error(`status ${response.status}`);
    return (await response.json()).data;
  };

const schema = JSON.parse(readFileSync(new URL('../../spec/client.schema.json', import.meta.url), 'utf8'));
const isReport = new Ajv2020().compile(schema);
const tenMinutes = ['limits/read-limiter_key-600'];

describe('the matrix', () => {
  it('has each id once, and clauses that exist', () => {
    expect(new Set(matrix.map(({ id }) => id)).size).toBe(matrix.length);
    expect(matrix.flatMap((cell) => cell.clauses).filter((clause) => !Object.hasOwn(clauses, clause))).toEqual([]);
  });
});

describe('tryClient', () => {
  it.each<[string, (ms: number) => Promise<unknown>]>([
    ['setTimeout', (ms) => new Promise((resolve) => setTimeout(resolve, ms))],
    ['node:timers/promises', (ms) => pause(ms)],
    ['util.promisify', (ms) => promisify(setTimeout)(ms)],
    [
      'AbortSignal.timeout',
      (ms) => new Promise((resolve) => AbortSignal.timeout(ms).addEventListener('abort', resolve)),
    ],
    [
      'setInterval and Date',
      (ms) =>
        new Promise<void>((resolve) => {
          const endMs = Date.now() + ms;
          const timer = setInterval(() => {
            if (new Date() < new Date(endMs)) return;
            clearInterval(timer);
            resolve();
          }, 5_000);
        }),
    ],
  ])('lets a client wait ten minutes with %s', async (_name, wait) => {
    const startMs = performance.now();
    const report = await tryClient(patient(wait), { cells: tenMinutes });
    expect(report.violations).toEqual([]);
    expect(report.cells[1]).toMatchObject({ result: 'handled', requests: 2 });
    expect(performance.now() - startMs).toBeLessThan(60_000);
  });

  it('tests a client that uses node:http', async () => {
    const send = (casa: ClientUnderTest) =>
      new Promise<Response>((resolve, reject) => {
        get(`${casa.baseUrl}/sites`, headersOf(casa), (incoming) => {
          let text = '';
          incoming.on('data', (part) => {
            text += part;
          });
          const headers = { 'retry-after': incoming.headers['retry-after'] ?? '' };
          incoming.on('end', () => resolve(new Response(text, { status: incoming.statusCode ?? 0, headers })));
        }).on('error', reject);
      });
    const report = await tryClient(
      patient((ms) => pause(ms), send),
      { cells: [...tenMinutes, 'limits/read-limiter_key-0'] },
    );
    expect(report.violations).toEqual([]);
    expect(report.cells.map(({ requests }) => requests)).toEqual([1, 2, 2]);
  });

  it('reports early retries with clause and test cases', async () => {
    const report = await tryClient(
      patient((ms) => pause(Math.min(ms, 60_000))),
      { cells: ['limits/read-limiter_key'] },
    );
    expect(report.violations).toMatchObject([
      {
        ...{ id: 'early-retry limits', severity: 'rule', clause: '7.retry.retry-after' },
        cells: ['61', '600', 'reset', 'longer'].map((wait) => `limits/read-limiter_key-${wait}`),
      },
    ]);
    expect(isReport(report) ? [] : isReport.errors).toEqual([]);
    expect(
      terminalText(
        report,
        (_, text) => text,
        () => true,
      ),
    ).toMatch(
      /^1 violation in the 9 of 9 test cases that were exercised\.\n\nRules\n {2}✗ Retried listSites after a 429/,
    );
    expect(markdownText(report)).toContain('\n- limits/read-limiter\\_key-61: returns a 429 of the API key ');
  });

  it('calls a cell not exercised when the client made no request that it disturbs', async () => {
    const report = await tryClient(
      patient((ms) => pause(ms)),
      { cells: ['pages/', 'calls/ties', 'formats/escaped'] },
    );
    const results = new Map(report.cells.map(({ id, result }) => [id, result]));
    expect([results.get('pages/reviews-short'), results.get('calls/ties')]).toEqual(['not-exercised', 'not-exercised']);
    expect(results.get('formats/escaped')).toBe('handled');
    const text = terminalText(
      report,
      (_, part) => part,
      () => true,
    );
    expect(text).toMatch(/^No violations in the 2 of 22 test cases that were exercised\.\n\nUndisturbed /);
    expect(text).toContain(
      'Your client ran 2 times and sent 2 requests.\nNot exercised: 2 need a poll of the call log, 18 need a request for other records.',
    );
    expect(markdownText(report)).toContain('## Not exercised\n\nNeed a poll of the call log (2)\n');
  });

  it('stops when its signal aborts, and reports what was tested', async () => {
    const stop = new AbortController();
    let runs = 0;
    const report = await tryClient(
      async (casa) => {
        runs += 1;
        if (runs > 3) stop.abort();
        return (await listSites(casa)).json();
      },
      { signal: stop.signal, parallel: 1, cells: ['formats/'] },
    );
    const results = report.cells.map(({ result, needs }) => needs ?? result);
    expect(results.slice(0, 3)).toEqual(['handled', 'handled', 'handled']);
    expect(results.slice(3)).toContain('stopped');
    expect(isReport(report) ? [] : isReport.errors).toEqual([]);
  });

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
      'unknown-parameter',
      'formats/indented',
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
    ['hides a lost write', () => 'published', ['write-lost']],
    ['says that a write is lost', () => 'unknown', []],
  ])('tests a client that %s', async (_what, ofLost, rules) => {
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
      { cells: ['connections/write-before'] },
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
    ['shows a failed list as empty', () => [], 'limits/later-limiter_key-always', ['business failure-hidden']],
    ['shows a failed list as failed', () => 'failed', 'limits/later-limiter_key-always', []],
    ['hides a 503, which no clause has for keywords', () => [], 'errors/later-503-always', ['advice failure-hidden']],
  ])('tests a client that %s', async (_what, ofFailed, cell, rules) => {
    const report = await tryClient(
      async (casa) => {
        const keywords = await fetch(`${casa.baseUrl}/keywords?siteId=${await siteOf(casa)}`, headersOf(casa));
        return keywords.ok
          ? (await keywords.json()).data.map(({ keyword }: { keyword: string }) => keyword)
          : ofFailed();
      },
      { cells: [cell] },
    );
    const found = [...report.violations, ...report.advice];
    expect(found.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(rules);
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
      { cells: ['formats/indented'] },
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
  ])('accepts a job that reads a page of the call log, %s', async (_what, start) => {
    const report = await tryClient(
      async (casa) => {
        const query = new URLSearchParams({ since: start() });
        await listSites(casa);
        const { data } = await (await fetch(`${casa.baseUrl}/connect/calls/log?${query}`, headersOf(casa))).json();
        return data.calls;
      },
      { cells: ['calls/'] },
    );
    expect(report.violations).toEqual([]);
    const isStart = start() < '1971';
    expect(report.cells.find(({ id }) => id === 'calls/ties')?.result).toBe(isStart ? 'handled' : 'not-exercised');
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

  it('reports a loop without an end', async () => {
    const report = await tryClient(
      async (casa) => {
        while (!(await listSites(casa)).ok);
      },
      { cells: ['errors/read-503-always'] },
    );
    expect(report.violations.map(({ rule }) => rule)).toEqual(['no-back-off', 'endless']);
  });

  it('reports the violation of a client that fails because of it', async () => {
    const report = await tryClient(async (casa) => {
      const poll = (query: string) => fetch(`${casa.baseUrl}/connect/calls/log?since=${query}`, headersOf(casa));
      await poll(new Date().toISOString());
      await pause(60_000);
      if (!(await poll('null')).ok) throw new Error('rejected');
    });
    expect(report.violations).toMatchObject([{ rule: 'lost-since', severity: 'business', cells: ['control'] }]);
  });

  it.each<[string, (casa: ClientUnderTest) => unknown, object, string]>([
    [
      'sends nothing',
      () => null,
      {},
      'The client sent no request to CASA_BASE_URL. Pass the base URL and the key to it.',
    ],
    [
      'fails by itself',
      async (casa) => {
        await listSites(casa);
        throw new Error('no sites');
      },
      {},
      'The client fails without a disturbance: no sites. Fix this first.',
    ],
    ['names an unknown test case', listSites, { cells: ['limit-'] }, 'There is no test case "limit-".'],
    ['asks for no time', listSites, { minutes: 0 }, 'minutes is a number from 0 to 1440, not 0.'],
    ['asks for no cells at a time', listSites, { parallel: 0.5 }, 'parallel is a whole number above 0, not 0.5.'],
  ])('rejects a run that %s', async (_what, scenario, options, sentence) => {
    await expect(tryClient(scenario, options)).rejects.toThrow(sentence);
  });

  it('leaves timers and clock of everybody else alone', async () => {
    const running = tryClient(
      patient((ms) => pause(ms)),
      { cells: tenMinutes },
    );
    const before = Date.now();
    expect(Math.abs(before - performance.timeOrigin - performance.now())).toBeLessThan(60_000);
    await running;
    expect(setTimeout.name).toBe('setTimeout');
  });
});
