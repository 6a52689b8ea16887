// Worlds by code: those of `casa seed`, and whole worlds from the parts that a test is about. A separate entry point,
// because the generator loads faker.
import type { WorldData } from '../domain/world-data.ts';
import { nearest } from '../terminal/suggestion.ts';
import type { PartialWorld } from '../worlds/fill.ts';
import { generateWorld as generate } from '../worlds/generate.ts';
import { readWorld } from '../worlds/load.ts';
import { type WorldSize, worldRanges } from '../worlds/names.ts';

export type { WorldData } from '../domain/world-data.ts';
export type { PartialAccount, PartialOrganization, PartialWorld } from '../worlds/fill.ts';

/** Sizes of the first organization; the others stay small. Omitted sizes are those of the world `default`. */
export interface GenerateWorldOptions extends Partial<WorldSize> {
  /** Seed of the random data, default 1: the same options give the same world. */
  readonly seed?: number;
}

/**
 * Returns a world of any size, like `casa seed`. Rejects with a `RangeError` for an invalid option.
 *
 * @example
 * const casa = await startMock({ world: await generateWorld({ seed: 7, articles: 500 }) });
 */
export async function generateWorld(options: GenerateWorldOptions = {}): Promise<WorldData> {
  const known = Object.keys(worldRanges);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(worldRanges, name)) {
      const guess = nearest(name, known);
      const hint = guess === null ? '' : ` Did you mean ${guess}?`;
      throw new RangeError(`generateWorld: there is no option "${name}"; options: ${known.join(', ')}.${hint}`);
    }
    const [min, max] = worldRanges[name as keyof typeof worldRanges];
    if (!(Number.isInteger(value) && value >= min && value <= max)) {
      throw new RangeError(`generateWorld: ${name} must be a whole number from ${min} to ${max}, not ${value}.`);
    }
  }
  const { seed = 1, ...size } = options;
  return generate({ seed, size });
}

/**
 * Returns a whole world from parts, to change it, store it in a file, or pass it to several mocks. Rejects with a
 * `RangeError` that lists the problems.
 *
 * @example
 * const world = await buildWorld({ articles: [{ title: 'Tea', status: 'draft' }] });
 */
export async function buildWorld(parts: PartialWorld): Promise<WorldData> {
  const violation = await readWorld(parts);
  if (violation.ok) return violation.data;
  throw new RangeError(`buildWorld: ${violation.problems.join('; ')}.`);
}
