import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleExchange, sampleFinding, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { spoiltSecrets } from '../driver/session.ts';
import { bodyCommand, spoil } from '../exchange/request.ts';
import type { Finding } from '../judge/result.ts';
import { conclude } from '../report/outcome.ts';
import type { Report, StoredExchange } from '../report/report.ts';
import { curlOf } from './curl.ts';
import { reporters } from './index.ts';
import { toJson } from './json.ts';

interface Case {
  readonly id: string;
  readonly finding?: Partial<Finding>;
  readonly exchange?: Partial<StoredExchange>;
  readonly before?: Partial<StoredExchange>;
  readonly options?: object;
  readonly report?: Partial<Report>;
}

const second = { authorization: 'Bearer $CONFORMANCE_SECOND_KEY' };
const mcp = { url: 'https://staging.example.com/mcp', target: '/mcp', method: 'POST', operation: null };
const options = { mcpUrl: mcp.url };

function reportOf({ id, finding, exchange, before, options: given = {}, report }: Case): Report {
  const exchanges = [...(before ? [sampleExchange({ id: 'x0', ...before })] : []), sampleExchange(exchange)];
  const findings = [sampleFinding({ clause: '4.sites.list', ...finding })];
  const checks = [sampleCheck(id, { kind: 'fail' }, { findings, exchanges: exchanges.map(({ id: own }) => own) })];
  const inputs = { options: given, isOfMcpEndpoint: false, standIns: { good: 'k' }, latencyMs: 0, times: [] };
  return sampleReport({ checks, exchanges, inputs, ...report });
}

const curl = /^curl -sS -i .*\/sites'$/;
const run = (id: string, rest = '') => new RegExp(`^npx casa-conformance --base-url https://\\S+ --only ${id}${rest}$`);

