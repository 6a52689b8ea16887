import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { bundledCommand } from '../../fixtures/test-kit/command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const action = parse(read('action.yml'));
const [step] = action.runs.steps;
const bundled = dirname(bundledCommand);
let folder: string;
let pid = 0;

beforeEach(() => {
  folder = newFolder();
  for (const [name, file] of Object.entries({ casa: 'casa.js', 'casa-conformance': 'conformance-cli.js' })) {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${join(bundled, file)}' "$@"\n`;
    writeFileSync(join(folder, name), script, { mode: 0o755 });
  }
});
afterEach(() => {
  if (pid > 0) process.kill(pid);
  pid = 0;
});

function emptyProfile(): string {
  const file = join(folder, 'empty.json');
  const origin = { casaProfile: 1, kit: '0.1.0', contract: '1.0.0', target: 'x', learntOn: '2026-11-22' };
  writeFileSync(file, JSON.stringify({ ...origin, behaviors: {}, unknown: {}, notLearnt: [] }));
  return file;
}

/** The one step of action.yml, with inputs as a workflow gives them. */
function run(inputs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const given = Object.entries(action.inputs as Record<string, { default: string }>).map(([name, input]) => {
    const env = Object.entries(step.env as Record<string, string>);
    const variable = env.find(([, text]) => text === `\${{ inputs.${name} }}`);
    return [variable?.[0] ?? `no variable for ${name}`, inputs[name] ?? input.default];
  });
  const output = join(folder, 'output');
  writeFileSync(output, '');
  const { status, stdout, stderr } = spawnSync('bash', ['-c', step.run], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
      RUNNER_TEMP: folder,
      CASA_BIN: folder,
      GITHUB_ACTION_PATH: root,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      ...Object.fromEntries(given),
      ...env,
    },
  });
  const lines = readFileSync(output, 'utf8').trim().split('\n');
  return { status, output: stdout + stderr, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s))) };
}

