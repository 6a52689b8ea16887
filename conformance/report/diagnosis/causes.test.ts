// Cites 4.calls.limit-ceiling, 5.missing-key.

import { describe, expect, it, test } from 'vitest';
import { sampleExchange, sampleFinding } from '../../../fixtures/test-kit/sample-report.ts';
import { type ClauseId, clauses } from '../../../src/contract/generated/clauses.ts';
import type { CheckResult, Finding } from '../../judge/result.ts';
import type { Report, StoredExchange } from '../report.ts';
import { causesOf, sequenceOf } from './causes.ts';

const exchange = (id: string, target: string, status = 200, more: Partial<StoredExchange> = {}) =>
  sampleExchange({
    id,
    operation: target.startsWith('/sites') ? 'listSites' : 'listCalls',
    target,
    status,
    requestHeaders: {},
    ...more,
  });

const finding = (clause: ClauseId, exchange: string | null, more: Partial<Finding> = {}) =>
  sampleFinding({ clause, pointer: '#status', expected: '200', actual: '500 internal_error', exchange, ...more });

const failed = (id: string, ...findings: Finding[]) =>
  ({ id, result: { kind: 'fail' }, findings, cites: [], exchanges: [] }) as unknown as CheckResult;

const report = (checks: readonly CheckResult[], exchanges: readonly StoredExchange[] = []) =>
  ({ checks, exchanges }) as unknown as Report;

const calls = [exchange('x1', '/connect/calls/log?limit=1'), exchange('x2', '/connect/calls/log?limit=2')];
const limited = (limit: number, status: number, id = 'x5') => exchange(id, `/connect/calls/log?limit=${limit}`, status);
const keyless = exchange('x3', '/sites', 200, { key: 'none' });

/** `ID CLAUSE EXCHANGE POINTER ACTUAL ALIKE`: a failed check with one finding. */
function read(row: string): CheckResult {
  const [id = '', clause, at = null, pointer = '#status', actual = '500', ...alike] = row.split(' ');
  return failed(id, finding(clause as ClauseId, at, { pointer, actual, alike }));
}

