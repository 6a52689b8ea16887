// The file of the user's repository that asked for a run: code scanning shows its alerts there.
import { existsSync, realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Env } from './options.ts';

/** The workflow under way, or the first of these files in the working folder; undefined where there is none. */
export function askedBy(environment: Env, files: readonly (string | undefined)[]): string | undefined {
  return workflowOf(environment) ?? files.map(withinFolder).find((file) => file !== undefined);
}

/** From `acme/shop/.github/workflows/judge.yml@refs/heads/main`; a file of another repository is none of this one. */
function workflowOf({ GITHUB_WORKFLOW_REF: ref, GITHUB_REPOSITORY: repository }: Env): string | undefined {
  const [, file] = /^[^/]+\/[^/]+\/(.+?)@/.exec(ref ?? '') ?? [];
  return repository !== undefined && ref?.startsWith(`${repository}/`) ? file : undefined;
}

/** With slashes, as an address has them. */
function withinFolder(file: string | undefined): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const path = relative(realpathSync('.'), realpathSync(file));
  return path === '' || path.startsWith('..') || /^([a-z]:|[\\/])/i.test(path) ? undefined : path.split(sep).join('/');
}
