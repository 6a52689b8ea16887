import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { conformance, kitEnv as env } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { type ScriptedServer, startScriptedServer, startTcpServer } from '../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';

const url = 'http://127.0.0.1:9/api/v1';
const folder = newFolder();
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** Starts the target of a test; gives the flags of a run of these checks against it. */
async function target(only: readonly string[], response: Parameters<typeof startScriptedServer>[0] = () => ({})) {
  server = await startScriptedServer(response);
  return ['--base-url', server.baseUrl, '--pace', 'off', ...only.flatMap((id) => ['--only', id])];
}

/** Waits on a virtual clock between retries. */
const hurried = (args: readonly string[], more: Record<string, string> = {}) =>
  conformance([...args, '--pace', 'off'], { ...env, ...more }, virtualClock(Date.UTC(2026, 4, 1)));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('the command', () => {
  test('shows its usage when there is no base URL', async () => {
    const { code, err } = await conformance([]);
    expect(code).toBe(2);
    expect(err).toContain('--base-url is missing: conformance --base-url https://host/api/v1');
  });

  test.each([
    [['--bas-url', 'x'], 'Did you mean --base-url?'],
    [['--base-url', 'ftp://x'], 'not an http or https address'],
    [['--base-url', 'http://a:b@h/api/v1'], 'must not contain a user name'],
    [['--base-url'], '--base-url needs a value'],
    [['--base-url', 'localhost:4010/api/v1'], 'Did you mean http://localhost:4010/api/v1?'],
    [['--base-url', 'staging.example.com/api/v1'], 'Did you mean https://staging.example.com/api/v1?'],
    [['--base-url', url, '--report', `json=${tmpdir()}`], 'is a folder, not a file.'],
    [['--base-url', url, '--min-verified', '500%'], 'is more than all'],
    [['--base-url', url, '--source-address', '192.0.2.1'], 'is not an address of this machine (EADDRNOTAVAIL)'],
    [['--base-url', url, '--source-address', 'eth0'], 'is not an IP address'],
    [['--base-url', url, '--only', 'artcles/*'], 'Did you mean "articles/*"?'],
    [['--base-url', url, '--report', 'jsn=x'], 'Did you mean json?'],
    [['--base-url', url, '--report', 'json=/dev/null/x'], 'cannot be written: a part of its path is a file'],
    [['--base-url', url, '--report', 'json=a', '--report', 'html=a'], 'cannot both go to a'],
    [['--target', 'staging'], 'needs a config file that names it'],
    [['--target', 'self', '--base-url', url], '--base-url cannot be used'],
    [['--base-url', url, '--control', 'http://127.0.0.1:10'], 'both must be the same server'],
    [['--base-url', url, '--control', 'http://127.0.0.1:9'], 'does not respond'],
    [['diif', 'self', 'self'], 'Unknown command "diif". Did you mean "diff"?'],
    [['mock', '--port', '0'], 'Unknown command "mock". Did you mean "casa mock"?'],
    [['--base-url', url, '--allow-writes', 'posts'], 'Did you mean --allow-writes=posts?'],
    [['har'], 'conformance har needs a file'],
    [['har', 'a.har', 'b.har'], '"b.har" is one too many'],
    [['har', '/no/such.har'], '/no/such.har does not exist.'],
    [['har', 'a.har', '--gentle'], '--gentle cannot be used with conformance har'],
    [['mcp'], '--url is missing: conformance mcp --url https://host/mcp'],
    [['mcp', '--url', 'localhost:4010/mcp'], 'Did you mean http://localhost:4010/mcp?'],
    [['mcp', '--base-url', url], '--base-url cannot be used with conformance mcp'],
    [['mcp', '--target', 'self', '--url', url], '--url cannot be used'],
    [['mcp', '--url', url, '--only', 'sites/list'], '--only selects no check of the MCP endpoint'],
    [['mcp', '--url', url, '--only', 'mcp/dor'], 'Did you mean "mcp/door"?'],
    [['--url', url], '--url belongs to conformance mcp'],
    [['--base-url', url, '--report', 'json'], 'needs a file'],
    [['--base-url', url, '--pace', 'fast'], '--pace takes auto, off or N/S'],
    [['--base-url', url, '--timeout', '-1'], '--timeout takes a number of seconds above 0'],
    [['--base-url', url, '--minutes', '0'], '--minutes takes a whole number from 1 to 999999, not "0".'],
    [['--base-url', url, '--max-writes', 'x'], '--max-writes takes a whole number of at least 0, not "x".'],
    [['--base-url', url, '--header', 'X-Key casa_1'], '--header takes "Name: value".'],
    [['--base-url', url, '--only', '\u001b[2Jx'], 'called "\\u{1b}[2Jx"'],
    [['--base-url', url, '--fail-on', 'wran'], 'not one of fail, error'],
    [['--base-url', url, '--min-verified', 'half'], 'neither N nor N%'],
    [['--base-url', url, '--header', 'Authorization: x'], 'cannot set Authorization'],
    [['--base-url', url, '--api-key', 'casa_1'], 'Unknown flag --api-key.'],
    [['--base-url', url, '--gentle=yes'], '--gentle takes no value'],
    [['--base-url', url, '--base-url', url], 'is given twice'],
    [['--base-url', url, '--review', 'r1'], 'needs --account ID and --allow-writes=replies'],
    [['--base-url', url, '--max-writes', '3'], '--max-writes needs --allow-writes'],
    [['--base-url', url, 'extra'], '"extra" is not a flag'],
    [['--explain', 'articles/walk'], 'Did you mean "articles/'],
  ])('rejects %j in one sentence', async (args, sentence) => {
    const { code, err } = await conformance(args);
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });

  test.each([
    ['[{"check":"sites/lst","reason":"r"}]', 'Did you mean "sites/list"?'],
    ['[{"check":"sites/list"}]', 'knownFailures[0].reason is missing'],
    ['[{"check":"sites/list","reason":"r","till":"x"}]', 'there is no field "till" in knownFailures[0]'],
    ['[{"check":"sites/list","reason":"r","until":"soon"}]', 'not a date'],
    ['[{"check":"sites/list","reason":"r","until":"5"}]', 'not a date'],
    ['[{"check":"sites/list","reason":"r"},{"check":"sites/list","reason":"s"}]', 'names sites/list twice'],
    [
      'nonsense',
      'The claims file cannot be used: it is not JSON like { "knownFailures": [] }. Create one with --write-claims.',
    ],
  ])('rejects the claims %s', async (text, sentence) => {
    const { code, err } = await conformance(['--base-url', url, '--claims', file('bad.json', text)]);
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });

  test('asks for a key', async () => {
    expect(await conformance(['--base-url', url], {})).toMatchObject({
      code: 2,
      err: expect.stringContaining('no API key'),
    });
  });

  test.each([
    ['CONFORMANCE_SECOND_KEY', 'the key of another organization'],
    ['CONFORMANCE_REVOKED_KEY', 'a revoked key'],
  ])('rejects a %s that is the valid key', async (name, wanted) => {
    const { code, err } = await conformance(['--base-url', url], { ...env, [name]: env.CONFORMANCE_API_KEY });
    expect(err).toBe(`${name} is the same key as CONFORMANCE_API_KEY: pass ${wanted}, or leave it out.\n`);
    expect(code).toBe(2);
  });

  test('reports a port without TLS in one sentence', async () => {
    server = await startScriptedServer(() => ({}));
    const { host } = new URL(server.baseUrl);
    const { code, out } = await hurried(['--base-url', `https://${host}/api/v1`]);
    expect(out).toContain(`${host} does not accept TLS: use http:// in --base-url, or the TLS port.`);
    expect(out).not.toContain('SSL routines');
    expect(code).toBe(4);
  });

  test.each<[number, unknown, Record<string, string>, string, number]>([
    [404, { error: {} }, {}, 'returns 404, so it is not an MCP endpoint: check --url, including its path.', 4],
    [200, '<html>', { 'content-type': 'text/html' }, 'returns 200 without JSON, so it is not an MCP endpoint', 4],
    [308, '', { location: 'https://elsewhere/mcp' }, 'redirects with 308 to https://elsewhere/mcp:', 4],
    [302, '', { location: '/login' }, '/login, a login: use an address', 2],
    [403, '<title>Blocked</title>', { 'content-type': 'text/html' }, 'returns 403 with a web page titled "Blocked"', 4],
    [401, { error: 'no' }, {}, 'rejects the API key (401); set CONFORMANCE_API_KEY', 2],
    [400, { error: 'no' }, {}, 'The deployment violates the contract', 1],
  ])(
    'prints why an MCP endpoint cannot be opened, for example after %d',
    async (status, body, headers, sentence, exit) => {
      server = await startScriptedServer(() => ({ status, body, headers }));
      const { code, out } = await conformance(['mcp', '--url', server.baseUrl, '--pace', 'off']);
      expect(out).toContain(sentence);
      expect(code).toBe(exit);
      expect(server.requests.filter((line) => line.startsWith('GET'))).toEqual([]);
    },
  );

  test('prints that the MCP endpoint accepts no connections', async () => {
    const { code, out } = await hurried(['mcp', '--url', 'http://127.0.0.1:9/mcp']);
    expect(out).toMatch(/accepts no connections .*check that it runs, and --url\./);
    expect(code).toBe(4);
  });

  test('adds to the summary of a job, and writes other files again', async () => {
    const args = await target(['sites/list']);
    const [summary, other] = [file('summary.md', 'before\n'), file('other.md', '# ✅ Conformance of before\n')];
    await conformance([...args, '--report', `md=${summary}`], { ...env, GITHUB_STEP_SUMMARY: summary });
    await conformance([...args, '--report', `md=${other}`]);
    expect(readFileSync(summary, 'utf8')).toMatch(/^before\n# /);
    expect(readFileSync(other, 'utf8')).not.toContain('before');
  });

  test('plans without a key and without a request', async () => {
    const { code, out } = await conformance(['--base-url', url, '--plan', '--only', 'sites/unknown-id'], {});
    expect(out.split('\n')).toEqual([
      '           Checks  Requests  Seconds',
      '  Default       1      9-12     8-12',
      '',
      '  Up to 12 requests in 12 s.',
      '  Retries and confirmations can add 60 requests: at most 72 requests in total.',
      '',
      'This is a plan. No request was sent.',
      '',
    ]);
    expect(code).toBe(0);
  });

  test('says in its plan what would open the clauses that stay open', async () => {
    const { out } = await conformance(['--base-url', url, '--plan'], {});
    expect(out).toContain('To test more clauses:');
    expect(out).toMatch(/^ {4}--mcp-url URL +\d+ clauses$/m);
    expect(out).toMatch(/^ {4}CONFORMANCE_REVOKED_KEY +1 clause$/m);
  });

  test('lists and explains', async () => {
    expect((await conformance(['--list'])).out).toContain('articles/page-walk');
    const { out } = await conformance(['--explain', 'articles/page-walk']);
    expect(out).toContain('4.articles.list.walk (implied;');
    expect(out).toContain('R17  A lost or repeated article causes a warning');
    expect((await conformance(['--explain', 'rule/json'])).out).toContain('checks every exchange');
  });

  test.each([
    ['R19', 'articles/bad-query'],
    ['r1', 'R1  If several rejections apply'],
    ['8.post-text', 'posts/text-edges'],
    ['4.any-429', 'No response can violate it: a permission'],
    ['calls/watch', 'needs --watch, --call-id-field NAME and --call-ended-at-field NAME'],
    ['articles/capitals', 'requests: 2'],
  ])('explains %s', async (id, text) => {
    const { out, code } = await conformance(['--explain', id]);
    expect(out).toContain(text);
    expect(code).toBe(0);
  });

  test('shows the table of checks with level, requests, needs and title', async () => {
    const lines = (await conformance(['--list'])).out.split('\n');
    expect(lines[0]?.split(/ {2,}/)).toEqual(['id', 'level', 'requests', 'needs', 'title']);
    const row = lines.find((line) => line.startsWith('links/creates'));
    expect(row?.split(/ {2,}/).slice(0, 4)).toEqual(['links/creates', 'must', '1-2', 'writes:links']);
    expect(lines.join('\n')).toMatch(/writes:links +--allow-writes=links/);
    const table = lines.slice(0, lines.indexOf(''));
    const widths = new Set(table.map((line) => line.indexOf(line.split(/ {2,}/)[1] ?? '')));
    expect(widths.size).toBe(1);
  });

  test('prints in one sentence that the server is not running', async () => {
    const { code, out } = await hurried(['--base-url', url]);
    expect(out).toContain('127.0.0.1:9 accepts no connections');
    expect(code).toBe(4);
  });

  test('fails a broken server, writes the report and applies the claims', async () => {
    const report = join(folder, 'report.json');
    const broken = { body: { data: [{ id: 'no-uuid' }] } };
    const args = await target(['sites/list', 'rule/list-sites-shape'], () => broken);
    const { code, out } = await conformance([...args, '--report', `json=${report}`]);
    expect(code).toBe(1);
    expect(out).toContain('FAIL  rule/list-sites-shape');
    expect(out).toContain(`curl -sS -i -H 'accept: application/json' -H "authorization: Bearer $CONFORMANCE_API_KEY"`);
    const written = JSON.parse(readFileSync(report, 'utf8'));
    expect(written.summary).toMatchObject({ fail: 1, pass: 1 });
    expect(written.checks[1].findings[0]).toMatchObject({ clause: '2.site.name', pointer: '/data/0/name' });
    const known = file('known.json', '[{"check":"rule/list-sites-shape","reason":"ticket 12"}]');
    expect((await conformance([...args, '--claims', known])).code).toBe(0);
    const stale = file('stale.json', '[{"check":"sites/list","reason":"ticket 13"}]');
    expect((await conformance([...args, '--claims', stale])).out).toContain('sites/list no longer fails');
  });

  test('annotates failures in a workflow of GitHub, and nowhere else', async () => {
    const args = await target(['rule/list-sites-shape'], () => ({ body: { data: [{}] } }));
    const inside = await conformance(args, { ...env, GITHUB_ACTIONS: 'true' });
    expect(inside.out).toMatch(/^::error title=rule\/list-sites-shape::GET \/sites returned /);
    expect((await conformance(args)).out).not.toContain('::error');
  });

  test('writes every kind of report, into folders that it makes, and one to standard output', async () => {
    const made = join(folder, 'made', 'deeper');
    const kinds = ['json', 'junit', 'html', 'sarif', 'har'];
    const reports = ['md=-', ...kinds.map((kind) => `${kind}=${join(made, kind)}`)];
    const args = [...(await target(['sites/list'])), ...reports.flatMap((report) => ['--report', report])];
    const { out, err } = await conformance(args);
    for (const kind of kinds) expect(readFileSync(join(made, kind), 'utf8').length).toBeGreaterThan(200);
    expect(out).toMatch(/^# ✅ Conformance of/);
    expect(err).toContain('Exit code 0.');
  });

  test('counts a warning as failure with --fail-on', async () => {
    const args = await target(['rule/key-secrecy', 'sites/list'], (_, request) => ({
      body: { data: [], echo: request.headers.authorization },
    }));
    expect((await conformance(args)).code).toBe(0);
    expect(await conformance([...args, '--fail-on', 'warn'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('--fail-on warn counts 1 check as failed'),
    });
  });

  test('checks a recording, sends nothing and needs no key', async () => {
    const args = await target(['sites/list'], () => ({ body: { data: [{}] } }));
    const har = join(folder, 'run.har');
    await conformance([...args, '--keep-bodies', '--report', `har=${har}`]);
    const before = server?.requests.length;
    const { code, out } = await conformance(['har', har], {});
    expect(code).toBe(1);
    expect(out).toContain('FAIL  rule/list-sites-shape');
    expect(out).toContain(`Sent     nothing; 1 recorded exchange of ${args[1]} checked`);
    expect(server?.requests.length).toBe(before);
  });

  test('checks our own mock, and says that it is that', async () => {
    const args = ['--target', 'self', '--control', 'self', '--only', 'sites/*', '--only', 'rule/*'];
    const { code, out, err } = await conformance(args, {});
    expect(err).toContain('This run tests the bundled mock');
    expect(err).toContain('Sites: ');
    expect(out).toContain('No check failed');
    expect(code).toBe(0);
  });

  test('sends the key in the header that --key-header names, and leaves Authorization to the gateway', async () => {
    const seen: (string | undefined)[][] = [];
    const args = await target(['sites/list'], (_, { headers }) => {
      seen.push([headers.authorization, headers['x-key']?.toString()]);
      return {};
    });
    const gateway = ['--header', 'Authorization: Basic eDp5', '--key-header', 'X-Key'];
    await conformance([...args, ...gateway]);
    expect(seen[0]).toEqual(['Basic eDp5', `Bearer ${env.CONFORMANCE_API_KEY}`]);
  });

  test.each([
    [['--key', file('client.key', 'x')], '--key needs --cert'],
    [['--key-header', 'no name'], 'is not the name of a header'],
  ])('rejects %j', async (args, sentence) => {
    const { code, err } = await conformance(['--base-url', url, ...args]);
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });

  test.each([
    ['HTTP_PROXY', 'socks5://127.0.0.1:9', 2, 'casa-kit supports HTTP proxies only'],
    ['HTTP_PROXY', 'http://127.0.0.1:9', 4, 'the proxy of HTTP_PROXY (127.0.0.1:9), which cannot be reached: '],
  ])('says of %s=%s whose fault it is', async (name, value, exit, sentence) => {
    const { code, out, err } = await hurried(['--base-url', 'http://casa.test/api/v1'], { [name]: value });
    expect(`${out}${err}`).toContain(sentence);
    expect(code).toBe(exit);
  });

  test('names the proxy of a tunnel that wants a login', async () => {
    const proxy = await startTcpServer((socket) => socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'));
    const { code, out } = await hurried(['--base-url', 'https://casa.test/api/v1'], { HTTPS_PROXY: proxy.origin });
    await proxy.close();
    expect(out).toMatch(/^The proxy of HTTPS_PROXY \(127\.0\.0\.1:\d+\) returns 407, so it requires authentication/);
    expect(code).toBe(2);
  });

  test('ends with a line that agrees with the exit code when a report cannot be written', async () => {
    const { code, out } = await conformance([...(await target(['rule/json'])), '--report', 'json=/dev/full']);
    expect(out.trim().split('\n').at(-1)).toContain('/dev/full cannot be written: the disk is full. Exit code 4');
    expect(code).toBe(4);
  });

  test('counts what was lost to a platform with --fail-on inconclusive:platform, and not for other reasons', async () => {
    const response = (path: string) => (path === '/sites' ? {} : { status: 502, body: '<p>' });
    const args = await target(['articles/list'], response);
    const runs = (reason: string) =>
      conformance([...args, '--fail-on', `inconclusive:${reason}`], env, virtualClock(Date.UTC(2026, 4, 1)));
    const [platform, budget] = [await runs('platform'), await runs('budget')];
    expect(platform.out).toContain('--fail-on inconclusive:platform counts 1 check as failed');
    expect([platform.code, budget.code]).toEqual([1, 3]);
  });

  test('writes the claims of a run, with reasons to fill in', async () => {
    const args = await target(['rule/json'], () => ({ headers: { 'content-type': 'text/plain' } }));
    const path = join(folder, 'claims.json');
    expect((await conformance([...args, '--write-claims', path])).code).toBe(1);
    const entry = { check: 'rule/json', clause: '4.json', pointer: '#header/content-type', reason: '', until: null };
    const written = JSON.parse(readFileSync(path, 'utf8'));
    expect(written).toMatchObject({ capabilities: { mcp: false }, knownFailures: [entry], expected: [] });
  });
});
