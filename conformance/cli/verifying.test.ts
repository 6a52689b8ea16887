import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';
import type { MockOptions } from '../../src/index.ts';
import { digestOf } from '../exchange/canonical.ts';
import { type RunEvent, runConformance } from '../index.ts';
import { conclude } from '../report/outcome.ts';
import { har } from '../reporters/har.ts';
import { json } from '../reporters/json.ts';

const folder = newFolder();
const at = (name: string) => join(folder, name);

/** JSON of any shape: a forger edits it freely. */
// biome-ignore lint/suspicious/noExplicitAny: the rows edit what they like.
type Any = any;

async function record(name: string, args: readonly string[], options: MockOptions = {}) {
  const target = await startMockTarget(options);
  const { baseUrl, keys, clock, mcpUrl = '' } = target.options;
  const files = [at(`${name}.json`), at(`${name}.har`)] as const;
  const reports = ['--report', `json=${files[0]}`, '--report', `har=${files[1]}`];
  const own = args.map((arg) => ({ MCP: mcpUrl, ORIGIN: new URL(baseUrl).origin })[arg] ?? arg);
  const place = own[0] === 'mcp' ? ['--url', mcpUrl] : ['--base-url', baseUrl];
  const env = { CONFORMANCE_API_KEY: keys.good, CONFORMANCE_SECOND_KEY: keys.second ?? '' };
  const { code } = await conformance([...own, ...place, ...reports, '--keep-bodies'], env, clock);
  await target.close();
  return { code, files };
}

describe('an untouched report', () => {
  const few = ['--only', 'sites/*', '--only', 'calls/*'];
  test.each<[string, string[], MockOptions, number]>([
    ['of a clean run with an MCP endpoint', ['--mcp-url', 'MCP'], {}, 0],
    ['of an MCP endpoint on its own', ['mcp'], {}, 0],
    ['of writes at full speed', ['--pace', 'off', '--allow-writes', '--only', 'posts/*'], { limits: false }, 0],
    [
      'of a selection in another world, with a header and rules for the exit code',
      [...few, '--header', 'X-Team: abc def', '--min-verified', '200'],
      { world: 'tied-articles' },
      3,
    ],
  ])('%s is verified', async (name, args, options, code) => {
    const run = await record(name.replaceAll(' ', '-'), args, options);
    expect(run.code).toBe(code);
    const verified = await conformance(['verify', ...run.files]);
    expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^Verified: \d+ recorded exchanges give/) });
  });

  test.each<[name: string, sentence: string, sent: number | null]>([
    ['the time limit ended', 'did not end within 30 s', null],
    ...[1, 2, 5, 9, 16].map(
      (sent) => [`the user stopped after ${sent} requests`, 'was stopped', sent] as [string, string, number],
    ),
  ])('of a run that %s is verified', async (name, sentence, sent) => {
    const { options, close } = await startMockTarget(idNull);
    const { baseUrl, keys, clock } = options;
    const stop = new AbortController();
    let left = sent ?? Number.POSITIVE_INFINITY;
    const onEvent = ({ kind }: RunEvent) => {
      left -= Number(kind === 'exchange');
      if (left === 0) stop.abort();
    };
    const clocked = {
      keys: { good: keys.good },
      ...(clock && { clock }),
      ...(sent === null && { maxTimeMs: 30_000 }),
      keepBodies: true,
    };
    const report = await runConformance({ baseUrl, ...clocked, signal: stop.signal, onEvent });
    await close();
    expect(report.abort?.sentence).toContain(sentence);
    if (sent !== null) expect(report.exchanges).toHaveLength(sent);
    const files = [json, har].map((reporter) => {
      writeFileSync(at(`${name}.${reporter.kind}`), reporter.render(report, conclude(report)));
      return at(`${name}.${reporter.kind}`);
    });
    expect(await conformance(['verify', ...files])).toMatchObject({ code: 0, out: expect.stringMatching(/^Verified/) });
  });

  test('without bodies is compared as far as possible, and says so', async () => {
    const [report, har] = await withoutBodies();
    const why = expect.stringContaining('The checks were not repeated, because bodies are');
    expect(await verify(report, har)).toMatchObject({ code: 0, out: why });
    const first = report.checks.shift();
    expect((await verify(report, har)).out).toContain('The report lacks sites/list, which the run includes.');
    report.checks.unshift(first);
    report.exchanges.find(({ status }: Any) => status === 404).status = 418;
    expect((await verify(report, har)).out).toContain('does not fail, but the recorded exchanges violate it.');
  });

  test('shows its known failures, and rejects those that are not in --claims', async () => {
    const claims = at('known.json');
    const entries = read(original.claims).knownFailures.map((entry: Any) => ({ ...entry, reason: 'known' }));
    writeFileSync(claims, JSON.stringify(entries));
    const { code, files } = await record('waived', [...args, '--control', 'ORIGIN', '--claims', claims], {
      mutant: 'site-id-null',
    });
    expect(code).toBe(0);
    const { out } = await conformance(['verify', ...files, '--claims', claims]);
    expect(out).toMatch(/^Known failure: rule\/list-sites-shape 2\.site\.id \(known\)\nVerified/);
    writeFileSync(claims, '[]');
    expect(await conformance(['verify', ...files, '--claims', claims])).toMatchObject({
      code: 1,
      out: expect.stringContaining('The report accepts a result of rule/list-sites-shape that the claims do not list.'),
    });
  });
});

