import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

// Published files next to dist/. Add another kind of file here, with a reason to ship it.
const kinds = [
  /^package\.json$/,
  /^LICENSE$/,
  /^llms\.txt$/,
  /^[A-Z]+\.md$/,
  /^docs\/(tutorials\/|reference\/|explanation\/)?[\w.-]+\.(md|jpg|png|svg)$/,
  /^skills\/casa\/SKILL\.md$/,
  /^spec\/[\w.-]+\.(md|yaml)$/,
  /^examples\/(react-app|kubernetes)\//,
];

it('packs what users read and nothing of the workshop', { timeout: 60_000 }, () => {
  const out = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=silent'], {
    encoding: 'utf8',
  });
  const told = JSON.parse(out) as { files: { path: string }[] }[] | Record<string, { files: { path: string }[] }>;
  const [packed] = Object.values(told);
  const paths = (packed?.files ?? []).map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
  expect(paths.filter((path) => !kinds.some((kind) => kind.test(path)))).toEqual([]);
  for (const kind of kinds)
    expect(
      paths.filter((path) => kind.test(path)),
      String(kind),
    ).not.toEqual([]);
});
