// `--choice retry-after=always`: another legal reading of the contract, by the names of spec/choices.md.

import { type ReadingId, readings } from '../contract/generated/readings.ts';
import type { Choices } from '../domain/choices.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** Readings with a few values; forms, shapes and sizes come with a profile. */
const valuesByName = new Map(
  (Object.keys(readings) as ReadingId[]).flatMap((id): [ReadingId, readonly string[]][] => {
    const row = readings[id];
    return 'values' in row ? [[id, row.values]] : [];
  }),
);
const namesByFlag = new Map([...valuesByName.keys()].map((name) => [spellChoice(name), name]));

/** `name=a|b` for each choice, the default first. */
export const choiceSpellings: readonly string[] = [...namesByFlag].map(
  ([flag, name]) => `${flag}=${valuesByName.get(name)?.join('|')}`,
);

/** Throws a `UsageError` for a choice or a value that does not exist. */
export function parseChoices(wishes: Readonly<Record<string, string>>): Partial<Choices> {
  return Object.assign({}, ...Object.entries(wishes).map(parseChoice));
}

/** Takes the spelling of the flag and that of the config file. */
function parseChoice([flag, value]: readonly [flag: string, value: string]): Partial<Choices> {
  const known = [...namesByFlag.keys()];
  const name = namesByFlag.get(flag) ?? namesByFlag.get(spellChoice(flag));
  if (name === undefined) {
    throw new UsageError(
      `there is no choice "${flag}".${didYouMean(flag, known)} Choices: ${known.join(', ')}; spec/readings.yaml says what they mean.`,
    );
  }
  const values = valuesByName.get(name) ?? [];
  if (values.includes(value)) return { [name]: value };
  throw new UsageError(`the choice ${flag} takes ${values.join(' or ')}, not "${value}".`);
}

/** A choice as the command line and spec/choices.md spell it. */
export function spellChoice(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
