// The world that `casa mock` starts with: a built-in one by name, or a user's file, checked.

import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { WorldChange } from '../domain/change.ts';
import type { WorldData } from '../domain/world-data.ts';
import type { CommitEntry } from '../engine/commit.ts';
import { count } from '../terminal/count.ts';
import { readNamed } from '../terminal/file-trouble.ts';
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

/** Throws a `UsageError` for an unreadable or invalid file. */
export async function loadWorld({ world, data }: WorldWish): Promise<WorldSource> {
  const name = world ?? 'default';
  if (data === null) return { data: await builtInWorld(name), name, identity: name };
  const text = readNamed(`--data: ${data}`, data);
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

/** Changes that clients make, as opposed to settings of the mock. */
const clientKinds: Readonly<Record<WorldChange['kind'], true>> = {
  link: true,
  post: true,
  reply: true,
  consent: true,
  organization: true,
  call: true,
  account: true,
  payment: true,
  article: true,
  import: true,
};

/** The changes of clients, to be made again on another world. */
export class ClientChanges {
  #entries: CommitEntry[] = [];

  get entries(): readonly CommitEntry[] {
    return this.#entries;
  }

  /** Those of an earlier process, when its state is taken up again. */
  restore(entries: readonly CommitEntry[]): void {
    this.#entries = [...entries];
  }

  add(entry: CommitEntry): void {
    const { kind } = entry.change;
    if (kind === 'reset' || kind === 'restore') this.#entries = [];
    else if (Object.hasOwn(clientKinds, kind)) this.#entries.push(entry);
  }
}

const quietMs = 100;

/** Calls back when the file has changed and then been left alone for a moment: editors write in several steps. */
export function watchFile(path: string, changed: () => void): FSWatcher {
  const name = basename(path);
  let timer: NodeJS.Timeout | undefined;
  // The folder and not the file: an editor that saves by renaming would leave us with the old file.
  return watch(dirname(path), (_event, file) => {
    if (file !== null && file !== name) return;
    clearTimeout(timer);
    timer = setTimeout(changed, quietMs);
  });
}
