// Worlds by code: those of `casa seed`, and whole worlds from the parts that a test is about. A separate entry point,
// because the generator loads faker.
import type { WorldData } from '../domain/world-data.ts';
import { nearest } from '../terminal/suggestion.ts';
import type { PartialWorld } from '../worlds/fill.ts';
import { generateWorld as generate } from '../worlds/generate.ts';
import { readWorld } from '../worlds/load.ts';
import { type WorldSize, worldRanges } from '../worlds/size.ts';

export type { WorldData } from '../domain/world-data.ts';
export type { PartialAccount, PartialOrganization, PartialWorld } from '../worlds/fill.ts';

/** Counts are those of the first organization, the others stay small; what is left out is as in the world `default`. */
export interface GenerateWorldOptions extends Partial<WorldSize> {
  /** The seed of everything random: the same options give the same world. 1 when absent. */
  readonly seed?: number;
}

/**
 * A world of any size, as `casa seed` writes it. Rejects with a `RangeError` when an option cannot be used.
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
      throw new RangeError(`generateWorld: ${name} has to be a whole number from ${min} to ${max}, not ${value}.`);
    }
  }
  const { seed = 1, ...size } = options;
  return generate({ seed, size });
}

/**
 * A whole world from its parts, to be changed, kept in a file, or given to several mocks. Rejects with a `RangeError`
 * that names what is wrong.
 *
 * @example
 * const world = await buildWorld({ articles: [{ title: 'Tea', status: 'draft' }] });
 */
export async function buildWorld(parts: PartialWorld): Promise<WorldData> {
  const violation = await readWorld(parts);
  if (violation.ok) return violation.data;
  throw new RangeError(`buildWorld: ${violation.problems.join('; ')}.`);
}