const idNull = { mutant: 'site-id-null' };
const args = ['--only', 'sites/*', '--only', 'articles/*', '--only', 'rule/*', '--min-verified', '5'];
const original = { report: '', har: '', other: '', claims: at('claims.json') };
const read = (file: string): Any => JSON.parse(readFileSync(file, 'utf8'));

beforeAll(async () => {
  const mutant = 'site-id-null';
  const { files } = await record('original', [...args, '--write-claims', original.claims], { mutant });
  const other = await record('other', args, { mutant });
  [original.report, original.har] = files;
  original.other = other.files[1];
});

/** A forger who knows the digests writes them again. */
function seal(report: Any, har: Any) {
  delete report.digest;
  har.log._run.report = digestOf(report);
  report.digest = har.log._run.report;
  delete har.log.digest;
  har.log.digest = digestOf(har.log);
}

async function verify(report: Any, har: Any) {
  const files = [at('forged.json'), at('forged.har')] as const;
  writeFileSync(files[0], typeof report === 'string' ? report : JSON.stringify(report));
  writeFileSync(files[1], typeof har === 'string' ? har : JSON.stringify(har));
  return conformance(['verify', ...files]);
}

/** As a run stores them by default. */
async function withoutBodies(): Promise<[report: Any, har: Any]> {
  const { options, close } = await startMockTarget(idNull);
  const report = await runConformance({ ...options, only: ['sites/*', 'rule/*'] });
  await close();
  const outcome = conclude(report);
  return [JSON.parse(json.render(report, outcome)), JSON.parse(har.render(report, outcome))];
}

const ofResult = (list: Any[], kind: string) => list.find(({ result }: Any) => result === kind);
const failed = ({ checks }: Any) => ofResult(checks, 'fail');
const finding = (report: Any) => failed(report).findings[0];
const passed = (report: Any) => report.checks.find(({ id }: Any) => id === 'articles/list');
const shown = (report: Any) => report.exchanges.find(({ id }: Any) => id === finding(report).exchange);
const entryIn = (report: Any, har: Any) => har.log.entries[report.exchanges.indexOf(shown(report))];
const cause = (report: Any) => report.causes[0];
const edit = (find: (report: Any) => Any, change: object) => (report: Any) => Object.assign(find(report), change);
const drop = (list: Any[], item: Any) => list.splice(list.indexOf(item), 1);
const waiver = (report: Any, clause: string) => ({ check: failed(report).id, clause, reason: 'known', until: null });

