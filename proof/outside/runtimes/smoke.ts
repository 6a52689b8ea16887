// Runs inside a user's project that has the packed package, on the runtime under test, and says part by part whether it
// works. It knows the package by its name only: nothing of this repository is at hand there.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The words that the runtime's command needs before the script, such as `run -A`. */
const prefix = JSON.parse(process.env.SMOKE_PREFIX ?? '[]') as string[];
// biome-ignore lint/suspicious/noExplicitAny: the loaded module is under test, so its types prove nothing.
const load = (entry: string, options?: ImportCallOptions): Promise<any> => import(entry, options);
const { resolve: resolveHere } = createRequire(join(process.cwd(), 'smoke.mjs'));
const manifestFile = resolveHere('casa-kit/package.json');
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'casa-smoke-'));

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [...prefix, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { output: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    said.output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    said.errors += String(chunk);
  });
  return { child, said };
}

async function run(args: readonly string[]) {
  const { child, said } = start(args);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

const bin = (name: string) => join(manifestFile, '..', manifest.bin[name]);
const authorized = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

async function initializeMcp(url: string, key: string): Promise<unknown> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'smoke', version: '1' } };
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const headers = { ...authorized(key).headers, ...types };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  return (await (await fetch(url, { method: 'POST', headers, body })).json()).result?.serverInfo.name;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function withMock(play: (casa: any) => Promise<void>, options = {}): Promise<void> {
  const { startMock } = await load('casa-kit');
  const casa = await startMock(options);
  await play(casa);
  await casa.close();
}