describe('causesOf', () => {
  test('finds no cause where nothing failed', () => {
    expect(causesOf(report([]))).toEqual([]);
  });

  test.each<[string, number, ...string[]]>([
    ['one response', 1, 'a/a 4.json x1', 'b/b 4.calls.since x1'],
    ['one fact', 1, 'a/a 8.calls-limit x1', 'b/b 4.calls.limit'],
    ['one place in the responses of an operation', 1, 'a/a 4.json x1 /data/0/id', 'b/b 4.calls.since x2 /data/7/id'],
    ['one status of an operation', 1, 'a/a 4.json x1', 'b/b 1.foreign-record x2'],
    ['two statuses', 2, 'a/a 4.json x1', 'b/b 1.foreign-record x2 #status 404'],
    [
      'a header and a field',
      2,
      'rule/a 8.headers.reset x1 #header/x-ratelimit-reset 9 x2',
      'rule/b 4.json x2 /data/0/a',
    ],
    ['two fields that two rules found', 2, 'rule/a 4.calls.endpoint x1 /data/0/a 1', 'rule/b 4.json x1 /data/0/b 2'],
    ['two fields of an error', 2, 'rule/a 4.calls.endpoint x4 /error/issues 1', 'rule/b 4.json x4 /error/message 2'],
    ['a body without its field', 1, 'rule/a 4.json x1 /data', 'calls/by-id 4.calls.endpoint x1 /data/0/id'],
    ['a cursor and the pages after it', 1, 'rule/a 4.json x1 /data/nextCursor', 'b/b 4.calls.exactly-once x1 /data'],
    ['two operations', 2, 'a/a 4.json x1', 'b/b 5.missing-key x3'],
  ])('of %s', (_, causes, ...rows) => {
    const exchanges = [...calls, keyless, exchange('x4', '/connect/calls/log', 400)];
    expect(causesOf(report(rows.map(read), exchanges))).toHaveLength(causes);
  });

  test('names a rule that all responses of a group violate, instead of one cause for each check', () => {
    const rule = finding('7.envelope.tool', 'x1', { pointer: '/error', alike: ['x2', 'x3'] });
    const checks = [
      failed('a/a', finding('4.calls.since', 'x1')),
      failed('b/b', finding('5.missing-key', 'x3')),
      failed('rule/error-envelope', rule),
    ];
    const causes = causesOf(report(checks, [...calls, keyless]));
    expect(causes.map(({ finding: first }) => first.clause)).toEqual(['7.envelope.tool']);
  });

  // The one that leads comes last.
  test.each([
    ['limits/wait-as-told 4.connect.statuses', 'insights/default-range 4.connect.insights.range-default'],
    ['rule/error-envelope 7.envelope.tool-code x3 /error/code', 'calls/bad-since 4.calls.statuses'],
    ['rule/code-status 7.code.unauthorized', 'auth/a 5.missing-key'],
    ['rule/rate-headers 8.headers.limit x3 #header/x-ratelimit-limit', 'limits/address-burst 8.address-window'],
    [
      'articles/page-walk 4.articles.list.walk x3 /data',
      'articles/cursor-value 4.articles.list.cursor-value x3 /cursor',
    ],
    ['auth/other-schemes 4.bearer', 'auth/altered-keys 5.invalid-key', 'auth/missing-key 5.missing-key'],
  ])('names what explains %s', (...rows) => {
    const checks = rows.map((row) => read(row.includes(' x3') ? row : `${row} x3`));
    const status = rows.at(-1)?.includes('4.calls.statuses') ? 500 : 200;
    const causes = causesOf(report(checks, [{ ...keyless, status }]));
    expect(causes.map(({ checks: [id] }) => id)).toEqual([checks.at(-1)?.id]);
  });

  test('reads each finding of a hostile service a few times, not once for each other finding', () => {
    let reads = 0;
    const counted = (clause: ClauseId, at: string) => ({
      ...finding(clause, null, { pointer: at, actual: at }),
      get clause() {
        reads += 1;
        return clause;
      },
    });
    const ids = Object.keys(clauses) as ClauseId[];
    const checks = Array.from({ length: 209 }, (_, row) =>
      failed(`a/${row}`, ...Array.from({ length: 30 }, (_, at) => counted(ids[row] as ClauseId, `/p${row}/q${at}`))),
    );
    expect(causesOf(report(checks)).flatMap((cause) => [...cause.checks, ...cause.consequences])).toHaveLength(209);
    expect(reads / (209 * 30)).toBeLessThan(50);
  });

  test('folds what follows, and hides no failed check', () => {
    const checks = [
      failed('calls/chain', finding('4.calls.exactly-once', 'x1', { pointer: '/data/calls' })),
      failed('calls/limit', finding('4.calls.limit-ceiling', 'x1', { pointer: '/data/calls' })),
      failed('calls/default', finding('4.calls.limit', 'x2', { pointer: '/data/calls' })),
    ];
    expect(causesOf(report(checks, calls))).toMatchObject([
      {
        id: 'listCalls/4.calls.limit-ceiling',
        operation: 'listCalls',
        clauses: ['4.calls.limit-ceiling', '4.calls.limit', '4.calls.exactly-once'],
        checks: ['calls/limit', 'calls/default'],
        consequences: ['calls/chain'],
        exchanges: ['x1', 'x2'],
      },
    ]);
  });

  test('begins with access to data', () => {
    const checks = [failed('a/a', finding('4.json', 'x1')), failed('b/b', finding('5.missing-key', 'x3'))];
    expect(causesOf(report(checks, [...calls, keyless])).map(({ id }) => id)).toEqual([
      'listSites/5.missing-key',
      'listCalls/4.json',
    ]);
  });

  test.each<[string, StoredExchange, string | null]>([
    ['the key', exchange('x4', '/sites', 401), 'key'],
    ['a parameter', exchange('x4', '/sites?a=1', 401, { key: 'none' }), 'a'],
    ['two parts', exchange('x4', '/sites?a=1', 401), null],
    ['a part, with the same kind of response', exchange('x4', '/sites', 0), null],
  ])('names the control request that differs in %s', (_, other, differsIn) => {
    const [cause] = causesOf(report([failed('a/a', finding('5.missing-key', 'x3'))], [keyless, other]));
    expect(cause?.control?.differsIn ?? null).toBe(differsIn);
  });

  test.each<[string, StoredExchange, object]>([
    ['the same request with the same status', exchange('x5', '/connect/calls/log?limit=1'), { seen: 2, of: 2 }],
    ['the same request with another status', exchange('x5', '/connect/calls/log?limit=1', 500), { seen: 1, of: 2 }],
    ['another request', exchange('x5', '/connect/calls/log', 500), { seen: 1, of: 1 }],
    [
      'the same request in chunks',
      exchange('x5', '/connect/calls/log?limit=1', 500, { requestHeaders: { 'transfer-encoding': 'chunked' } }),
      { seen: 1, of: 1 },
    ],
    ['the same request, rejected by a limiter', exchange('x5', '/connect/calls/log?limit=1', 429), { seen: 1, of: 1 }],
  ])('compares with %s', (_, other, scope) => {
    const checks = [failed('a/a', finding('4.calls.limit', 'x1'))];
    expect(causesOf(report(checks, [...calls, other]))[0]?.scope).toMatchObject(scope);
  });

  test.each<[string, Partial<Finding>, StoredExchange, object[]]>([
    ['another value that fails', { alike: ['x5'] }, limited(5, 200), [{ failing: 2, of: 2, passing: [] }]],
    ['another value that does not', {}, limited(5, 400), [{ failing: 1, of: 2, passing: ['limit=5'] }]],
    ['no value', {}, exchange('x5', '/connect/calls/log', 400), [{ failing: 1, of: 2, passing: ['no limit'] }]],
    ['another value that no finding is about', {}, limited(5, 200), []],
    ['two parts', {}, exchange('x5', '/connect/calls/log?limit=5&since=1', 400), []],
  ])('knows of %s', (_, more, other, varied) => {
    const checks = [failed('a/a', finding('4.calls.limit', 'x1', more))];
    const [cause] = causesOf(report(checks, [limited(1, 200, 'x1'), other]));
    expect(cause?.scope.varied).toEqual(varied.map((each) => ({ part: 'limit', ...each })));
  });

  test.each<[string, StoredExchange[], string[], string?, number?]>([
    ['nothing, after one request', [], []],
    ['chance, where each request shows it', [limited(1, 200, 'x5')], ['chance']],
    ['nothing, where only some requests show it', [limited(1, 500, 'x5')], []],
    ['the endpoint as a whole, with a control request', [limited(2, 400)], ['the endpoint as a whole']],
    ['nothing, where a success does not count as a control request', [limited(2, 200)], [], '404', 401],
    ['nothing, with a control request of a rate limit', [limited(2, 429)], []],
  ])('rules out %s', (_, others, ruledOut, expected = '400', status = 200) => {
    const checks = [failed('a/a', finding('4.calls.limit', 'x1', { expected }))];
    expect(causesOf(report(checks, [limited(1, status, 'x1'), ...others]))[0]?.ruledOut).toEqual(ruledOut);
  });

  test('counts for a rule only the responses that it tested', () => {
    const place = finding('2.site.id', 'x1', { pointer: '/data/0/id' });
    const all = ['x1', 'x2', 'x3'].map((id) => exchange(id, '/sites'));
    const rule = { ...failed('rule/list-sites-shape', place), exchanges: ['x1', 'x2'] };
    expect(causesOf(report([rule], all))[0]?.scope).toEqual({ seen: 1, of: 2, varied: [] });
  });
});