/** The failing response, replaced by a valid one in both files. */
function repair(report: Any, har: Any) {
  const exchange = shown(report);
  exchange.bodyText = exchange.bodyText.replaceAll('"id":null', `"id":"${crypto.randomUUID()}"`);
  entryIn(report, har).response.content.text = exchange.bodyText;
}

function dropLast(report: Any, har: Any, count: number) {
  report.exchanges.splice(-count);
  har.log.entries.splice(-count);
}

type Forge = (report: Any, har: Any) => unknown;

const checks: readonly (readonly [string, Forge])[] = [
  ['a failed check removed', (report) => drop(report.checks, failed(report))],
  ['a failed check turned to passed', edit(failed, { result: 'pass' })],
  ['the evidence of a check raised', edit(passed, { evidence: 999 })],
  ['a check added', (report) => report.checks.push({ ...passed(report), id: 'calls/exactly-once' })],
  [
    'every failure removed, with the counts and the exit code',
    (report, har) => {
      for (const check of report.checks.filter(({ result }: Any) => result === 'fail')) {
        Object.assign(check, { result: 'pass', findings: [] });
        report.summary.fail -= 1;
        report.summary.pass += 1;
      }
      Object.assign(report, { causes: [], exit: { ...report.exit, code: 0, sentence: 'No check failed.' } });
      Object.assign(har.log._run, { exitCode: 0, failed: [] });
    },
  ],
];

const findings: readonly (readonly [string, Forge])[] = [
  ['a finding removed', (report) => failed(report).findings.shift()],
  ['the expected value of a finding edited', edit(finding, { expected: 'a string or null' })],
  ['the clause of a finding replaced', edit(finding, { clause: '1.purpose' })],
  ['the scope of a cause narrowed', edit(cause, { scope: { seen: 1, of: 100 } })],
  ['a control request added to a cause', edit(cause, { control: { exchange: 'x2', differsIn: 'key' } })],
];

const totals: readonly (readonly [string, Forge])[] = [
  ['the number of failures edited', edit(({ summary }) => summary, { fail: 0 })],
  [
    'the exit code edited',
    (report, har) => [Object.assign(report.exit, { code: 0 }), Object.assign(har.log._run, { exitCode: 0 })],
  ],
  ['the options edited in the report', edit(({ options }) => options, { only: ['sites/*'] })],
  ['a violated clause turned to verified', edit(({ coverage }) => ofResult(coverage, 'fail'), { result: 'pass' })],
  ['a behavior edited', (report) => Object.assign(report.behaviors[0], { state: 'known', value: 'anything' })],
];

const exchanges: readonly (readonly [string, Forge])[] = [
  ['a status edited in the report', edit(shown, { status: 500 })],
  ['a body of the recording', (report, har) => Object.assign(entryIn(report, har).response.content, { text: '{}' })],
  ['a valid body put into both files', repair],
  [
    'an exchange removed from both files',
    (report, har) => [drop(har.log.entries, entryIn(report, har)), drop(report.exchanges, shown(report))],
  ],
  [
    'two exchanges swapped in both files',
    (report, har) => {
      for (const list of [report.exchanges, har.log.entries]) list.push(list.shift());
    },
  ],
  [
    'the request of an exchange edited in both files',
    (report, har) => {
      shown(report).url += '?limit=1';
      Object.assign(entryIn(report, har).request, {
        url: shown(report).url,
        queryString: [{ name: 'limit', value: '1' }],
      });
    },
  ],
  [
    'a run cut off, as if its time were over',
    (report, har) => {
      dropLast(report, har, 3);
      report.abort = { exitCode: 4, sentence: 'The run was not over after 30 s, so some checks are open.' };
    },
  ],
];

