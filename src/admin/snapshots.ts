// Snapshots that the control plane keeps for those who took them.
import type { Snapshot } from '../engine/snapshot.ts';

// A snapshot holds a whole world, and a world may be large.
export const snapshotsMax = 50;

export interface KeptSnapshot {
  readonly id: string;
  /** ISO 8601, on the mock's clock. */
  readonly at: string;
  readonly snapshot: Snapshot;
}

export class Snapshots {
  readonly #kept = new Map<string, KeptSnapshot>();
  #count = 0;

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
}
