import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { captured } from '../../fixtures/test-kit/command.ts';
import type { ClientReport } from '../try/report.ts';
import { tryCommand } from './try.ts';

/** `flags` without spaces, then the command. */
const run = (flags: string, ...command: string[]) =>
  captured((io) => tryCommand([...flags.split(' ').filter(Boolean), ...command], io));
const node = process.execPath;

const folder = mkdtempSync(join(tmpdir(), 'try-'));
function file(name: string, text = ''): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Does not expect a 503, and prints what it read. */
const client = `
const headers = { authorization: 'Bearer ' + process.env.CASA_API_KEY };
const response = await fetch(process.env.CASA_BASE_URL + '/sites', { headers });
for (const { id } of (await response.json()).data) console.log(JSON.stringify({ id }));
`;
const app = `
import { createServer } from 'node:http';
const headers = { authorization: 'Bearer ' + process.env.CASA_API_KEY };
createServer(async (_request, outgoing) => {
  const response = await fetch(process.env.CASA_BASE_URL + '/sites', { headers });
  outgoing.statusCode = response.ok ? 200 : 502;
  outgoing.end(await response.text());
}).listen(Number(process.env.PORT), '127.0.0.1');
`;
/** Polls every minute, and soon after a 429. */
const polling = `
let since = new Date().toISOString();
for (;;) {
  const headers = { authorization: 'Bearer ' + process.env.CASA_API_KEY };
  const response = await fetch(process.env.CASA_BASE_URL + '/connect/calls/log?since=' + since, { headers });
  since = (await response.json()).data?.nextCursor ?? since;
  await new Promise((resolve) => setTimeout(resolve, response.ok ? 60_000 : 9_000));
}
`;
const scenario = `
export default async ({ baseUrl, apiKey }) => {
  const response = await fetch(baseUrl + '/sites', { headers: { authorization: 'Bearer ' + apiKey } });
  if (!response.ok) throw new Error('status ' + response.status);
};
`;
/** Writes each account once, and notes it, but only after all. */
const publisher = `
import { existsSync, writeFileSync } from 'node:fs';
const headers = { authorization: 'Bearer ' + process.env.CASA_API_KEY, 'content-type': 'application/json' };
const base = process.env.CASA_BASE_URL + '/connect/accounts';
if (existsSync('done.txt')) process.exit(0);
const { data } = await (await fetch(base, { headers })).json();
for (const { accountId } of data.accounts) {
  const sent = await fetch(base + '/' + accountId + '/posts', { method: 'POST', headers, body: '{"text":"Open."}' });
  if (!sent.ok) throw new Error('status ' + sent.status);
}
writeFileSync('done.txt', data.accounts.map(({ accountId }) => accountId).join());
`;
/** Writes the articles into a file, and ends at the first page that is not full. */
const reader = `
import { writeFileSync } from 'node:fs';
const headers = { authorization: 'Bearer ' + process.env.CASA_API_KEY };
const ids = [];
for (let cursor = ''; cursor !== null; ) {
  const page = await (await fetch(process.env.CASA_BASE_URL + '/articles?limit=100' + cursor, { headers })).json();
  ids.push(...page.data.map(({ id }) => id));
  cursor = page.data.length < 100 ? null : '&cursor=' + encodeURIComponent(page.cursor);
}
writeFileSync('articles.csv', ids.join('\\n'));
`;
/** As a development server, which accepts one process for a project. */
const exclusive = (lock: string) => `
import { rmSync, writeFileSync } from 'node:fs';
try {
  writeFileSync(${JSON.stringify(lock)}, '', { flag: 'wx' });
} catch {
  console.error('Another \\x1b[31mserver\\x1b[0m runs for this project.');
  process.exit(1);
}
process.on('SIGTERM', () => process.exit());
${app}`;
const cells = '--cells limits/read-limiter_key-reset --cells formats/plain-type';