const parts: Record<string, () => Promise<void>> = {
  startMock: () =>
    withMock(
      async (casa) => {
        const statuses = [];
        for (let i = 0; i < 11; i += 1)
          statuses.push((await fetch(`${casa.baseUrl}/sites`, authorized(casa.keys.good))).status);
        assert.deepEqual(statuses, [...Array(10).fill(200), 429]);
        casa.clock.advance('10s');
        casa.faults.add('createPost=provider_auth@1x');
        const calls = await fetch(`${casa.baseUrl}/connect/calls/log?limit=1`, authorized(casa.keys.good));
        assert.equal((await calls.json()).data.calls.length, 1);
        assert.ok(casa.snapshot().world);
      },
      { limits: true },
    ),
  async createMock() {
    const { createMock } = await load('casa-kit');
    const casa = await createMock({ strict: true });
    assert.equal((await casa.fetch('/articles?limit=1', authorized(casa.keys.good))).status, 200);
    await casa.close();
  },
  conformance: () =>
    withMock(async ({ baseUrl, keys: { good } }) => {
      const { runConformance, exitCodeOf } = await load('casa-kit/conformance');
      assert.equal(typeof exitCodeOf, 'function');
      const report = await runConformance({ baseUrl, keys: { good }, pace: 'off', gentle: true });
      const kinds = report.checks.map((check: { result: { kind: string } }) => check.result.kind);
      assert.ok(kinds.filter((kind: string) => kind === 'pass').length > 20, `results: ${kinds.join(' ')}`);
      assert.ok(!kinds.includes('fail') && !kinds.includes('error'), `results: ${kinds.join(' ')}`);
    }),
  async json() {
    for (const name of ['openapi', 'report.schema', 'profile.schema', 'diff.schema', 'package']) {
      const { default: value } = await load(`casa-kit/${name}.json`, { with: { type: 'json' } });
      assert.ok(Object.keys(value).length > 3, name);
    }
  },
  api: () =>
    withMock(async ({ baseUrl, keys }) => {
      const { ApiError, createClient, keepPosition } = await load('casa-kit/api');
      const api = createClient({ baseUrl, key: keys.good });
      const titles = [];
      for await (const { title } of api.articles()) titles.push(title);
      assert.equal(titles.length, 57);
      await assert.rejects(api.getSite({ id: 'none' }), (error) => error instanceof ApiError);
      assert.equal(typeof keepPosition, 'function');
    }),
  async panel() {
    const { showCasaPanel } = await load('casa-kit/panel');
    // Outside a page it does nothing.
    assert.equal(showCasaPanel({})(), undefined);
  },
  async worlds() {
    const { buildWorld, generateWorld } = await load('casa-kit/worlds');
    assert.equal((await generateWorld({ seed: 7, articles: 5 })).organizations[0].articles.length, 5);
    assert.equal((await buildWorld({ articles: [{ title: 'Tea' }] })).organizations[0].articles[0].title, 'Tea');
  },
  apiZod: () =>
    withMock(async (casa) => {
      const { ListArticlesResponse } = await load('casa-kit/api/zod');
      const body = await (await fetch(`${casa.baseUrl}/articles`, authorized(casa.keys.good))).json();
      assert.equal(ListArticlesResponse.parse(body).data.length, 20);
      assert.equal(ListArticlesResponse.safeParse({ data: [{}] }).success, false);
    }),
  async playwrightEntry() {
    const { casaFixtures, routeToCasa } = await load('casa-kit/playwright');
    assert.ok(casaFixtures.casa && routeToCasa);
  },
  async casaMock() {
    const { child, said } = start([bin('casa'), 'mock', '--port', '0']);
    while (!/Bearer casa_/.test(said.output)) {
      assert.equal(child.exitCode, null, said.errors);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+\/api\/v1)/.exec(said.output) ?? [];
    const [, key = ''] = /Bearer (casa_[0-9a-f]{32})/.exec(said.output) ?? [];
    assert.equal((await fetch(`${url}/articles?limit=3`, authorized(key))).status, 200);
    assert.equal((await fetch(url.replace('/api/v1', '/__admin'))).status, 200);
    assert.equal(await initializeMcp(url.replace('/api/v1', '/mcp'), key), 'casa');
    // Deno's own kill() returns the signal instead of the exit code.
    process.kill(child.pid as number, 'SIGTERM');
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0, said.errors);
  },
  async casaSeed() {
    const seeded = await run([bin('casa'), 'seed', '--seed', '7', '--articles', '5']);
    assert.equal(seeded.code, 0, seeded.errors);
    assert.equal(JSON.parse(seeded.output).organizations[0].articles.length, 5);
    const file = join(folder, 'world.json');
    writeFileSync(file, seeded.output);
    await withMock(async () => undefined, { world: JSON.parse(readFileSync(file, 'utf8')) });
    writeFileSync(file, '{"casaWorld":2}');
    const rejected = await run([bin('casa'), 'mock', '--port', '0', '--data', file]);
    assert.notEqual(rejected.code, 0);
    assert.ok(!/\n\s+at /.test(rejected.errors), rejected.errors);
  },
  async casaUsage() {
    assert.equal((await run([bin('casa'), '--version'])).output.trim().split(' ').at(-1), manifest.version);
    assert.equal((await run([bin('casa'), 'mock', '--prot', '1'])).code, 2);
    assert.equal((await run([bin('casa'), 'mutants'])).code, 0);
  },
  async conformanceSelf() {
    const html = join(folder, 'report.html');
    const words = ['--target', 'self', '--control', 'self', '--report', `html=${html}`];
    const good = await run([bin('casa-conformance'), ...words]);
    assert.equal(good.code, 0, good.output + good.errors);
    assert.ok(readFileSync(html, 'utf8').includes('</html>'));
  },
  async conformanceUsage() {
    assert.equal((await run([bin('casa-conformance'), '--bas-url', 'x'])).code, 2);
    assert.equal((await run([bin('casa-conformance'), '--list'])).code, 0);
    process.env.CONFORMANCE_API_KEY = 'casa_00000000000000000000000000000000';
    assert.equal((await run([bin('casa-conformance'), '--base-url', 'http://127.0.0.1:9/api/v1'])).code, 4);
  },
  async msw() {
    const { setupServer } = await load('msw/node');
    const { casaHandlers } = await load('casa-kit/msw');
    const { createMock } = await load('casa-kit');
    const casa = await createMock({ baseUrl: 'https://api.example.com/api/v1' });
    const server = setupServer(...casaHandlers(casa));
    server.listen({ onUnhandledRequest: 'error' });
    try {
      const response = await fetch('https://api.example.com/api/v1/sites', authorized(casa.keys.good));
      assert.equal(response.status, 200);
      assert.equal((await response.json()).data.length, 3);
    } finally {
      server.close();
    }
  },
  async vitest() {
    const test = `import { expect } from 'vitest';
      import { casaTest } from 'casa-kit/vitest';
      casaTest('reads', async ({ casa }) => {
        const response = await fetch(casa.baseUrl + '/sites', { headers: { authorization: 'Bearer ' + casa.keys.good } });
        expect(response.status).toBe(200);
        expect(casa).toHaveNoViolations();
      });`;
    writeFileSync('casa.test.mjs', test);
    // vitest's default pool does not start on Bun.
    const pool = 'Bun' in globalThis ? ['--pool=threads'] : [];
    const { code, output, errors } = await run(['node_modules/vitest/vitest.mjs', 'run', 'casa.test', ...pool]);
    assert.equal(code, 0, output + errors);
    assert.match(output, /1 passed/);
  },
  async types() {
    const test = `import { expect } from 'vitest';
      import { type Casa, startMock } from 'casa-kit';
      import { runConformance } from 'casa-kit/conformance';
      import { casaHandlers } from 'casa-kit/msw';
      import { casaFixtures } from 'casa-kit/playwright';
      import { casaFileTestWith, casaTest } from 'casa-kit/vitest';
      casaTest('reads', async ({ casa }) => {
        expect(casa.keys.good).toBe('x');
        expect(casa).not.toHaveNoViolations();
        await using other: Casa = await startMock();
        // @ts-expect-error a world has a name
        await startMock({ world: 7, limits: other.clock.frozen });
      });
      export const all = [casaFileTestWith({ world: 'empty' }), casaHandlers(), casaFixtures, runConformance];`;
    writeFileSync('casa.types.ts', test);
    const options =
      '--noEmit --strict --skipLibCheck false --target es2022 --lib ES2022,DOM --module nodenext --types node';
    const compiler = join(resolveHere('typescript/package.json'), '../bin/tsc');
    const { output } = await run([compiler, ...options.split(' '), 'casa.types.ts']);
    // Declarations of other packages are not tested.
    const ours = output.split('\n').filter((line) => /error/.test(line) && !/^node_modules\/(?!casa-kit)/.test(line));
    assert.deepEqual(ours, []);
  },
  async playwright() {
    const test = `import { expect, test as base } from '@playwright/test';
      import { casaFixtures } from 'casa-kit/playwright';
      const test = base.extend(casaFixtures);
      test.use({ casaOptions: { world: 'empty' } });
      test('reads', async ({ casa }) => {
        const response = await fetch(casa.baseUrl + '/sites', { headers: { authorization: 'Bearer ' + casa.keys.good } });
        expect(await response.json()).toEqual({ data: [] });
      });`;
    writeFileSync('casa.spec.mjs', test);
    const words = 'test casa.spec.mjs --reporter line'.split(' ');
    const { code, output, errors } = await run(['node_modules/@playwright/test/cli.js', ...words]);
    assert.equal(code, 0, output + errors);
    assert.match(output, /1 passed/);
  },
};

for (const name of process.argv.slice(2)) {
  const startMs = performance.now();
  const patience = setTimeout(() => fail(name, 'took longer than 60 s'), 60_000);
  try {
    await parts[name]?.();
    process.stdout.write(`${JSON.stringify({ part: name, ok: true, ms: Math.round(performance.now() - startMs) })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ part: name, ok: false, note: String(error) })}\n`);
  }
  clearTimeout(patience);
}
rmSync(folder, { recursive: true });
process.exit(0);

function fail(name: string, note: string): never {
  process.stdout.write(`${JSON.stringify({ part: name, ok: false, note })}\n`);
  process.exit(1);
}
