import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { headersOf, listSites, tried } from '../../fixtures/test-kit/tried-client.ts';
import { clauses } from '../contract/generated/clauses.ts';
import { plain } from '../terminal/paint.ts';
import { matrix } from './matrix.ts';
import type { ClientUnderTest } from './run-in-process.ts';
import { markdownText, terminalText } from './texts.ts';
import { tryClient } from './try-client.ts';

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

const waiting = patient((ms) => pause(ms));

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
    const report = await tried(tenMinutes, patient(wait));
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
    const report = await tried(
      [...tenMinutes, 'limits/read-limiter_key-0'],
      patient((ms) => pause(ms), send),
    );
    expect(report.violations).toEqual([]);
    expect(report.cells.map(({ requests }) => requests)).toEqual([1, 2, 2]);
  });

  it('reports early retries with clause and test cases', async () => {
    const report = await tried(
      ['limits/read-limiter_key'],
      patient((ms) => pause(Math.min(ms, 60_000))),
    );
    expect(report.violations).toMatchObject([
      {
        ...{ id: 'early-retry limits', severity: 'rule', clause: '7.retry.retry-after' },
        cells: ['61', '600', 'reset', 'longer'].map((wait) => `limits/read-limiter_key-${wait}`),
      },
    ]);
    expect(isReport(report) ? [] : isReport.errors).toEqual([]);
    expect(terminalText(report, plain, () => true)).toMatch(
      /^1 violation in the 9 of 9 test cases that were exercised\.\n\nRules\n {2}✗ Retried listSites after a 429/,
    );
    expect(markdownText(report)).toContain('\n- limits/read-limiter\\_key-61: returns a 429 of the API key ');
  });

  it('calls a cell not exercised when the client made no request that it disturbs', async () => {
    const report = await tried(['pages/', 'calls/ties', 'formats/other-type'], waiting);
    const results = new Map(report.cells.map(({ id, result }) => [id, result]));
    expect([results.get('pages/reviews-short'), results.get('calls/ties')]).toEqual(['not-exercised', 'not-exercised']);
    expect(results.get('formats/other-type')).toBe('handled');
    const text = terminalText(report, plain, () => true);
    expect(text).toMatch(/^No violations in the 2 of 22 test cases that were exercised\.\n\nUndisturbed /);
    expect(text).toContain(
      'Your client ran 2 times and sent 2 requests.\nNot exercised: 2 need a poll of the call log, 18 need a request to another endpoint.',
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

  it('reports a loop without an end', async () => {
    const report = await tried(['errors/read-503-always'], async (casa) => {
      while (!(await listSites(casa)).ok);
    });
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
    const running = tried(tenMinutes, waiting);
    const before = Date.now();
    expect(Math.abs(before - performance.timeOrigin - performance.now())).toBeLessThan(60_000);
    await running;
    expect(setTimeout.name).toBe('setTimeout');
  });
});
