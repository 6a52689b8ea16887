import { describe, expect, it, vi } from 'vitest';
import { goodKey as key } from '../../fixtures/test-kit/engine.ts';
import { describeBasis, readBasis } from '../contract/basis.ts';
import { type Casa, createMock } from '../index.ts';
import { App } from './client/app.ts';
import { basisOfPieces } from './client/basis.tsx';
import { callStatusOf, countdown } from './client/calls-page.tsx';
import { curlOf, fetchOf, testOf } from './client/next-steps.tsx';
import { durationOf, indent, sizeOf, spanOf, tokenize, tokensMax } from './client/parts.tsx';
import {
  addRows,
  badgesOf,
  type Filter,
  filterIn,
  fits,
  hashOf,
  networkSentence,
  noFilter,
  rowsMax,
  shortPath,
  violationsByRequest,
} from './client/request-log-rows.ts';
import type { CallWay, LoggedRequest, RequestLogRow, Violation } from './client/responses.ts';
import { fileBytesMax, readUpload } from './client/snapshots-page.tsx';
import { readReport } from './client/try-page.tsx';

describe('the basis of fields', () => {
  const table = {
    '/data/*/id': 'learnt idCase (seen 9, 2026-11-24)',
    '/data/*/*': 'assumed R12 (extraFields)',
    '/data': 'contract',
    '/data/calls/*/*': 'learnt callRecord (seen 7, 2026-11-24)',
  };

  it('is read from the header as it was written, without the mark of an input', () => {
    expect(readBasis(`emptySince=assumed as badSince; ${describeBasis(table)}`)).toEqual(table);
    expect(readBasis('')).toEqual({});
  });

  it('belongs to the names of the fields', () => {
    const at = (json: object) => {
      const pieces = tokenize(JSON.stringify(json));
      const found = basisOfPieces(pieces, table);
      return pieces.flatMap(({ text }, index) => (found[index] ? [`${text} ${found[index].split(' ')[1] ?? ''}`] : []));
    };
    expect(at({ data: [{ id: '{"data"', other: 1 }, { id: '2' }] })).toEqual([
      '"data" ',
      '"id" idCase',
      '"other" R12',
      '"id" idCase',
    ]);
    expect(at({ data: { calls: [{ at: { from: 1 } }] } }).slice(-2)).toEqual(['"at" callRecord', '"from" callRecord']);
  });
});

const nothing = { blockedBy: null, fault: null, complaint: null, replayOf: null, forwarded: null, network: null };
const asked = { operation: 'listSites', method: 'GET', path: '/api/v1/sites', query: '', status: 200 } as const;
const at = '2026-01-15T12:00:00.000Z';
const row = (parts: Partial<RequestLogRow> = {}): RequestLogRow => ({
  ...{ id: 1, at, key: 'casa_…cdef', address: '127.0.0.1', ...asked, ...nothing },
  ...parts,
});

const early = { rule: 'early-retry', clause: '7.retry.retry-after', message: 'Too early.' } as const;
const violation = (id: number, requestIds: number[]): Violation => ({
  ...{ id, ...early, request: 'GET /api/v1/sites', requestIds, at, client: { key: null, address: '::1' } },
});

describe('a page that is being opened', () => {
  it('loses nothing of what happens meanwhile, and shows it once', async () => {
    vi.useFakeTimers();
    const late = violation(1, [2]);
    const responses: Readonly<Record<string, object>> = {
      '/health': { clock: {} },
      '/organizations': { organizations: [] },
      '/violations': { violations: [late] },
      [`/requests?limit=${rowsMax}`]: { requests: [] },
    };
    const app = new App({
      ask: async <T>(_method: string, path: string) => (responses[path] ?? {}) as T,
      async follow(hear, _signal, opened) {
        const loaded = opened();
        hear('exchange', row({ id: 2 }));
        hear('violation', late);
        await loaded;
        await new Promise(() => {});
      },
    });
    void app.start();
    await vi.advanceTimersByTimeAsync(100);
    expect(app.state.rows.map(({ id }) => id)).toEqual([2]);
    expect(app.state.violations).toEqual([late]);
    app.stop();
    vi.useRealTimers();
  });
});

