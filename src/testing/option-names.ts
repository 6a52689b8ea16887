// Options in JavaScript are not checked by a compiler, and a mistyped one would do nothing in silence.
import type { MockOptions } from '../mock/mock-engine.ts';
import { didYouMean } from '../terminal/suggestion.ts';

const mockOptions: { readonly [Name in keyof Required<MockOptions>]: true } = {
  world: true,
  seed: true,
  limits: true,
  clock: true,
  startAt: true,
  choices: true,
  settleS: true,
  grease: true,
  strict: true,
  clients: true,
  mutant: true,
};

/** Throws a `RangeError` for the first option that no mock and no door has. */
export function refuseUnknown(caller: string, options: object, own: readonly string[]): void {
  const known = [...Object.keys(mockOptions), ...own];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const guess = didYouMean(unknown, known) || ` Options: ${known.join(', ')}.`;
  throw new RangeError(`${caller}: there is no option "${unknown}".${guess}`);
}