const identity: readonly (readonly [string, Forge])[] = [
  [
    'the run id edited in both files',
    (report, har) => [Object.assign(report, { runId: 'another1' }), Object.assign(har.log._run, { runId: 'another1' })],
  ],
  ['the seed edited', edit(({ plan }) => plan, { seed: 6 })],
  [
    'the options edited in both files',
    (report, har) => {
      for (const { options } of [report, har.log._run.inputs]) options.only = ['sites/*', 'rule/*'];
    },
  ],
  ['a known failure added', (report) => report.claims.excused.push(waiver(report, finding(report).clause))],
  [
    'a known failure that hides more than it names',
    (report, har) => {
      const entry = waiver(report, '4.json');
      Object.assign(report.claims, { excused: [entry], claims: { knownFailures: [entry] }, at: report.startedAt });
      Object.assign(report.exit, { code: 0 });
      Object.assign(har.log._run, { exitCode: 0 });
    },
  ],
];

describe('a forged report, with its digests written again', () => {
  test.each([...checks, ...findings, ...totals, ...exchanges, ...identity])('%s is detected', async (_, forge) => {
    const [report, har] = [read(original.report), read(original.har)];
    forge(report, har);
    seal(report, har);
    const { code, out } = await verify(report, har);
    expect([code, out]).toEqual([1, expect.stringMatching(/^The .+\.\n/)]);
  });
});

describe('files that do not belong together', () => {
  test('a report with an edit that only its digest shows is detected', async () => {
    const [report, har] = [read(original.report), read(original.har)];
    const knownFailures = read(original.claims).knownFailures.map((entry: Any) => ({ ...entry, reason: 'known' }));
    Object.assign(report.claims, { claims: { knownFailures }, at: report.startedAt });
    const { code, out } = await verify(report, har);
    expect([code, out]).toEqual([1, expect.stringContaining('The digest of the report does not match its content.')]);
  });

  test('the recording of another run is rejected', async () => {
    const { code, out } = await verify(read(original.report), read(original.other));
    expect([code, out]).toEqual([1, expect.stringMatching(/^The recording is of run \w{8}, and the report is of run/)]);
  });

  test('a forger of files without bodies has to write the digests again', async () => {
    const [report, har] = await withoutBodies();
    finding(report).actual = 'a string';
    expect((await verify(report, har)).code).toBe(1);
  });
});

describe('files that cannot be verified', () => {
  const half = (text: string) => text.slice(0, text.length / 2);
  const texts = () => [readFileSync(original.report, 'utf8'), readFileSync(original.har, 'utf8')] as const;
  test.each<[string, (report: string, har: string) => [string, string], string]>([
    ['a report that was cut off', (report, har) => [half(report), har], 'forged.json is not JSON, or it was cut off.'],
    ['a recording that was cut off', (report, har) => [report, half(har)], 'forged.har is not JSON, or it was cut off'],
    [
      'a report with an invalid exchange',
      (report, har) => [report.replace('"sentAt": ', '"sentAt": 1e99, "was": '), har],
      'has an invalid exchange "x1"',
    ],
    ['a file of another kind', (_, har) => ['{}', har], 'forged.json is not a JSON report'],
    ['a recording of another program', (report) => [report, '{"log":{"entries":[]}}'], 'is not the recording of a run'],
    [
      'a report of another version',
      (report, har) => [report.replace(/"toolVersion": "[^"]+/, '"toolVersion": "9.9.9'), har],
      'was written by version 9.9.9',
    ],
    [
      'a report without its exchanges',
      (report, har) => [JSON.stringify({ ...JSON.parse(report), exchanges: null }), har],
      'is not a complete report',
    ],
  ])('%s', async (_, change, sentence) => {
    const { code, err } = await verify(...change(...texts()));
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  test.each<[string, string[], string]>([
    ['one file', ['a.json'], 'conformance verify needs two files'],
    ['an unknown flag', ['a', 'b', '--fix'], 'Unknown flag --fix'],
    ['claims without a file', ['a', 'b', '--claims'], '--claims needs a value: --claims FILE.'],
    ['a file that is not there', [at('none.json'), 'b'], 'none.json'],
  ])('rejects %s', async (_, given, sentence) => {
    expect(await conformance(['verify', ...given])).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
  });

  test('there is help', async () => {
    expect(await conformance(['verify', '--help'])).toMatchObject({ code: 0, out: expect.stringContaining('REPORT') });
  });
});
