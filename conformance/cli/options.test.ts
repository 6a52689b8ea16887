import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { needs } from '../scenarios/capabilities.ts';
import { scenarios } from '../scenarios/index.ts';
import { startedBy } from './ending.ts';
import { flagTable, parseCommandLine } from './flags.ts';
import { terminalOf } from './io.ts';
import { rejectInvalidCertificates, runOptions } from './options.ts';

const env = { CONFORMANCE_API_KEY: 'key_0123456789abcdef0123456789abcdef' };
const optionsOf = (...flags: readonly string[]) =>
  runOptions(parseCommandLine(['--base-url', 'https://example.com/api/v1', ...flags]).flags, env);
const writesOf = (...kinds: string[]) => optionsOf(['--allow-writes', ...kinds].join('=')).allowWrites;

test('permission to write includes contacts only when they are named', () => {
  expect(writesOf()).toEqual(['posts', 'replies', 'links']);
  expect(writesOf('posts,contacts')).toEqual(['posts', 'contacts']);
  expect(() => writesOf('contact')).toThrow('Did you mean contacts?');
});

test('a review to reply to needs an account and the permission to reply', () => {
  const { review } = optionsOf('--review', 'r1', '--account', 'a1', '--allow-writes=replies');
  expect(review).toBe('r1');
  expect(() => optionsOf('--review', 'r1', '--account', 'a1', '--allow-writes=links')).toThrow('=replies');
});

test('no row meets a need that no check has; control is there for checks of others', () => {
  const used = new Set<string>(scenarios.flatMap((one) => one.needs ?? []));
  expect(Object.keys(needs).filter((need) => !used.has(need))).toEqual(['control']);
});

test.each([
  [3, false],
  [4, true],
])('with %i source addresses, plans the check of the key limit: %s', async (addresses, isPlanned) => {
  const given = Array.from({ length: addresses }, (_, i) => ['--source-address', `127.0.0.${i + 1}`]).flat();
  const { out } = await conformance(['--base-url', 'https://example.com/api/v1', '--plan', ...given]);
  expect(out.includes('Key window')).toBe(isPlanned);
});

describe('--help', () => {
  test('has at most 25 flags on its first page, and all of them under --help all', async () => {
    const [{ out: first }, { out, code }] = [await conformance(['--help']), await conformance(['--help', 'all'])];
    const flagsOf = (text: string) => [...text.matchAll(/^ {2}(?:-\w, | {4})--([a-z-]+)/gm)].map(([, name]) => name);
    expect(flagsOf(first).length).toBeLessThanOrEqual(25);
    expect(flagsOf(out).length).toBeLessThanOrEqual(40);
    const others = ['url', 'check'];
    expect(flagsOf(out).concat(others).sort()).toEqual(Object.keys(flagTable).sort());
    expect(flagsOf(out)).toEqual(expect.arrayContaining(flagsOf(first)));
    expect((await conformance(['--help', 'keys'])).err).toBe('Unknown help topic "keys". Topics: all.\n');
    for (const exit of [0, 1, 2, 3, 4]) expect(out).toMatch(new RegExp(`^ {2}${exit} {2}\\S`, 'm'));
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(code).toBe(0);
  });

  test.each([
    ['mcp', ['--url URL', '--allow-writes', '--pace'], ['--base-url URL', '--check']],
    ['har', ['--base-url', '--report'], ['--pace', '--url', '--check', '--gentle']],
    ['calibrate', ['--check FILE', '--profile FILE', '--base-url'], ['--url URL', '--report']],
  ])('has a help text for %s, with the flags that the command takes', async (command, wanted, others) => {
    const { out, code } = await conformance([command, '--help', 'all']);
    expect(out).toMatch(new RegExp(`^conformance ${command}: .*\n\nUsage\n  conformance ${command} `));
    for (const part of wanted) expect(out).toContain(part);
    for (const part of others) expect(out).not.toContain(part);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(code).toBe(0);
    const rows = [...out.matchAll(/^ {2}(?:-\w, | {4})(--[a-z-]+)( [A-Z]\S*)?/gm)];
    expect(rows.length).toBeGreaterThan(10);
    for (const [, flag = '', value] of rows) {
      const words = [command, 'traffic.har', flag, ...(value === undefined ? [] : ['1'])];
      expect(() => parseCommandLine(words.filter((word) => command === 'har' || word !== 'traffic.har'))).not.toThrow();
    }
  });
});

