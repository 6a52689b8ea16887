// Snapshots that the admin API keeps for those who took them.
import { recordBytes } from './request-log.ts';
import type { Snapshot, StoredSnapshot } from './snapshot.ts';

// A snapshot holds a whole world, and a world may be large.
export const snapshotsMax = 50;
/** About as much as the worlds of all snapshots take; what clients created is in them. */
export const worldsBytesMax = 512 * 1024 * 1024;
/** Of the histories of all snapshots: requests, violations and windows are what clients sent, and have a bound. */
export const historiesBytesMax = 12 * 1024 * 1024;
const rowBytes = 600;

export interface KeptSnapshot {
  readonly id: string;
  /** ISO 8601, on the mock's clock. */
  readonly at: string;
  /** Without its history if that was dropped for newer ones. */
  readonly snapshot: Snapshot | StoredSnapshot;
  /** Bytes of the history in memory; 0 when it was dropped. */
  readonly historyBytes: number;
  /** About what its world takes. */
  readonly worldBytes: number;
}

/** In memory only: a snapshot ends with the process. One with a known name replaces that one. */
export class Snapshots {
  /** The oldest first. */
  readonly #kept = new Map<string, KeptSnapshot>();
  #count = 0;
  /** How many lost their histories. */
  dropped = 0;

  readonly #bytesMax: number;

  constructor(bytesMax = worldsBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Returns why a snapshot with this id does not fit; null if it does. Called before taking one, which is expensive.
   */
  whyNot(id: string | undefined): string | null {
    const others = this.list().filter((kept) => kept.id !== id);
    const full = others.length >= snapshotsMax ? `There are ${snapshotsMax} snapshots already` : null;
    const bytes = others.reduce((sum, { worldBytes }) => sum + worldBytes, 0);
    const most = `${Math.round(this.#bytesMax / 1024 / 1024)} MiB`;
    const large = bytes >= this.#bytesMax ? `The worlds of the snapshots take more than ${most} already` : null;
    const why = full ?? large;
    return why && `${why}; remove one with DELETE /__admin/snapshots/{id}.`;
  }

  add(snapshot: Snapshot | StoredSnapshot, { at, id }: { at: string; id?: string | undefined }): KeptSnapshot {
    this.#count += 1;
    const name = id ?? `snapshot-${this.#count}`;
    this.#kept.delete(name);
    const historyBytes = 'requestLog' in snapshot ? sizeOfHistory(snapshot) : 0;
    this.#kept.set(name, { id: name, at, snapshot, historyBytes, worldBytes: sizeOfWorld(snapshot) });
    this.#dropHistories();
    return this.#kept.get(name) as KeptSnapshot;
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

  /** Drops histories and keeps the worlds, which users restore. */
  #dropHistories(): void {
    let bytes = this.list().reduce((sum, { historyBytes }) => sum + historyBytes, 0);
    for (const kept of this.list()) {
      if (bytes <= historiesBytesMax) return;
      if (kept.historyBytes === 0) continue;
      bytes -= kept.historyBytes;
      this.dropped += 1;
      this.#kept.set(kept.id, { ...kept, snapshot: withoutHistory(kept.snapshot), historyBytes: 0 });
    }
  }
}

function sizeOfHistory({ requestLog, violations, clients, limits }: Snapshot): number {
  const requests = requestLog.records.reduce((sum, { request, response }) => {
    const bodies = (request.body?.length ?? 0) + (response.body?.length ?? 0);
    return sum + bodies + JSON.stringify([request.path, request.query, request.headers]).length + recordBytes;
  }, 0);
  return requests + JSON.stringify([violations, clients, limits.windows]).length;
}

/** Estimates the size of a world from its records and the texts that clients created. */
function sizeOfWorld({ world }: Pick<Snapshot, 'world'>): number {
  let bytes = 0;
  for (const { accounts, contacts = [], ...lists } of world) {
    for (const list of Object.values(lists)) if (Array.isArray(list)) bytes += list.length * rowBytes;
    for (const { posts, reviews } of accounts) {
      bytes += (posts.length + reviews.length + 1) * rowBytes + JSON.stringify(posts).length;
    }
    bytes += contacts.length * rowBytes + JSON.stringify(contacts).length;
  }
  return bytes;
}

function withoutHistory(snapshot: Snapshot | StoredSnapshot): StoredSnapshot {
  const { casaSnapshot, world, limits, clock, random, faults } = snapshot;
  const none = { buckets: {} };
  const windows = { ...limits.windows, address: none, key: none };
  return { casaSnapshot, world, limits: { ...limits, windows }, clock, random, faults };
}
