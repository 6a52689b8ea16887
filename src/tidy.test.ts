// The repository tests itself: who may import whom, where time and chance may come from, how long files may be.
import { describe, expect, it } from 'vitest';
import { citedClauses, outerImports, ownImports, readSources, type SourceFile } from '../spec/source-files.ts';
import { clauses } from './contract/generated/clauses.ts';

const sources = readSources(['src/**/*.ts', 'conformance/**/*.ts', 'spec/**/*.ts']);
const code = sources.filter(({ path }) => !path.endsWith('.test.ts'));

const layers: readonly (readonly [folder: string, mayImport: readonly string[]])[] = [
  ['src/contract/', []],
  ['src/domain/', ['src/contract/']],
  ['src/http/', ['src/contract/', 'src/domain/']],
  ['src/mcp/', ['src/contract/', 'src/domain/', 'src/http/']],
  ['src/worlds/', ['src/contract/', 'src/domain/', 'fixtures/']],
  ['src/control/', ['src/contract/', 'src/domain/', 'src/http/', 'src/mcp/', 'src/worlds/']],
  ['src/mutants/', ['src/contract/', 'src/domain/', 'src/http/', 'src/control/', 'src/worlds/', 'src/mcp/']],
  ['src/adapters/', ['src/contract/', 'src/domain/', 'src/http/', 'src/control/', 'src/worlds/', 'src/mutants/']],
  ['src/cli/', ['src/']],
  ['src/bench/', ['src/runtimes/']],
  ['src/runtimes/', []],
  ['src/oracles/', ['src/runtimes/']],
  ['src/simulation/', ['src/contract/', 'src/domain/', 'src/http/', 'src/control/', 'src/worlds/', 'src/mutants/']],
  ['conformance/selftest/independent/', []],
  ['conformance/selftest/', ['conformance/', 'src/index.ts', 'src/contract/', 'src/mutants/', 'src/adapters/']],
  ['conformance/cli', ['conformance/', 'src/contract/', 'src/index.ts']],
  ['conformance/', ['conformance/', 'src/contract/']],
];

const layerOf = ({ path }: SourceFile) => layers.find(([folder]) => path.startsWith(folder));

describe('imports', () => {
  it.each(code.filter((file) => layerOf(file)).map((file) => [file.path, file] as const))(
    '%s imports downwards only',
    (_path, file) => {
      const [folder, allowed] = layerOf(file) as (typeof layers)[number];
      const upward = ownImports(file).filter((path) => ![folder, ...allowed].some((prefix) => path.startsWith(prefix)));
      expect(upward).toEqual([]);
    },
  );

  it('keeps the core free of Node', () => {
    const core = code.filter(
      ({ path }) =>
        /^src\/(contract|domain|http|mcp|control|worlds)\//.test(path) && !/worlds\/(make-|generate)/.test(path),
    );
    const offenders = core.filter((file) => outerImports(file).some((name) => name.startsWith('node:')));
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });
});

describe('time and chance', () => {
  // The dashboard's script runs in the browser of its reader.
  const free =
    /^(src\/control\/admin\/dashboard-script|src\/(adapters|cli|bench|runtimes|oracles)\/|src\/simulation\/simulate-cli|src\/worlds\/make-|spec\/|conformance\/(cli|clock|wire|selftest))/;
  it.each([
    ['Date.now', /\bDate\.now\b/],
    ['the current time', /new Date\(\)/],
    ['Math.random', /\bMath\.random\b/],
    ['timers', /\b(setTimeout|setInterval|setImmediate)\b/],
    ['process', /\bprocess\./],
  ])('%s is used in adapters and command lines only', (_what, pattern) => {
    const offenders = code.filter(
      ({ path, text }) => !free.test(path) && pattern.test(text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '')),
    );
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });
});

describe('sizes', () => {
  it('keeps every file under 400 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 400);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('keeps lines under 160 characters', () => {
    const wide = code.filter(({ text }) =>
      text.split('\n').some((line) => line.length > 160 && !line.includes('http')),
    );
    expect(wide.map(({ path }) => path)).toEqual([]);
  });
});

describe('citations', () => {
  it('name clauses that exist', () => {
    const known = new Set(Object.keys(clauses));
    const unknown = sources.flatMap((file) =>
      [...citedClauses(file, known).unknown].map((id) => `${file.path}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('names', () => {
  it('has no drawer for everything', () => {
    const vague = sources.filter(({ path }) => /(^|\/)(utils?|helpers?|common|manager|misc)(\/|\.ts|-)/.test(path));
    expect(vague.map(({ path }) => path)).toEqual([]);
  });
});
