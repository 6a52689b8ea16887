import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CliOptions } from '../../fixtures/test-kit/command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { runInTest, startInTest } from '../../fixtures/test-kit/test-process.ts';
import { defaultWorld } from '../worlds/load.ts';
import { mockFlags, mockTopics } from './mock-flags.ts';

const key = 'casa_0123456789abcdef0123456789abcdef';
const headers = { authorization: `Bearer ${key}` };

const folder = newFolder();

beforeAll(() => {
  mkdirSync(join(folder, 'a-folder'));
  writeFileSync(join(folder, 'broken.json'), '{');
  writeFileSync(join(folder, 'other.json'), '{"casaWorld": 1}');
  writeFileSync(join(folder, 'notes.txt'), 'buy milk\n');
});
const start = (argv: readonly string[] = [], options: CliOptions = {}) =>
  startInTest(argv, { cwd: folder, ...options });

async function runToEnd(argv: readonly string[], cwd = folder) {
  const run = runInTest(argv, { cwd });
  return { code: await run.ended, stdout: run.stdout(), stderr: run.stderr() };
}

function configFolder(files: Readonly<Record<string, string>>): string {
  const made = mkdtempSync(join(folder, 'config-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
  return made;
}

describe('casa mock', () => {
  it('prints where it is, what opens it and what to try, in plain text without a terminal', async () => {
    const { baseUrl, stdout, waitFor } = await start();
    await waitFor(/Try\n.*\n/);
    const text = stdout();
    expect(text).toContain(`Dashboard  ${new URL(baseUrl).origin}/__admin`);
    expect(text).toContain(`key  ${key}  Main`);
    expect(text).toContain('Revoked: returns 401');
    expect(text).toMatch(/google_business expired +401 provider_auth/);
    expect(text).toContain(`curl -H "Authorization: Bearer ${key}" "${baseUrl}/articles?limit=3"`);
    expect(text).not.toContain('\u001b');
  });

  it('writes a line for each request, and says why a limiter rejected one and what to do', async () => {
    const { baseUrl, waitFor } = await start(['--behavior', 'retry-after=always']);
    for (let i = 0; i < 11; i += 1) await fetch(`${baseUrl}/sites?n=${i}`, { headers });
    await waitFor(/200 GET {2}\/api\/v1\/sites\?n=0 {2}listSites …cdef\n/);
    await waitFor(
      /429 .*\n +address rate limit: 10 requests in 10 s from 127.0.0.1 are used up. Wait [\d.]+ s .Retry-After/,
    );
  });

  it('names the rejection, its fault and the violation of the client as they happen', async () => {
    const { baseUrl, waitFor } = await start(['--fault', 'listSites=not_found', '--relaxed']);
    for (let i = 0; i < 7; i += 1) await (await fetch(`${baseUrl}/sites`, { headers })).text();
    await waitFor(/404 GET .*\n +not_found: .*\n +fault from --fault 1: not_found\n/);
    await waitFor(/client: .*\(unchanged-retry, 7\.retry\.never-unchanged\)/);
  });

  it('names the flag that allows a preflight which its browser rejects', async () => {
    const { baseUrl, waitFor } = await start(['--cors-origin', 'http://localhost:5173']);
    const asked = { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' };
    await fetch(`${baseUrl}/sites`, { method: 'OPTIONS', headers: asked });
    await waitFor(/204 OPTIONS .*\n +The browser rejects this preflight: --cors-origin http:\/\/localhost:3000 .*\n/);
  });

  it('is silent about requests when asked', async () => {
    const quiet = await start(['--quiet']);
    const usual = await start([]);
    for (const { baseUrl } of [quiet, usual]) await fetch(`${baseUrl}/sites`, { headers });
    await usual.waitFor(/listSites/);
    expect(quiet.stdout()).not.toContain('listSites');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops on %s with exit code 0, and finishes the response under way',
    async (signal) => {
      const { baseUrl, child, ended, waitFor } = await start(['--fault', 'listSites=latency:300']);
      const apiResponse = fetch(`${baseUrl}/sites`, { headers });
      await waitFor(/listSites/);
      child.kill(signal);
      expect((await apiResponse).status).toBe(200);
      expect(await ended).toBe(0);
    },
  );

  it('ends at once on a second signal', async () => {
    const { baseUrl, child, ended, waitFor } = await start(['--fault', 'listSites=network:timeout']);
    fetch(`${baseUrl}/sites`, { headers }).catch(() => {});
    await waitFor(/listSites/);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await ended).toBe(130);
  });

  it.each([
    [['--relaxed'], 'relaxed: no rate limits, ended calls appear at once'],
    [['--strict'], 'strict: each response is validated'],
    [['--grease'], '(--grease=1)'],
    [['--grease=9'], '(--grease=9)'],
    [['--save', 'kept.state'], 'kept.state keeps changes by clients across restarts'],
    [['--world', 'empty'], 'World      empty'],
    [['--behavior', 'review-end=absent'], 'behavior: review-end is absent'],
    [['--host', '0.0.0.0'], 'pass --admin-token TOKEN'],
  ])('%j shows in the banner', async (argv, phrase) => {
    const { waitFor, stdout } = await start(argv);
    await waitFor(/Try\n.*\n\n?/);
    expect(stdout()).toContain(phrase);
  });
});

describe('a flag changes what gets a response:', () => {
  it('--data and --watch load a world, its timestamps moved to now, and load it again when it changes', async () => {
    const file = join(folder, 'world.json');
    const [first, ...others] = defaultWorld.organizations;
    writeFileSync(file, JSON.stringify(defaultWorld));
    const { baseUrl, waitFor } = await start(['--data', file, '--watch', '--relaxed']);
    const newest = async () => {
      const response = await fetch(`${baseUrl}/articles?limit=1`, { headers });
      return ((await response.json()) as { data: { title: string; createdAt: string }[] }).data[0];
    };
    const before = await newest();
    expect(Date.now() - Date.parse(before?.createdAt ?? '')).toBeLessThan(7 * 86_400_000);
    const account = first?.accounts.find(({ provider, status }) => provider === 'tiktok' && status === 'connected');
    const posts = `${baseUrl}/connect/accounts/${account?.accountId}/posts`;
    await fetch(posts, { method: 'POST', headers, body: JSON.stringify({ text: 'kept' }) });
    const articles = first?.articles.map((article) => ({ ...article, title: 'Changed' }));
    writeFileSync(file, JSON.stringify({ ...defaultWorld, organizations: [{ ...first, articles }, ...others] }));
    await waitFor(/world\.json changed: the world is loaded again; 1 change by clients was made again\./);
    expect((await newest())?.title).toBe('Changed');
    const reset = await fetch(`${new URL(baseUrl).origin}/__admin/reset`, { method: 'POST' });
    expect(reset.ok).toBe(true);
    expect((await newest())?.title).toBe('Changed');
  });
});

describe('a separate address', () => {
  const connectUrl = async (baseUrl: string, key: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}/connect/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify({ provider: 'tiktok', label: 'x' }),
    });
    return ((await response.json()) as { data: { connectUrl: string } }).data.connectUrl;
  };
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'casa.example.com, inner' };

  it.each([
    [[], forwarded, /^http:\/\/127\.0\.0\.1:\d+\/connect\//],
    [['--trust-proxy'], forwarded, /^https:\/\/casa\.example\.com\/connect\//],
    [['--trust-proxy'], { 'x-forwarded-host': 'a/b"c' }, /^http:\/\/127\.0\.0\.1:\d+\/connect\//],
    [['--public-url', 'https://dev.example/casa/'], {}, /^https:\/\/dev\.example\/casa\/connect\//],
  ])('%j makes links to it', async (flags, headers, expected) => {
    const { waitFor } = await start(['--relaxed', ...flags]);
    const [local = ''] = await waitFor(/http:\/\/127\.0\.0\.1:\d+\/api\/v1/);
    expect(await connectUrl(local, key, headers)).toMatch(expected);
  });

  it('is shown for other machines when the mock listens on all addresses', async () => {
    const { stdout, waitFor } = await start(['--host', '0.0.0.0']);
    await waitFor(/Base URL {3}http:\/\/localhost:\d+\/api\/v1/);
    const others = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
    for (const { family, internal, address } of others) {
      if (family === 'IPv4' && !internal) expect(stdout()).toMatch(`http://${address}:`);
    }
  });
});

describe('settings from a file', () => {
  it.each([
    ['casa.config.json', '{ "world": "empty", "relaxed": true }'],
    ['casa.config.ts', 'const world: string = "empty";\nexport default { world, relaxed: true };\n'],
    ['casa.config.js', 'module.exports = { world: "empty", limits: false, settleS: 0 };\n'],
    ['casa.config.mjs', 'export default { world: "empty", relaxed: true };\n'],
  ])('%s is taken, and flags win over it', async (name, text) => {
    const cwd = configFolder({ [name]: text });
    const plain = await start([], { cwd });
    const flagged = await start(['--world', 'unpaid'], { cwd });
    await Promise.all([plain, flagged].map(({ waitFor }) => waitFor(/settings from casa\.config/)));
    expect(plain.stdout()).toContain('World      empty');
    expect(flagged.stdout()).toContain('World      unpaid');
    expect(flagged.stdout()).toContain('relaxed: no rate limits');
  });

  it.each([
    [{ 'casa.config.json': '{' }, /^casa mock: casa\.config\.json is not valid JSON: .*\.\n$/],
    [{ 'casa.config.json': '{"prot": 1}' }, /there is no setting "prot"\. Did you mean "port"\?/],
    [{ 'casa.config.json': '{}', 'casa.config.ts': '' }, /there are casa\.config\.json and casa\.config\.ts; keep one/],
    [{ 'casa.config.ts': 'export const x = 1;' }, /casa\.config\.ts exports no config/],
    [{ 'casa.config.ts': 'throw new Error("no");' }, /casa\.config\.ts failed while it was loaded: no\./],
  ])('%j is rejected with a sentence', async (files, sentence) => {
    const { code, stderr } = await runToEnd(['mock'], configFolder(files));
    expect(stderr).toMatch(sentence);
    expect(code).toBe(2);
  });
});

describe('--ready-file', () => {
  it('appears whole once the mock listens, and goes with it', async () => {
    const cwd = configFolder({ 'ready.json': '{"url":"http://gone","pid":1}' });
    const { baseUrl, child, ended } = await start(['--ready-file', 'ready.json'], { cwd });
    await expect.poll(() => readdirSync(cwd)).toEqual(['ready.json']);
    const { url, pid } = JSON.parse(readFileSync(join(cwd, 'ready.json'), 'utf8'));
    expect({ url, pid }).toEqual({ url: baseUrl, pid: child.pid });
    child.kill('SIGTERM');
    await ended;
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('does not appear when the port belongs to another process', async () => {
    const other = await start([]);
    const cwd = configFolder({ 'ready.json': '{"url":"http://gone","pid":1}' });
    const { code } = await runToEnd(['mock', '--port', new URL(other.baseUrl).port, '--ready-file', 'ready.json'], cwd);
    expect([code, readdirSync(cwd)]).toEqual([1, []]);
  });

  it.each([
    ['notes.txt', 'is another file; name one that may be replaced'],
    ['none/ready.json', 'cannot be written: its folder does not exist'],
  ])('is not %s', async (name, reason) => {
    const cwd = configFolder({ 'notes.txt': 'mine' });
    const { code, stderr } = await runToEnd(['mock', '--ready-file', name], cwd);
    expect([code, stderr]).toEqual([2, `casa mock: --ready-file: ${name} ${reason}. See casa mock --help.\n`]);
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine');
  });
});

describe('a mistake is one sentence and an exit code:', () => {
  it.each([
    [['mock', '--data', 'none.json'], 'casa mock: --data: none.json does not exist. See casa mock --help.\n'],
    [['mock', '--data', 'a-folder'], 'casa mock: --data: a-folder is a folder, not a file. See casa mock --help.\n'],
    [['mock', '--save', 'a-folder'], 'casa mock: a-folder is a folder, not a file. See casa mock --help.\n'],
    [
      ['mokc'],
      'casa: Unknown command "mokc". Did you mean "mock"? Commands: mock, try, parity, seed, mutants, mcp, ctl, health.\n',
    ],
  ])('%j', async (argv, sentence) => {
    expect(await runToEnd(argv)).toEqual({ code: 2, stdout: '', stderr: sentence });
  });

  it.each(['broken.json', 'other.json', 'notes.txt'])('--data %s', async (file) => {
    const { code, stderr } = await runToEnd(['mock', '--data', file]);
    expect(stderr).toMatch(new RegExp(`^casa mock: ${file} is not a world: [^\\n]+\\. See casa mock --help\\.\\n$`));
    expect(code).toBe(2);
  });

  it('a port in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await runToEnd(['mock', '--port', String(port)]);
    taken.close();
    expect(stderr).toBe(`casa mock: Port ${port} on 127.0.0.1 is in use; choose another port, or 0 for a free one.\n`);
    expect(code).toBe(1);
  });
});

describe('--help', () => {
  const all = mockTopics.all();
  const spelled = [...all.matchAll(/--([a-z][a-z-]*)/g)].map(([, name]) => name as string);

  it('names flags that exist, and all of them', () => {
    const known = Object.entries(mockFlags).flatMap(([name, flag]) =>
      'negatable' in flag ? [name, `no-${name}`] : [name],
    );
    expect([...new Set(spelled)].sort()).toEqual(known.sort());
  });

  it('fits on a screen, and has topics', async () => {
    const { code, stdout } = await runToEnd(['mock', '-h']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: mockTopics['']() });
    expect(stdout.split('\n').length).toBeLessThanOrEqual(71);
    expect((await runToEnd(['mock', '--help', 'faults'])).stdout).toBe(mockTopics.faults());
    const unknown = await runToEnd(['mock', '--help', 'errors']);
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toContain('Unknown help topic "errors". Topics: faults, behaviors, config, all.');
  });

  it('has examples that work', async () => {
    const examples = [...all.matchAll(/^ {2}casa mock( --.*?)? {2,}\S/gm)].map(([, argv]) => argv?.trim() ?? '');
    const flagged = examples.filter((argv) => argv !== '' && !argv.includes('--port'));
    expect(flagged.length).toBeGreaterThan(1);
    for (const argv of flagged) {
      const words = argv.replaceAll("'", '').split(' ');
      await start(words, { env: { CASA_UPSTREAM_KEY: 'key_1' } });
    }
  });
});