describe('a file of a user', () => {
  it.each([
    ['tea.json', '{"articles":[{"title":"Tea"}]}', '/world', { world: { articles: [{ title: 'Tea' }] } }],
    ['w.json', '\ufeff{"casaWorld":1}', '/world', { world: { casaWorld: 1 } }],
    ['my one.JSON', '{"casaSnapshot":1,"journal":{}}', '/snapshots/my%20one', { snapshot: { casaSnapshot: 1 } }],
    ['x.json', '{"id":"lunch","snapshot":{"casaSnapshot":1}}', '/snapshots/x', { snapshot: { casaSnapshot: 1 } }],
  ])('%s is recognized by its contents', (name, text, path, body) => {
    expect(readUpload(name, text)).toMatchObject({ path: path.replace('/x', '/lunch'), body });
  });

  it.each([
    ['{', 'x.json is not valid JSON. Choose a world file or a snapshot.'],
    ['[]', 'x.json contains no JSON object. Choose a world file or a snapshot.'],
    [`{"articles":"${'x'.repeat(fileBytesMax)}"}`, 'x.json is larger than 2.5 MB. Start the mock with --data'],
  ])('is rejected before it is sent', (text, sentence) => {
    expect(() => readUpload('x.json', text)).toThrow(sentence);
  });

  it.each([
    '{}',
    '{"casaClient":2,"violations":[],"advice":[],"dimensions":[],"cells":[]}',
    '{"casaClient":1,"violations":[{}],"advice":[],"dimensions":[],"cells":[]}',
    '{"casaClient":1,"violations":[],"advice":[],"dimensions":[null],"cells":[]}',
  ])('is no report of casa try: %s', (text) => {
    expect(() => readReport('x.json', text)).toThrow('x.json is not a report of casa try. Write one with --report');
  });
});

describe('rows of the request log', () => {
  it('name the deployment that responded, and its violations', () => {
    const finding = { rule: 'r', clause: 'c', severity: 'fail', pointer: '/data', expected: 'a list', actual: 'null' };
    const forwarded = { url: 'http://a/sites', ms: 3, failure: null, findings: [finding] };
    expect(badgesOf(row({ forwarded }), []).map(({ text, title }) => [text, title])).toEqual([
      ['deployment: 1 violated', '/data: expected a list, got null.'],
      ['forwarded', 'Response of http://a/sites.'],
    ]);
    const lost = { ...forwarded, failure: 'It is down.', findings: [] };
    expect(badgesOf(row({ forwarded: lost }), [])[0]).toMatchObject({ kind: 'deployment', title: 'It is down.' });
  });

  it('come newest first, once each, and no more than the mock keeps', () => {
    const rows = addRows(
      [row({ id: 2 }), row({ id: 1 })],
      [row({ id: 2, status: 503 }), row({ id: 3 }), row({ id: 4 })],
    );
    expect(rows.map(({ id, status }) => `${id} ${status}`)).toEqual(['4 200', '3 200', '2 503', '1 200']);
    const many = Array.from({ length: rowsMax + 50 }, (_, i) => row({ id: i + 5 }));
    expect(addRows(rows, many).map(({ id }) => id)).toHaveLength(rowsMax);
    expect(addRows(rows, many)[0]?.id).toBe(rowsMax + 54);
  });

  it.each<[Partial<RequestLogRow>, number, string[]]>([
    [{}, 0, []],
    [{}, 1, ['violation']],
    [{}, 3, ['3 violations']],
    [{ complaint: 'No such example.' }, 0, ['complaint']],
    [{ fault: 'fault-1', network: 'reset' }, 0, ['fault', 'reset']],
    [{ blockedBy: 'key', status: 429 }, 0, ['key limit']],
    [{ operation: null }, 0, ['no operation']],
    [{ replayOf: 7 }, 0, ['replay']],
  ])('with %j and %i violations wear %j', (parts, violations, texts) => {
    const judged = Array.from({ length: violations }, (_, i) => violation(i, [1]));
    expect(badgesOf(row(parts), judged).map(({ text }) => text)).toEqual(texts);
  });

  it('show a violation at the request that it is about, the last of its list', () => {
    const judged = violationsByRequest([violation(1, [1, 2]), violation(2, [2, 3]), violation(3, [3])]);
    expect([...judged].map(([id, of]) => [id, of.map((one) => one.id)])).toEqual([
      [2, [1]],
      [3, [2, 3]],
    ]);
  });

  it.each<[Partial<Filter>, boolean]>([
    [{}, true],
    [{ status: '4' }, true],
    [{ status: '429' }, true],
    [{ status: '42' }, true],
    [{ status: '5' }, false],
    [{ operation: 'createPost' }, true],
    [{ operation: 'listSites' }, false],
    [{ account: 'D4EB' }, true],
    [{ account: 'ffff' }, false],
    [{ badge: 'limiter' }, true],
    [{ badge: 'violation' }, false],
    [{ text: 'POST /API' }, true],
    [{ text: 'draft=1' }, true],
    [{ text: 'cdef' }, true],
    [{ text: '127.0' }, true],
    [{ text: 'nothing' }, false],
    [{ status: 'none' }, false],
    [{ text: 'post', status: '4', operation: 'createPost', badge: 'limiter' }, true],
    [{ text: 'post', status: '5' }, false],
  ])('fit %j: %j', (filter, expected) => {
    const path = '/api/v1/connect/accounts/d4eb016a/posts';
    const one = row({ method: 'POST', path, query: 'draft=1', status: 429, operation: 'createPost', blockedBy: 'key' });
    expect(fits(one, { ...noFilter, ...filter }, badgesOf(one, []))).toBe(expected);
  });
});

