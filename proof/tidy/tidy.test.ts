// The repository tests itself: who may import whom, where time and chance may come from, how long files may be.
import { describe, expect, it } from 'vitest';
import { citedClauses, outerImports, ownImports, readSources, type SourceFile } from '../../spec/source-files.ts';
import { clauses } from '../../src/contract/generated/clauses.ts';

const sources = readSources(['src/**/*.ts', 'conformance/**/*.ts', 'spec/**/*.ts', 'proof/**/*.ts']);
const code = sources.filter(({ path }) => !path.endsWith('.test.ts'));

const src = (...rooms: readonly string[]) => rooms.map((room) => `src/${room}/`);

const layers: readonly (readonly [folder: string, mayImport: readonly string[]])[] = [
  ['src/contract/', []],
  ['src/domain/', src('contract')],
  ['src/worlds/', [...src('contract', 'domain'), 'fixtures/']],
  ['src/http/', src('contract', 'domain')],
  ['src/mcp/', src('contract', 'domain', 'http')],
  ['src/cli/', ['src/']],
  ['proof/independent/', []],
  ['proof/', ['src/', 'conformance/', 'proof/']],
  ['conformance/cli', ['conformance/', 'src/contract/', 'src/terminal/', 'src/index.ts']],
  ['conformance/', ['conformance/', 'src/contract/', 'src/terminal/']],
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
        /^src\/(contract|domain|http|mcp|engine|admin|worlds)\//.test(path) && !/worlds\/(make-|generate)/.test(path),
    );
    const offenders = core.filter((file) => outerImports(file).some((name) => name.startsWith('node:')));
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });
});

describe('time and chance', () => {
  // The dashboard's script runs in the browser of its reader.
  const free =
    /^(src\/admin\/dashboard-script|src\/(mock|doors|testing|terminal|cli)\/|src\/worlds\/make-|spec\/|proof\/|conformance\/(cli|pace\/clock|wire))/;
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
