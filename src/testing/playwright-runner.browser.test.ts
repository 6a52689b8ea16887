import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHttp } from '../../fixtures/test-kit/scripted-server.ts';

const folder = fileURLToPath(new URL('../../fixtures/playwright/', import.meta.url));
const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');

/** Sends the URL that it is given, as each kind of worker. */
const worker = `
  const read = async (url) => !location.search.includes('XMLHttpRequest') ? fetch(url).then((r) => r.text()) : new Promise((done) => {
    const request = new XMLHttpRequest();
    request.onload = () => done(request.responseText);
    request.open('GET', url);
    request.send();
  });
  const serve = (port) => async ({ data }) => port.postMessage(await read(data).catch(String));
  self.onconnect = ({ ports: [port] }) => { port.onmessage = serve(port); };
  self.onmessage = (event) => serve(event.source ?? self)(event);
  self.oninstall = () => self.skipWaiting?.();
  self.onactivate = (event) => event.waitUntil(clients.claim());
  self.onfetch = (event) => event.request.url.includes('/api/') && event.respondWith(fetch(event.request));
`;

let servers: Awaited<ReturnType<typeof startHttp>>[] = [];
/** The requests that reached the real API. */
let hits: string[] = [];

const start = () =>
  startHttp(({ method, url = '' }, response) => {
    const isApi = /^\/(?:api|other)\//.test(url);
    if (isApi) hits.push(`${method} ${url}`);
    const type = url.startsWith('/worker.js') ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' });
    response.end(isApi ? 'REAL' : type === 'text/html' ? '<!doctype html><link rel="icon" href="data:,">' : worker);
  });

beforeAll(async () => {
  servers = [await start(), await start()];
});
beforeEach(() => {
  hits = [];
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

interface Run {
  readonly failed: readonly string[];
  readonly errors: string;
  /** Texts of annotations. */
  readonly notes: readonly string[];
}

/** Runs spec files of `fixtures/playwright` with Playwright's own runner. */
function run(specs: readonly string[], env: Record<string, string>): Promise<Run> {
  const args = [cli, 'test', ...specs, '--reporter', 'json'];
  const output = mkdtempSync(join(tmpdir(), 'casa-playwright-'));
  const all = { ...process.env, OUTPUT: output, APP_URL: servers[0]?.origin, ...env };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, env: all, timeout: 120_000 }, (_, stdout, errors) => {
      try {
        resolve({ ...readReport(JSON.parse(stdout)), errors });
      } catch {
        reject(new Error(stdout + errors));
      }
    });
  });
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly annotations: readonly { type: string; description: string }[];
      results: { errors: { message: string }[]; stderr: { text?: string }[] }[];
    }[];
  }[];
}

function readReport(suite: Suite): Omit<Run, 'errors'> {
  const inner = (suite.suites ?? []).map(readReport);
  const specs = suite.specs ?? [];
  const failed = specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => `${title}: ${tests[0]?.results[0]?.errors[0]?.message}`);
  const notes = specs.flatMap(({ tests }) =>
    tests.flatMap(({ annotations }) => annotations.map((one) => one.description)),
  );
  return {
    failed: [...inner.flatMap((one) => one.failed), ...failed],
    notes: [...inner.flatMap((one) => one.notes), ...notes],
  };
}

describe.each([
  ['its own origin', 1],
  ['the origin of the pages', 0],
])('with an API on %s', (_where, index) => {
  const url = (path = '/api/v1') => `${servers[index]?.origin}${path}`;

  it('no kind of request reaches the real server', { timeout: 120_000 }, async () => {
    const { failed, notes } = await run(['kinds'], { API_URL: url(), REPLACES: url() });
    expect({ failed, hits }).toEqual({ failed: [], hits: [] });
    expect(new Set(notes)).toEqual(
      new Set(['sites', 'beacon', 'keepalive'].map((path) => expect.stringContaining(`blocked ${url()}/${path}: `))),
    );
  });
});

describe('two files', () => {
  const both = ['first', 'second'];
  const api = () => `${servers[1]?.origin}/api/v1`;
  const sent = () => `GET ${servers[1]?.origin}`;

  it('take the options of the configuration', async () => {
    const { failed, notes } = await run(both, { API_URL: api(), REPLACES: api() });
    expect({ failed, hits, notes }).toEqual({ failed: [], hits: [], notes: [] });
  });

  it.each(['page', 'client'])('say that the module of the options holds for one, if a %s sends', async (BY) => {
    const { notes, errors } = await run(both, { API_URL: api(), IN_MODULE: api(), BY });
    const note = `The mock received no request, and a real server received 1: ${sent()}/api/v1/sites. Set`;
    expect({ hits, notes }).toEqual({ hits: ['GET /api/v1/sites'], notes: [expect.stringContaining(note)] });
    expect(errors + JSON.stringify(notes)).toContain('playwright.config.ts');
  });

  it('say that the path differs', async () => {
    const { notes } = await run(['first'], {
      API_URL: api(),
      REPLACES: api(),
      SENT: `${servers[1]?.origin}/other/sites`,
    });
    expect(notes).toEqual([expect.stringContaining(`${sent()}/other/sites. \`replaces\` is ${api()}/: correct it`)]);
  });

  it('say that nothing is replaced', async () => {
    const { notes } = await run(['first'], { API_URL: api() });
    const note = `The mock received no request, and other servers received 1: ${sent()}/api/v1/sites. Set`;
    expect({ hits, notes }).toEqual({ hits: ['GET /api/v1/sites'], notes: [expect.stringContaining(note)] });
  });

  it('say that another origin is replaced', async () => {
    const { notes } = await run(['first'], { API_URL: api(), REPLACES: 'https://api.example.com/api/v1' });
    expect(notes).toEqual([expect.stringContaining('`replaces` is https://api.example.com/api/v1/: correct it')]);
  });

  it('say that a route of the test continues to the server, although the mock responds to others', async () => {
    const { notes } = await run(['first'], { API_URL: api(), REPLACES: api(), CONTINUE: 'yes' });
    const note = `A real server received 1 request that the mock replaces: ${sent()}/api/v1/keywords.`;
    expect({ hits, notes }).toEqual({ hits: ['GET /api/v1/keywords'], notes: [expect.stringContaining(note)] });
  });
});
