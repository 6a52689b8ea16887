import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { main } from './command.ts';
import { type ScriptedServer, startScriptedServer } from './selftest/scripted-server.ts';

const env = { CONFORMANCE_API_KEY: 'key_0123456789abcdef0123456789abcdef' };
const url = 'http://127.0.0.1:9/api/v1';
const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function conformance(args: readonly string[], environment: Record<string, string> = env) {
  let [out, err] = ['', ''];
  const code = await main(args, environment, {
    out: (text) => {
      out += text;
    },
    err: {
      isTty: false,
      columns: 80,
      write: (text) => {
        err += text;
      },
    },
    hasColour: false,
  });
  return { code, out, err };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('the command', () => {
  test('shows its usage when there is no base URL', async () => {
    const { code, err } = await conformance([]);
    expect(code).toBe(2);
    expect(err).toContain('--base-url is missing');
    expect(err).toContain('Usage: conformance');
  });

  test.each([
    [['--bas-url', 'x'], 'Did you mean --base-url?'],
    [['--base-url', 'ftp://x'], 'no http or https address'],
    [['--base-url', 'http://a:b@h/api/v1'], 'must not hold a user name'],
    [['--base-url'], '--base-url needs a value'],
    [['--base-url', url, '--only', 'artcles/*'], 'Did you mean "articles/*"?'],
    [['--base-url', url, '--report', 'jsn=x'], 'no report of kind "jsn"'],
    [['--base-url', url, '--report', 'json'], 'needs a file'],
    [['--base-url', url, '--pace', 'fast'], 'none of auto, off and N/S'],
    [['--base-url', url, '--timeout', '-1'], 'no number of seconds'],
    [['--base-url', url, '--fail-on', 'wran'], 'none of fail, warn'],
    [['--base-url', url, '--min-proven', 'half'], 'neither N nor N%'],
    [['--base-url', url, '--header', 'Authorization: x'], 'cannot set Authorization'],
    [['--base-url', url, '--api-key-file', '/no/such'], 'cannot be read (ENOENT)'],
    [['--base-url', url, '--gentle=yes'], '--gentle takes no value'],
    [['--base-url', url, '--base-url', url], 'stands twice'],
    [['--base-url', url, 'extra'], '"extra" is not expected'],
    [['--explain', 'articles/walk'], 'Did you mean "articles/'],
  ])('refuses %j in one sentence', async (args, sentence) => {
    const { code, err } = await conformance(args);
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });

  test.each([
    ['[{"check":"sites/lst","reason":"r"}]', 'Did you mean "sites/list"?'],
    ['[{"check":"sites/list"}]', 'has no reason'],
    ['[{"check":"sites/list","reason":"r","till":"x"}]', 'unknown member "till"'],
    ['[{"check":"sites/list","reason":"r","until":"soon"}]', 'no date'],
    ['nonsense', 'not JSON'],
  ])('refuses the baseline %s', async (text, sentence) => {
    const { code, err } = await conformance(['--base-url', url, '--baseline', file('bad.json', text)]);
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });

  test('asks for a key', async () => {
    expect(await conformance(['--base-url', url], {})).toMatchObject({
      code: 2,
      err: expect.stringContaining('no API key'),
    });
  });

  test('plans without a key and without a request', async () => {
    const { code, out } = await conformance(['--base-url', url, '--plan', '--only', 'sites/unknown-id'], {});
    expect(out).toBe('1 checks, 2 to 2 requests, 2 to 2 s; nothing was sent.\n');
    expect(code).toBe(0);
  });

  test('lists and explains', async () => {
    expect((await conformance(['--list'])).out).toContain('articles/page-walk');
    const { out } = await conformance(['--explain', 'articles/page-walk']);
    expect(out).toContain('4.articles.list.walk (implied;');
  });

  test('says in one sentence that nobody is there', async () => {
    const { code, out } = await conformance(['--base-url', url, '--pace', 'off']);
    expect(out).toContain('127.0.0.1:9 takes no connections');
    expect(code).toBe(4);
  });

  test('fails a broken server, writes the report and heeds the baseline', async () => {
    server = await startScriptedServer(() => ({ body: { data: [{}] } }));
    const report = join(folder, 'report.json');
    const args = [
      '--base-url',
      server.baseUrl,
      '--pace',
      'off',
      '--only',
      'sites/list',
      '--only',
      'rule/list-sites-shape',
    ];
    const { code, out } = await conformance([...args, '--report', `json=${report}`]);
    expect(code).toBe(1);
    expect(out).toContain('FAIL  rule/list-sites-shape');
    expect(out).toContain(
      `curl -sS -i -H 'accept: application/json' -H 'authorization: Bearer '"$CONFORMANCE_API_KEY"''`,
    );
    const written = JSON.parse(readFileSync(report, 'utf8'));
    expect(written.summary).toMatchObject({ fail: 1, pass: 1 });
    expect(written.checks[1].findings[0]).toMatchObject({ clause: '2.site.id', pointer: '/data/0/id', exchange: 'x1' });
    const known = file('known.json', '[{"check":"rule/list-sites-shape","reason":"ticket 12"}]');
    expect((await conformance([...args, '--baseline', known])).code).toBe(0);
    const stale = file('stale.json', '[{"check":"sites/list","reason":"ticket 13"}]');
    expect((await conformance([...args, '--baseline', stale])).out).toContain('sites/list no longer fails');
  });
});
