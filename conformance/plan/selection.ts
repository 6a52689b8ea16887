// The checks and rules of a run, selected by globs and by their needs.

import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Rule } from '../judge/rule.ts';
import type { Capability, Settled } from '../probe/capabilities.ts';
import type { Check } from '../probe/check.ts';
import { needs } from '../probe/needs.ts';

export interface Catalog {
  readonly checks: readonly Check[];
  readonly rules: readonly Rule[];
  /** Known ids that this run does not offer; a glob can match them without an effect. */
  readonly others?: readonly string[];
}

/** `--skip` wins over `--only`. */
export interface Selection {
  isSelected(id: string): boolean;
}

/** Rejects a glob without a match, because a run without checks must not look like a pass. */
export function select(ids: readonly string[], only: readonly string[], skip: readonly string[]): Selection {
  const patterns = { only: only.map((glob) => compile(glob, ids)), skip: skip.map((glob) => compile(glob, ids)) };
  return {
    isSelected: (id) =>
      (only.length === 0 || patterns.only.some((pattern) => pattern.test(id))) &&
      !patterns.skip.some((pattern) => pattern.test(id)),
  };
}

/** Globs of the user match checks and rules alike. */
export function selectFrom(
  { checks, rules, others = [] }: Catalog,
  { only, skip }: Pick<Settled, 'only' | 'skip'>,
): Selection {
  const ids = [...checks, ...rules].map(({ id }) => id);
  return select([...ids, ...others], only, skip);
}

/** `*` also matches slashes, so `posts*` matches a whole area. */
function compile(glob: string, ids: readonly string[]): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const pattern = new RegExp(`^${source}$`);
  if (ids.some((id) => pattern.test(id))) return pattern;
  const areas = [...new Set(ids.map((id) => `${id.split('/')[0]}/*`))];
  throw new UsageError(`No check is called "${glob}".${didYouMean(glob, [...ids, ...areas])}`);
}

/** Returns the reason why a check is skipped, or null. */
export function whySkipped(check: Check, capabilities: ReadonlySet<Capability>): string | null {
  const missing = (check.needs ?? []).filter((need) => !capabilities.has(need));
  return missing.length === 0 ? null : `needs ${listOf(missing.map((need) => needs[need].flag))}`;
}

export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
