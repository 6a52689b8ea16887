// The world that `casa mock` starts with: a built-in one by name, or a user's file, checked.

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
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
  /** Of the file, for `watchFile`. */
  readonly stamp: string;
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
  if (data === null) return { data: await builtInWorld(name), name, identity: name, stamp: '' };
  const stamp = stampOf(data);
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
  return { data: violation.data, name: data, identity: `file ${digest}`, stamp };
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

const lookMs = 200;

/**
 * Calls back when the file is another one than the one with this stamp, and has then been left alone for a moment:
 * editors write in several steps. It looks again and again, because events of one folder miss the targets of
 * links: a ConfigMap swaps the link of a folder. They also miss files on a network.
 */
export function watchFile(path: string, stamp: string, changed: () => void): { close(): void } {
  let [reported, before] = [stamp, stamp];
  const timer = setInterval(() => {
    const now = stampOf(path);
    const isQuiet = now === before;
    before = now;
    if (!isQuiet || now === reported) return;
    reported = now;
    changed();
  }, lookMs);
  return { close: () => clearInterval(timer) };
}

/** Differs between two versions of a file; empty for none, and for a pipe, which is read once. */
function stampOf(path: string): string {
  try {
    const found = statSync(path, { bigint: true });
    const { dev, ino, size, mtimeNs, ctimeNs } = found;
    return !found.isFile() ? '' : [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return '';
  }
}
