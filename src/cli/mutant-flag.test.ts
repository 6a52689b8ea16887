import { build } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import { type CliProcess, runCli, startCli } from '../../fixtures/test-kit/command.ts';
import { mutants } from '../mutants/index.ts';
import { parseFlags } from '../terminal/flag-parser.ts';
import { plain } from '../terminal/paint.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { mockFlags } from './mock-flags.ts';
import { loadMutant, mutantLine, mutantNotices } from './mutant-flag.ts';
import { settle } from './settings.ts';

const headers = { authorization: 'Bearer casa_0123456789abcdef0123456789abcdef' };
const running: CliProcess[] = [];

afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});

async function start(...argv: string[]) {
  const started = await startCli(argv);
  running.push(started);
  return started;
}

async function noticesOf(...argv: string[]): Promise<string[]> {
  const settings = settle(parseFlags(argv, mockFlags));
  const mutant = await loadMutant(settings);
  return mutant ? mutantNotices(mutant, settings) : [];
}

describe('casa mock --mutant', () => {
  it('responses wrongly in that one fact, and says so in the banner and under the request', async () => {
    const { baseUrl, stdout, waitFor } = await start('--mutant', 'no-key-403');
    expect((await fetch(`${baseUrl}/sites`)).status).toBe(403);
    expect((await fetch(`${baseUrl}/sites`, { headers })).status).toBe(200);
    await waitFor(/200 GET/);
    expect(stdout()).toContain('mutant no-key-403: A request without a key returns 403.');
    expect(stdout()).toContain('breaks 5.missing-key: A request without a key returns 401 with code `unauthorized`.');
    expect(stdout()).toMatch(
      /401 GET {2}\/api\/v1\/sites .*\n.*\n +mutant no-key-403: the client got 403 instead of 401\n/,
    );
    expect(stdout()).toMatch(/200 GET {2}\/api\/v1\/sites {2}listSites …cdef\n$/);
    const health = (await (await fetch(`${new URL(baseUrl).origin}/__admin/health`)).json()) as { profile: string };
    expect(health.profile).toBe('contract, mutant no-key-403');
  });

  it('changes the limits that it is about', async () => {
    const { baseUrl } = await start('--mutant', 'address-limit-11', '--quiet');
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await fetch(`${baseUrl}/sites`, { headers })).status);
    expect(statuses).toEqual([...Array(11).fill(200), 429]);
  });

  it('starts in the world in which the mutant shows, unless another one is named', async () => {
    const { stdout } = await start('--mutant', 'accounts-none-says-not-found');
    const other = await start('--mutant', 'accounts-none-says-not-found', '--world', 'unpaid');
    await other.waitFor(/might show only in the world empty/);
    expect(stdout()).toContain('World      empty');
    expect(other.stdout()).toContain('World      unpaid');
  });

  it('with a mistyped name is one sentence and exit code 2', async () => {
    const run = runCli(['mock', '--port', '0', '--mutant', 'no-kye-403']);
    running.push(run);
    expect(await run.ended).toBe(2);
    expect(run.stderr()).toMatch(
      /^casa mock: There is no mutant "no-kye-403"\. Did you mean "no-key-403".* See casa mock --help\.\n$/,
    );
    expect(run.stdout()).toBe('');
  });
});

describe('the notices about a mutant', () => {
  it.each([
    [['--mutant', 'address-limit-11', '--relaxed'], [expect.stringContaining('might not show with --relaxed')]],
    [['--mutant', 'no-key-403', '--relaxed'], []],
    [
      ['--mutant', 'no-key-403', '--save', 'x'],
      [expect.stringContaining('The save file contains changes by the mutant')],
    ],
    [['--mutant', 'accounts-none-says-not-found'], []],
    [['--mutant', 'accounts-none-says-not-found', '--world', 'empty'], []],
    [['--mutant', 'accounts-none-says-not-found', '--data', 'x'], [expect.stringContaining('in the world empty')]],
    [['--relaxed'], []],
  ])('of %j', async (argv, notices) => {
    expect(await noticesOf(...argv)).toEqual(notices);
  });

  it('exist for every mutant without a throw', () => {
    const settings = settle(parseFlags(['--relaxed', '--data', 'x', '--save', 'y'], mockFlags));
    for (const mutant of mutants) expect(mutantNotices(mutant, settings).length).toBeGreaterThan(0);
  });

  it('reject a name that there is not', async () => {
    await expect(loadMutant({ mutant: 'nobody' })).rejects.toThrow(UsageError);
  });
});

describe('the line under a request', () => {
  it.each([
    [{ what: 'response', ownStatus: 401, status: 403 }, 'the client got 403 instead of 401'],
    [{ what: 'response', ownStatus: 200, status: 200 }, 'changed this response'],
    [{ what: 'response', ownStatus: null, status: 200 }, 'returned 200 instead of the mock'],
    [{ what: 'request', ownStatus: 200, status: 200 }, 'the mock was given another request than this one'],
  ] as const)('%j', (act, deed) => {
    expect(mutantLine(act, 'm', plain)).toBe(`         mutant m: ${deed}\n`);
  });
});

describe('the mutants', () => {
  it('are not loaded by a mock that has none', async () => {
    const { metafile } = await build({
      entryPoints: ['src/cli/mock.ts', 'src/index.ts'],
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      outdir: 'unwritten',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const loaded = (output: string): string[] => {
      const { inputs, imports } = metafile.outputs[output] ?? { inputs: {}, imports: [] };
      const further = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
      return [...Object.keys(inputs), ...further.flatMap(({ path }) => loaded(path))];
    };
    const entries = Object.keys(metafile.outputs).filter((name) =>
      metafile.outputs[name]?.entryPoint?.match(/mock.ts|index.ts/),
    );
    expect(entries.length).toBeGreaterThan(1);
    const early = entries.filter((name) => !metafile.outputs[name]?.entryPoint?.includes('mutants')).flatMap(loaded);
    expect(Object.values(metafile.outputs).some(({ inputs }) => 'src/mutants/index.ts' in inputs)).toBe(true);
    expect(early).toContain('src/engine/core.ts');
    expect(early.filter((input) => /^src\/mutants\/|generated\/clauses/.test(input))).toEqual([]);
  });
});
