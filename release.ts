// `npm run release -- 0.2.0 --dry-run`: checks what a release needs, builds and packs, and prints the commands that
// publish. Without --dry-run it also writes the version and dates the changelog. It never commits, tags or publishes by
// itself.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { whyNotThin } from './spec/pack-manifest.ts';

const packFolder = '.tmp';

/** Null for a version that may follow, else one sentence. */
export function rejectVersion(wanted: string, current: string): string | null {
  const parse = (version: string) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);
  const [next, last] = [parse(wanted), parse(current)];
  if (!next || !last) return `"${wanted}" is not a version such as 0.2.0.`;
  const changed = next.findIndex((part, i) => part !== last[i]);
  const isHigher = changed !== -1 && (next[changed] ?? 0) > (last[changed] ?? 0);
  return isHigher ? null : `${wanted} does not follow ${current}.`;
}

/** The changelog with its unreleased part under the version, or one sentence why that cannot be. */
export function dateChangelog(
  text: string,
  { version, day }: { version: string; day: string },
): { text: string } | string {
  if (text.includes(`## [${version}]`)) return `CHANGELOG.md already has a part for ${version}.`;
  const [, unreleased] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text) ?? [];
  if (unreleased === undefined) return 'CHANGELOG.md has no part "## [Unreleased]".';
  if (!/^- /m.test(unreleased)) return 'CHANGELOG.md lists nothing under "## [Unreleased]".';
  return { text: text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${day}\n`) };
}

function run(command: string, ...words: string[]): string {
  return execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function stop(sentence: string): never {
  console.error(`release: ${sentence}`);
  process.exit(1);
}

function main(words: readonly string[]): void {
  const isDry = words.includes('--dry-run');
  const [version, ...rest] = words.filter((word) => word !== '--dry-run');
  if (version === undefined || rest.length > 0) stop('Usage: npm run release -- VERSION [--dry-run]');

  const { name, version: current } = JSON.parse(readFileSync('package.json', 'utf8'));
  const rejection = rejectVersion(version, current);
  if (rejection !== null) stop(rejection);
  const changed = run('git', 'status', '--porcelain').trim();
  if (changed !== '') stop(`The working tree has changes:\n${changed}`);
  const changelog = dateChangelog(readFileSync('CHANGELOG.md', 'utf8'), {
    version,
    day: new Date().toISOString().slice(0, 10),
  });
  if (typeof changelog === 'string') stop(changelog);

  if (!isDry) {
    run('npm', 'version', version, '--no-git-tag-version');
    writeFileSync('CHANGELOG.md', changelog.text);
  }
  mkdirSync(packFolder, { recursive: true });
  // npm builds first, and prints the name of the tarball last.
  const tarball = run('npm', 'pack', '--silent', '--pack-destination', packFolder).trim().split('\n').at(-1);
  const problem = whyNotThin(`${packFolder}/${tarball}`);
  if (problem !== null) stop(problem);
  console.log(
    `Packed ${packFolder}/${tarball}${isDry ? ` under the present version; nothing more was written.` : '.'}`,
  );

  const released = `${packFolder}/${name}-${version}.tgz`;
  const commands = [
    '.ci/run',
    `git commit -am "Release ${version}"`,
    `git tag -a v${version} -m "${name} ${version}"`,
    'git push --follow-tags',
    `npm publish ${released}`,
  ];
  console.log(`\nA release goes on with:\n${commands.map((command) => `  ${command}`).join('\n')}`);
}

if (process.argv[1]?.endsWith('release.ts')) main(process.argv.slice(2));
