import { expect, test } from 'vitest';
import { startedBy } from './ending.ts';

const repository = { GITHUB_REPOSITORY: 'acme/shop' };

test.each([
  [
    'the workflow',
    { ...repository, GITHUB_WORKFLOW_REF: 'acme/shop/.github/workflows/a.yml@refs/heads/x' },
    [],
    '.github/workflows/a.yml',
  ],
  [
    'no workflow of others',
    { ...repository, GITHUB_WORKFLOW_REF: 'acme/shared/.github/workflows/a.yml@v1' },
    [],
    undefined,
  ],
  ['a file of the folder', {}, [undefined, './package.json'], 'package.json'],
  ['no file outside of it', {}, ['../', '/'], undefined],
  ['no file that is not there', {}, ['no-such.json'], undefined],
])('a run was started by %s', (_, environment, files, wanted) => {
  expect(startedBy(environment, files)).toBe(wanted);
});
