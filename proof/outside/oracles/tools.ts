// The tools: each makes its own traffic from our document and checks the responses in its own way.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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
    const export_ = ['--reporters', 'json', '--reporter-json-export', report];
    run(process.execPath, [join(home, 'newman/bin/newman.js'), ...play, ...export_], { cwd: folder });
    const { stats, failures } = JSON.parse(readFileSync(report, 'utf8')).run as NewmanRun;
    return {
      tests: stats.assertions.total,
      complaints: failures.map(({ error }) => `${error.test}: ${error.message}`),
    };
  },
  explained: [],
};

/** The part of newman's report that is read here. */
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

export const oracles: readonly Oracle[] = [specmatic, dredd, portman, respect];
