import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownCache } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startIndependent } from '../../proof/independent/index.ts';
import { main } from './command.ts';
import { differencesOf, sentenceOf } from './report-file.ts';

const folder = newFolder();
const key = `casa_${'0a'.repeat(16)}`;

async function conformance(args: readonly string[], environment: Record<string, string> = {}, signal?: AbortSignal) {
  let [out, err] = ['', ''];
  const code = await main(
    args,
    { ...ownCache, ...environment },
    {
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
      hasColor: false,
      folder,
      ...(signal ? { signal } : {}),
    },
  );
  return { code, out, err };
}

const [a, b] = ['http://127.0.0.1:9/api/v1', 'http://127.0.0.2:9/api/v1'];

describe('conformance diff', () => {
  test('has a separate help text, with sides, flags and exit codes', async () => {
    const { code, out } = await conformance(['diff', '--help']);
    expect(code).toBe(0);
    for (const word of ['--key-a VARIABLE', 'FILE.profile.json', '--min-compared', 'Exit codes', '3  Too little'])
      expect(out).toContain(word);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test('names the variable and the URL of the side that cannot be reached', async () => {
    const server = await startIndependent();
    try {
      const environment = { CONFORMANCE_API_KEY_A: server.keys.good, CONFORMANCE_API_KEY_B: server.keys.good };
      const rejected = { ...environment, CONFORMANCE_API_KEY_A: key };
      const wrong = await conformance(['diff', server.baseUrl, server.baseUrl], rejected);
      expect(wrong.out).toMatch(/^A: .* rejects the API key \(401\); set CONFORMANCE_API_KEY_A to a key/);
      const down = await conformance(['diff', a, server.baseUrl, '--timeout', '1'], environment);
      expect(down.out).toMatch(/^A: 127\.0\.0\.1:9 .*its address/);
      expect(down.out).not.toContain('--base-url');
      expect([wrong.code, down.code]).toEqual([2, 4]);
    } finally {
      await server.close();
    }
  });

  test('says that it was stopped, and of two sides that they are one', async () => {
    const server = await startIndependent();
    try {
      const stop = AbortSignal.abort();
      const address = [server.baseUrl, server.baseUrl];
      const { code, out, err } = await conformance(
        ['diff', ...address],
        { CONFORMANCE_API_KEY: server.keys.good },
        stop,
      );
      expect(code).toBe(4);
      expect(out).toMatch(/^The comparison was stopped before its end\./);
      expect(err).toContain('A and B have the same address and the same key');
    } finally {
      await server.close();
    }
  });

  test.each([
    ['one side', ['self'], {}, 'compares two sides'],
    ['three sides', ['self', 'self', 'self'], {}, 'one too many'],
    ['a flag of an audit', ['self', 'self', '--allow-writes'], {}, 'Unknown flag --allow-writes'],
    ['no scheme', ['127.0.0.1:9/api/v1', 'self'], {}, 'is not an http or https address'],
    ['a name without a config file', ['staging', 'self'], {}, 'is not an address, a file or a target of a config file'],
    ['a file that is not a profile', [join(folder, 'no.json'), 'self'], {}, 'it is not a profile'],
    ['a file that is not JSON', [join(folder, 'text.json'), 'self'], {}, 'text.json cannot be used: it is not JSON.'],
    ['a file that is not there', ['nothing.profile.json', 'self'], {}, 'nothing.profile.json does not exist.'],
    ['no key for A', [a, b], { CONFORMANCE_API_KEY_B: key }, 'no API key for A: set CONFORMANCE_API_KEY_A'],
    ['the usual key for two hosts', [a, b], { CONFORMANCE_API_KEY: key }, 'no API key for A'],
    ['a variable that is not set', [a, 'self', '--key-a', 'NOPE'], { CONFORMANCE_API_KEY: key }, 'set NOPE'],
    ['an unknown kind', ['self', 'self', '--fail-on', 'warn'], {}, 'not one of any, illegal'],
    ['a share beyond all', ['self', 'self', '--min-compared', '200%'], {}, 'is not a share'],
    ['an unknown report', ['self', 'self', '--report', 'pdf=x'], {}, 'no report of kind "pdf"'],
    ['a key of a mock of ours', ['self', a, '--key-a', 'X'], { X: key }, 'leave --key-a out'],
    ['an MCP URL of our mock', [a, 'self', '--mcp-url-b', b], { CONFORMANCE_API_KEY: key }, 'leave --mcp-url-b out'],
    ['a file of another kind', [join(folder, 'notes'), 'self'], {}, 'notes cannot be used: it is not JSON.'],
    ['a pace of another form', ['self', 'self', '--pace', '7'], {}, '--pace takes auto, off or N/S, for example 5/10'],
    ['a certificate that is not there', ['self', 'self', '--ca', 'nothing.pem'], {}, 'nothing.pem does not exist.'],
  ] as const)('rejects %s before it asks anybody', async (_name, args, environment, sentence) => {
    writeFileSync(join(folder, 'no.json'), '{}');
    writeFileSync(join(folder, 'text.json'), '{ no');
    writeFileSync(join(folder, 'notes'), 'no profile');
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const before = servers();
    expect(await conformance(['diff', ...args], environment)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(sentence),
    });
    expect(servers()).toBe(before);
  });
});

const [x, y] = [{ id: 'x' }, { id: 'y' }];
const long = 'x'.repeat(300);

test.each<[string, unknown, unknown, string[]]>([
  ['a value', { a: 1 }, { a: 2 }, ['A: a is 1; B give 2.']],
  ['a field that is missing', {}, { a: { b: 1 } }, ['A lacks a.']],
  ['a field that was added', { a: null }, {}, ['A has a, which does not follow from B.']],
  ['an item that is missing, by its id', [{ id: 'y' }], [{ id: 'x' }, { id: 'y' }], ['A lacks x.']],
  ['an item without an id, by its place', [1, 2], [1, 3], ['A: 2 is 2; B give 3.']],
  ['a field of an item', [{ id: 'x', n: 1 }], [{ id: 'x', n: 2 }], ['A: x > n is 1; B give 2.']],
  ['items in another order', [y, x], [x, y], ['A: order is ["y","x"]; B give ["x","y"].']],
  ['a list instead of an object', [], {}, ['A:  is []; B give {}.']],
  ['the end of a long text', `${long}!`, `${long}?`, [`A:  is …${'x'.repeat(20)}!"; B give …${'x'.repeat(20)}?".`]],
  ['an escape sequence', '\u001b', '', ['A:  is "\\u001b"; B give "".']],
  ['equal values', { a: [{ id: 'x' }], b: null }, { b: null, a: [{ id: 'x' }] }, []],
])('finds %s', (_, given, expected, sentences) => {
  expect(differencesOf(given, expected).map((each) => sentenceOf(each, ['A', 'B']))).toEqual(sentences);
});