describe('a request without a response', () => {
  it.each(['reset', 'empty', 'timeout', 'truncated', 'slow'])('has no status: %s', (network) => {
    const one = row({ network });
    const isReceived = ['truncated', 'slow'].includes(network);
    const found = ['2', 'none'].map((status) => fits(one, { ...noFilter, status }, []));
    expect(found).toEqual([isReceived, !isReceived]);
    expect(networkSentence(network).includes('received no response')).toBe(!isReceived);
  });
});

const textOf = (tokens: readonly { text: string }[]) => tokens.map(({ text }) => text).join('');

describe('pieces of JSON', () => {
  it.each([
    '{"a":[1,-2.5e3,true,false,null,"x\\"y"],"b":{}}',
    'not JSON at all: "quoted" 12 true',
    '{"cut":"in the midd',
    '',
    '<img src=x onerror=alert(1)>',
    '"\\u2028"',
  ])('together are the text: %s', (text) => {
    expect(textOf(tokenize(text))).toBe(text);
  });

  it('know keys, strings, numbers and words', () => {
    const told = tokenize('{"a": "b", "c": -1.5, "d": null}').filter(({ kind }) => kind !== 'plain');
    const kinds = 'key "a", string "b", key "c", number -1.5, key "d", word null';
    expect(told.map(({ kind, text }) => `${kind} ${text}`).join(', ')).toBe(kinds);
  });

  it('are bounded', () => {
    const text = `[${'1,'.repeat(3 * tokensMax)}1]`;
    const tokens = tokenize(text);
    expect(tokens.length).toBeLessThanOrEqual(tokensMax + 1);
    expect(textOf(tokens)).toBe(text);
  });

  it('are indented when they are JSON', () => {
    expect([indent('{"a":1}'), indent('{"a":')]).toEqual(['{\n  "a": 1\n}', '{"a":']);
    const deep = '['.repeat(8000) + ']'.repeat(8000);
    expect(indent(deep)).toBe(deep);
  });
});

