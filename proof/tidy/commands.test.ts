import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { main } from '../../conformance/cli/command.ts';
import { captured } from '../../fixtures/test-kit/command.ts';
import { withOutput } from '../../fixtures/test-kit/doc-commands.ts';
import { ctl } from '../../src/cli/ctl.ts';
import { health } from '../../src/cli/health.ts';
import { mcp } from '../../src/cli/mcp.ts';
import { mock } from '../../src/cli/mock.ts';
import { mutants } from '../../src/cli/mutants.ts';
import { parity } from '../../src/cli/parity.ts';
import { seed } from '../../src/cli/seed.ts';
import { tryCommand } from '../../src/cli/try.ts';

const documents = ['README.md', ...globSync('docs/**/*.md'), 'skills/casa/SKILL.md', 'llms.txt'];

/** The arguments of `npx casa` and `npx casa-conformance` in documents. */
const commands = [
  ...new Set(
    documents.flatMap((name) => {
      const text = readFileSync(name, 'utf8').replaceAll('\\\n', ' ').replaceAll('-p casa-kit ', '');
      const matches = text.matchAll(/npx ((?:casa-conformance|casa)\b[^\n`#|>&]*)/g);
      const found = [...matches].map((match) => match[1]?.trim() ?? '');
      // A command in a text of code ends with its quote.
      return found.map((one) => ((one.match(/'/g) ?? []).length % 2 === 1 ? one.slice(0, one.lastIndexOf("'")) : one));
    }),
  ),
].filter((command) => !/…|\.\.\.|--explain ID/.test(command));

const wordsOf = (command: string) =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|[^\s'"]+(?:="[^"]*")?/g)].map(([whole, one, two]) => one ?? two ?? whole);

const casa = { mock, seed, mutants, mcp, ctl, health, parity, try: tryCommand } as const;

/** Help comes last: every word before it has been read by then, and nothing is started. */
async function readOnly([command, ...words]: readonly string[]): Promise<{ code: number; output: string }> {
  const { code, out, err } = await captured(async (io) => {
    if (command === 'casa-conformance') {
      const onlyPrints = words.some((word) => ['--list', '--explain', '--plan'].includes(word));
      const hasHelp = (words[0] === 'trend' || !onlyPrints) && !words.includes('--help');
      const given = [...words, ...(hasHelp ? ['--help'] : [])];
      const outputs = { out: io.write, err: { isTty: false, columns: 80, write: io.write }, hasColor: false };
      return main(given, { CONFORMANCE_API_KEY: 'key' }, outputs);
    }
    const [name = '', ...rest] = words;
    const run = casa[name as 'mock'] as (typeof casa)['mock'] | undefined;
    if (!run && (words.length === 0 || name.startsWith('-'))) return 0;
    // The words of another command come after `--`.
    const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
    io.error(run ? '' : `there is no casa ${name}`);
    return run?.([...own.filter((word) => word !== '--help'), '--help'], io) ?? 2;
  });
  return { code, output: out + err };
}

test('the documents have commands', () => {
  expect(commands.length).toBeGreaterThan(20);
});

test('no document and no action starts a command that other packages have, too', () => {
  const others = ['AGENTS.md', 'CONTRIBUTING.md', '.github/actions/run.sh', ...globSync('.github/**/*.yml')];
  const files = [...documents, ...others];
  const found = files.filter((name) => /(npx (-p \S+ )?|bin\/)conformance\b/.test(readFileSync(name, 'utf8')));
  expect(found).toEqual([]);
  expect(JSON.parse(readFileSync('package.json', 'utf8')).bin).toHaveProperty('casa-conformance');
});

test.each(commands.map((command) => [command]))('%s is a command line that is taken', async (command) => {
  const { code, output } = await readOnly(wordsOf(command));
  expect(code === 0 ? '' : output).toBe('');
});

const hasOutput = (name: string) => readFileSync(name, 'utf8').includes('```console');
const pages = ['README.md', ...globSync('docs/**/*.md')].filter(hasOutput);

it('most guides show the output of a command', () => {
  expect(pages.length).toBeGreaterThan(8);
});

describe('the output in', () => {
  it.concurrent.each(pages)('%s is current', async (name) => {
    const page = readFileSync(name, 'utf8');
    expect(await withOutput(page)).toBe(page);
  });
});
