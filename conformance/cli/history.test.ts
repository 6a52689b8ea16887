import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conformance, kitEnv as env } from '../../proof/rigs/kit-command.ts';
import { type ScriptedServer, startScriptedServer } from '../../proof/rigs/scripted-server.ts';

let server: ScriptedServer;
let folder: string;
let isBroken = false;

beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'conformance-history-')), 'made');
  isBroken = false;
  server = await startScriptedServer(() => (isBroken ? { body: { data: [{ id: 'no-uuid' }] } } : {}));
});
afterEach(() => server.close());

const audit = (...flags: string[]) =>
  conformance([
    '--base-url',
    server.baseUrl,
    '--pace',
    'off',
    '--only',
    'sites/list',
    '--only',
    'rule/list-sites-shape',
    ...flags,
  ]);
const kept = (ending: string) => readdirSync(folder).filter((name) => name.endsWith(ending));

describe('a history', () => {
  test('is a line a run with two badges, and trend tells it', async () => {
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
    expect(kept('.broken.json').concat(kept('.proven.json'))).toHaveLength(2);
    expect(JSON.parse(readFileSync(join(folder, kept('.broken.json')[0] ?? ''), 'utf8')).color).toBe('red');
    const told = await conformance(['trend', folder]);
    expect(told.out).toMatch(/^2 runs of 1 target\n/);
    expect(told.out).toContain(server.baseUrl);
    expect((await conformance(['trend', folder, '--json'])).out.trim().split('\n')).toHaveLength(2);
  });

  test('lets --fail-on new fail for what is new alone', async () => {
    const codes: number[] = [];
    for (const broken of [true, true, false, false, true]) {
      isBroken = broken;
      codes.push((await audit('--history', folder, '--fail-on', 'new')).code);
    }
    expect(codes).toEqual([1, 0, 0, 0, 1]);
    const { out } = await audit('--history', folder, '--fail-on', 'new');
    expect(out).toMatch(/^Nothing new failed \(1 check as before\)/);
  });

  test('leaves out lines that are none', async () => {
    await audit('--history', folder);
    appendFileSync(join(folder, kept('.jsonl')[0] ?? ''), '{"v":1,"at":\n');
    expect((await audit('--history', folder)).out).toContain('Nothing is new since the run of');
    expect((await conformance(['trend', folder])).out).toContain('1 line left out, which is no record.');
  });

  test('stands in the reports', async () => {
    await audit('--history', folder);
    const html = join(folder, 'report.html');
    const md = join(folder, 'report.md');
    await audit('--history', folder, '--report', `html=${html}`, '--report', `md=${md}`);
    expect(readFileSync(html, 'utf8')).toContain('<section id="history">');
    expect(readFileSync(md, 'utf8')).toContain('## Since the last run');
  });

  test.each([
    [['--fail-on', 'new'], 'give --history DIR as well'],
    [['--notify', 'http://127.0.0.1:9/'], 'give --history DIR as well'],
    [['--history', '/dev/null/x'], '--history: /dev/null/x is'],
    [['--history', 'package.json'], '--history: package.json is a file, not a folder.'],
    [['--history', tmpdir(), '--fail-on', 'new,fail'], 'give one of them'],
    [['--history', tmpdir(), '--notify', 'slak=http://127.0.0.1:9/'], 'Did you mean slack?'],
    [['--history', tmpdir(), '--notify', 'not-an-address'], 'this is no http or https address'],
    [['--metrics', '/dev/null/x'], '--metrics: /dev/null/x cannot be written'],
  ])('refuses %j in one sentence', async (flags, sentence) => {
    const { code, err } = await audit(...flags);
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });

  test.each([
    [['trend'], 'trend needs a folder'],
    [['trend', '/no/such'], '/no/such does not exist.'],
    [['trend', 'conformance/cli'], 'holds no history'],
    [['trend', 'package.json'], 'package.json is a file, not a folder.'],
    [['trend', 'a', 'b'], '"b" is one too many'],
    [['trend', '--jsn'], 'Did you mean --json?'],
  ])('refuses %j', async (args, sentence) => {
    const { code, err } = await conformance(args);
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });
});

describe('--notify and --metrics', () => {
  async function receiver(status: number) {
    const bodies: string[] = [];
    const web = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', () => resolve()));
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/hook/secret`;
    return { bodies, url, close: () => new Promise((resolve) => web.close(resolve)) };
  }

  test('tell a webhook of a change and of nothing else', async () => {
    const hook = await receiver(200);
    for (const broken of [false, true, true, false]) {
      isBroken = broken;
      await audit('--history', folder, '--notify', hook.url, '--notify', `slack=${hook.url}`);
    }
    await hook.close();
    expect(hook.bodies).toHaveLength(4);
    const events = hook.bodies.map((body) => JSON.parse(body)).filter(({ event }) => event === 'conformance');
    expect(events).toMatchObject([
      { exitCode: 1, gone: [] },
      { exitCode: 0, new: [] },
    ]);
    expect(hook.bodies.join()).not.toContain(env.CONFORMANCE_API_KEY);
  });

  test('a webhook that fails changes no result, and its path is not told', async () => {
    const hook = await receiver(500);
    isBroken = true;
    const { code, err } = await audit('--history', folder, '--notify', hook.url);
    await hook.close();
    expect(code).toBe(1);
    expect(err).toMatch(/The notice did not reach 127\.0\.0\.1:\d+ \(status 500\); the result stands\./);
    expect(err).not.toContain('secret');
  });

  test('take the webhook from the environment too', async () => {
    const hook = await receiver(204);
    isBroken = true;
    const args = [
      '--base-url',
      server.baseUrl,
      '--pace',
      'off',
      '--only',
      'rule/list-sites-shape',
      '--history',
      folder,
    ];
    await conformance(args, { ...env, CONFORMANCE_NOTIFY: hook.url });
    await hook.close();
    expect(hook.bodies).toHaveLength(1);
  });

  test('attest names the digest of the JSON report', async () => {
    const [report, statement] = [join(folder, 'report.json'), join(folder, 'statement.json')];
    await audit('--report', `json=${report}`, '--attest', statement);
    const sha256 = createHash('sha256').update(readFileSync(report)).digest('hex');
    expect(JSON.parse(readFileSync(statement, 'utf8')).subject[0].digest).toEqual({ sha256 });
  });

  test('write the figures in one step', async () => {
    const file = join(folder, 'casa.prom');
    await audit('--metrics', file);
    expect(readFileSync(file, 'utf8')).toMatch(/\ncasa_conformance_clauses_broken\{target="http.*"\} 0\n/);
    expect(kept('.part')).toEqual([]);
  });
});
