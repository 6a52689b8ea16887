// The checks and rules of a run: the globs of the user choose among the ids, and a check runs when its needs are met.

import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Rule } from '../judge/rule.ts';
import type { Capability, Settled } from '../probe/capabilities.ts';
import type { Check } from '../probe/check.ts';
import { needs } from '../probe/needs.ts';

/** All that a run may choose from. */
export interface Catalog {
  readonly checks: readonly Check[];
  readonly rules: readonly Rule[];
  /** Ids that are known and not offered in this run: a glob may name them, and takes nothing by it. */
  readonly others?: readonly string[];
}

/** `--skip` wins over `--only`. */
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

/** Globs of the user match checks and rules alike. */
export function selectFrom(
  { checks, rules, others = [] }: Catalog,
  { only, skip }: Pick<Settled, 'only' | 'skip'>,
): Selection {
  const ids = [...checks, ...rules].map(({ id }) => id);
  return select([...ids, ...others], only, skip);
}

/** `*` crosses slashes, so `posts*` takes a whole area; every other sign stands for itself. */
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

/** Why a check is left out; null when the run has all it needs. */
export function whySkipped(check: Check, capabilities: ReadonlySet<Capability>): string | null {
  const missing = (check.needs ?? []).filter((need) => !capabilities.has(need));
  return missing.length === 0 ? null : `needs ${listOf(missing.map((need) => needs[need].flag))}`;
}

/** `a, b and c`. */
export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
