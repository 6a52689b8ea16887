import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { dateChangelog, rejectVersion } from '../../release.ts';

describe('a release', () => {
  it.each(['0.1.1', '0.2.0', '1.0.0', '0.10.0'])('may follow 0.1.0 as %s', (version) => {
    expect(rejectVersion(version, '0.1.0')).toBeNull();
  });

  it.each(['0.1.0', '0.0.9', 'v0.2.0', '0.2', 'next'])('may not follow 0.1.0 as %s', (version) => {
    expect(rejectVersion(version, '0.1.0')).toMatch(/does not follow|is not a version/);
  });

  it('dates what is unreleased, and leaves an empty part above it', () => {
    const text = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n';
    expect(dateChangelog(text, { version: '0.2.0', day: '2026-02-01' })).toEqual({
      text: text.replace('## [Unreleased]', '## [Unreleased]\n\n## [0.2.0] - 2026-02-01'),
    });
  });

  it.each([
    ['no part', '# Changelog\n', 'has no part'],
    ['an empty part', '## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n', 'lists nothing'],
    ['the version already', '## [Unreleased]\n\n- A thing.\n\n## [0.2.0] - 2026-01-01\n', 'already has'],
  ])('is rejected for a changelog with %s', (_what, text, reason) => {
    expect(dateChangelog(text, { version: '0.2.0', day: '2026-02-01' })).toContain(reason);
  });

  it('has a part for the version of now', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`## [${version}] - `);
  });
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const workflows = globSync('.github/workflows/*.yml').map((path) => {
  const text = readFileSync(path, 'utf8');
  const { jobs, permissions } = parse(text) as { jobs: Record<string, Job>; permissions?: Job['permissions'] };
  return { path, text, jobs: Object.values(jobs).map((job) => ({ permissions, ...job })) };
});

describe.each(workflows)('$path', ({ text, jobs }) => {
  it('runs only actions that are pinned by their commit, with the version next to it', () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map((match) => match[1] as string);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it('installs no floating version of a tool', () => {
    const installed = [...text.matchAll(/npm (?:install|i) .*?([\w/-]+@\S+)$/gm)].map((match) => match[1] as string);
    expect(installed.filter((tool) => !/@\d+\.\d+\.\d+$/.test(tool))).toEqual([]);
  });

  it('gives rights only to jobs that run no code of other people', () => {
    for (const { permissions = {}, steps } of jobs) {
      const canWrite = Object.values(permissions).includes('write');
      const commands = steps.map(({ run = '' }) => run);
      const runsCode = commands.some((run) => /npm (ci|run|pack|test)|npx|\.ci\//.test(run));
      expect(canWrite && runsCode).toBe(false);
      if (canWrite) expect(commands.filter((run) => /npm/.test(run) && !run.includes('--ignore-scripts'))).toEqual([]);
    }
  });
});
