// Servers that are not the service, or that are made to hurt the suite: a run ends in bounded time with the right exit
// code, and bounded findings.
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type Report, type RunOptions, runConformance } from '../../conformance/index.ts';
import { conclude, lossOf } from '../../conformance/report/outcome.ts';
import { renderAnnotations } from '../../conformance/reporters/annotations.ts';
import { reporters } from '../../conformance/reporters/index.ts';
import { showProgress } from '../../conformance/reporters/progress.ts';
import { renderTerminal } from '../../conformance/reporters/terminal.ts';
import { actsOnTerminal, unseen } from '../../fixtures/test-kit/control-characters.ts';
import { type Script, startScriptedServer, startTcpServer } from '../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { plain } from '../../src/terminal/paint.ts';
import { article, hostileBodies } from './hostile.ts';

let close: (() => Promise<void>) | undefined;
afterEach(async () => close?.());

// A silent target is waited for in real time. The others get ample time, also on a busy machine.
const silentMs = 150;
const ampleMs = 20_000;
const good = 'key_0123456789abcdef0123456789abcdef';

type Behavior = Script | { readonly raw: (socket: Socket) => void };

async function audit(behavior: Behavior, rest: Partial<RunOptions> = {}): Promise<{ report: Report; code: number }> {
  const server = 'raw' in behavior ? await startTcpServer(behavior.raw) : await startScriptedServer(behavior);
  close = server.close;
  const report = await runConformance({
    baseUrl: 'origin' in server ? `${server.origin}/api/v1` : server.baseUrl,
    keys: { good },
    clock: virtualClock(Date.UTC(2026, 0, 1)),
    timeoutMs: ampleMs,
    gentle: true,
    ...rest,
  });
  expect(report.used.requests).toBeLessThan(200);
  return { report, code: conclude(report).exitCode };
}

const resultOf = (report: Report, id: string) => report.checks.find((check) => check.id === id)?.result.kind;
const raw = (behave: (socket: Socket) => void): Behavior => ({ raw: behave });
const html = { body: '<!doctype html><title>Welcome</title>', headers: { 'content-type': 'text/html' } };
const ok = 'HTTP/1.1 200 OK\r\n';
const bomb = gzipSync(Buffer.alloc(50_000_000));
const site = { id: article(1).siteId, name: '', domain: '', cms: '', language: '', createdAt: article(0).createdAt };
const limitedFor = (seconds: string) => {
  return { status: 429, headers: { 'retry-after': seconds }, body: { error: 'rate_limit_exceeded' } };
};

function pour(socket: Socket): void {
  if (!socket.destroyed) socket.write(' '.repeat(1_000_000), () => setImmediate(pour, socket));
}

describe('a target that is not the service', () => {
  test.each<[string, Behavior, RegExp, number, Partial<RunOptions>?]>([
    ['speaks no HTTP', raw((socket) => socket.end('220 smtp ready\r\n')), /does not return valid HTTP/, 4],
    ['closes at once', raw((socket) => socket.end()), /closes the connection/, 4],
    ['resets', raw((socket) => socket.resetAndDestroy()), /closes the connection/, 4],
    ['never responds', raw(() => {}), /does not respond in time/, 4, { timeoutMs: silentMs }],
    ['breaks off', raw((socket) => socket.end(`${ok}content-length: 9\r\n\r\n{`)), /in the middle of a response/, 4],
    [
      'sends an endless body',
      raw((socket) => socket.write(`${ok}content-type: application/json\r\n\r\n`, () => pour(socket))),
      /sends more data than casa-kit reads|does not respond in time/,
      4,
    ],
    [
      'sends a gzip bomb',
      raw((socket) => {
        socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
        socket.end(bomb);
      }),
      /sends more data than casa-kit reads/,
      4,
    ],
    [
      'sends a byte at a time',
      raw((socket) => {
        socket.write(`${ok}content-length: 100000\r\n\r\n`);
        const drip = setInterval(() => socket.write(' '), 10);
        socket.on('close', () => clearInterval(drip));
      }),
      /does not respond in time/,
      4,
      { timeoutMs: silentMs },
    ],
    ['shows a web page everywhere', () => html, /a web page/, 4],
    ['redirects in a circle', (path) => ({ status: 302, headers: { location: `/api/v1${path}` } }), /redirects/, 4],
    ['limits every request', () => limitedFor('3600'), /a rate limit/, 3],
    ['is down, with a gateway', () => ({ ...html, status: 503 }), /got the 503 page of a gateway/, 4],
  ])('%s', async (_, behavior, sentence, expected, options) => {
    const { report, code } = await audit(behavior, options);
    expect(report.abort?.sentence).toMatch(sentence);
    expect(code).toBe(expected);
    expect(report.used.seconds).toBeLessThan(300);
  });
});

