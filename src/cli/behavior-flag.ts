// `--behavior retry-after=always`: unspecified behavior, by the names of spec/assumptions.md.

import { type BehaviorId, behaviors } from '../contract/generated/behaviors.ts';
import type { WorldBehavior } from '../domain/world-behavior.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** Behaviors with a few values; forms, shapes and sizes come with a profile. */
const valuesByName = new Map(
  (Object.keys(behaviors) as BehaviorId[]).flatMap((id): [BehaviorId, readonly string[]][] => {
    const row = behaviors[id];
    return 'values' in row ? [[id, row.values]] : [];
  }),
);
const namesByFlag = new Map([...valuesByName.keys()].map((name) => [spellBehavior(name), name]));

/** `name=a|b` for each behavior, the default first, with its description. */
export const behaviorSpellings: readonly (readonly [spelling: string, about: string])[] = [...namesByFlag].map(
  ([flag, name]) => [`${flag}=${valuesByName.get(name)?.join('|')}`, behaviors[name].about],
);

/** Throws a `UsageError` for a behavior or a value that does not exist. */
export function parseBehaviors(wishes: Readonly<Record<string, string>>): Partial<WorldBehavior> {
  return Object.assign({}, ...Object.entries(wishes).map(parseBehavior));
}

/** Takes the spelling of the flag and that of the config file. */
function parseBehavior([flag, value]: readonly [flag: string, value: string]): Partial<WorldBehavior> {
  const known = [...namesByFlag.keys()];
  const name = namesByFlag.get(flag) ?? namesByFlag.get(spellBehavior(flag));
  if (name === undefined) {
    throw new UsageError(`there is no behavior "${flag}".${didYouMean(flag, known)} See casa mock --help behaviors.`);
  }
  const values = valuesByName.get(name) ?? [];
  if (values.includes(value)) return { [name]: value };
  throw new UsageError(`the behavior ${flag} takes ${values.join(' or ')}, not "${value}".`);
}

/** Returns the name as the command line and spec/assumptions.md spell it. */
export function spellBehavior(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
