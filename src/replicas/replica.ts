// One of several mocks that respond as one. Every request is appended to the log first, reads too, because they move
// the windows of the limiters. It gets a response when this replica has applied its entry, in the order of the log. The
// engine is deterministic and uses the time of the entry, so all replicas have the same state at the same entry.
import type { GuardOptions } from '../admin/guard.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { renderJson } from '../http/render.ts';
import {
  differences,
  entriesAtOnce,
  fingerprintOf,
  type LogConnection,
  type LogEntry,
  type OpenLog,
  type Payload,
  readPayload,
  type Settings,
  timestampOf,
} from './log.ts';
import { isOwnMatter, readyPath, toEnvelope } from './message.ts';
import type { SecretStore } from './secret-store.ts';
import { rejectRequest, SendQueue, type Timers } from './send-queue.ts';
import { carryOut, type MakeEngine, ReplicaState } from './state.ts';

export interface ReplicaOptions {
  /** Of this process alone, ever: letters and digits. */
  readonly name: string;
  readonly open: OpenLog;
  /** All that changes responses: equal for engines that give the same bytes. */
  readonly settings: Settings;
  readonly makeEngine: MakeEngine;
  readonly secretStore: SecretStore;
  readonly timers: Timers;
  readonly guard: GuardOptions;
  /** Tells the user something in one sentence. */
  readonly tell: (sentence: string) => void;
  readonly pace?: Partial<ReplicaPace>;
}

const replicaPace = {
  /** How long a request waits for its entry before it is rejected. */
  patienceMs: 5_000,
  /** A replica that has not seen the end of the log for so long is behind. */
  behindMs: 2_000,
  reopenMs: 20,
  /**
   * A checkpoint is due after so many characters of the log, so many requests, so much time if anything came, or so
   * much work: a replica that starts does it again.
   */
  checkpointBytes: 16 * 1024 * 1024,
  checkpointRequests: 10_000,
  checkpointMs: 60_000,
  checkpointWorkMs: 1_000,
};
export type ReplicaPace = Readonly<typeof replicaPace>;

/** The log cannot be followed by this replica, now or later. */
export class ReplicaRejected extends Error {
  override readonly name = 'ReplicaRejected';
}

/** An entry of a checkpoint that did not come. */
const askAgainMs = 10_000;

