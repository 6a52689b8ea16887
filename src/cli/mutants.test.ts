import { describe, expect, it } from 'vitest';
import { clauses } from '../contract/generated/clauses.ts';
import { sections } from '../contract/sections.ts';
import { mutants as all } from '../mutants/index.ts';
import { mutants } from './mutants.ts';

async function run(...argv: string[]) {
  let stdout = '';
  let stderr = '';
  const code = await mutants(argv, {
    write: (text) => {
      stdout += text;
    },
    error: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}

async function namesOf(...argv: string[]): Promise<string[]> {
  const { stdout } = await run(...argv, '--json');
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
}

describe('casa mutants', () => {
  it('lists every mutant once, under its clause, by section', async () => {
    const { code, stdout } = await run();
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {4}(\S+) {2,}\S/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(all.map(({ name }) => name).sort());
    const titles = sections.filter(({ number }) => all.some(({ breaks }) => breaks.startsWith(`${number}.`)));
    expect([...stdout.matchAll(/^\d .+$/gm)].map(([line]) => line)).toEqual(
      titles.map(({ number, title }) => `${number} ${title}`),
    );
    const [first] = all;
    expect(stdout).toContain(`\n  ${first?.breaks}: ${clauses[first?.breaks ?? '4.json'].fact}\n`);
    expect(stdout).toContain(`${all.length} mutants. Start one: casa mock --mutant `);
  });

  it('says what a mutant needs to be seen, where that is something', async () => {
    const { stdout } = await run('address-limit-11', 'accounts-none-says-not-found', 'sites-with-guard-prefix');
    expect(stdout).toMatch(/address-limit-11 .* \(in a burst\)\n/);
    expect(stdout).toMatch(/accounts-none-says-not-found .* \(in the world empty\)\n/);
    expect(stdout).toMatch(/sites-with-guard-prefix .*\.\n/);
  });

  it('as JSON has every field of every mutant', async () => {
    const { stdout } = await run('--json');
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    expect(rows).toHaveLength(all.length);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(['name', 'breaks', 'fact', 'section', 'shows', 'needs', 'world']);
      expect(Object.values(row).every((value) => typeof value === 'string' && value !== '')).toBe(true);
    }
  });

  it.each([
    ['a glob of names', ['calls-*'], ({ name }: { name: string }) => name.startsWith('calls-')],
    ['a clause', ['4.calls.exactly-once'], ({ breaks }: { breaks: string }) => breaks === '4.calls.exactly-once'],
    ['the beginning of a clause', ['4.calls'], ({ breaks }: { breaks: string }) => breaks.startsWith('4.calls.')],
    ['a section', ['5'], ({ breaks }: { breaks: string }) => breaks.startsWith('5.')],
    ['a name', ['no-key-403'], ({ name }: { name: string }) => name === 'no-key-403'],
    [
      'several of these',
      ['no-key-403', '5.revoked-key'],
      ({ name, breaks }: { name: string; breaks: string }) => name === 'no-key-403' || breaks === '5.revoked-key',
    ],
  ])('takes %s', async (_what, patterns, fits) => {
    const wanted = all.filter(fits).map(({ name }) => name);
    expect(wanted.length).toBeGreaterThan(0);
    expect(await namesOf(...patterns)).toEqual(wanted);
  });

  it.each([
    [
      ['no-kye-403'],
      'no mutant\'s name or clause is "no-kye-403". Did you mean "no-key-403"? See casa mutants --help.',
    ],
    [['4.cals.shape'], 'no mutant\'s name or clause is "4.cals.shape". Did you mean "4.calls.shape"?'],
    [['1.further-tools'], 'The contract has this clause, and no mutant breaks it.'],
    [['zz*'], 'no mutant\'s name or clause is "zz*".'],
    [['--jsno'], 'Unknown flag --jsno. Did you mean --json?'],
  ])('rejects %j with a sentence', async (argv, sentence) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^casa mutants: [^\n]+\n$/);
  });

  it('has a help text with examples that find something', async () => {
    const { stdout } = await run('-h');
    const examples = [...stdout.matchAll(/^ {2}casa mutants (\S.*?) {2,}\S/gm)].map(([, argv]) => argv ?? '');
    expect(examples.length).toBeGreaterThan(2);
    for (const argv of examples) {
      expect((await run(...argv.replaceAll("'", '').split(' '))).code).toBe(0);
    }
  });
});
