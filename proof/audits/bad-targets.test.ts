// Servers that no contract can save. Whatever they do, a run ends in bounded time with verdicts and the right exit
// code.
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { exitCodeOf, type Report, type RunOptions, runConformance } from '../../conformance/index.ts';
import { lossOf } from '../../conformance/report/loss.ts';
import { type Script, startScriptedServer } from '../rigs/scripted-server.ts';
import { startTcpServer } from '../rigs/tcp-server.ts';
import { virtualClock } from '../rigs/virtual-clock.ts';

const REQUESTS_MAX = 200;
let close: (() => Promise<void>) | undefined;
afterEach(async () => close?.());

// A target that falls silent is waited for in real time. The others get ample time, so that a busy machine is not taken
// for a slow target.
const SILENT_MS = 150;
const AMPLE_MS = 20_000;

async function audit(
  origin: string,
  timeoutMs: number,
  more: Partial<RunOptions> = {},
): Promise<{ report: Report; code: number }> {
  const report = await runConformance({
    baseUrl: `${origin}/api/v1`,
    keys: { good: 'key_0123456789abcdef0123456789abcdef' },
    clock: virtualClock(Date.UTC(2026, 0, 1)),
    timeoutMs,
    gentle: true,
    ...more,
  });
  expect(report.used.requests).toBeLessThan(REQUESTS_MAX);
  return { report, code: exitCodeOf(report) };
}

async function auditScript(script: Script, more: Partial<RunOptions> = {}) {
  const server = await startScriptedServer(script);
  close = server.close;
  return audit(new URL(server.baseUrl).origin, AMPLE_MS, more);
}

async function auditRaw(answer: (socket: Socket) => void, timeoutMs = AMPLE_MS) {
  const server = await startTcpServer(answer);
  close = server.close;
  return audit(server.origin, timeoutMs);
}

const page = '<!doctype html><title>Welcome</title>';
const row = (index: number) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  siteId: '00000000-0000-4000-8000-00000000000a',
  title: '',
  slug: '',
  status: 'draft',
  targetKeyword: null,
  wordCount: 0,
  seoScore: null,
  publishedAt: null,
  createdAt: new Date(Date.UTC(2025, 0, 1) + index * 1000).toISOString(),
  updatedAt: '2026-01-01T00:00:00Z',
});
const site = { id: row(0).siteId, name: '', domain: '', cms: '', language: '', createdAt: row(0).createdAt };

describe('a target that is not a service at all', () => {
  test.each<[string, (socket: Socket) => void, string, number?]>([
    ['speaks no HTTP', (socket) => socket.end('220 smtp ready\r\n'), 'does not speak HTTP'],
    ['closes at once', (socket) => socket.end(), 'closes the connection'],
    ['resets', (socket) => socket.resetAndDestroy(), 'closes the connection'],
    ['never answers', () => undefined, 'does not answer in time', SILENT_MS],
    ['breaks off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'), 'breaks off'],
  ])('%s', async (_, answer, sentence, timeoutMs) => {
    const { report, code } = await auditRaw(answer, timeoutMs);
    expect(report.abort?.sentence).toContain(sentence);
    expect(code).toBe(4);
  });

  test('pours out an endless body', async () => {
    const { report, code } = await auditRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n');
      const pour = () => {
        if (!socket.destroyed) socket.write(' '.repeat(1_000_000), () => setImmediate(pour));
      };
      pour();
    });
    expect(report.abort?.sentence).toMatch(/answers more than the kit reads|does not answer in time/);
    expect(code).toBe(4);
  });

  test('sends a gzip bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
    const { report, code } = await auditRaw((socket) => socket.end(Buffer.concat([Buffer.from(head), bomb])));
    expect(report.abort?.sentence).toContain('answers more than the kit reads');
    expect(code).toBe(4);
  });

  test('drips a byte at a time', async () => {
    const { report, code } = await auditRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      const drip = setInterval(() => socket.write(' '), 10);
      socket.on('close', () => clearInterval(drip));
    }, SILENT_MS);
    expect(report.abort?.sentence).toContain('does not answer in time');
    expect(code).toBe(4);
  });

  test('shows a web page everywhere', async () => {
    const { report, code } = await auditScript(() => ({ body: page, headers: { 'content-type': 'text/html' } }));
    expect(report.abort?.sentence).toContain('a web page');
    expect(code).toBe(4);
  });

  test('redirects in a circle', async () => {
    const { report, code } = await auditScript((path) => ({ status: 302, headers: { location: `/api/v1${path}` } }));
    expect(report.abort?.sentence).toContain('redirects');
    expect(code).toBe(4);
  });

  test('refuses everything as too much', async () => {
    const limited: Script = () => ({
      status: 429,
      headers: { 'retry-after': '3600' },
      body: { error: 'rate_limit_exceeded' },
    });
    const { report, code } = await auditScript(limited);
    expect(report.abort?.sentence).toContain('a limiter');
    expect(code).toBe(3);
    expect(report.used.seconds).toBeLessThan(300);
  });
});

