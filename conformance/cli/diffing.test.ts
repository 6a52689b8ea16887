import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'diff-test-'));
const key = `casa_${'0a'.repeat(16)}`;

async function conformance(args: readonly string[], environment: Record<string, string> = {}) {
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
    folder,
  });
  return { code, out, err };
}

const [a, b] = ['http://127.0.0.1:9/api/v1', 'http://127.0.0.2:9/api/v1'];

describe('conformance diff', () => {
  test('has a help text of its own, with sides, flags and exit codes', async () => {
    const { code, out } = await conformance(['diff', '--help']);
    expect(code).toBe(0);
    for (const word of ['--key-a VARIABLE', 'FILE.profile.json', '--min-compared', 'Exit codes', '3  too little'])
      expect(out).toContain(word);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test.each([
    ['one side', ['self'], {}, 'compares two sides'],
    ['three sides', ['self', 'self', 'self'], {}, 'one too many'],
    ['a flag of an audit', ['self', 'self', '--allow-writes'], {}, 'there is no flag --allow-writes'],
    ['no scheme', ['127.0.0.1:9/api/v1', 'self'], {}, 'is not an http or https address'],
    ['a name without a config file', ['staging', 'self'], {}, 'no config file names it'],
    ['a file that is no profile', [join(folder, 'no.json'), 'self'], {}, 'it is no profile'],
    ['a file that is not there', ['nothing.profile.json', 'self'], {}, 'cannot be read (ENOENT)'],
    ['no key for A', [a, b], { CONFORMANCE_API_KEY_B: key }, 'no API key for A: set CONFORMANCE_API_KEY_A'],
    ['the usual key for two hosts', [a, b], { CONFORMANCE_API_KEY: key }, 'no API key for A'],
    ['a variable that is not set', [a, 'self', '--key-a', 'NOPE'], { CONFORMANCE_API_KEY: key }, 'set NOPE'],
    ['an unknown kind', ['self', 'self', '--fail-on', 'warn'], {}, 'none of any, illegal'],
    ['a share beyond all', ['self', 'self', '--min-compared', '200%'], {}, 'is no share'],
    ['an unknown report', ['self', 'self', '--report', 'pdf=x'], {}, 'no report of kind "pdf"'],
  ] as const)('refuses %s before it asks anybody', async (_name, args, environment, sentence) => {
    writeFileSync(join(folder, 'no.json'), '{}');
    expect(await conformance(['diff', ...args], environment)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(sentence),
    });
  });
});