test('--target self moves the clock of its mock without a request', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const { out, code } = await conformance(['--target', 'self', '--control', 'self', '--only', 'articles/*']);
  expect([code, fetched.mock.calls]).toEqual([0, []]);
  expect(out).toContain('(mock time)');
  fetched.mockRestore();
});

const workflow = '.github/workflows/a.yml';
const repository = { GITHUB_REPOSITORY: 'acme/shop' };

test.each([
  ['the workflow', { ...repository, GITHUB_WORKFLOW_REF: `acme/shop/${workflow}@refs/heads/x` }, [], workflow],
  ['no workflow of others', { ...repository, GITHUB_WORKFLOW_REF: 'acme/x/.github/workflows/a.yml@v1' }, [], undefined],
  ['a file of the folder', {}, [undefined, './package.json'], 'package.json'],
  ['no file outside of it', {}, ['../', '/'], undefined],
  ['no file that is not there', {}, ['no-such.json'], undefined],
])('a run was started by %s', (_, environment, files, wanted) => {
  expect(startedBy(environment, files)).toBe(wanted);
});

function terminal(isTTY: boolean, env: Record<string, string> = {}) {
  const stream = { isTTY, columns: 100, write: () => true } as unknown as NodeJS.WriteStream & { fd: 1 & 2 };
  const { err, hasColor } = terminalOf({ stdout: stream, stderr: stream, env } as never);
  return { isTty: err.isTty, hasColor };
}

describe('the terminal of a process', () => {
  test('has 80 columns when it does not know', () => {
    const stream = { isTTY: true, columns: 0, write: () => true };
    expect(terminalOf({ stdout: stream, stderr: stream, env: {} } as never).err.columns).toBe(80);
  });

  test.each<[string, boolean, Record<string, string>, boolean, boolean]>([
    ['a person', true, {}, true, true],
    ['a pipe', false, {}, false, false],
    ['NO_COLOR', true, { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR', true, { NO_COLOR: '' }, true, true],
    ['CI', true, { CI: 'true' }, false, true],
    ['FORCE_COLOR in a pipe', false, { FORCE_COLOR: '1' }, false, true],
    ['FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, true, false],
    ['both', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    ['a dumb terminal', true, { TERM: 'dumb' }, false, false],
  ])('with %s has the expected bar and color', (_, isTTY, env, isTty, hasColor) => {
    expect(terminal(isTTY, env)).toEqual({ isTty, hasColor });
  });
});

/** For client.test; its key was discarded. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBgjCCASmgAwIBAgIUBrhqNAKh0Zh2dAtOU4bI1VIDIG8wCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLY2xpZW50LnRlc3QwIBcNMjYxMTIzMDExMzI3WhgPMjEyNjEw
MzAwMTEzMjdaMBYxFDASBgNVBAMMC2NsaWVudC50ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEERa5+tmWly+HmiozlwC7HIPBcuKrQbw7n/syDiewy/wMBfe2
O636YrtnJcadal2+Gmc4paA2DHnsoFktWbfEkaNTMFEwHQYDVR0OBBYEFOrk0wnb
CR/q22SegMHp6EhmDneEMB8GA1UdIwQYMBaAFOrk0wnbCR/q22SegMHp6EhmDneE
MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgbDLlgNk8Ripp47Hw
uXqoDGBMBlGMczB7Q79QMaooSS0CIGOS6X/h3l3h4QuWiPTCWz6telUCeOCpBL7f
HS/N13lY
-----END CERTIFICATE-----`;
const key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const locked = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  .toString();

test.each<[string, Parameters<typeof rejectInvalidCertificates>[0], string]>([
  ['an authority that is not a certificate', { ca: key }, '--ca holds no certificate'],
  ['an empty authority', { ca: '' }, '--ca holds no certificate'],
  ['an invalid certificate', { cert: 'x', key }, '--cert holds no certificate'],
  ['a certificate without its key', { cert }, 'name the file of the key with --key'],
  ['an invalid key', { cert, key: cert }, 'cannot be read'],
  ['a key with a passphrase', { cert, key: locked }, 'without a passphrase'],
  ['the key of another certificate', { cert, key }, 'must belong together'],
  ['the key of another certificate in one file with it', { cert: `${cert}\n${key}` }, 'must belong together'],
])('rejects %s', (_, options, sentence) => {
  expect(() => rejectInvalidCertificates(options)).toThrow(sentence);
});

test('takes an authority, and no certificate at all', () => {
  expect(() => rejectInvalidCertificates({ ca: `first a word\n${cert}` })).not.toThrow();
  expect(() => rejectInvalidCertificates({})).not.toThrow();
});
