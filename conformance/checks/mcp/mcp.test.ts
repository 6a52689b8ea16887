import { expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Judged } from '../../judge/judge.ts';
import { checks } from '../index.ts';

// All variants are in proof/audits/silence.deep.test.ts.
test.each(['plain', 'frugal'] as const)('the legal variant %s is accepted, within the plan', async (variant) => {
  const own = checks.filter(({ id }) => id.startsWith('mcp/') || id === 'calls/listing');
  const { report, failures } = await bench({ checks: own, variant, run: ({ mcpUrl }) => ({ mcpUrl }) });
  expect(failures.filter((failure) => !failure.endsWith(' note'))).toEqual([]);
  for (const unit of ['requests', 'seconds'] as const) {
    expect(report.used[unit]).toBeLessThanOrEqual(report.plan[unit].ceiling);
    expect(report.used[unit]).toBeGreaterThanOrEqual(report.plan[unit].floor);
  }
});

/** A request of the client, and its response. */
function ask(method: string, params: object, body: object, rest: Partial<Exchange> = {}): Line {
  const requestBody = { text: JSON.stringify({ method, params }), bytes: 9 };
  return ['good mcp', { jsonrpc: '2.0', id: 1, ...body }, { requestBody, ...rest }];
}

const toolsOf = (schemas: object) =>
  Object.entries(schemas).map(([name, inputSchema]: [string, object]) => ({ name, inputSchema }));
const tools = (schemas: object) => ask('tools/list', {}, { result: { tools: toolsOf(schemas) } });
const call = (name: string, input: object, structuredContent: object, rest?: Partial<Exchange>) =>
  ask('tools/call', { name, arguments: input }, { result: { structuredContent } }, rest);
const rejected = (name: string, input: object, code = 'invalid_input') =>
  call(name, input, { error: { code, message: '', issues: [] } });

const opened = (status: number) => ask('initialize', {}, {}, { status });
const customers = (max: number, count: number, more: object = { nextCursor: 'c' }) =>
  call('customers_list', { max }, { customers: Array(count).fill({}), ...more });
const noCustomers = (max: number) => rejected('customers_list', { max });
const inbox = (input: object, more: object) => call('inbox_list', input, { messages: [1], ...more });
const noInbox = rejected('inbox_list', { cursor: 1 });
const someone = 'c0ffee00-dead-4bad-8bad-000000000000';
const of = (accountId: string) => ({ accountId });
const post = (length: number, code: string) => rejected('p', { accountId: someone, text: 'é'.repeat(length) }, code);
const posts = (maxLength: number) =>
  tools({ p: { properties: { accountId: {}, text: { type: 'string', maxLength }, media: {}, link: {} } } });
const [reviews, importer] = ['list_reviews', 'dialer_import_contacts'];
const both = { csv: '', rows: [] };
const labelled = (label: string, status = 200) => call(importer, {}, { imported: 9 }, { label, status });
const broken = (input: object) => call('calls_log', input, {}, { status: 500, json: {} });
const poll = (since: string, ids: readonly number[], nextCursor: string | null = null) =>
  call('calls_log', { since }, { calls: ids.map((id) => ({ id: `c${id}` })), nextCursor });
const [t0, t1, t2] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const withKey = (key: Exchange['key'], status: number, body: object): Line => [`${key} mcp`, body, { status }];

/** Counts before and after requests, twice. */
const counts = (...left: readonly number[]): Line[] =>
  left.map((remaining, place) => {
    const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': String(remaining) };
    const label = `count ${place % 2 ? 'after' : 'before'} MCP requests`;
    return ['good GET /sites', { data: [] }, { label, headers }];
  });

/** The content of the history, the result with the clauses of findings, and the history. */
type Row = readonly [shows: string, result: string, ...lines: readonly Line[]];