describe('casa try', () => {
  it('runs a command in each test case, writes reports, and accepts a baseline', async () => {
    const json = join(folder, 'casa-client.json');
    const flags = `${cells} --fail-on violation`;
    const first = await run(
      `${flags} --report json=${json} --report md=${folder}/c.md --`,
      node,
      file('client.mjs', client),
    );
    expect(first).toMatchObject({ code: 1, err: '' });
    expect(first.out).toMatch(
      /^1 violation in the 3 of 3 test cases that were exercised\.\n\nFails although .*\n {2}✗ Failed: TypeError: /,
    );
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
      casaClient: 1,
      time: { mode: 'real', speed: 1 },
      violations: [{ id: 'crashes' }],
    });
    expect(readFileSync(join(folder, 'c.md'), 'utf8')).toMatch(/^# Client test\n/);
    const known = await run(`${flags} --baseline ${json} --`, node, join(folder, 'client.mjs'));
    expect(known).toMatchObject({ code: 0, err: '' });
  });

  it('lets ten minutes of a command on Node.js pass in seconds, with its clock and timers', async () => {
    const flags = '--speed 60 --cells limits/poll-limiter_key-59 --minutes 2 --';
    const { code, out: text, err: errors } = await run(flags, node, file('poller.mjs', polling));
    expect(code, errors).toBe(0);
    expect(text).toContain('✗ Retried listCalls after a 429 with a wait of ');
    expect(text).toContain('ran at 60-fold speed');
  });

  it('scales the timeouts of requests', async () => {
    const patient = `
const headers = { authorization: 'Bearer ' + process.env.CASA_API_KEY };
const signal = AbortSignal.timeout(40_000);
await fetch(process.env.CASA_BASE_URL + '/sites', { headers, signal });
await new Promise((resolve) => setTimeout(resolve, 20_000));
signal.throwIfAborted();
`;
    const flags = '--speed 20 --cells formats/plain-type --';
    expect(await run(flags, node, file('patient.mjs', patient))).toMatchObject({ code: 0, err: '' });
  });

  it('reports what happens in one test case only if it happens twice', async () => {
    const mark = join(folder, 'disturbed');
    const once = `
import { existsSync, writeFileSync } from 'node:fs';
const headers = { authorization: 'Bearer ' + process.env.CASA_API_KEY };
const response = await fetch(process.env.CASA_BASE_URL + '/sites', { headers });
const text = await response.text();
if (!response.headers.get('content-type').includes('charset') && !existsSync('${mark}')) {
  writeFileSync('${mark}', '');
  throw new Error('a busy machine');
}
for (const { id } of JSON.parse(text).data) console.log(JSON.stringify({ id }));
`;
    const report = join(folder, 'twice.json');
    const flags = `--cells formats/plain-type --report json=${report} --`;
    const { code } = await run(flags, node, file('once.mjs', once));
    expect([code, JSON.parse(readFileSync(report, 'utf8')).violations]).toEqual([0, []]);
    expect(existsSync(mark)).toBe(true);
  });

  it.each<[string, string, string, string]>([
    [
      'the files that a command writes',
      reader,
      'pages/articles-short',
      '✗ Reported neither 19 of 21 articles nor an error.',
    ],
    [
      'a write that a second start repeats',
      publisher,
      'restart/again restart/write-503',
      '✗ Sent a write of the first run again',
    ],
  ])('reads %s, in a folder of each test case', async (_what, source, cell, sentence) => {
    const flags = cell.replace(/(?<=^| )(?=\w)/g, '--cells ');
    const { code, out: text, err: errors } = await run(`${flags} --`, node, file('files.mjs', source));
    expect([code, errors]).toEqual([0, '']);
    expect(text).toContain(sentence);
    expect(existsSync('done.txt') || existsSync('articles.csv')).toBe(false);
  });

  it('opens the address of an application, and stops it', async () => {
    const flags = `${cells} --url http://127.0.0.1:{port}/ --`;
    const { code, out: text, err: errors } = await run(flags, node, file('app.mjs', app));
    expect([code, errors]).toEqual([0, '']);
    expect(text).toMatch(/· Gave up: http:\/\/127\.0\.0\.1:\{port\}\/ responded with 502\./);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops its clients after %s, and reports what was tested', async (signal, exitCode) => {
    const report = join(folder, `${signal}.json`);
    const mark = join(folder, `${signal}.txt`);
    const noting = `import { appendFileSync } from 'node:fs';\nappendFileSync('${mark}', 'run ');\n${client}`;
    const slow = file('slow.mjs', `${noting}await new Promise((resolve) => setTimeout(resolve, 500));`);
    const running = run(`--parallel 2 --report json=${report} --`, node, slow);
    while (!existsSync(mark) || readFileSync(mark, 'utf8').length < 20) await pause(50);
    process.emit(signal, signal);
    const { code, out: text } = await running;
    expect(code).toBe(exitCode);
    expect(text).toMatch(/^Partial result, because the run was stopped\./);
    const { cells } = JSON.parse(readFileSync(report, 'utf8')) as { cells: { needs?: string; result: string }[] };
    const count = (need?: string) => cells.filter(({ needs }) => needs === need).length;
    expect(count()).toBeGreaterThan(0);
    expect(text.replace(/\s+/g, ' ')).toContain(`${count('stopped')} need more time`);
    expect(process.listenerCount(signal)).toBe(0);
  });

  it('runs the function of a scenario file', async () => {
    const { code, out: text } = await run(`${cells} --scenario`, file('scenario.mjs', scenario));
    expect(code).toBe(0);
    expect(text).toContain('· Gave up: status 429.');
  });

  it.each([
    ['', 'Name one client: -- COMMAND, --scenario FILE, or --port with --trigger.'],
    ['--', '-- needs a command after it.'],
    ['--scenario a.mjs -- true', 'Name one client'],
    ['--scenario a.mjs --url http://a', '--scenario takes no --url'],
    ['--trigger true', 'A client that runs already needs --port'],
    ['--port 1 -- true', '--port is for a client that runs already.'],
    ['--fail-on all -- true', '--fail-on takes violation, not "all".'],
    ['--minutes soon -- true', '--minutes takes a number up to 1440, not "soon".'],
    ['--report html=a -- true', '--report takes json=FILE or md=FILE, not "html=a".'],
    [`--baseline ${join(folder, 'none.json')} -- true`, 'none.json does not exist'],
    [`--baseline ${file('other.json', '{}')} -- true`, 'other.json is not a JSON report of casa try.'],
    [`--scenario ${file('empty.mjs')}`, 'has to export a function as default.'],
    ['--in-place --scenario a.mjs', '--in-place is for -- COMMAND without --url'],
    ['--cells nothing -- true', 'There is no test case "nothing".'],
    ['-- true', 'The client sent no request to CASA_BASE_URL.'],
    [`-- ${join(folder, 'missing')}`, 'cannot be started'],
    ['--senario a', 'Did you mean'],
    ['--speed 90 -- true', '--speed takes a number up to 60, not "90".'],
    ['--speed 9 --trigger true --port 1', '--speed needs -- COMMAND'],
    [`--speed 9 -- sh ${file('curl.sh', 'curl -s $CASA_BASE_URL/sites')}`, '--speed needs a command on Node.js'],
  ])('%j exits with 2 and one sentence', async (flags, sentence) => {
    const { code, out: text, err: errors } = await run(flags);
    expect([code, text]).toEqual([2, '']);
    expect(errors).toContain(sentence);
    expect(errors.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['some', false, 3, 'did not start in 2 of 3 test cases'],
    ['the first', true, 2, 'The client fails without a disturbance: '],
  ])('prints the output of an application that does not start in %s test cases', async (_what, before, code, words) => {
    const lock = join(folder, `lock-${code}`);
    if (before) writeFileSync(lock, '');
    const json = join(folder, `start-${code}.json`);
    const flags = `${cells} --fail-on violation --report json=${json} --url http://127.0.0.1:{port}/ --`;
    const result = await run(flags, node, file('exclusive.mjs', exclusive(lock)));
    expect(result.code).toBe(code);
    expect(result.err).toContain(words);
    expect(result.err).toMatch(/Its last output:\nAnother server runs for this project\.\n/);
    if (before) return;
    expect(result.err).toContain('add --parallel 1');
    const notStarted = 'Another server runs for this project.';
    const found = (JSON.parse(readFileSync(json, 'utf8')) as ClientReport).cells;
    expect(found.slice(1)).toMatchObject([
      { needs: 'start', notStarted },
      { needs: 'start', notStarted },
    ]);
  });
});