describe('action.yml', () => {
  test('hands its inputs on as variables, never as parts of a command', () => {
    expect(action.runs.steps).toHaveLength(1);
    expect(step.run).not.toContain('${{');
    expect(Object.values(step.env)).toEqual(Object.keys(action.inputs).map((name) => `\${{ inputs.${name} }}`));
  });

  test('checks a target, with reports, a summary and figures as outputs', () => {
    const checks = ['--control', 'self', '--only', 'sites/list', '--only', 'rule/json'].join('\n');
    const { status, outputs, output } = run({ target: 'self', arguments: checks });
    expect(output).toContain('No check failed');
    expect(status).toBe(0);
    expect(outputs).toMatchObject({ 'exit-code': '0', violated: '0', report: 'casa-reports' });
    expect(Number(outputs.verified)).toBeGreaterThan(0);
    for (const ending of ['html', 'xml', 'sarif', 'json'])
      expect(existsSync(join(folder, 'casa-reports', `conformance.${ending}`))).toBe(true);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('# ✅ Conformance of');
  });

  test.each([
    ['not-an-address', 2],
    ['http://127.0.0.1:1/api/v1', 4],
  ])('ends with the exit code of the suite, without figures, when no run began at %s', (url, code) => {
    mkdirSync(join(folder, 'casa-reports'));
    const older = { abort: null, coverage: [{ provable: true, result: 'pass' }] };
    writeFileSync(join(folder, 'casa-reports', 'conformance.json'), JSON.stringify(older));
    const { status, outputs } = run({ 'base-url': url, 'api-key': `casa_${'0'.repeat(32)}` });
    expect([status, outputs['exit-code'], outputs.violated, outputs.verified]).toEqual([code, `${code}`, '', '']);
  });

  test('tests a client, and fails for a violation that is not in the baseline', () => {
    // It retries at once.
    const client = `export default async ({ baseUrl, apiKey }) => {
      for (let tries = 0; tries < 3; tries += 1) {
        const response = await fetch(baseUrl + '/sites', { headers: { authorization: 'Bearer ' + apiKey } });
        if (response.ok) return;
      }
      throw new Error('no success');
    };`;
    writeFileSync(join(folder, 'client.mjs'), client);
    const inputs = { mode: 'try', arguments: '--scenario\nclient.mjs\n--cells\nerrors/' };
    const { status, outputs } = run(inputs);
    expect([status, outputs['exit-code']]).toEqual([1, '1']);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('# Client test');
    expect(run({ ...inputs, baseline: join(folder, 'casa-reports', 'casa-client.json') }).status).toBe(0);
  });

  const short = '--control\nself\n--only\nsites/*';

  test('reports whether a behavior has changed since a profile was learnt', () => {
    const inputs = { mode: 'calibrate-check', target: 'self', arguments: short };
    const first = run({ ...inputs, profile: emptyProfile() });
    // Nothing to compare with yet, and a profile to begin with.
    expect([first.status, first.outputs.changes, first.outputs['exit-code']]).toEqual([3, '0', '3']);
    const learnt = join(folder, 'casa-reports', 'casa.profile.json');
    const profile = JSON.parse(readFileSync(learnt, 'utf8'));
    profile.behaviors.unknownSite = { value: 'empty', seen: 1 };
    const moved = join(folder, 'moved.json');
    writeFileSync(moved, JSON.stringify(profile));
    const { status, outputs, output } = run({ ...inputs, profile: moved });
    expect([status, outputs.changes, outputs.cause, outputs['exit-code']]).toEqual([1, '1', 'drift', '1']);
    expect(output).toContain('"empty" became "not_found"');
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('    Legal change: ');
  });

  test('compares two sides with keys and MCP endpoints of both, with reports and a summary', async () => {
    const mock = run({ mode: 'mock', port: '0', arguments: '--relaxed' });
    pid = Number(mock.outputs.pid);
    const { url = '' } = mock.outputs;
    const mcpEndpoint = url.replace('/api/v1', '/mcp');
    const [good, second, revoked] = ['0123456789abcdef', 'fedcba9876543210', 'deadbeef'].map(
      (part) => `casa_${part.repeat(32 / part.length)}`,
    ) as [string, string, string];
    const only = ['sites/*', 'isolation/all-responses', 'auth/revoked-key', 'mcp/door'].flatMap((id) => ['--only', id]);
    const few = ['--pace', 'off', ...only];
    const keys = (side = '') => ({ [`second-key${side}`]: second, [`revoked-key${side}`]: revoked });
    const target = { 'base-url': url, 'mcp-url': mcpEndpoint, 'api-key': good, ...keys() };
    const older = { CONFORMANCE_API_KEY: 'casa_of_an_older_workflow' };
    const one = run({ ...target, arguments: few.join('\n') }, older);
    expect(one.status).toBe(0);
    const { checks } = JSON.parse(readFileSync(join(folder, 'casa-reports', 'conformance.json'), 'utf8'));
    for (const id of ['auth/revoked-key', 'mcp/door', 'isolation/all-responses'])
      expect(checks).toContainEqual(expect.objectContaining({ id, result: 'pass' }));
    const endpoints = { a: url, b: url, 'mcp-url-a': mcpEndpoint, 'mcp-url-b': mcpEndpoint };
    const sides = { mode: 'diff', ...endpoints, 'api-key-a': good, ...keys('-a'), ...keys('-b') };
    const flags = [...few, '--min-compared', '0%'].join('\n');
    const both = run({ ...sides, arguments: flags }, { CONFORMANCE_API_KEY_B: good });
    expect([both.status, both.outputs['exit-code'], both.outputs.report]).toEqual([0, '0', 'casa-reports']);
    for (const ending of ['html', 'xml', 'sarif', 'json', 'md'])
      expect(existsSync(join(folder, 'casa-reports', `diff.${ending}`))).toBe(true);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('# ');
    expect(both.output).toContain('A and B are the same in all');
    const { dimensions } = JSON.parse(readFileSync(join(folder, 'casa-reports', 'diff.json'), 'utf8'));
    const outcomes = new Map(dimensions.map(({ id, outcome }: { id: string; outcome: string }) => [id, outcome]));
    for (const id of ['5.revoked-key', '1.mcp-door']) expect(outcomes.get(id)).toBe('same');
  }, 30_000);

  test('takes no input for a command', () => {
    const hostile = `x"; touch "${folder}/owned"; $(touch ${folder}/owned) \`touch ${folder}/owned\``;
    const names = ['base-url', 'target', 'claims', 'history', 'min-verified', 'fail-on', 'arguments'];
    expect(run(Object.fromEntries(names.map((name) => [name, hostile]))).status).toBe(2);
    const others = [
      { mode: 'calibrate-check', profile: hostile },
      { mode: 'diff', a: hostile, b: hostile },
      { mode: 'mock', profile: hostile },
      { mode: 'diff', a: 'self', b: 'self', 'mcp-url-a': hostile },
      { target: 'self', 'mcp-url': hostile, 'second-key': hostile },
    ];
    for (const inputs of others) expect(run({ ...inputs, arguments: hostile }).status).toBe(2);
    for (const inputs of [{ mode: hostile }, { mode: 'mock', port: hostile }]) expect(run(inputs).status).toBe(2);
    expect(run({ version: hostile }, { CASA_BIN: '' }).output).toContain('version is a version or a tag');
    expect(existsSync(join(folder, 'owned'))).toBe(false);
  });

  test('starts a mock by a profile that the next steps can use', async () => {
    const inputs = { mode: 'mock', port: '0', profile: emptyProfile(), arguments: '--relaxed' };
    const { status, outputs, output } = run(inputs);
    pid = Number(outputs.pid);
    expect(output).toMatch(/^up {2}http:\/\/127\.0\.0\.1:\d+\/api\/v1$/m);
    expect(status).toBe(0);
    expect((await fetch(`${outputs.url}/sites`)).status).toBe(401);
  });

  test('does not use a mock that another process started', () => {
    const other = run({ mode: 'mock', port: '0' });
    pid = Number(other.outputs.pid);
    const { port } = new URL(other.outputs.url ?? '');
    for (const [inputs, reason] of [
      [{ port }, 'is in use'],
      [{ port, profile: 'none.json' }, 'none.json does not exist.'],
      [{ port, arguments: '--wrold\nempty' }, 'Did you mean --world?'],
    ] as const) {
      const { status, output, outputs } = run({ mode: 'mock', ...inputs });
      expect([status, outputs.pid]).toEqual([2, undefined]);
      expect(output).toContain(reason);
    }
  }, 20_000);

  test.each([
    [{ mode: 'juggle' }, 'mode is mock, audit, calibrate-check, diff or try.'],
    [{ mode: 'mock', port: 'x' }, 'port is a whole number.'],
    [{ mode: 'diff', a: 'self' }, 'a and b name the two sides'],
    [{ mode: 'diff', a: 'self', b: '--gentle' }, 'a and b name the two sides'],
    [{ mode: 'calibrate-check', target: 'self', profile: 'none.json' }, 'none.json does not exist.'],
  ])('rejects %j', (inputs, sentence) => {
    const { status, output } = run(inputs);
    expect(output).toContain(sentence);
    expect(status).toBe(2);
  });
});

describe('the image', () => {
  const lines = read('Dockerfile').split('\n');

  test('runs without privileges, with a health check by casa', () => {
    expect(lines.lastIndexOf('USER node')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('FROM')));
    expect(read('Dockerfile')).toMatch(/HEALTHCHECK .*CMD \["node", "\/app\/dist\/casa\.js", "health"\]/);
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.git', 'node_modules']));
  });

  test.each(['casa.js', 'conformance-cli.js'])('starts %s, which the package has', (file) => {
    const bin = Object.values(JSON.parse(read('package.json')).bin);
    expect(bin).toContain(`dist/${file}`);
    expect(read('Dockerfile')).toContain(`/app/dist/${file}`);
  });

  test('is what compose and Kubernetes start', () => {
    const { services } = parse(read('compose.yaml'));
    expect(services.audit.entrypoint).toEqual(['node', '/app/dist/conformance-cli.js']);
    const documents = ['mock', 'audit'].flatMap((name) => parseAllDocuments(read(`examples/kubernetes/${name}.yaml`)));
    const kinds = documents.map((document) => document.toJS().kind);
    expect(kinds).toEqual(['Deployment', 'Service', 'CronJob', 'PersistentVolumeClaim']);
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  });
});
