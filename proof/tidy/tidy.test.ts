// The repository tests itself: who may import whom, where time and chance may come from, how long files may be.
import { describe, expect, it } from 'vitest';
import { citedClauses, outerImports, ownImports, readSources } from '../../spec/source-files.ts';
import { clauses } from '../../src/contract/generated/clauses.ts';

const sources = readSources(['src/**/*.{ts,tsx}', 'conformance/**/*.ts', 'spec/**/*.ts', '{proof,fixtures}/**/*.ts']);
const code = sources.filter(({ path }) => !path.endsWith('.test.ts'));

// Each chain lists modules from the lowest to the highest: a module can import itself and earlier ones.
const mock =
  'contract api terminal options domain worlds http mcp mutants engine admin transports try testing cli'.split(' ');
const kit = 'exchange judge behaviors scenarios checks report driver reporters cli'.split(' ');
const proof = 'results.ts independent behavior audits kill identify attack outside clients evidence tidy'.split(' ');
// The suite can import these modules of the mock: the contract, the words of a command line, and tables of options.
const sharedModules = ['src/contract/', 'src/terminal/', 'src/options/define-options.ts'];

/** The folders and files that a file can import from; null for the few at the root of a package. */
function allowedFor(path: string): readonly string[] | null {
  const [folder = '', module = ''] = path.split('/');
  const below = (modules: readonly string[]) =>
    modules.slice(0, modules.indexOf(module) + 1).map((name) => `${folder}/${name}/`);
  if (path.startsWith('proof/independent/')) return ['proof/independent/'];
  // The two dependencies between the packages: --target self on our mock, and --upstream on the rules of the suite.
  const own = path === 'conformance/cli/self.ts' ? ['src/index.ts'] : [];
  const judge = path === 'src/cli/upstream/relay.ts' ? ['conformance/live.ts'] : [];
  if (folder === 'src' && mock.includes(module))
    return [...below(mock), ...(module === 'worlds' ? ['fixtures/'] : []), ...judge];
  if (folder === 'conformance')
    return [...(kit.includes(module) ? below(kit) : ['conformance/']), ...sharedModules, ...own];
  return null;
}

describe('imports', () => {
  it('knows every module of both packages', () => {
    const folders = code.map(({ path }) => path.split('/')).filter(({ length }) => length > 2);
    const modulesOf = (folder: string) =>
      new Set(folders.flatMap(([root, module]) => (root === folder ? [module] : [])));
    expect([...modulesOf('src')].sort()).toEqual([...mock].sort());
    expect([...modulesOf('conformance')].sort()).toEqual([...kit].sort());
    expect([...modulesOf('proof')].filter((module = '') => !proof.includes(module))).toEqual([]);
  });

  it.each(
    code.flatMap((file) => {
      const allowed = allowedFor(file.path);
      return allowed ? [[file.path, file, allowed] as const] : [];
    }),
  )('%s imports from its own module and lower ones only', (_path, file, allowed) => {
    expect(ownImports(file).filter((path) => !allowed.some((prefix) => path.startsWith(prefix)))).toEqual([]);
  });

  it('lets each part of the proof import itself and lower parts only', () => {
    const upward = sources.flatMap((file) => {
      const [root, part = ''] = file.path.split('/');
      const allowed = proof.slice(0, proof.indexOf(part) + 1).map((lower) => `proof/${lower}`);
      const imports = root === 'proof' ? ownImports(file).filter((path) => path.startsWith('proof/')) : [];
      const isAllowed = (path: string) => allowed.some((lower) => path === lower || path.startsWith(`${lower}/`));
      return imports.filter((path) => !isAllowed(path)).map((path) => `${file.path} imports ${path}`);
    });
    expect(upward).toEqual([]);
  });

  it.each([
    ['the test kit: proof but the second implementation', /^fixtures\/test-kit\//, /^proof\/(?!independent\/|results)/],
    ['tests: proof but the second implementation', /^(?!proof\/).*\.test\.ts$/, /^proof\/(?!independent\/)/],
    [
      'a check: another check',
      /^conformance\/checks\/(?!index|rules|.*(\/index|\.test)\.ts)/,
      /^conformance\/checks\//,
    ],
    [
      'a scenario or a check: code that sends requests',
      /^conformance\/(scenarios|checks)\/(?!.*\.test\.ts)/,
      /^(conformance\/driver\/|node:)/,
    ],
    ['code that ships: proof', /^(src|conformance)\/(?!.*\.test\.ts)/, /^proof\//],
    ['the core: Node', /^src\/(contract|domain|http|mcp|engine|admin|worlds)\/(?!generate|.*\.test\.ts)/, /^node:/],
  ])('does not let %s', (_what, importer, imported) => {
    const files = sources.filter(({ path }) => importer.test(path));
    expect(files.length).toBeGreaterThan(0);
    const offenders = files.filter((file) =>
      [...ownImports(file), ...outerImports(file)].some((path) => imported.test(path)),
    );
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });
});

describe('time and chance', () => {
  // A page's script runs in the browser of its reader.
  const free =
    /^(src\/admin\/client\/|src\/(api|transports|try|testing|terminal|cli)\/|src\/worlds\/make-|src\/engine\/prepare-engine|spec\/|proof\/|fixtures\/|conformance\/(cli|driver\/pace\/clock|driver\/wire))/;
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
  it('keeps every file under 500 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 500);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  // The formatter breaks code at 120; it leaves texts and comments alone.
  it('keeps comments within 120 columns and texts within 160', () => {
    const isWide = (line: string) =>
      line.length > (/^\s*(\/\/|\/?\*)/.test(line) ? 120 : 160) && !line.includes('http');
    const wide = code.filter(({ text }) => text.split('\n').some(isWide));
    expect(wide.map(({ path }) => path)).toEqual([]);
  });
});

describe('counts', () => {
  const nouns =
    'account article byte call character check clause contact customer day entry exchange finding invite keyword ' +
    'line message organization page problem reading record request review row rule run site text time tool';
  // A constant is larger than one, and so is the whole of which something is a part.
  const counted = new RegExp(`(?<!\\bof (?:the )?)\\$\\{([^{}]+)\\} (${nouns.split(' ').join('|')})s\\b`, 'g');
  const isConstant = (expression: string, text: string) =>
    /[mM]ax|\b(limit\w*|most|over|preset|name|count)\b|toLocale/.test(expression) ||
    new RegExp(`^(export )?const ${/\w*/.exec(expression)}\\b`, 'm').test(text);
  it('have a noun in the singular for one of it: `count` of src/terminal', () => {
    const shipped = code.filter(({ path }) => /^(src|conformance)\//.test(path) && !path.includes('/mutants/'));
    const found = shipped.flatMap(({ path, text }) =>
      [...text.matchAll(counted)]
        .filter(([, number = '']) => !isConstant(number, text))
        .map(([hit]) => `${path}: ${hit}`),
    );
    expect(found).toEqual([]);
  });
});

describe('citations', () => {
  it('name clauses that exist', () => {
    const known = new Set(Object.keys(clauses));
    for (const file of sources) expect([file.path, [...citedClauses(file, known).unknown]]).toEqual([file.path, []]);
  });
});

describe('names', () => {
  it('has no drawer for everything', () => {
    const vague = sources.filter(({ path }) => /(^|\/)(utils?|helpers?|common|manager|misc)(\/|\.ts|-)/.test(path));
    expect(vague.map(({ path }) => path)).toEqual([]);
  });
});