const send = (id: string, key: 'good' | 'second', status = 200, target = '/articles/a1') =>
  sampleExchange({ id, key, status, target, operation: 'getArticle' });
const leaked = sampleFinding({ exchange: 'x2', pointer: '#status', actual: '200' });
const leak = [send('x1', 'good'), send('x2', 'second')];
const idsOf = (...exchanges: Parameters<typeof sequenceOf>[1]) => {
  const { requests, ...counts } = sequenceOf({ finding: leaked }, exchanges);
  return { ids: requests.map(({ id }) => id), ...counts };
};

describe('the shortest sequence that shows a defect', () => {
  it('begins with the read that opened the record for another key', () => {
    expect(idsOf(...leak)).toEqual({ ids: ['x1', 'x2'], sent: 0, same: 0 });
  });

  it('counts how often the run sent it again, and how often it failed', () => {
    const again = [send('x4', 'good'), send('x5', 'second'), send('x6', 'good'), send('x7', 'second', 404)];
    expect(idsOf(...leak, send('x3', 'second', 404, '/articles/a2'), ...again)).toEqual({
      ids: ['x1', 'x2'],
      sent: 2,
      same: 1,
    });
  });

  it('is one request where an unread record is open too', () => {
    const again = [send('x3', 'second', 200, '/articles/a2'), send('x4', 'good'), send('x5', 'second')];
    expect(idsOf(...leak, ...again).ids).toEqual(['x2']);
  });
});