test.each<[string, Case, RegExp[]]>([
  ['a single response', { id: 'rule/list-sites-shape' }, [curl]],
  ['a single response of a burst', { id: 'rule/list-sites-shape', exchange: { burst: true } }, [curl]],
  [
    'a burst that was not limited',
    {
      id: 'limits/address-burst',
      finding: { clause: '8.address-window', pointer: '#status' },
      exchange: { burst: true },
    },
    [/^for n in \$\(seq 12\); do curl .* -o \/dev\/null -w '%\{http_code\}\\n' & done; wait$/],
  ],
  [
    'a header of a rejected request, which only a burst gets',
    {
      id: 'rule/rate-headers',
      finding: { clause: '8.retry-after', pointer: '#header/retry-after' },
      exchange: { status: 429 },
    },
    [/^for n in \$\(seq 12\); do curl -sS -i [^>]*' & done; wait$/],
  ],
  [
    'a wait',
    { id: 'limits/wait-as-told', finding: { clause: '8.retry-after', pointer: '#status' }, exchange: { status: 429 } },
    [run('limits/wait-as-told')],
  ],
  [
    'a count over a minute',
    { id: 'limits/key-window', finding: { clause: '8.key-window', exchange: null } },
    [run('limits/key-window')],
  ],
  [
    'a body that is too large',
    { id: 'limits/body-over-cap', finding: { clause: '8.body-rest', pointer: '#status' } },
    [curl],
  ],
  [
    'a request that would fill a screen',
    {
      id: 'articles/cursors',
      exchange: { url: `https://staging.example.com/api/v1/articles?cursor=${'ab'.repeat(800)}` },
    },
    [run('articles/cursors')],
  ],
  ['an MCP request', { id: 'mcp/door', exchange: mcp, options }, [run('mcp/door', ` --mcp-url ${mcp.url}`)]],
  [
    'an MCP request that a rule has seen',
    { id: 'rule/key-secrecy', exchange: mcp, options },
    [/^npx casa-conformance --base-url \S+ --mcp-url \S+$/],
  ],
  [
    'a clause of MCP that a REST request shows',
    { id: 'limits/key-remaining', finding: { clause: '8.key-window-shared' }, options },
    [run('limits/key-remaining', ` --mcp-url ${mcp.url}`)],
  ],
  [
    'a burst that needs MCP requests before it',
    {
      id: 'mcp/window-shared',
      finding: { clause: '8.key-window-shared', proof: [{ exchange: 'x1', shows: 'returned 200' }] },
      exchange: { burst: true },
      options,
    },
    [run('mcp/window-shared', ` --mcp-url ${mcp.url}`)],
  ],
  [
    'an MCP endpoint on its own',
    { id: 'mcp/door', exchange: mcp, report: { target: mcp.url } },
    [/^npx casa-conformance mcp --url \S+\/mcp --only mcp\/door$/],
  ],
  [
    'a record of another organization',
    {
      id: 'isolation/records',
      finding: { clause: '1.foreign-record' },
      exchange: { key: 'second', requestHeaders: second },
    },
    [/\$CONFORMANCE_API_KEY/, /\$CONFORMANCE_SECOND_KEY/],
  ],
  [
    'the same for the first key',
    { id: 'rule/x', finding: { clause: '1.organization-scope' } },
    [/\$CONFORMANCE_SECOND_KEY/, /\$CONFORMANCE_API_KEY/],
  ],
  ['several responses together', { id: 'calls/walk', finding: { exchange: null } }, [run('calls/walk')]],
  [
    'a read after a write',
    { id: 'posts/visible', before: { method: 'POST', status: 200 }, options: { allowWrites: ['posts'] } },
    [run('posts/visible', ' --allow-writes=posts')],
  ],
  ['a write', { id: 'posts/x', before: { method: 'POST' }, exchange: { method: 'POST' } }, [/^curl -sS -i -X POST/]],
  ['a comparison', { id: 'diff/x', finding: { exchange: null }, report: { compared: { a: 'a', b: 'b' } } }, []],
])('%s is repeated by a command that can show it', (_, given, wanted) => {
  const report = reportOf(given);
  const { causes, checks } = toJson(report, conclude(report));
  expect(causes[0]?.repeat).toEqual(wanted.map((each) => expect.stringMatching(each)));
  expect(checks[0]?.findings[0]?.curl).toBe(causes[0]?.repeat.join('; ') || null);
  for (const command of causes[0]?.repeat ?? []) execFileSync('bash', ['-n', '-c', command]);
  const [command] = causes[0]?.repeat ?? [];
  if (command === undefined) return;
  for (const { kind, render } of reporters.filter(({ kind }) => kind !== 'har')) {
    const decoded = render(report, conclude(report))
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
      .replaceAll('&quot;', '"');
    const text = kind === 'json' || kind === 'sarif' ? JSON.stringify(command).slice(1, -1) : command;
    expect([kind, decoded.includes(text)]).toEqual([kind, true]);
  }
});

/** The arguments that a shell reads from the line. */
function argumentsOf(line: string, key = 'key_12ab'): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  const env = { CONFORMANCE_API_KEY: key, STAGING_KEY: 'key_34cd', PATH: process.env.PATH };
  return execFileSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('the line of curl', () => {
  test('names the key by its variable, which the shell fills in', () => {
    const line = curlOf(sampleExchange());
    expect(line).toContain('-H "authorization: Bearer $CONFORMANCE_API_KEY"');
    expect(argumentsOf(line)).toContain('authorization: Bearer key_12ab');
  });

  test.each(['digit', 'short', 'long', 'no-prefix', 'other-prefix'] as const)(
    'lets the shell spoil a key: %s',
    (how) => {
      for (const key of ['key_12ab', 'sk_live_12a0']) {
        const value = spoil(key, how).replace('Bearer ', '');
        const { placeholder } = spoiltSecrets(key).find((secret) => secret.value === value) ?? {};
        const line = curlOf(sampleExchange({ requestHeaders: { authorization: `Bearer ${placeholder}` } }));
        expect(argumentsOf(line, key)).toContain(`authorization: Bearer ${value}`);
      }
    },
  );

  test('makes a long text of equal characters with a command', () => {
    const text = `{"text":"it's ${'x'.repeat(5001)}"}`;
    const line = curlOf(sampleExchange({ method: 'POST', requestBody: { text, bytes: text.length } }));
    expect(line.length).toBeLessThan(300);
    expect(argumentsOf(line)).toContain(text);
  });

  test('names a key of one side of a comparison by its own variable, and nothing more', () => {
    const requestHeaders = { authorization: 'Bearer $STAGING_KEY', 'x-other': '$STAGING_KEY' };
    const sent = argumentsOf(curlOf(sampleExchange({ requestHeaders })));
    expect(sent).toContain('authorization: Bearer key_34cd');
    expect(sent).toContain('x-other: $STAGING_KEY');
  });

  test.each([
    'it\'s $HOME `id` $(id) \\ ! "quoted" & | ; * ~ #',
    'two\nlines',
    'a $CONFORMANCE_API_KEY and "quotes"',
    '-o /etc/passwd',
  ])('quotes the body %j', (text) => {
    const line = curlOf(sampleExchange({ method: 'POST', requestBody: { text, bytes: 9 } }));
    expect(argumentsOf(line)).toContain(text.replace('$CONFORMANCE_API_KEY', 'key_12ab'));
  });

  test.each([
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x27, 0x25, 0x5c, 0x0a, 0x00, 0x7d])],
    ['a large body of letters', Buffer.from(`{"text":"${'x'.repeat(2_500_000)}"}`)],
    ['a large body of wide letters', Buffer.from(`{"pad":"${'\u3042'.repeat(800_000)}xx"}`)],
  ])('writes %s by a command', (_, sent) => {
    const command = bodyCommand(sent) ?? '';
    const line = curlOf(sampleExchange({ method: 'POST', requestBody: { text: null, bytes: sent.length, command } }));
    const script = `curl() { cat; }; ${line}`;
    const written = execFileSync('bash', ['--norc', '-c', script], { maxBuffer: 5_000_000 });
    expect(written.equals(sent)).toBe(true);
    expect(line.length).toBeLessThan(1000);
  });

  test('writes no body that is long and without a pattern', () => {
    expect(bodyCommand(Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251)))).toBeNull();
  });

  test('refers to a body that is too long to be kept', () => {
    const line = curlOf(sampleExchange({ method: 'POST', requestBody: { text: null, bytes: 2_500_001 } }));
    expect(line).toContain('--data-binary @body-of-2500001-bytes');
  });
});
