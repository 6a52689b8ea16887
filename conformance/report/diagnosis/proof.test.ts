import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleExchange, sampleFinding, sampleReport } from '../../../fixtures/test-kit/sample-report.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Finding } from '../../judge/result.ts';
import { type Report, store } from '../report.ts';
import { withProofs } from './proof.ts';

const [a, b, c] = ['a', 'b', 'c'].map((mark) => `${mark.repeat(8)}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
];

/** A response to GET /sites unless the rest says otherwise. */
const exchange = (id: string, target: string, json: unknown, rest: Partial<Exchange> = {}): Exchange =>
  ({
    ...sampleExchange({ id, operation: 'listArticles', target, requestHeaders: {}, headers: {} }),
    sentAt: Number(id.slice(1)) * 1000,
    receivedAt: Number(id.slice(1)) * 1000 + 10,
    json,
    bodyText: JSON.stringify(json),
    ...rest,
  }) as Exchange;

const page = (ids: readonly string[], cursor: string | null = null) => ({ data: ids.map((id) => ({ id })), cursor });
const calls = (...list: readonly object[]) => ({ data: { calls: list, nextCursor: null } });

function reportOf(exchanges: readonly Exchange[], finding: Partial<Finding>, id = 'articles/page-walk'): Report {
  const findings = [sampleFinding({ clause: '4.articles.list.walk', pointer: '/data', ...finding })];
  const checks = [sampleCheck(id, { kind: 'fail' }, { findings, exchanges: exchanges.map((each) => each.id) })];
  return sampleReport({ checks, exchanges: exchanges.map((each) => store(each, false)) });
}

const linesOf = (report: Report, exchanges: readonly Exchange[]) =>
  (withProofs(report, exchanges).checks[0]?.findings[0]?.proof ?? []).map(
    ({ exchange: id, shows }) => `${id} ${shows}`,
  );

const proofOf = (exchanges: readonly Exchange[], finding: Partial<Finding>) =>
  linesOf(reportOf(exchanges, finding), exchanges);

const burst = (from: number, statuses: readonly number[]) =>
  statuses.map((status, index) =>
    exchange(`x${from + index}`, '/sites', {}, { status, burst: true, sentAt: from * 1000 + index }),
  );

describe('withProofs', () => {
  test.each<[string, Exchange[], Partial<Finding>, string[]]>([
    [
      'a record on two pages',
      [exchange('x1', '/articles', page([a, b], 'k1')), exchange('x2', '/articles?cursor=k1', page([b, c]))],
      { exchange: 'x2', actual: `a list with 1 article repeated, such as ${b}` },
      [
        `x1 returned 2 records, with ${b} at /data/1/id, cursor "k1"`,
        `x2 returned 2 records, with ${b} at /data/0/id, cursor null`,
      ],
    ],
    [
      'a record on no page',
      [
        exchange('x1', '/articles?limit=100', page([a, b, c])),
        exchange('x2', '/articles', page([a], 'k1')),
        exchange('x3', '/articles?cursor=k1', page([c])),
      ],
      { exchange: 'x3', actual: `a list without ${b}` },
      [
        `x1 returned 3 records, with ${b} at /data/1/id, cursor null`,
        `x2 returned 1 record, without ${b}, cursor "k1"`,
        `x3 returned 1 record, without ${b}, cursor null`,
      ],
    ],
    [
      'a record that changes',
      [
        exchange('x1', '/connect/calls/log?since=1', calls({ id: 'n1', outcome: 'missed' })),
        exchange('x2', '/connect/calls/log?since=2', calls({ id: 'n0' }, { id: 'n1', outcome: 'answered' })),
      ],
      { exchange: 'x2', pointer: '/data/calls/1', actual: 'a changed call' },
      [
        'x1 returned 1 record, with n1 at /data/calls/0/id and outcome "missed", cursor null',
        'x2 returned 2 records, with n1 at /data/calls/1/id and outcome "answered", cursor null',
      ],
    ],
    [
      'a list that flickers',
      ['x1', 'x2', 'x3'].map((id) => exchange(id, '/articles', page(id === 'x2' ? [a] : [a, b]))),
      { exchange: 'x2', actual: 'other articles' },
      [
        `x1 returned 2 records, with ${b} at /data/1/id, cursor null`,
        `x2 returned 1 record, without ${b}, cursor null`,
        `x3 returned 2 records, with ${b} at /data/1/id, cursor null`,
      ],
    ],
    [
      'a record of another organization',
      [
        exchange('x1', '/articles', page([a])),
        exchange('x2', '/articles', page([c]), { key: 'second' }),
        exchange('x3', `/articles/${a}`, { data: { id: a } }, { key: 'second', operation: 'getArticle' }),
      ],
      { exchange: 'x3', pointer: '#status', actual: '200' },
      [
        `x1 returned 1 record, with ${a} at /data/0/id, cursor null`,
        `x2 returned 1 record, without ${a}, cursor null`,
        `x3 returned 200, with ${a} at /data/id`,
      ],
    ],
    [
      'a response that the finding names',
      [exchange('x1', '/articles?limit=2', page([a, b])), exchange('x2', '/articles?limit=1', page([b]))],
      { exchange: 'x2', expected: 'the first article of x1', actual: 'another article' },
      [
        `x1 returned 2 records, with ${b} at /data/1/id, cursor null`,
        `x2 returned 1 record, with ${b} at /data/0/id, cursor null`,
      ],
    ],
    [
      'a status that depends on chance',
      [exchange('x1', '/articles', page([a])), exchange('x2', '/articles', {}, { status: 404 })],
      { exchange: 'x2', pointer: '#status', actual: '404' },
      ['x1 returned 1 record, cursor null', 'x2 returned 404 without error.code'],
    ],
    [
      'bursts',
      [
        ...burst(1, [200, 200, 200, 429]),
        exchange('x8', '/a', {}, { status: 200, burst: true, sentAt: 8_999 }),
        ...burst(9, [200, 429]),
      ],
      { exchange: 'x9', clause: '8.address-window', pointer: '' },
      [
        'x1 was one of 4 requests at once (x1 to x4) at 0.0 s: 3 returned 200, 1 returned 429',
        'x9 was one of 3 requests at once (x8 to x10) at 8.0 s: 2 returned 200, 1 returned 429',
      ],
    ],
    [
      'a wait that was not long enough',
      ['x1', 'x2'].map((id) => exchange(id, '/articles', {}, { status: 429, headers: { 'retry-after': '1' } })),
      { exchange: 'x2', clause: '8.retry-after', pointer: '', actual: '429' },
      ['x1 returned 429 with retry-after 1', 'x2 returned 429 with retry-after 1, 1.0 s later'],
    ],
  ])('shows %s', (_, exchanges, finding, lines) => {
    expect(proofOf(exchanges, finding)).toEqual(lines);
  });

  const two = [exchange('x1', '/articles', page([a, b])), exchange('x2', '/articles?limit=1', page([a, b]))];
  test.each<[string, Partial<Finding>, string?]>([
    ['a number of records', { exchange: 'x2', expected: 'at most 1', actual: '2 articles' }],
    ['a value of one response', { exchange: 'x2', pointer: '/data/0/title', expected: 'a string', actual: 'nothing' }],
    ['no single response', { exchange: null, actual: a }],
    ['a rule', { exchange: 'x2', actual: a }, 'rule/list-articles-shape'],
  ])('has no lines about %s', (_, finding, id) => {
    expect(linesOf(reportOf(two, finding, id), two)).toEqual([]);
  });

  test.each<[string, string[][], string[] | undefined]>([
    ['lack a record that returns', [[a, b], [b], [a, b], [b]], ['x2', 'x4']],
    ['lack it because it was deleted', [[a, b], [b], [b]], undefined],
    ['have one more because it was created', [[b], [a, b], [a, b]], undefined],
    ['are the same', [[a], [a], [a]], undefined],
  ])('compares identical requests, which %s', (_, lists, without) => {
    const reads = lists.map((ids, index) => exchange(`x${index + 1}`, '/articles', page(ids)));
    const [check] = withProofs(
      reportOf(reads, { exchange: 'x2', expected: a, actual: 'a page without it' }),
      reads,
    ).checks;
    const unsteady = { record: a, exchanges: reads.map(({ id }) => id), without };
    expect(check?.findings[0]?.unsteady).toEqual(without && unsteady);
  });

  test.each<[string, string, string | undefined]>([
    ['a cache', '2026-03-08', 'x3'],
    ['a range that is ignored', '2026-03-29', undefined],
  ])('compares the first read of another record, for %s', (_, endDate, first) => {
    const insights = (id: string, target: string, end = '2026-03-29') =>
      exchange(id, `/${target}`, { data: { range: { startDate: '2026-03-01', endDate: end } } });
    const reads = [insights('x1', 'a?range=28d'), insights('x2', 'a?range=7d'), insights('x3', 'b?range=7d', endDate)];
    const report = reportOf(reads, { exchange: 'x2', pointer: '/data/range', clause: '4.connect.insights.range' });
    const [check] = withProofs(report, reads).checks;
    expect(check?.findings[0]?.firstRead).toBe(first);
  });

  test('reads the results of MCP tools', () => {
    const tool = (id: string, list: object) =>
      exchange(
        id,
        '/mcp',
        { result: { content: [{ type: 'text', text: JSON.stringify(list) }] } },
        { mcpEndpoint: 'mcp' },
      );
    const both = [tool('x1', calls({ id: b })), tool('x2', calls({ id: a }, { id: b }))];
    expect(proofOf(both, { exchange: 'x2', pointer: '', actual: `call "${b}" again` })).toEqual([
      `x1 returned 1 record, with ${b} at /data/calls/0/id, cursor null`,
      `x2 returned 2 records, with ${b} at /data/calls/1/id, cursor null`,
    ]);
  });
});