describe('a service that is broken', () => {
  test('answers 500 to everything', async () => {
    const { report, code } = await auditScript(() => ({ status: 500, body: { error: { code: 'oops', message: '' } } }));
    expect(report.checks.find(({ id }) => id === 'rule/status')?.verdict.kind).toBe('fail');
    expect(code).toBe(1);
  });

  test('is down behind its gateway', async () => {
    const gateway: Script = () => ({ status: 503, body: page, headers: { 'content-type': 'text/html' } });
    const { report, code } = await auditScript(gateway);
    expect(report.abort?.sentence).toContain('is down: it answers the 503 page of a gateway to everything');
    expect(code).toBe(4);
  });

  test.each([undefined, ['sites/*', 'lists/again']])('answers 504 where its sites are only: %j', async (only) => {
    const script: Script = (path) => {
      if (path.startsWith('/sites')) return { status: 504, body: page, headers: { 'content-type': 'text/html' } };
      return { body: { data: [], cursor: null } };
    };
    const { report } = await auditScript(script, only === undefined ? {} : { only });
    expect(report.abort).toBeNull();
    expect(lossOf(report)).toMatch(/^GET \/sites answered 504 each of \d+ times, and nothing else\.$/);
  });

  test('calls its JSON text', async () => {
    const { report, code } = await auditScript(() => ({ headers: { 'content-type': 'text/plain' } }));
    expect(report.checks.find(({ id }) => id === 'rule/json')?.verdict.kind).toBe('fail');
    expect(code).toBe(1);
  });

  test('has a cursor for every page', async () => {
    let count = 0;
    const { report, code } = await auditScript((path) => {
      if (!path.startsWith('/articles')) return { body: { data: [site] } };
      count += 2;
      const data = [row(count), row(count + 1)];
      return { body: { data, cursor: data.at(-1)?.createdAt } };
    });
    expect(report.checks.find(({ id }) => id === 'articles/page-walk')?.verdict.kind).not.toBe('pass');
    expect(code).toBe(1);
  });

  test('never leaves one page', async () => {
    const { report, code } = await auditScript((path) => {
      if (!path.startsWith('/articles')) return { body: { data: [site] } };
      const data = [row(1), row(2)];
      return { body: { data, cursor: row(2).createdAt } };
    });
    const walk = report.checks.find(({ id }) => id === 'articles/page-walk');
    expect(walk?.findings[0]).toMatchObject({ clause: '4.articles.list.end', actual: expect.stringContaining('2025') });
    expect(code).toBe(1);
  });

  test('answers a hundred megabytes', async () => {
    const body = `{"data":[${' '.repeat(9_000_000)}]}`;
    const { report } = await auditScript((path) => (path === '/sites' ? {} : { body }));
    expect(report.checks.some(({ verdict }) => verdict.kind === 'error')).toBe(true);
  });

  test('nests deeper than any stack', async () => {
    const body = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const { report, code } = await auditScript(() => ({ body }));
    expect(report.checks.some(({ verdict }) => verdict.kind === 'error')).toBe(true);
    expect(code).toBe(4);
  });

  test('resets in the middle of the run', async () => {
    const { report, code } = await auditScript((path, request) => {
      if (path !== '/sites') request.socket.resetAndDestroy();
      const isGood = request.headers.authorization === 'Bearer key_0123456789abcdef0123456789abcdef';
      return isGood ? {} : { status: 401, body: { error: { code: 'unauthorized', message: '' } } };
    });
    const lost = report.checks.filter(({ verdict }) => verdict.reason === 'platform');
    expect(lost.map(({ verdict }) => verdict.message).join()).toContain('got no complete answer');
    expect(report.summary).toMatchObject({ fail: 0, error: 0 });
    expect(code).toBe(3);
  });
});
