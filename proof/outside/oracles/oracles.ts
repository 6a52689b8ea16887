// `npm run oracles`: public contract-testing tools against the built mock. `-- dredd` runs one of them; `--mutant NAME`
// uses a faulty mock, to show that they detect it. Each complaint must be fixed or explained.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { storeResult } from '../../results.ts';
import { makeLiveDocuments, startMock } from './live-document.ts';
import { install, numberIn, type Oracle, run } from './oracle.ts';

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
    [
      /the key (accountId|reviewId) is (mutated|set to)/,
      'a body copy of any path value is ignored (section 4, rule 1)',
    ],
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

/** Makes a Postman collection with tests, which newman plays. */
const portman: Oracle = {
  name: 'portman',
  run: ({ mock, documents, folder }) => {
    // tslib is one that it uses and does not bring.
    const home = install('@apideck/portman@1.33.0', 'tslib@2.8.1');
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify({ ...documents.plain, openapi: '3.0.3' }));
    const made = join(folder, 'collection.json');
    const args = ['-l', 'openapi.json', '-b', mock.baseUrl, '-t', 'true', '-o', made];
    run(process.execPath, [join(home, '@apideck/portman/bin/portman'), ...args], { cwd: folder });
    const report = join(folder, 'report.json');
    const play = ['run', made, '--env-var', `bearerToken=${mock.key}`, '--env-var', `baseUrl=${mock.baseUrl}`];
    const output = ['--reporters', 'json', '--reporter-json-export', report];
    run(process.execPath, [join(home, 'newman/bin/newman.js'), ...play, ...output], { cwd: folder });
    const { stats, failures } = JSON.parse(readFileSync(report, 'utf8')).run as NewmanRun;
    return {
      tests: stats.assertions.total,
      complaints: failures.map(({ error }) => `${error.test}: ${error.message}`),
    };
  },
  explained: [],
};

interface NewmanRun {
  readonly stats: { readonly assertions: { readonly total: number } };
  readonly failures: readonly { readonly error: { readonly test?: string; readonly message: string } }[];
}

/** Redocly's runner for Arazzo workflows, one workflow an operation, made from the document. */
const respect: Oracle = {
  name: 'respect',
  run: ({ mock, documents, folder }) => {
    const entry = resolve('node_modules/@redocly/cli/bin/cli.js');
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(documents.plain));
    const options = { cwd: folder, env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } };
    run(process.execPath, [entry, 'generate-arazzo', 'openapi.json', '--output-file', 'all.arazzo.yaml'], options);
    const log = run(process.execPath, [entry, 'respect', 'all.arazzo.yaml', '--input', `apiKey=${mock.key}`], options);
    const tests = numberIn(log, /Checks: .*?(\d+) total/);
    const complaints = [...log.matchAll(/^ *✗ (.*)$/gm)].map(([, line = '']) => line);
    return { tests, complaints };
  },
  explained: [],
};

const oracles: readonly Oracle[] = [specmatic, dredd, portman, respect];

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
  const mock = await startMock(flags);
  try {
    const documents = await makeLiveDocuments(mock);
    const { tests, complaints } = oracle.run({ mock, documents, folder });
    const reasonOf = (complaint: string) => oracle.explained.find(([pattern]) => pattern.test(complaint))?.[1];
    const unexplained = complaints.filter((complaint) => reasonOf(complaint) === undefined);
    process.stdout.write(
      `${oracle.name}: ${tests} tests, ${complaints.length} complaints, ${unexplained.length} unexplained\n`,
    );
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