describe('a service that is broken', () => {
  const inArticles =
    (page: (path: string) => unknown): Script =>
    (path) => ({ body: path.startsWith('/articles') ? page(path) : { data: [site] } });
  let count = 0;

  test.each<[string, Behavior, string, string[], number]>([
    ['responds 500', () => ({ status: 500, body: { error: { code: 'x', message: '' } } }), 'rule/status', ['fail'], 1],
    ['says that its JSON is text', () => ({ headers: { 'content-type': 'text/plain' } }), 'rule/json', ['fail'], 1],
    [
      'has a cursor on every page',
      inArticles(() => {
        count += 2;
        return { data: [article(count), article(count + 1)], cursor: article(count + 1).createdAt };
      }),
      'articles/page-walk',
      ['fail', 'inconclusive'],
      1,
    ],
    [
      'never leaves one page',
      inArticles(() => ({ data: [article(1), article(2)], cursor: article(2).createdAt })),
      'articles/page-walk',
      ['fail'],
      1,
    ],
    ['nests deeper than any stack', () => ({ body: '['.repeat(200_000) + ']'.repeat(200_000) }), 'rule/json', [], 1],
  ])('%s', async (_, behavior, id, results, expected) => {
    const { report, code } = await audit(behavior);
    if (results.length > 0) expect(results).toContain(resultOf(report, id));
    else expect(report.abort !== null || report.checks.some(({ result }) => result.kind === 'error')).toBe(true);
    expect(code).toBe(expected);
  });

  test.each([undefined, ['sites/*', 'lists/again']])('responds 504 where its sites are only: %j', async (only) => {
    const script: Script = (path) =>
      path.startsWith('/sites') ? { ...html, status: 504 } : { body: { data: [], cursor: null } };
    const { report } = await audit(script, only === undefined ? {} : { only });
    expect(report.abort).toBeNull();
    expect(lossOf(report)).toMatch(/^GET \/sites returned 504 each of \d+ times, and nothing more\.$/);
  });

  test('sends nine megabytes each time', async () => {
    const body = `{"data":[${' '.repeat(9_000_000)}]}`;
    const { report } = await audit((path) => (path === '/sites' ? {} : { body }));
    expect(report.checks.some(({ result }) => result.kind === 'error')).toBe(true);
  });

  test('resets in the middle of the run', async () => {
    const { report, code } = await audit((path, request) => {
      if (path !== '/sites') request.socket.resetAndDestroy();
      const isAuthorized = request.headers.authorization === `Bearer ${good}`;
      return isAuthorized ? {} : { status: 401, body: { error: { code: 'unauthorized', message: '' } } };
    });
    const lost = report.checks.filter(({ result }) => result.reason === 'platform');
    expect(lost.map(({ result }) => result.message).join()).toContain('got no complete response');
    expect(report.summary).toMatchObject({ fail: 0, error: 0 });
    expect(code).toBe(3);
  });

  test('limits every second request for a minute: the run ends in time, with exit code 4', async () => {
    const script: Script = (_path, _request, number) => (number % 2 === 0 ? limitedFor('60') : {});
    const { report, code } = await audit(script, { maxTimeMs: 100_000, gentle: false });
    expect([code, conclude(report).sentence]).toEqual([4, expect.stringContaining('did not end within 100 s')]);
    expect(report.used.seconds).toBeLessThanOrEqual(100);
    const open = report.checks.filter(({ result }) => result.reason === 'budget');
    expect(open.length).toBeGreaterThan(20);
    expect(open[0]?.result.message).toContain('--only');
  });
});

describe('hostile responses', () => {
  const large = ['160,000 empty items', '20,000 lists', 'one row of 150,000 fields', 'nested 4,000,000 deep'];
  const only = ['sites/*', 'keywords/*', 'accounts/*', 'rule/*'];
  const timeout = 60_000;
  test.each([...large, 'a name of 7,000,000 characters'])('%s end in bounded findings', { timeout }, async (name) => {
    const bodyOf = hostileBodies[name]?.();
    const { report, code } = await audit((path) => ({ body: bodyOf?.(path) }), { only, pace: 'off', gentle: false });
    expect([1, 4]).toContain(code);
    for (const { findings } of report.checks) expect(findings.length).toBeLessThan(300);
  });

  const text = unseen.join('x');
  const header = '\u001b[31m\u009b31m'.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
  test.each<[string, Script]>([
    ['bodies', () => ({ body: { data: [{ id: text, [text]: text }], cursor: text } })],
    ['text instead of JSON', () => ({ body: text })],
    ['errors', () => ({ status: 404, body: { error: { code: text, message: text } } })],
    ['headers', () => ({ headers: { 'x-ratelimit-limit': header, 'content-type': header, 'retry-after': header } })],
    ['a redirect', () => ({ status: 302, headers: { location: `/${header}` } })],
  ])('control characters in %s reach neither terminal nor reports', async (_, script) => {
    const progress: string[] = [];
    const onEvent = showProgress({ isTty: false, columns: 80, write: (line) => void progress.push(line) }, plain);
    const { report } = await audit(script, { only: ['sites/*', 'articles/list', 'rule/*'], onEvent });
    const outcome = conclude(report);
    const shown = reporters.filter(({ kind }) => kind !== 'json' && kind !== 'har');
    const texts = [progress.join(''), renderTerminal(report, outcome), renderAnnotations(report, outcome)];
    for (const each of [...texts, ...shown.map(({ render }) => render(report, outcome))])
      expect(actsOnTerminal.exec(each.replaceAll('\t', ''))?.[0].codePointAt(0)).toBeUndefined();
  });
});
