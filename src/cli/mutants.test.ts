import { describe, expect, it } from 'vitest';
import { captured } from '../../fixtures/test-kit/command.ts';
import { runInTest, startInTest } from '../../fixtures/test-kit/test-process.ts';
import { clauses } from '../contract/generated/clauses.ts';
import { sections } from '../contract/sections.ts';
import { mutants as all, type Mutant } from '../mutants/index.ts';
import { parseFlags } from '../terminal/flag-parser.ts';
import { plain } from '../terminal/paint.ts';
import { mockFlags } from './mock-flags.ts';
import { loadMutant, mutantLine, mutantNotices } from './mutant-flag.ts';
import { mutants } from './mutants.ts';
import { settle } from './settings.ts';

const run = (...argv: string[]) => captured((io) => mutants(argv, io));

async function namesOf(...argv: string[]): Promise<string[]> {
  const { out } = await run(...argv, '--json');
  return (JSON.parse(out) as { name: string }[]).map(({ name }) => name);
}

const both = ['no-key-403', '5.revoked-key'];

describe('casa mutants', () => {
  it('lists every mutant once, under its clause, by section', async () => {
    const { code, out } = await run();
    expect(code).toBe(0);
    const listed = [...out.matchAll(/^ {4}(\S+) {2,}\S/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(all.map(({ name }) => name).sort());
    const titles = sections.filter(({ number }) => all.some(({ breaks }) => breaks.startsWith(`${number}.`)));
    expect([...out.matchAll(/^\d .+$/gm)].map(([line]) => line)).toEqual(
      titles.map(({ number, title }) => `${number} ${title}`),
    );
    const [first] = all;
    expect(out).toContain(`\n  ${first?.breaks}: ${clauses[first?.breaks ?? '4.json'].fact}\n`);
    expect(out).toContain(`${all.length} mutants. Start one: npx casa mock --mutant `);
  });

  it('says what a mutant needs to be seen, where that is something', async () => {
    const { out } = await run('address-limit-11', 'accounts-none-says-not-found', 'sites-with-guard-prefix');
    expect(out).toMatch(/address-limit-11 .* \(in a burst\)\n/);
    expect(out).toMatch(/accounts-none-says-not-found .* \(in the world empty\)\n/);
    expect(out).toMatch(/sites-with-guard-prefix .*\.\n/);
  });

  it('as JSON has every field of every mutant', async () => {
    const { out } = await run('--json');
    const rows = JSON.parse(out) as Record<string, unknown>[];
    expect(rows).toHaveLength(all.length);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(['name', 'breaks', 'fact', 'section', 'shows', 'needs', 'world']);
      expect(Object.values(row).every((value) => typeof value === 'string' && value !== '')).toBe(true);
    }
  });

  it.each<[string, string[], (mutant: Mutant) => boolean]>([
    ['a glob of names', ['calls-*'], ({ name }) => name.startsWith('calls-')],
    ['a clause', ['4.calls.exactly-once'], ({ breaks }) => breaks === '4.calls.exactly-once'],
    ['the beginning of a clause', ['4.calls'], ({ breaks }) => breaks.startsWith('4.calls.')],
    ['a section', ['5'], ({ breaks }) => breaks.startsWith('5.')],
    ['a name', ['no-key-403'], ({ name }) => name === 'no-key-403'],
    ['several of these', both, ({ name, breaks }) => both.includes(name) || both.includes(breaks)],
  ])('takes %s', async (_what, patterns, fits) => {
    const wanted = all.filter(fits).map(({ name }) => name);
    expect(wanted.length).toBeGreaterThan(0);
    expect(await namesOf(...patterns)).toEqual(wanted);
  });

  it.each([
    [['no-kye-403'], 'clause is "no-kye-403". Did you mean "no-key-403"? See casa mutants --help.'],
    [['4.cals.shape'], 'no mutant\'s name or clause is "4.cals.shape". Did you mean "4.calls.shape"?'],
    [['1.further-tools'], 'The contract has this clause, and no mutant breaks it.'],
    [['zz*'], 'no mutant\'s name or clause is "zz*".'],
    [['--jsno'], 'Unknown flag --jsno. Did you mean --json?'],
  ])('rejects %j with a sentence', async (argv, sentence) => {
    const { code, out, err } = await run(...argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
    expect(err).toMatch(/^casa mutants: [^\n]+\n$/);
  });

  it('has a help text with examples that find something', async () => {
    const { out } = await run('-h');
    const examples = [...out.matchAll(/^ {2}casa mutants (\S.*?) {2,}\S/gm)].map(([, argv]) => argv ?? '');
    expect(examples.length).toBeGreaterThan(2);
    for (const argv of examples) {
      expect((await run(...argv.replaceAll("'", '').split(' '))).code).toBe(0);
    }
  });
});

const headers = { authorization: 'Bearer casa_0123456789abcdef0123456789abcdef' };
async function noticesOf(...argv: string[]): Promise<string[]> {
  const settings = settle(parseFlags(argv, mockFlags));
  const mutant = await loadMutant(settings);
  return mutant ? mutantNotices(mutant, settings) : [];
}

describe('casa mock --mutant', () => {
  it('violates only that fact, and says so in the banner and under the request', async () => {
    const { baseUrl, stdout, waitFor } = await startInTest(['--mutant', 'no-key-403']);
    expect((await fetch(`${baseUrl}/sites`)).status).toBe(403);
    expect((await fetch(`${baseUrl}/sites`, { headers })).status).toBe(200);
    await waitFor(/200 GET/);
    expect(stdout()).toContain('mutant no-key-403: A request without a key returns 403.');
    expect(stdout()).toContain('violates 5.missing-key: A request without a key returns 401 with code `unauthorized`.');
    expect(stdout()).toMatch(
      /401 GET {2}\/api\/v1\/sites .*\n.*\n +mutant no-key-403: the client got 403 instead of 401\n/,
    );
    expect(stdout()).toMatch(/200 GET {2}\/api\/v1\/sites {2}listSites …cdef\n$/);
    const health = (await (await fetch(`${new URL(baseUrl).origin}/__admin/health`)).json()) as { profile: string };
    expect(health.profile).toBe('contract, mutant no-key-403');
  });

  it('changes the limits that it is about', async () => {
    const { baseUrl } = await startInTest(['--mutant', 'address-limit-11', '--quiet']);
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await fetch(`${baseUrl}/sites`, { headers })).status);
    expect(statuses).toEqual([...Array(11).fill(200), 429]);
  });

  it('starts in the world in which the mutant shows, unless another one is named', async () => {
    const { stdout } = await startInTest(['--mutant', 'accounts-none-says-not-found']);
    const other = await startInTest(['--mutant', 'accounts-none-says-not-found', '--world', 'unpaid']);
    await other.waitFor(/might show only in the world empty/);
    expect(stdout()).toContain('World      empty');
    expect(other.stdout()).toContain('World      unpaid');
  });

  it('with a mistyped name is one sentence and exit code 2', async () => {
    const run = runInTest(['mock', '--port', '0', '--mutant', 'no-kye-403']);
    expect(await run.ended).toBe(2);
    expect(run.stderr()).toMatch(/^casa mock: There is no mutant "no-kye-403"\. Did .* See casa mock --help\.\n$/);
    expect(run.stdout()).toBe('');
  });
});

