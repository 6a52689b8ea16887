import { describe, expect, test } from 'vitest';
import { historyOf, type Line, recordHistory } from '../../fixtures/test-kit/history.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { checks } from '../checks/index.ts';
import { isolation } from '../checks/keys/keys.ts';
import { sites } from '../checks/sites/sites.ts';
import { judgeAll } from '../judge/judge.ts';
import { makeRedact } from '../report/redact.ts';
import { type Exchange, nameOfResponse, senderOf } from './exchange.ts';
import { load, makeHistory, precedes, save } from './history.ts';

const pre = (text: string) =>
  `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${text}</pre>\n</body>\n</html>\n`;
const flask = (title: string, text: string) =>
  `<!doctype html>\n<html lang=en>\n<title>${title}</title>\n<h1>${title.slice(4)}</h1>\n<p>${text}</p>\n`;

const front = 'a firewall or a proxy in front of the service';
const sender = (status: number, bodyText: string) => senderOf({ status, bodyText, problem: 'not-json' });

describe('an error that is not JSON', () => {
  test.each<[framework: string, status: number, body: string]>([
    ['Express', 404, pre('Cannot GET /api/v1/sites/%FF')],
    ['Express', 400, pre('SyntaxError: Unexpected token &#39;x&#39;<br> &nbsp; at JSON.parse')],
    ['Express', 400, pre('URIError: Failed to decode param')],
    ['Express', 413, pre('PayloadTooLargeError: request entity too large')],
    ['Express', 500, pre('Error: Out of memory<br>')],
    ['Flask', 404, flask('404 Not Found', 'The requested URL was not found on the server.')],
    ['Flask', 400, flask('400 Bad Request', 'The browser sent a request that this server could not understand.')],
    ['Django', 404, '<title>Page not found at /api</title> because you have <code>DEBUG = True</code>'],
    [
      'Django',
      404,
      '<!doctype html>\n<html lang="en">\n<head>\n  <title>Not Found</title>\n</head>\n<body>\n  <h1>Not Found</h1><p>The requested resource was not found on this server.</p>\n</body>\n</html>\n',
    ],
    ['Spring', 404, '<html><body><h1>Whitelabel Error Page</h1><p>This application has no explicit mapping'],
    [
      'Tomcat',
      400,
      '<!doctype html><html lang="en"><head><title>HTTP Status 400 – Bad Request</title></head><body><h1>HTTP Status 400 – Bad Request</h1>',
    ],
    ['Jetty', 404, '<html><body><h2>HTTP ERROR 404 Not Found</h2>'],
    ['Rails', 404, "<title>The page you were looking for doesn't exist (404)</title>"],
    ['Rails', 404, '<header><h1>Routing Error</h1></header>'],
    ['ASP.NET', 404, "<title>The resource cannot be found.</title><h1>Server Error in '/' Application."],
    ['Go', 404, '404 page not found\n'],
  ])('is from %s', (framework, status, body) => {
    expect(sender(status, body)).toBe(`the service's framework (${framework})`);
  });

  test.each<[status: number, body: string, said: string | null]>([
    [403, '<html><center><h1>403 Forbidden</h1></center><hr><center>nginx</center></html>', front],
    [403, '<title>Attention Required! | Cloudflare</title>', front],
    [400, '<h1>Bad Request</h1>', `the service's framework, or ${front},`],
    [503, '<h1>503 Service Unavailable</h1>', null],
    [401, 'unauthorized', null],
    [200, pre('Cannot GET /'), null],
  ])('of status %d with %j is from: %s', (status, body, said) => {
    expect(sender(status, body)).toBe(said);
  });

  test('is found in a hostile body within a moment', () => {
    const started = performance.now();
    for (const part of ['<pre>', '<h1>Not Found</h1> ', '<html lang=en>\n', 'DEBUG   '])
      sender(400, part.repeat(1_000_000 / part.length));
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

test.each<[Partial<Exchange>, string]>([
  [{ status: 401, bodyText: 'no key', problem: 'not-json' }, '401 with plain text'],
  [{ status: 401, bodyText: pre('x'), problem: 'not-json' }, '401 with a web page'],
  [{ status: 401, bodyText: '', problem: 'not-json' }, '401 without a body'],
  [{ status: 401, bodyText: '{}', json: {} }, '401 without error.code'],
  [{ status: 401, bodyText: '{…}', json: { error: { code: 'unauthorized' } } }, '401 unauthorized'],
  [{ status: 429, bodyText: '{…}', json: { error: 'slow down' } }, '429'],
  [{ status: 429, bodyText: '{…}', json: { error: { code: -32000 } }, mcpEndpoint: 'mcp' }, '429'],
  [{ status: 200, bodyText: '', problem: 'not-json' }, '200'],
  [{ status: 0, bodyText: '', problem: 'reset' }, 'no response: reset'],
])('a response of %j is named %s', (response, name) => {
  expect(nameOfResponse({ problem: 'none', ...response } as Exchange)).toBe(name);
});

describe('a history', () => {
  test.each(['', 'accounts-flicker'])('is judged in the same way after it was saved and loaded: %s', async (mutant) => {
    const target = await startMockTarget(mutant === '' ? {} : { mutant });
    const { history } = await recordHistory(target, [...sites, ...isolation]);
    const { good } = target.options.keys;
    const redact = makeRedact([{ value: good, placeholder: '$KEY' }]);
    const kinds = (judged: typeof history) => judgeAll(checks, judged).map(({ id, result }) => [id, result]);
    expect(history.exchanges.length).toBeGreaterThan(9);
    expect(judgeAll(checks, load(save(history)))).toEqual(judgeAll(checks, history));
    expect(kinds(load(save(history, redact)))).toEqual(kinds(history));
    expect(save(history, redact)).not.toContain(good);
  });

  test.each(['', '{}', '{"exchanges":[{}]}', '{"exchanges":{}}'])('is not %s', (text) => {
    expect(() => load(text)).toThrow('This is not a saved history: it has no list of exchanges.');
  });

  test('is in the order of sending, in which concurrent requests have no place', () => {
    const at = (sentAt: number, receivedAt: number, burst = false) => ({ sentAt, receivedAt, burst });
    const times = [at(0, 10), at(10, 20), at(15, 30), at(30, 30, true), at(30, 30, true)];
    const all = historyOf(times.map((rest): Line => ['good GET /sites', {}, rest])).exchanges;
    const ordered = all.flatMap((one, n) =>
      all
        .slice(n + 1)
        .filter((other) => precedes(one, other))
        .map(({ id }) => one.id + id),
    );
    expect(ordered).toEqual(['x1x2', 'x1x3', 'x1x4', 'x1x5', 'x2x4', 'x2x5', 'x3x4', 'x3x5']);
    expect(makeHistory([...all].reverse()).exchanges).toEqual(all);
  });
});
