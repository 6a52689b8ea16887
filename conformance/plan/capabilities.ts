// Which checks and rules a run takes: globs over ids, and what the user gave it to work with.

import { nearest } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Capability, Check } from '../probe/check.ts';

export interface Selection {
  isSelected(id: string): boolean;
}

/** A glob that matches nothing is a mistake: a run that checks nothing must not look like one that passed. */
export function select(ids: readonly string[], only: readonly string[], skip: readonly string[]): Selection {
  const patterns = { only: only.map((glob) => compile(glob, ids)), skip: skip.map((glob) => compile(glob, ids)) };
  return {
    isSelected: (id) =>
      (only.length === 0 || patterns.only.some((pattern) => pattern.test(id))) &&
      !patterns.skip.some((pattern) => pattern.test(id)),
  };
}

function compile(glob: string, ids: readonly string[]): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const pattern = new RegExp(`^${source}$`);
  if (ids.some((id) => pattern.test(id))) return pattern;
  const areas = [...new Set(ids.map((id) => `${id.split('/')[0]}/*`))];
  const near = nearest(glob, [...ids, ...areas]);
  throw new UsageError(`No check is called "${glob}".${near === null ? '' : ` Did you mean "${near}"?`}`);
}

/** How a person gives it. */
export const asks: Readonly<Record<Capability, string>> = {
  account: '--account ID',
  'writes:posts': '--allow-writes=posts',
  'writes:replies': '--allow-writes=replies',
  'writes:links': '--allow-writes=links',
  'writes:contacts': '--allow-writes=contacts',
  'second-key': 'CONFORMANCE_SECOND_KEY',
  'revoked-key': 'CONFORMANCE_REVOKED_KEY',
  'source-addresses': '--source-address (twice or more)',
  mcp: '--mcp-url URL',
  'call-id-field': '--call-id-field NAME',
  'call-ended-at-field': '--call-ended-at-field NAME',
  watch: '--watch',
  thorough: 'more time: open with --watch, --allow-writes or --pace off',
  control: '--control URL',
  burst: 'a run without --gentle',
};

/** Why a check is left out; null when the run has all it needs. */
export function whyExcluded(check: Check, capabilities: ReadonlySet<Capability>): string | null {
  const missing = (check.needs ?? []).filter((need) => !capabilities.has(need));
  return missing.length === 0 ? null : `needs ${listOf(missing.map((need) => asks[need]))}`;
}

/** `a, b and c`. */
export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