describe('the notices about a mutant', () => {
  it.each([
    [['--mutant', 'address-limit-11', '--relaxed'], [expect.stringContaining('might not show with --relaxed')]],
    [['--mutant', 'no-key-403', '--relaxed'], []],
    [['--mutant', 'no-key-403', '--save', 'x'], [expect.stringContaining('save file contains changes by the mutant')]],
    [['--mutant', 'accounts-none-says-not-found'], []],
    [['--mutant', 'accounts-none-says-not-found', '--world', 'empty'], []],
    [['--mutant', 'accounts-none-says-not-found', '--data', 'x'], [expect.stringContaining('in the world empty')]],
    [['--relaxed'], []],
  ])('of %j', async (argv, notices) => {
    expect(await noticesOf(...argv)).toEqual(notices);
  });

  it('exist for every mutant without a throw', () => {
    const settings = settle(parseFlags(['--relaxed', '--data', 'x', '--save', 'y'], mockFlags));
    for (const mutant of all) expect(mutantNotices(mutant, settings).length).toBeGreaterThan(0);
  });
});

describe('the line under a request', () => {
  it.each([
    [{ what: 'response', ownStatus: 401, status: 403 }, 'the client got 403 instead of 401'],
    [{ what: 'response', ownStatus: 200, status: 200 }, 'changed this response'],
    [{ what: 'response', ownStatus: null, status: 200 }, 'returned 200 instead of the mock'],
    [{ what: 'request', ownStatus: 200, status: 200 }, 'changed this request before the mock handled it'],
  ] as const)('%j', (act, deed) => {
    expect(mutantLine(act, 'm', plain)).toBe(`         mutant m: ${deed}\n`);
  });
});