describe('a request as a command', () => {
  const headers = { host: 'h', authorization: 'Bearer casa_…cdef', 'user-agent': 'node', accept: '*/*' };
  const sent = { method: 'GET', path: '/api/v1/sites', query: '', headers, body: null, bodyCut: false };
  const record = (parts: Partial<LoggedRequest['request']>) =>
    ({ key: 'casa_…cdef', request: { ...sent, ...parts } }) as LoggedRequest;

  it('has the whole key where the mock knows it, and none of what curl writes itself', () => {
    expect(curlOf(record({}), 'http://127.0.0.1:1', [key])).toBe(
      `curl \\\n  -H 'authorization: Bearer ${key}' \\\n  -H 'accept: */*' \\\n  'http://127.0.0.1:1/api/v1/sites'`,
    );
  });

  it('reads an unknown key from the environment', () => {
    expect(curlOf(record({}), 'http://a', [])).toContain('-H "authorization: Bearer $CASA_API_KEY"');
  });

  it.each([`it's`, '$(rm -rf /)', '`id`', '"; id', 'a\nb', '\\'])('keeps %j unchanged', (body) => {
    const command = curlOf(record({ method: 'POST', body, query: "q='" }), 'http://a', [key]);
    expect(command).toContain(`--data-raw '${body.replaceAll("'", "'\\''")}'`);
    expect(command).toContain(`'http://a/api/v1/sites?q='\\'''`);
  });
});

describe('a request as code', () => {
  const body = '{"text":"it\'s \\\\n"}';
  const record = {
    key: 'casa_…cdef',
    operation: 'createPost',
    fault: 'f',
    blockedBy: null,
    request: { method: 'POST', path: '/api/v1/sites', query: "q='", headers: {}, body, bodyCut: false },
    response: { status: 503, body: '{"a":1}', bodyCut: false },
  } as unknown as LoggedRequest;

  it('sends the same as fetch', async () => {
    const sent: unknown[] = [];
    const run = new Function('fetch', `return (async () => { ${fetchOf(record, 'http://a', [key])} })()`);
    await run((...given: unknown[]) => sent.push(given));
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    expect(sent).toEqual([["http://a/api/v1/sites?q='", { method: 'POST', headers, body }]]);
  });

  const fault = (rule: object) => (casa: Casa) => void casa.faults.add({ match: { operation: 'listSites' }, ...rule });
  const withKey = (name: 'good' | 'second' | 'revoked') => (casa: Casa) => ({
    headers: { authorization: `Bearer ${casa.keys[name]}` },
  });
  const none = () => {};
  const unknown = () => ({ headers: { authorization: `Bearer casa_${'f'.repeat(32)}` } });
  it.each<[string, (casa: Casa) => void, string, ((casa: Casa) => RequestInit)?]>([
    ['returns 200', none, '/sites'],
    ['returns 200', none, '/sites', withKey('second')],
    ['returns 401', none, '/sites', withKey('revoked')],
    ['returns 401', none, '/sites', () => ({})],
    ['returns 401', none, '/sites', unknown],
    ['returns 404', none, '/nowhere'],
    ['returns 503', none, '/sites?__code=503'],
    ['returns 502', fault({ error: 'provider_error' }), '/sites'],
    ['returns 401', fault({ error: 'unauthorized' }), '/sites'],
    ['returns 429', fault({ error: 'limiter_address', retryAfterS: 7 }), '/sites'],
    ['returns 418', fault({ respond: { status: 418, body: 'tea' } }), '/sites'],
    ['returns 200', fault({ latencyMs: 5 }), '/sites'],
    ['returns 200', fault({ network: 'truncated' }), '/sites'],
    ['gets no response', fault({ network: 'reset' }), '/sites'],
    ['gets no response', fault({ network: 'empty', error: 'transient' }), '/sites'],
    [
      'returns 429',
      async (casa) => {
        for (let i = 0; i < 10; i += 1) await casa.fetch('/sites', withKey('good')(casa));
      },
      '/sites',
    ],
  ])('is a test that passes with a fresh mock: %s', async (result, prepare, path, init = withKey('good')) => {
    await using old = await createMock({ limits: true });
    await prepare(old);
    const sent = await old.fetch(path, init(old)).catch(() => null);
    const organizations = await (await old.fetch('/__admin/organizations')).json();
    const record = old.requests.all().at(-1) as LoggedRequest;
    const text = testOf(record, organizations.organizations);
    expect(text).toContain(`casaTest('GET /api/v1${path.split('?')[0]} ${result}'`);
    await using fresh = await createMock();
    const run = new Function('casaTest', 'expect', text.replaceAll(/^import .*$/gm, ''));
    const bodies: ((fixtures: { casa: Casa }) => Promise<void>)[] = [];
    run((_: string, body: (typeof bodies)[number]) => bodies.push(body), expect);
    await bodies[0]?.({ casa: fresh });
    const again = fresh.requests.all().at(-1)?.response;
    const outcome = [again?.status, again?.network, again?.headers['retry-after'], again?.body];
    const { response } = record;
    expect(outcome).toEqual([response.status, response.network, response.headers['retry-after'], response.body]);
    expect(sent === null).toBe(result === 'gets no response');
  });
});

