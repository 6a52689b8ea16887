// The state of a replica at one entry: the engine, and the data of the log itself. A checkpoint contains all of it, so
// a replica that starts there continues with the same bytes.
import type { Engine } from '../engine/engine.ts';
import type { KeptSnapshotsState } from '../engine/kept-snapshots.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { type CoreRequest, type CoreResponse, complete, mcpPath } from '../http/message.ts';
import { type KeptCheckpoint, type LogEntry, timestampOf } from './log.ts';
import { type Envelope, isLook, openEnvelope, toRequest } from './message.ts';
import type { SecretStore } from './secret-store.ts';
import type { Waiting } from './send-queue.ts';

interface Checkpoint {
  readonly startMs: number;
  readonly entry: LogEntry;
  /** The last number of each sender, and when it came. */
  readonly numbers: readonly (readonly [sender: string, readonly [number: number, atMs: number]])[];
  readonly snapshot: Snapshot;
  readonly kept: KeptSnapshotsState;
}

type Begun = Pick<Checkpoint, 'startMs' | 'entry' | 'numbers'>;

/**
 * Creates the engine of a replica: world, seed and settings are the same on all of them. The time is that of an entry.
 */
export type MakeEngine = (startMs: number, now: () => number) => Promise<Engine>;

/** No copy of an entry is that late: its connection has been closed for long. */
const numbersKeptMs = 3_600_000;

export class ReplicaState {
  entry: LogEntry;
  readonly engine: Engine;
  readonly startMs: number;
  /** The entry of the last checkpoint, or the first of the log. */
  since: string;
  /** Requests with an effect, characters and working time since then: a replica that starts now does it all again. */
  load = { requests: 0, bytes: 0, workMs: 0 };
  readonly #numbers: Map<string, readonly [number: number, atMs: number]>;

  private constructor(engine: Engine, begun: Begun) {
    this.engine = engine;
    this.startMs = begun.startMs;
    this.entry = begun.entry;
    this.since = begun.entry.id;
    this.#numbers = new Map(begun.numbers);
  }

  /** The log begins with this entry: its timestamp is the start of the world. */
  static begin(entry: LogEntry, make: MakeEngine): Promise<ReplicaState> {
    return ReplicaState.#make({ startMs: timestampOf(entry), entry, numbers: [] }, make);
  }

  static async restore({ bytes }: KeptCheckpoint, make: MakeEngine, secretStore: SecretStore): Promise<ReplicaState> {
    const { snapshot, kept, ...begun } = JSON.parse(await secretStore.unpack(bytes)) as Checkpoint;
    const state = await ReplicaState.#make(begun, make);
    state.engine.restore(snapshot);
    state.engine.kept.restore(kept);
    return state;
  }

  static async #make(begun: Begun, make: MakeEngine): Promise<ReplicaState> {
    const held: { state?: ReplicaState } = {};
    const engine = await make(begun.startMs, () => timestampOf((held.state ?? begun).entry));
    held.state = new ReplicaState(engine, begun);
    return held.state;
  }

  /**
   * Whether an entry is new. The numbers of a sender grow; one that is not above the last is a copy, sent again because
   * the response to the first was lost.
   */
  isNew(sender: string, number: number): boolean {
    if (number <= (this.#numbers.get(sender)?.[0] ?? 0)) return false;
    this.#numbers.set(sender, [number, timestampOf(this.entry)]);
    return true;
  }

  /**
   * On every replica at the same entry, so one which begins here later is like all others. Gives a way to describe
   * the state, for the one replica that keeps it.
   */
  checkpoint(): () => string {
    const { engine, entry, startMs } = this;
    const oldestMs = timestampOf(entry) - numbersKeptMs;
    for (const [sender, [, atMs]] of this.#numbers) if (atMs < oldestMs) this.#numbers.delete(sender);
    this.since = entry.id;
    this.load = { requests: 0, bytes: 0, workMs: 0 };
    const snapshot = engine.checkpoint();
    return () => {
      const whole: Checkpoint = { startMs, entry, numbers: [...this.#numbers], snapshot, kept: engine.kept.state() };
      return JSON.stringify(whole);
    };
  }
}

// The requests of one entry, carried out one after the other.
export interface Work {
  readonly requests: readonly Envelope[];
  /** Those who wait for a response here, in the same order; none for the entry of another replica. */
  readonly waiting: readonly Waiting[];
  readonly isOwn: boolean;
  readonly engine: Engine;
  readonly secretStore: SecretStore;
  /** Counts a request, and returns a number for its connection. */
  readonly count: (changesNothing: boolean) => number;
}

/** Null when done at once. A request that loads a module first makes the next entry wait. */
export function carryOut(work: Work, from = 0): Promise<void> | null {
  const { requests, waiting, isOwn, engine, secretStore, count } = work;
  for (let i = from; i < requests.length; i += 1) {
    const message = openEnvelope(requests[i] as Envelope, secretStore);
    const changesNothing = isLook({ method: message.m, path: message.p });
    if (!isOwn && changesNothing) continue;
    const request = toRequest(message, { engine, secretStore, connection: count(changesNothing) });
    const end = waiting[i] ?? (() => {});
    const response = respond(engine, request);
    if (!(response instanceof Promise)) end(response);
    else return response.then(end, (bug) => end(toError(bug))).then(() => carryOut(work, i + 1) ?? undefined);
  }
  return null;
}

function respond(engine: Engine, request: CoreRequest): CoreResponse | Error | Promise<CoreResponse> {
  if (request.path === mcpPath && request.method !== 'OPTIONS') return engine.handleMcp(request);
  try {
    const response = engine.handle(request);
    return response.later ? complete(response) : response;
  } catch (bug) {
    return toError(bug);
  }
}

function toError(bug: unknown): Error {
  return bug instanceof Error ? bug : new Error(String(bug));
}
