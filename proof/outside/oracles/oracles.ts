// `npm run oracles`: public contract-testing tools against the built mock. `-- dredd` runs one of them; `--mutant NAME`
// uses a faulty mock, to show that they detect it. Each complaint must be fixed or explained.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeResult } from '../../results.ts';
import { type BuiltMock, startBuiltMock } from '../built-mock.ts';
import { installOnce } from '../runtimes/projects.ts';
import { type LiveDocuments, makeLiveDocuments } from './live-document.ts';

/** The result of a tool; `tests` shows that it ran. */
interface ToolResult {
  readonly tests: number;
  /** One line each. */
  readonly complaints: readonly string[];
}

interface ToolInput {
  readonly mock: BuiltMock;
  readonly documents: LiveDocuments;
  /** An empty folder of this tool. */
  readonly folder: string;
}

interface Oracle {
  readonly name: string;
  readonly run: (question: ToolInput) => ToolResult;
  /** Complaints that are not about the mock, with the reason. */
  readonly explained: readonly (readonly [pattern: RegExp, reason: string])[];
}

/** A tool from the registry, installed next to the project and kept for the next time; gives back its folder. */
function install(tool: string): string {
  const home = join(tmpdir(), 'casa-kit-oracles', tool.replace(/\W+/g, '-'));
  installOnce(home, [tool]);
  return join(home, 'node_modules');
}

/** Runs a tool and returns its output; an exit code other than 0 is allowed. */
function run(command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }): string {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...options.env };
  const limits = { timeout: 300_000, maxBuffer: 100_000_000 };
  const { stdout, stderr, error } = spawnSync(command, args, { cwd: options.cwd, env, encoding: 'utf8', ...limits });
  if (error) throw new Error(`${command} did not run: ${error.message}`);
  return stdout + stderr;
}

/** The number in the output of a tool; without one, the tool has not run. */
function numberIn(output: string, pattern: RegExp): number {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`The tool gave no result: ${output.slice(-2000)}`);
  return Number(found);
}

/** Generates valid and invalid requests from schemas and examples, several hundred; needs Java 17. */
const specmatic: Oracle = {
  name: 'specmatic',
  run: ({ mock, documents, folder }) => {
    const jar = join(install('specmatic@2.55.1'), 'specmatic/specmatic.jar');
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(documents.named));
    const env = { SPECMATIC_GENERATIVE_TESTS: 'true', SPECMATIC_OAUTH2_TOKEN: mock.key };
    const args = ['-jar', jar, 'test', 'openapi.json', `--testBaseURL=${mock.baseUrl}`];
    const log = run('java', args, { cwd: folder, env });
    const complaints = [...log.slice(log.indexOf('Unsuccessful Scenarios')).matchAll(/^ *"([+-]ve.*) FAILED"$/gm)];
    const tests = numberIn(log, /Tests run: (\d+)/);
    const failed = numberIn(log, /Failures: (\d+)/);
    const found = complaints.map(([, line = '']) => line);
    // A complaint that it counts and does not list must not get lost.
    return { tests, complaints: [...found, ...Array(Math.max(0, failed - found.length)).fill('not listed')] };
  },
  explained: [
    [/the key (accountId|reviewId) is (mutated|set to)/, 'a body copy of any path value is ignored (4, rule 1)'],
  ],
};

/** Sends each transaction of the document and compares status, headers and media type. It reads OpenAPI 3.0. */
const dredd: Oracle = {
  name: 'dredd',
  run: ({ mock, documents, folder }) => {
    const entry = join(install('dredd@14.1.0'), 'dredd/bin/dredd');
    // It compares Content-Type to the letter, and the mock says the charset too (assumption C4).
    const typed = JSON.stringify(documents.plain, (name, value) => (name === '200' ? withCharset(value) : value));
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify({ ...JSON.parse(typed), openapi: '3.0.3' }));
    const header = `Authorization: Bearer ${mock.key}`;
    const args = [entry, 'openapi.json', mock.baseUrl, '--header', header, '--loglevel=error', '--no-color'];
    const log = run(process.execPath, args, { cwd: folder });
    const [list = ''] = log.split('Displaying failed tests');
    const complaints = [...list.matchAll(/^fail: (.*) duration/gm)].map(([, line = '']) => line);
    return { tests: numberIn(log, /(\d+) total/), complaints };
  },
  explained: [],
};

function withCharset({ content, ...response }: { content: Record<string, unknown> }) {
  return { ...response, content: { 'application/json; charset=utf-8': content['application/json'] } };
}

const oracles: readonly Oracle[] = [specmatic, dredd];

const args = process.argv.slice(2);
const mutantAt = args.indexOf('--mutant');
const flags = mutantAt === -1 ? [] : args.splice(mutantAt, 2);
const chosen = args.length === 0 ? oracles : oracles.filter(({ name }) => args.includes(name));
const runs: OracleRun[] = [];
for (const oracle of chosen) runs.push(await runOracle(oracle));
// Results for a deliberately faulty mock are not stored.
if (flags.length === 0) storeResult('oracles', runs, chosen.length === oracles.length);
process.exitCode = runs.some(({ unexplained }) => unexplained > 0) ? 1 : 0;

interface OracleRun {
  readonly tool: string;
  readonly tests: number;
  readonly complaints: number;
  readonly unexplained: number;
}

async function runOracle(oracle: Oracle): Promise<OracleRun> {
  const folder = mkdtempSync(join(tmpdir(), `casa-${oracle.name}-`));
  // A separate mock for each: writes of one tool must not affect the next.
  const mock = await startBuiltMock({ flags });
  try {
    const documents = await makeLiveDocuments(mock);
    const { tests, complaints } = oracle.run({ mock, documents, folder });
    const reasonOf = (complaint: string) => oracle.explained.find(([pattern]) => pattern.test(complaint))?.[1];
    const unexplained = complaints.filter((complaint) => reasonOf(complaint) === undefined);
    const figures = `${tests} tests, ${complaints.length} complaints, ${unexplained.length} unexplained`;
    process.stdout.write(`${oracle.name}: ${figures}\n`);
    const reasons = oracle.explained
      .map(([, reason]) => ({ count: complaints.filter((one) => reasonOf(one) === reason).length, reason }))
      .filter(({ count }) => count > 0);
    for (const { count, reason } of reasons) process.stdout.write(`  ${count}: ${reason}\n`);
    for (const complaint of unexplained) process.stdout.write(`  ${complaint.slice(0, 240)}\n`);
    return { tool: oracle.name, tests, complaints: complaints.length, unexplained: unexplained.length };
  } finally {
    await mock.stop();
    rmSync(folder, { recursive: true });
  }
}
