import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundle } from '../../spec/bundling.ts';

let files: Map<string, Bundle>;
beforeAll(async () => {
  const entries = { index: 'src/index.ts', msw: 'src/testing/msw.ts', panel: 'src/testing/panel.ts' };
  const all = await bundle({ ...entries, casa: 'src/cli/casa.ts', 'conformance-cli': 'conformance/cli.ts' });
  files = new Map(all.map((file) => [file.fileName, file]));
}, 60_000);

/** Everything that the entry loads at once: files of the bundle, and modules outside it. */
function loadedBy(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of files.get(name)?.imports ?? []) loadedBy(next, found);
  return found;
}

const fileWith = (input: string) =>
  [...files.values()].find(({ inputs }) => inputs.includes(input))?.fileName ?? 'no file';
const inputsOf = (names: Iterable<string>) => [...names].flatMap((name) => files.get(name)?.inputs ?? []);

describe.each(['index.js', 'msw.js', 'panel.js'])('%s in a bundle for pages', (entry) => {
  it('asks for no module of Node', () => {
    expect([...loadedBy(entry)].filter((name) => !files.has(name) && name !== 'msw')).toEqual([]);
  });
});

// Node prints the source line of an uncaught error before its message.
it('has no line that buries a message', () => {
  const longest = Math.max(...[...files.values()].flatMap(({ code }) => code.split('\n').map((line) => line.length)));
  expect(longest).toBeLessThan(2_000);
});

describe('casa mock', () => {
  it('starts from few files, because each costs time', () => {
    const loaded = [...loadedBy(fileWith('src/cli/mock.ts'))].filter((name) => files.has(name));
    expect(loaded.length).toBeLessThan(10);
  });

  it('without a mutant loads none, and no clause', () => {
    const early = inputsOf([...loadedBy(fileWith('src/cli/mock.ts')), ...loadedBy('index.js')]);
    expect(files.has(fileWith('src/mutants/index.ts'))).toBe(true);
    expect(early).toContain('src/engine/core.ts');
    expect(early.filter((input) => /^src\/mutants\/|generated\/clauses/.test(input))).toEqual([]);
  });

  it('is not loaded by a command that needs no mock', () => {
    expect(inputsOf(loadedBy('casa.js'))).toContain('src/terminal/version.ts');
    expect(inputsOf(loadedBy('casa.js'))).not.toContain('src/engine/core.ts');
  });
});
