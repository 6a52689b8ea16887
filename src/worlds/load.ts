// Where worlds come from: the built-in ones by name, a user's by text. Knows no file system, so that it runs anywhere.

import defaultJson from '../../fixtures/worlds/default.json' with { type: 'json' };
import type { WorldData } from '../domain/world-data.ts';

export const worldNames = ['default', 'empty', 'tied-articles', 'unpaid', 'huge'] as const;

export type WorldName = (typeof worldNames)[number];

export function isWorldName(text: string): text is WorldName {
  return (worldNames as readonly string[]).includes(text);
}

/** At hand without waiting. */
export const defaultWorld = defaultJson as WorldData;

/** A built-in world as it was written: `rebase` brings it to the clock. Only `huge` is made at once for `nowMs`. */
export async function builtInWorld(name: WorldName, nowMs: number): Promise<WorldData> {
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
    case 'huge':
      return (await import('./huge.ts')).makeHugeWorld(nowMs);
  }
}
