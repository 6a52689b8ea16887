// `--watch`: the world file is loaded again when it changes, and the changes by clients since the start are made again
// on it.
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { WorldChange } from '../domain/change.ts';
import type { CommitEntry } from '../engine/commit.ts';

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
  contacts: true,
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
