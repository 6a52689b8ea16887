import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dateChangelog, refuseVersion } from '../../release.ts';

describe('a release', () => {
  it.each(['0.1.1', '0.2.0', '1.0.0', '0.10.0'])('may follow 0.1.0 as %s', (version) => {
    expect(refuseVersion(version, '0.1.0')).toBeNull();
  });

  it.each(['0.1.0', '0.0.9', 'v0.2.0', '0.2', 'next'])('may not follow 0.1.0 as %s', (version) => {
    expect(refuseVersion(version, '0.1.0')).toMatch(/does not follow|is not a version/);
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
  ])('is refused for a changelog with %s', (_what, text, reason) => {
    expect(dateChangelog(text, { version: '0.2.0', day: '2026-02-01' })).toContain(reason);
  });

  it('has a part for the version of now', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`## [${version}] - `);
  });
});
