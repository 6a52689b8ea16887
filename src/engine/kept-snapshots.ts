// Snapshots that the control plane keeps for those who took them.
import type { Snapshot } from './snapshot.ts';

// A snapshot holds a whole world, and a world may be large.
export const snapshotsMax = 50;

/** A snapshot with the name under which it is asked for. */
export interface KeptSnapshot {
  readonly id: string;
  /** ISO 8601, on the mock's clock. */
  readonly at: string;
  readonly snapshot: Snapshot;
}

/** All of them, as plain JSON. */
export interface KeptSnapshotsState {
  readonly count: number;
  readonly kept: readonly KeptSnapshot[];
}

/** In memory only: a snapshot ends with the process. One with a known name replaces that one. */
export class Snapshots {
  readonly #kept = new Map<string, KeptSnapshot>();
  #count = 0;

  /** The caller refuses before it takes one, because taking one is the work. */
  get isFull(): boolean {
    return this.#kept.size >= snapshotsMax;
  }

  add(snapshot: Snapshot, { at, id }: { at: string; id?: string | undefined }): KeptSnapshot {
    this.#count += 1;
    const kept: KeptSnapshot = { id: id ?? `snapshot-${this.#count}`, at, snapshot };
    this.#kept.set(kept.id, kept);
    return kept;
  }

  get(id: string): KeptSnapshot | undefined {
    return this.#kept.get(id);
  }

  remove(id: string): boolean {
    return this.#kept.delete(id);
  }

  list(): KeptSnapshot[] {
    return [...this.#kept.values()];
  }

  /** For a replica that joins others: what was kept so far, and how many names were given. */
  state(): KeptSnapshotsState {
    return { count: this.#count, kept: this.list() };
  }

  restore({ count, kept }: KeptSnapshotsState): void {
    this.#count = count;
    this.#kept.clear();
    for (const each of kept) this.#kept.set(each.id, each);
  }
}
