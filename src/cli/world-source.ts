// The world that `casa mock` starts with: a built-in one by name, or a user's file, checked.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { WorldData } from '../domain/world-data.ts';
import { count } from '../terminal/count.ts';
import { whyUnreadable } from '../terminal/file-trouble.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { builtInWorld, readWorld, type WorldName } from '../worlds/load.ts';

export interface WorldSource {
  readonly data: WorldData;
  /** Its name in the banner. */
  readonly name: string;
  /** Tells worlds apart in a save file: a name, or a digest of the file. */
  readonly identity: string;
}

export interface WorldWish {
  /** `default` when null. */
  readonly world: WorldName | null;
  /** A world file; it takes the place of `world`. */
  readonly data: string | null;
}

/** Returns the world, generated for `nowMs` if needed. Throws a `UsageError` for an unreadable or invalid file. */
export async function loadWorld({ world, data }: WorldWish, nowMs: number): Promise<WorldSource> {
  const name = world ?? 'default';
  if (data === null) return { data: await builtInWorld(name, nowMs), name, identity: name };
  const text = readText(data);
  const violation = await readWorld(text);
  if (!violation.ok) {
    const others = violation.problems.length - 1;
    const more = others > 0 ? ` (and ${count(others, 'more problem')})` : '';
    // The parser quotes the file, line breaks included.
    const problem = violation.problems[0]?.replaceAll(/\s+/g, ' ');
    throw new UsageError(`${data} is not a world: ${problem}${more}.`);
  }
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { data: violation.data, name: data, identity: `file ${digest}` };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--data: ${path} ${whyUnreadable(error)}.`);
  }
}