export class Replica {
  readonly #options: ReplicaOptions;
  readonly #pace: ReplicaPace;
  readonly #sendQueue: SendQueue;
  readonly #streams = new Set<() => void>();
  #state: ReplicaState | null = null;
  #connection: LogConnection | null = null;
  #end: 'stopping' | 'stopped' | null = null;
  /** When the end of the log was last seen, by the timers. */
  #currentAtMs = Number.NEGATIVE_INFINITY;
  readonly #fingerprint: string;
  /** The last checkpoint at the time of the next request for one. */
  #asked = { after: '', atMs: 0 };
  #checkpointCostMs = 0;
  #onCheckpoint: () => void = () => {};
  #lostCheckpoint: string | null = null;
  /** Duplicates are copies of entries that had been applied before, fenced ones are entries of other versions. */
  #counts = { applied: 0, duplicates: 0, fenced: 0, restored: 0, requests: 0 };
  #trouble: string | null = null;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#pace = { ...replicaPace, ...options.pace };
    this.#fingerprint = fingerprintOf(options.settings);
    this.#sendQueue = new SendQueue({
      from: options.name,
      fingerprint: this.#fingerprint,
      timers: options.timers,
      patienceMs: this.#pace.patienceMs,
      onBroken: (connection, error) => this.#break(connection, error),
    });
  }

  /** Null until the first entry was applied, and while a state is looked for again. */
  get state(): ReplicaState | null {
    return this.#state;
  }

  /**
   * Follows the log until `stop`. Rejects with a `ReplicaRejected` where that makes no sense; any other trouble is
   * waited out.
   */
  async run(): Promise<void> {
    const { open, timers } = this.#options;
    while (!this.#isStopped()) {
      let connection: LogConnection | null = null;
      try {
        connection = await open();
        this.#connection = connection;
        await this.#follow(connection);
      } catch (error) {
        if (error instanceof ReplicaRejected) throw error;
        this.#trouble = error instanceof Error ? error.message : String(error);
      } finally {
        this.#sendQueue.disconnect();
        this.#connection = null;
        connection?.close();
      }
      if (!this.#isStopped()) await new Promise<void>((resolve) => void timers.later(this.#pace.reopenMs, resolve));
    }
  }

  /** Whether requests sent here get responses, for load balancers. */
  get isReady(): boolean {
    return this.#end === null && !this.#isBehind();
  }

  /** Of `/__admin/health`. */
  health() {
    const { requests: _, ...counts } = this.#counts;
    return {
      replica: this.#options.name,
      state: this.#end !== null ? 'stopping' : this.#isBehind() ? 'behind' : 'ready',
      connected: this.#connection !== null,
      /** Id of the last entry that was applied; null before the first. */
      position: this.#state?.entry.id ?? null,
      waiting: this.#sendQueue.waiting,
      ...counts,
      /** Requests since the last checkpoint: a replica that starts now carries them out again. */
      sinceCheckpoint: this.#state?.load.requests ?? 0,
      trouble: this.#isBehind() ? this.#trouble : null,
    };
  }

  /** Resolves with a response always; rejects for a bug of ours. */
  handle(request: CoreRequest): Promise<CoreResponse> {
    if (request.path === readyPath) {
      const ready = this.isReady;
      return Promise.resolve(renderJson(ready ? 200 : 503, JSON.stringify({ ready, state: this.health().state })));
    }
    const state = this.#state;
    if (state && isOwnMatter(request, this.#options.guard)) return Promise.resolve(this.#respondAlone(request, state));
    if (state === null || this.#isBehind() || this.#end === 'stopped') {
      return Promise.resolve(rejectRequest(request, { reason: this.#whyBehind(), isOpen: false }));
    }
    if (this.#sendQueue.isFull) {
      return Promise.resolve(
        rejectRequest(request, { reason: 'too many requests wait for the shared log', isOpen: false }),
      );
    }
    return new Promise((resolve, reject) => {
      const { secretStore, guard } = this.#options;
      this.#sendQueue.add(toEnvelope(request, secretStore, guard), (end) => {
        if (end instanceof Error) reject(end);
        else resolve('reason' in end ? rejectRequest(request, end) : end);
      });
    });
  }

  /** From now on the health says that it stops; requests get responses still. */
  drain(): void {
    this.#end ??= 'stopping';
  }

  /** Has a checkpoint taken, so the next replica starts there. Resolves when it is kept, or takes too long. */
  async leaveCheckpoint(): Promise<void> {
    const state = this.#state;
    if (!state || state.load.requests === 0 || this.#isBehind()) return;
    await new Promise<void>((resolve) => {
      const callOff = this.#options.timers.later(this.#pace.patienceMs, resolve);
      this.#onCheckpoint = () => {
        callOff();
        resolve();
      };
      this.#askForCheckpoint(state);
    });
  }

  stop(): void {
    this.#end = 'stopped';
    this.#sendQueue.close('this replica stops');
    this.#endStreams();
    this.#connection?.close();
  }

  #isStopped(): boolean {
    return this.#end === 'stopped';
  }

  #isBehind(): boolean {
    return this.#options.timers.now() - this.#currentAtMs > this.#pace.behindMs;
  }

  #whyBehind(): string {
    if (this.#end !== null) return 'this replica stops';
    const trouble = this.#connection === null && this.#trouble !== null ? ` (${this.#trouble})` : '';
    return `this replica has not caught up with the shared log${trouble}`;
  }

  #break(connection: LogConnection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#trouble = error instanceof Error ? error.message : String(error);
    this.#sendQueue.disconnect();
    connection.close();
  }

  async #follow(connection: LogConnection): Promise<void> {
    const state = this.#state ?? (await this.#findState(connection));
    if (!state) return;
    // The first look does not wait: an end that is already reached is known at once. Nothing is sent before it: a log
    // that was lost must begin with its first entry again.
    const { timers } = this.#options;
    let waits = false;
    let isSending = false;
    while (!this.#isStopped() && this.#connection === connection) {
      const entries = await connection.read(state.entry, waits);
      if (entries === 'gone') return this.#forgetState(state);
      if (!isSending) this.#sendQueue.connect(connection);
      isSending = true;
      for (const entry of entries) {
        const startMs = timers.now();
        const { load } = state;
        const applying = this.#apply(state, entry);
        if (applying) await applying;
        load.workMs += timers.now() - startMs;
      }
      if (this.#isCheckpointDue(state)) this.#askForCheckpoint(state);
      waits = entries.length < entriesAtOnce;
      if (waits) this.#currentAtMs = timers.now();
    }
  }

  /** Null for an empty log: the next read finds the beginning, from any replica. */
  async #findState(connection: LogConnection): Promise<ReplicaState | null> {
    const { name, settings, makeEngine, secretStore } = this.#options;
    const checkpoint = await connection.checkpoint();
    if (checkpoint) {
      this.#holdSettings(checkpoint.settings);
      if (checkpoint.at === this.#lostCheckpoint) {
        throw new ReplicaRejected(
          'The shared log has a checkpoint and not the entry that it was taken at: delete both.',
        );
      }
      this.#state = await ReplicaState.restore(checkpoint, makeEngine, secretStore);
    } else {
      const found = await connection.read(null, false);
      const first = found === 'gone' ? undefined : found[0];
      if (!first) {
        const begin: Payload = { from: name, n: 0, f: this.#fingerprint, kind: 'begin', settings };
        await connection.begin(JSON.stringify(begin));
        return null;
      }
      const payload = readPayload(first.text);
      if (payload?.kind !== 'begin') {
        throw new ReplicaRejected('The shared log has lost its beginning and has no checkpoint: delete it.');
      }
      this.#holdSettings(payload.settings);
      this.#state = await ReplicaState.begin(first, makeEngine);
    }
    this.#counts.restored += 1;
    return this.#state;
  }

  #holdSettings(found: Settings): void {
    const names = differences(found, this.#options.settings);
    if (names.length === 0) return;
    throw new ReplicaRejected(
      `The shared log belongs to replicas that differ from this one in ${names.join(', ')}. ` +
        'Start this replica with the same settings, or use another name in --shared.',
    );
  }

  /** Drops a state that differs from the log: only the log counts. */
  #forgetState({ entry }: ReplicaState): void {
    this.#options.tell(`The shared log does not have entry ${entry.id} any more; the state is read from it again.`);
    const wasCheckpoint = readPayload(entry.text)?.kind === 'checkpoint';
    this.#lostCheckpoint = wasCheckpoint ? entry.id : null;
    this.#state = null;
    this.#currentAtMs = Number.NEGATIVE_INFINITY;
    this.#endStreams();
  }

  /** Synchronous but for the MCP endpoint: later entries wait. */
  #apply(state: ReplicaState, entry: LogEntry): Promise<void> | null {
    state.entry = entry;
    state.load.bytes += entry.text.length;
    this.#counts.applied += 1;
    const payload = readPayload(entry.text);
    if (payload?.f !== this.#fingerprint) {
      this.#counts.fenced += 1;
      return null;
    }
    if (payload.kind === 'begin') return null;
    if (!state.isNew(payload.from, payload.n)) {
      this.#counts.duplicates += 1;
      return null;
    }
    const isOwn = payload.from === this.#options.name;
    const waiting = isOwn ? this.#sendQueue.take(payload.n) : [];
    if (payload.kind === 'checkpoint') {
      if (payload.after === state.since) this.#checkpoint(state, isOwn);
      return null;
    }
    const { engine, load } = state;
    const count = (changesNothing: boolean) => {
      if (!changesNothing) load.requests += 1;
      this.#counts.requests += 1;
      return this.#counts.requests;
    };
    return carryOut({
      requests: payload.requests,
      waiting,
      isOwn,
      engine,
      secretStore: this.#options.secretStore,
      count,
    });
  }

  /** A large state is costly to keep: then more work is done in between. */
  #isCheckpointDue({ load, since, entry }: ReplicaState): boolean {
    const { checkpointBytes, checkpointRequests, checkpointMs, checkpointWorkMs } = this.#pace;
    if (load.requests === 0) return false;
    if (load.bytes >= checkpointBytes || load.requests >= checkpointRequests) return true;
    if (load.workMs >= Math.max(checkpointWorkMs, 2 * this.#checkpointCostMs)) return true;
    return timestampOf(entry) - timestampOf({ id: since }) >= checkpointMs;
  }

  #askForCheckpoint({ since }: ReplicaState): void {
    const atMs = this.#options.timers.now();
    if (this.#asked.after === since && atMs - this.#asked.atMs < askAgainMs) return;
    this.#asked = { after: since, atMs };
    this.#sendQueue.askForCheckpoint(since);
  }

  /** On every replica; the one that asked keeps it. */
  #checkpoint(state: ReplicaState, isOwn: boolean): void {
    const { secretStore, settings, tell, timers } = this.#options;
    const startMs = timers.now();
    const at = state.entry.id;
    const describe = state.checkpoint();
    const connection = isOwn ? this.#connection : null;
    const kept = connection && secretStore.pack(describe()).then((bytes) => connection.keep({ at, settings, bytes }));
    this.#checkpointCostMs = timers.now() - startMs;
    Promise.resolve(kept)
      .catch((error: Error) => tell(`A checkpoint of the shared log could not be kept: ${error.message}`))
      .finally(() => this.#onCheckpoint());
  }

  /** A stream of events belongs to one engine. */
  #respondAlone(request: CoreRequest, { engine }: ReplicaState): CoreResponse {
    const response = engine.handle(request);
    const { stream, status } = response;
    if (request.path.endsWith('/health') && status === 200 && !this.isReady) return { ...response, status: 503 };
    if (!stream) return response;
    const open: typeof stream = (send, end) => {
      const stop = stream(send, end);
      const leave = () => {
        this.#streams.delete(close);
        stop();
      };
      const close = () => {
        leave();
        end();
      };
      this.#streams.add(close);
      return leave;
    };
    return { ...response, stream: open };
  }

  #endStreams(): void {
    for (const close of [...this.#streams]) close();
  }
}