// biome-ignore format: one row a line
const rows: Readonly<Record<string, readonly Row[]>> = {
  'mcp/door': [
    ['another web page', 'inconclusive(precondition)', opened(404)],
    ['a gateway', 'inconclusive(platform)', opened(503)],
    ['a rejected key', 'fail 5.bearer-header', opened(401)],
    ['a list without tools', 'fail 1.mcp-door', ask('tools/list', {}, { result: {} })],
  ],
  'mcp/customers-max': [
    ['no accepted max', 'inconclusive(precondition)', noCustomers(1), noCustomers(10)],
    ['a rejected max', 'fail 8.customers-max', noCustomers(100), customers(1, 1)],
    ['an ignored max', 'fail 8.customers-max', customers(1, 2)],
    ['a clamped max', 'warn 8.customers-max', customers(1, 1), customers(0, 5)],
    ['a max without end', 'fail 8.customers-max', customers(1, 1), customers(0, 101)],
    ['no cursor before more', 'fail 4.tools.customers-list', customers(1, 1, {}), customers(9, 2)],
  ],
  'mcp/inbox-list': [
    ['the first page again', 'warn 4.tools.inbox-list', inbox({}, { nextCursor: 'c' }), inbox({ cursor: 'c' }, {})],
    ['a rejected cursor', 'fail 4.tools.inbox-list', inbox({}, { nextCursor: 1 }), noInbox],
    ['an invented cursor', 'inconclusive(vacuous)', inbox({}, { nextCursor: null }), noInbox],
  ],
  'mcp/unknown-account': [
    ['an unknown account', 'fail 1.unknown-record', call(reviews, of(someone), { reviews: [] })],
    ['prose', 'inconclusive(precondition)', call(reviews, of(someone), {}, { json: { result: {} } })],
    ['every id found wrong', 'inconclusive(vacuous)', rejected(reviews, of(someone))],
    ['one id found wrong', 'warn 1.unknown-record', rejected(reviews, of(someone)), call(reviews, of('a'), {})],
  ],
  'mcp/connect-inputs': [
    ['a loose schema', 'warn 8.post-text', posts(5001), post(5001, 'invalid_input'), post(5000, 'not_found')],
    ['a tool as loose', 'fail 8.post-text', posts(5001), post(5000, 'not_found')],
    ['a count of bytes', 'fail 8.post-text', posts(5000), post(5000, 'invalid_input'), post(5, 'not_found')],
    ['no valid text', 'inconclusive(precondition)', posts(5000), post(5000, 'invalid_input'), post(5, 'invalid_input')],
    ['another reason', 'inconclusive(precondition)', posts(5000), post(5001, 'payment_required')],
  ],
  'mcp/import-either': [
    ['both inputs', 'warn 8.import.either', call(importer, both, { imported: 0 })],
    ['empty inputs rejected', 'inconclusive(precondition)', rejected(importer, both), rejected(importer, { csv: '' })],
  ],
  'mcp/import-rows': [
    ['too many rows', 'fail 8.import.rows', labelled('too many contacts as rows')],
    ['a body limit', 'inconclusive(unreachable)', labelled('most contacts as csv', 413)],
  ],
  'mcp/tool-errors': [
    ['one breakdown', 'inconclusive(vacuous)', broken({}), call('calls_log', {}, {})],
    ['two breakdowns', 'fail 7.envelope.tool', broken({}), broken({})],
    ['breakdowns of two calls', 'inconclusive(vacuous)', broken({}), broken({ limit: 1 })],
    ['an unknown code', 'fail 7.envelope.tool-code', rejected('calls_log', {}, 'bad')],
  ],
  'mcp/limiter-form': [['a limiter in words', 'fail 7.envelope.mcp', withKey('none', 503, { error: 'rate limit' })]],
  'mcp/key': [
    ['another status', 'fail 5.invalid-key', withKey('none', 401, {}), withKey('wrong', 403, {})],
    ['a code of accounts', 'fail 5.provider-auth', withKey('none', 401, { error: { code: 'provider_auth' } })],
    ['a platform in trouble', 'inconclusive(platform)', withKey('none', 503, {})],
  ],
  'mcp/window-shared': [
    ['separate counts', 'fail 8.key-window-shared', ...counts(9, 8, 7, 6)],
    ['a count that others disturb', 'pass', ...counts(9, 8, 7, 3)],
    ['one count that others disturb', 'inconclusive(vacuous)', ...counts(9, 8)],
  ],
  'mcp/calls-log-chain': [
    ['a call again', 'fail 4.calls.exactly-once', poll(t0, from(1, 9), t1), poll(t1, from(9, 12), t2)],
    ['a call left out', 'fail 4.calls.exactly-once', poll(t0, from(1, 9), t2), poll(t0, [1, 2], t1), poll(t1, [4, 5], t2)],
    ['a new call', 'pass', poll(t0, from(1, 9), t2), poll(t0, from(1, 4), t1), poll(t1, from(5, 10), t2)],
    ['a rejected position', 'fail 4.calls.since', rejected('calls_log', { since: t0 }), call('calls_log', {}, {})],
    ['a position that is too old', 'pass', rejected('calls_log', { since: t0 }), poll(t1, [1], t2)],
    ['no cursor after calls', 'fail 4.calls.next-cursor-string', poll(t0, [1])],
    ['a cursor without calls', 'fail 4.calls.next-cursor-null', poll(t0, [], t1)],
  ],
  'mcp/calls-log-limit': [
    ['too many calls', 'fail 8.calls-limit', call('calls_log', { limit: 201 }, { calls: Array(201).fill({}) })],
  ],
};

const list = tools({ customers_list: {}, inbox_list: {}, calls_log: {}, [reviews]: {}, [importer]: {} });

const cases = Object.entries(rows).flatMap(([id, own]) =>
  own.map(([shows, result, ...lines]) => ({ id, shows, result, lines })),
);

test.each(cases)('$id judges $shows', ({ id, result, lines }) => {
  // The checks of a run keep the function that judges.
  const check = checks.find((one) => one.id === id) as unknown as Judged;
  const found = judged(check, historyOf(id === 'mcp/door' ? lines : [...lines, list]));
  const clauses = found.findings.filter((one) => !one.startsWith('note')).map((one) => one.split(' ')[1]);
  expect([found.result, ...new Set(clauses)].join(' ')).toBe(result);
});
