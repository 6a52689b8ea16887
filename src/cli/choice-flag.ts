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
export function parseChoices(specs: readonly string[]): Partial<Choices> {
  return Object.assign({}, ...specs.map(parseChoice));
}

/** Takes the spelling of the flag and that of the config file. */
function parseChoice(spec: string): Partial<Choices> {
  const split = spec.indexOf('=');
  if (split < 1) throw new UsageError(`--choice takes NAME=VALUE, such as retry-after=always, not "${spec}".`);
  const flag = spec.slice(0, split);
  const value = spec.slice(split + 1);
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
