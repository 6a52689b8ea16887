// Where worlds come from: the built-in ones by name, a user's by text. Knows no file system, so it runs anywhere.
import defaultJson from '../../fixtures/worlds/default.json' with { type: 'json' };
import type { WorldData } from '../domain/world-data.ts';
import type { WorldCheck } from './check.ts';
import { type WorldName, worldNames } from './names.ts';

export { type WorldName, worldNames } from './names.ts';

export function isWorldName(text: string): text is WorldName {
  return (worldNames as readonly string[]).includes(text);
}

/** The world `default` with its original timestamps, available synchronously. */
export const defaultWorld = defaultJson as WorldData;

/**
 * Returns a built-in world with its original timestamps: `rebase` moves it to the clock. Throws a RangeError for a name
 * that is not in `worldNames`.
 */
export async function builtInWorld(name: string): Promise<WorldData> {
  if (!isWorldName(name)) {
    throw new RangeError(`There is no world ${JSON.stringify(name)}. Worlds: ${worldNames.join(', ')}.`);
  }
  switch (name) {
    case 'default':
      return defaultWorld;
    case 'empty':
      return (await import('../../fixtures/worlds/empty.json', { with: { type: 'json' } })).default as WorldData;
    case 'tied-articles':
      return (await import('../../fixtures/worlds/tied-articles.json', { with: { type: 'json' } }))
        .default as WorldData;
    case 'unpaid':
      return (await import('../../fixtures/worlds/unpaid.json', { with: { type: 'json' } })).default as WorldData;
  }
}

/** Reads a user's world, or parts of one, from the text of a file or from an object. Its code is loaded on demand. */
export async function readWorld(source: unknown): Promise<WorldCheck> {
  let value = source;
  if (typeof source === 'string') {
    try {
      // A byte order mark is not part of JSON, but editors write one.
      value = JSON.parse(source.replace(/^\uFEFF/, ''));
    } catch (error) {
      return { ok: false, problems: [`it is not valid JSON (${(error as Error).message})`] };
    }
  }
  const { checkWorld } = await import('./check.ts');
  const { fillWorld, isPartial, partProblem } = await import('./fill.ts');
  if (!isPartial(value)) return checkWorld(value);
  const problem = partProblem(value);
  if (problem !== null) return { ok: false, problems: [problem] };
  const violation = checkWorld(fillWorld(value));
  return violation.ok || 'organizations' in value
    ? violation
    : // A file can have the parts of a single organization at its top level.
      { ok: false, problems: violation.problems.map((problem) => problem.replace(/^organizations\[0\]\./, '')) };
}
