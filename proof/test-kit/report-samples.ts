// The samples of docs/reference/reports.md: the output of each reporter for one run of the suite on a mutant.
// `npm run samples` writes them, and a test compares them.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMock } from '../../src/index.ts';
import { setup } from './bundled-command.ts';
import { withOutput } from './doc-commands.ts';
import { conformance } from './kit-command.ts';

const mutant = 'calls-limit-ignored';
const check = 'calls/limit';
const columns = 140;

/** The page with each fenced block below these headings in the words of today. */
export async function withSamples(page: string): Promise<string> {
  const samples = await sampleRun();
  const sections = page.split(/^(?=## )/m);
  return sections.map((section) => fill(section, samples[/^## (.*)$/m.exec(section)?.[1] ?? ''] ?? [])).join('');
}

/** The fenced blocks of a section are its samples, in their order. */
function fill(section: string, samples: readonly string[]): string {
  let index = 0;
  const filled = section.replace(/^```(\w*)\n[\s\S]*?^```$/gm, (_, language: string) => {
    const sample = samples[index];
    index += 1;
    return `\`\`\`${language}\n${sample ?? 'no such sample'}\n\`\`\``;
  });
  return samples.length === 0 ? section : filled;
}

/** By heading. The port, the ids of a run and digests differ each time. */
async function sampleRun(): Promise<Record<string, readonly string[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'report-samples-'));
  const casa = await startMock({ mutant, limits: true });
  const file = (name: string) => join(folder, name);
  const kinds = ['json', 'junit', 'sarif', 'md', 'har'].flatMap((kind) => ['--report', `${kind}=${file(kind)}`]);
  const only = ['--only', 'calls/*', '--only', 'sites/list', '--seed', '1', '--history', file('history')];
  const wishes = [...only, ...kinds];
  const target = ['--base-url', casa.baseUrl, '--control', casa.origin];
  const environment = { CONFORMANCE_API_KEY: casa.keys.good, GITHUB_ACTIONS: 'true' };
  try {
    const { out } = await conformance([...target, ...wishes], environment);
    const read = (name: string) => readFileSync(file(name), 'utf8');
    const once = Object.fromEntries(['json', 'junit', 'sarif', 'md', 'har'].map((name) => [name, read(name)]));
    const kept = `history/${new URL(casa.baseUrl).host.replace(':', '_')}_api_v1`;
    const history = read(`${kept}.jsonl`);
    await conformance([...target, ...only], environment);
    const trend = await conformance(['trend', file('history')]);
    const runId = String(JSON.parse(once.json ?? '{}').runId);
    const samples = samplesOf({ ...once, out, history, trend: trend.out });
    return JSON.parse(
      JSON.stringify(samples).replaceAll(new URL(casa.baseUrl).host, '127.0.0.1:4812').replaceAll(runId, '6b840a70'),
    );
  } finally {
    await casa.close();
    rmSync(folder, { recursive: true });
  }
}

function samplesOf(texts: Readonly<Record<string, string>>): Record<string, readonly string[]> {
  const json = (name: string) => JSON.parse(texts[name] ?? 'null');
  const [report, sarif, har] = ['json', 'sarif', 'har'].map(json);
  const failed = report.checks.find(({ id }: { id: string }) => id === check);
  const [finding] = failed.findings;
  const [result] = sarif.runs[0].results;
  const entry = har.log.entries.find(({ request }: { request: { url: string } }) => request.url.includes('limit=1'));
  const lines = (texts.out ?? '').split('\n');
  const annotation = lines.find((line) => line.startsWith('::error')) ?? '';
  const terminal = lines.slice(lines.findIndex((line) => line.startsWith('FAIL')));
  const { severity, clause, pointer, expected, actual, exchange } = finding;
  const history = {
    ...pick(json('history'), 'v', 'at', 'exitCode', 'violated', 'verified', 'visible'),
    failing: [`${check} ${clause}`],
  };
  return {
    Terminal: [[...terminal.slice(0, terminal.indexOf('')), '…', ...terminal.slice(-6, -1)].map(shortUrl).join('\n')],
    JSON: [
      spell(
        pick(report.causes[0], 'id', 'title', 'operation', 'clauses', 'checks', 'consequences', 'control', 'scope'),
      ),
      spell({
        ...pick(failed, 'id', 'level', 'result', 'cites'),
        findings: [{ severity, clause, pointer, expected, actual, exchange }],
      }),
    ],
    JUnit: [junitOf(texts.junit ?? '')],
    SARIF: [spell(pick(result, 'ruleId', 'level', 'locations', 'partialFingerprints'))],
    Markdown: [(texts.md ?? '').split('\n').slice(2, 7).join('\n').replaceAll('&#58;', ':'), shorten(annotation)],
    HAR: [shortUrl(spell({ ...pick(entry, 'startedDateTime'), request: pick(entry.request, 'method', 'url') }))],
    'History and trend': [spell(history), (texts.trend ?? '').split('\n').slice(1).join('\n').trim()],
  };
}

function pick(value: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}

function junitOf(text: string): string {
  const [whole = ''] = new RegExp(`<testcase name="${check}"[\\s\\S]*?</testcase>`).exec(text) ?? [];
  const [head, failure = ''] = whole.split('\n');
  return `${head}\n  ${failure.trim().replace(/>.*$/, '>…</failure>')}\n</testcase>`;
}

function shortUrl(text: string): string {
  return text.replace(/since=[^&'"]*/g, 'since=…').replace(/'http[^']*(\/connect\/calls\/log)/, "'…$1");
}

/** The sentence of the clause is in the terminal sample already. */
function shorten(annotation: string): string {
  return shortUrl(annotation).replace(/(: "A page of) .*"/, '$1 …"');
}

/** JSON in one line, or with a line for each field. */
function spell(value: object): string {
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${spaced(field)}`);
  const line = `{ ${fields.join(', ')} }`;
  return line.length <= columns ? line : `{ ${fields.join(',\n  ')} }`;
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, field]) => `${JSON.stringify(name)}: ${spaced(field)}`)
    .join(', ')} }`;
}

if (process.argv[1]?.endsWith('report-samples.ts')) {
  const reports = 'docs/reference/reports.md';
  await setup();
  for (const page of ['README.md', ...globSync('docs/**/*.md')]) {
    const text = readFileSync(page, 'utf8');
    const today = await withOutput(page === reports ? await withSamples(text) : text);
    if (today !== text) writeFileSync(page, today);
  }
}
