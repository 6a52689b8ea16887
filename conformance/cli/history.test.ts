import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { type ScriptedServer, startScriptedServer } from '../../fixtures/test-kit/scripted-server.ts';

let server: ScriptedServer;
let folder: string;
let isBroken = false;

beforeEach(async () => {
  folder = join(newFolder(), 'made');
  isBroken = false;
  server = await startScriptedServer(() => (isBroken ? { body: { data: [{ id: 'no-uuid' }] } } : {}));
});
afterEach(() => server.close());

const few = ['--pace', 'off', '--only', 'sites/list', '--only', 'rule/list-sites-shape'];
const audit = (...flags: string[]) => conformance(['--base-url', server.baseUrl, ...few, ...flags]);
const kept = (ending: string) => readdirSync(folder).filter((name) => name.endsWith(ending));

describe('a history', () => {
  test('is a line for each run, which trend shows', async () => {
    await audit('--history', folder);
    isBroken = true;
    const { out } = await audit('--history', folder);
    expect(out).toContain('new: rule/list-sites-shape 2.site.');
    const [file] = kept('.jsonl');
    expect(
      readFileSync(join(folder, file ?? ''), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(2);
    expect(kept('.json')).toEqual([]);
    const output = await conformance(['trend', folder]);
    expect(output.out).toMatch(/^2 runs of 1 target\n/);
    expect(output.out).toContain(server.baseUrl);
  });

  test('fails with --fail-on new for new failures only', async () => {
    const codes: number[] = [];
    for (const broken of [true, true, false, false, true]) {
      isBroken = broken;
      codes.push((await audit('--history', folder, '--fail-on', 'new')).code);
    }
    expect(codes).toEqual([1, 0, 0, 0, 1]);
    const { out } = await audit('--history', folder, '--fail-on', 'new');
    expect(out).toContain('PASSED  No new failure (1 check as before)');
  });

  test('skips malformed lines', async () => {
    await audit('--history', folder);
    appendFileSync(join(folder, kept('.jsonl')[0] ?? ''), '{"v":1,"at":\n');
    expect((await audit('--history', folder)).out).toContain('No change since the run of');
    expect((await conformance(['trend', folder])).out).toContain('1 record left out, because it is neither');
  });

  test('is also a folder of JSON reports, which expire', async () => {
    isBroken = true;
    await audit('--history', folder, '--report', `json=${join(folder, '2026-11-29-1.4.json')}`);
    isBroken = false;
    await audit('--report', `json=${join(folder, '2026-11-30-1.5.json')}`);
    appendFileSync(join(folder, 'other.json'), '{"tool":"other"}');
    const { out } = await conformance(['trend', folder]);
    expect(out).toMatch(/^2 runs of 1 target\n/);
    expect(out).toContain('fixed: rule/list-sites-shape 2.site.');
    expect(out).toContain('1 record left out');
    expect(out).not.toContain('test again');
    const expired = await conformance(['trend', folder, '--valid-for', '0ms']);
    expect(expired.out).toMatch(/The newest result is of [\d-]+ and older than 0ms: test again\./);
  });

  test('is in the reports', async () => {
    await audit('--history', folder);
    const html = join(folder, 'report.html');
    const md = join(folder, 'report.md');
    await audit('--history', folder, '--report', `html=${html}`, '--report', `md=${md}`);
    expect(readFileSync(html, 'utf8')).toContain('<section id="history">');
    expect(readFileSync(md, 'utf8')).toContain('## Since the last run');
  });

  test.each([
    [['--fail-on', 'new'], 'needs --history DIR'],
    [['--history', '/dev/null/x'], '--history: /dev/null/x is'],
    [['--history', 'package.json'], '--history: package.json is a file, not a folder.'],
    [['--history', tmpdir(), '--fail-on', 'new,fail'], 'Use one of them'],
    [['--notify', 'http://127.0.0.1:9/'], '--notify'],
    [['--metrics', 'casa.prom'], '--metrics'],
    [['--attest', 'statement.json'], '--attest'],
  ])('rejects %j in one sentence', async (flags, sentence) => {
    const { code, err } = await audit(...flags);
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });

  test.each([
    [['trend'], 'trend needs a folder'],
    [['trend', '/no/such'], '/no/such does not exist.'],
    [['trend', 'conformance/cli'], 'has no history'],
    [['trend', 'package.json'], 'package.json is a file, not a folder.'],
    [['trend', 'a', 'b'], '"b" is one too many'],
    [['trend', '.', '--valid-for', 'soon'], '--valid-for "soon" is not a duration'],
    [['trend', '--hlp'], 'Did you mean --help?'],
  ])('rejects %j', async (args, sentence) => {
    const { code, err } = await conformance(args);
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });
});
