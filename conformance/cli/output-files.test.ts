import { createHash } from 'node:crypto';
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { type ScriptedServer, startScriptedServer } from '../../fixtures/test-kit/scripted-server.ts';
import { conclude, type ReportKind, reportKinds } from '../report/outcome.ts';
import { reporters } from '../reporters/index.ts';
import { fileKindOf } from './output-files.ts';

let server: ScriptedServer;
let folder: string;
beforeEach(async () => {
  folder = newFolder();
  server = await startScriptedServer(() => ({}));
});
afterEach(() => server.close());

const flags: readonly (readonly string[])[] = [
  ...reportKinds.map((kind) => ['--report', `${kind}=FILE`]),
  ['--profile', 'FILE'],
  ['--write-claims', 'FILE'],
];
const audit = (file: string, given: readonly string[]) =>
  conformance([
    ...['--base-url', server.baseUrl, '--pace', 'off', '--only', 'sites/list'],
    ...given.map((text) => text.replace('FILE', file)),
  ]);

describe.each(flags)('%s %s', (...given) => {
  test('replaces its own file and nothing more', async () => {
    const file = join(folder, 'own');
    const first = await audit(file, given);
    const again = await audit(file, given);
    expect([first.code, again.code, again.err]).toEqual([0, 0, first.err]);
    expect(statSync(file).mode & 0o777).toBe(given[0] === '--write-claims' ? 0o666 & ~process.umask() : 0o600);
    writeFileSync(file, '# Read me\n');
    const rejected = await audit(file, given);
    expect([rejected.code, rejected.err]).toEqual([2, expect.stringContaining(`${file} exists and is not a `)]);
    expect(readFileSync(file, 'utf8')).toBe('# Read me\n');
  });

  test('follows no link', async () => {
    const [target, file] = [join(folder, 'precious'), join(folder, 'link')];
    writeFileSync(target, '');
    symlinkSync(target, file);
    const { code, err } = await audit(file, given);
    expect([code, err]).toEqual([2, expect.stringContaining(`${file} is a symbolic link`)]);
    expect(readFileSync(target, 'utf8')).toBe('');
  });
});

test('a report for people names the JSON and HAR files with their digests, and the facts of --report-note', async () => {
  const file = (name: string) => join(folder, name);
  writeFileSync(file('note.json'), JSON.stringify({ auditor: 'A. <b>Example</b>', note: 'one\ntwo' }));
  const given = ['html=FILE/a.html', 'md=FILE/a.md', 'json=FILE/a.json', 'har=FILE/a.har'];
  const note = ['--report-note', 'FILE/note.json'];
  await audit(folder, [...given.flatMap((each) => ['--report', each]), ...note]);
  for (const page of ['a.html', 'a.md'].map((name) => readFileSync(file(name), 'utf8'))) {
    for (const name of ['a.json', 'a.har']) {
      const digest = createHash('sha256')
        .update(readFileSync(file(name)))
        .digest('hex');
      expect(page).toMatch(new RegExp(`${name}(</dt><dd>|: )SHA-256 ${digest}`));
    }
    expect(page).toMatch(/Auditor(<\/dt><dd>|: )A. (&lt;|&#60;)b/);
  }
});

test.each([
  ['{ "auditor": 1 }', '--report-note: auditor must be a text.'],
  ['{ "auditer": "A" }', 'it takes auditor, client, purpose, note. Did you mean auditor?'],
  ['{ "auditor"', '--report-note is not valid JSON: write { "auditor": "…", "note": "…" }.'],
  ['x'.repeat(5000), '--report-note: note has 5000 characters; shorten it to 4000.'],
  ['x'.repeat(70_000), 'is too large to be read'],
])('--report-note rejects %.20s', async (text, message) => {
  writeFileSync(join(folder, 'note'), text);
  const { code, err } = await audit(join(folder, 'note'), ['--report-note', 'FILE']);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test('--history adds to no link and to no file of another kind', async () => {
  const file = join(folder, `${new URL(server.baseUrl).host.replace(':', '_')}_api_v1.jsonl`);
  writeFileSync(file, 'my notes\n');
  const { code, err } = await audit(folder, ['--history', 'FILE']);
  expect([code, err]).toEqual([4, expect.stringContaining('exists and is not a history')]);
  expect(readFileSync(file, 'utf8')).toBe('my notes\n');
});

const renderedBy = (kind: ReportKind, report = sampleReport()) =>
  reporters.find((each) => each.kind === kind)?.render(report, conclude(report)) ?? '';

test.each(reportKinds)('a %s report is known by its beginning', (kind) => {
  const { start } = fileKindOf(kind);
  for (const report of [sampleReport(), sampleReport({ compared: { a: 'staging', b: 'production' } })])
    expect(renderedBy(kind, report).slice(0, 4000)).toMatch(start);
  for (const other of reportKinds) if (other !== kind) expect(renderedBy(other)).not.toMatch(start);
});