describe('a row', () => {
  it('shows a path without the base path, with labels of accounts and the first digits of other ids', () => {
    const id = 'd4eb016a-1355-4e9e-af8b-f38083d082f4';
    const labels = new Map([[id, 'Main shop']]);
    const short = (path: string, query = '') => shortPath(row({ path, query }), labels);
    expect(short(`/api/v1/connect/accounts/${id.toUpperCase()}/reviews`)).toBe('/connect/accounts/{Main shop}/reviews');
    expect(short('/api/v1/sites/99468ad8-360d-42af-aac0-57a2e0337c5d', 'a=b')).toBe('/sites/99468ad8…?a=b');
    expect(short('/casa/api/v1/sites')).toBe('/sites');
    expect(short('/nowhere/x')).toBe('/nowhere/x');
  });

  it('has its filter in the address, next to its number', () => {
    const filter: Filter = { ...noFilter, status: '4', text: 'a b&c' };
    expect(filterIn(hashOf(7, filter))).toEqual(filter);
    expect(hashOf(7, filter)).toBe('requests/7?text=a+b%26c&status=4');
    expect([hashOf(0, noFilter), filterIn('requests')]).toEqual(['requests', noFilter]);
  });

  it('shows spans, durations and sizes in their units', () => {
    const spans = [0, 999, 59_999, 60_000, 7_200_000, 172_800_000].map(spanOf);
    expect(spans.join()).toBe('0 s,0 s,59 s,1 min,2 h,2 d');
    expect([0, 12, 2000, 40_400].map(durationOf)).toEqual(['<1 ms', '12 ms', '2.0 s', '40 s']);
    expect([0, 999, 20_832].map(sizeOf)).toEqual(['0 B', '999 B', '20.8 kB']);
  });
});

describe('a call on its way', () => {
  const call = {
    startedAt: '2026-01-15T12:00:00.000Z',
    endsAt: '2026-01-15T12:01:00.000Z',
    visibleAt: '2026-01-15T12:06:00.000Z',
    deliveredAt: null,
  } as CallWay;
  const at = (time: string) => Date.parse(`2026-01-15T${time}Z`);

  it.each([
    ['12:00:00.000', 'in progress', 60_000],
    ['12:00:59.999', 'in progress', 1],
    ['12:01:00.000', 'settling', 300_000],
    ['12:05:59.999', 'settling', 1],
    ['12:06:00.000', 'visible', null],
  ])('at %s is %s', (time, phase, leftMs) => {
    expect(callStatusOf(call, at(time))).toEqual({ phase, leftMs });
  });

  it('is delivered when a poller has it', () => {
    expect(callStatusOf({ ...call, deliveredAt: call.visibleAt }, at('12:07:00')).phase).toBe('delivered');
  });

  it.each([
    [0, '0:00'],
    [1, '0:01'],
    [59_000, '0:59'],
    [300_000, '5:00'],
    [3_599_001, '1:00:00'],
    [7_200_000, '2:00:00'],
  ])('%i ms read as %s', (ms, text) => {
    expect(countdown(ms)).toBe(text);
  });
});
