// One of several mocks that answer as one. Every request goes into the log first, reads too, because they move the
// windows of the limiters; it is answered when this replica has applied its entry, in the order of the log. The engine
// is deterministic and its time stands at the entry, so all replicas hold the same state at the same entry.
import type { GuardOptions } from '../admin/guard.ts';
import { type CoreRequest, type CoreResponse, mcpPath } from '../http/message.ts';
import { isLook, isOwnMatter, readyPath } from './kinds.ts';
import { type Envelope, openEnvelope, toEnvelope, toRequest } from './letter.ts';
import type { LogConnection, LogEntry, OpenLog } from './log.ts';
import { Outbox, type Timers, type Waiting } from './outbox.ts';
import { type Parcel, readParcel } from './parcel.ts';
import { describeReady, refuse } from './refusal.ts';
import { type MakeEngine, ReplicaState } from './state.ts';
import type { Vault } from './vault.ts';

export interface ReplicaOptions {
  /** Of this process alone, ever: letters and digits. */
  readonly name: string;
  readonly open: OpenLog;
  /** The same for engines that answer with the same bytes. */
  readonly fingerprint: string;
  readonly makeEngine: MakeEngine;
  readonly vault: Vault;
  readonly timers: Timers;
  readonly guard: GuardOptions;
  /** Tells the user something in one sentence. */
  readonly tell: (sentence: string) => void;
  readonly pace?: Partial<ReplicaPace>;
}

/** `checkpointBytes` has to be the same on all replicas: it is part of the fingerprint. */
export interface ReplicaPace {
  /** How long a request waits for its entry before it is refused. */
  readonly patienceMs: number;
  /** A replica that has not seen the end of the log for so long is behind. */
  readonly behindMs: number;
  readonly reopenMs: number;
  /** So much of the log is kept behind a checkpoint before the next is taken. */
  readonly checkpointBytes: number;
}

export const replicaPace: ReplicaPace = {
  patienceMs: 5_000,
  behindMs: 2_000,
  reopenMs: 20,
  checkpointBytes: 32 * 1024 * 1024,
};

/** What the health page says of a replica. */
export interface ReplicaHealth {
  readonly replica: string;
  readonly state: 'ready' | 'behind' | 'stopping';
  readonly connected: boolean;
  /** Id of the last entry that was applied; null before the first. */
  readonly position: string | null;
  readonly waiting: number;
  readonly applied: number;
  /** Copies of entries that had been applied before, and entries of other versions. */
  readonly duplicates: number;
  readonly fenced: number;
  /** How often the state was taken from a checkpoint or from the beginning of the log. */
  readonly restored: number;
  readonly trouble: string | null;
}

/** The log cannot be followed by this replica, now or later. */
export class ReplicaRefused extends Error {
  override readonly name = 'ReplicaRefused';
}

/** The requests of one entry, with those who wait for an answer here. */
interface Work {
  readonly requests: readonly Envelope[];
  readonly waiting: readonly Waiting[];
  readonly isOwn: boolean;
}

const entriesAtOnce = 100;
/** An entry of a checkpoint that did not come. */
const askAgainMs = 10_000;

export class Replica {
  readonly #options: ReplicaOptions;
  readonly #pace: ReplicaPace;
  readonly #outbox: Outbox;
  readonly #streams = new Set<() => void>();
  #state: ReplicaState | null = null;
  #connection: LogConnection | null = null;
  #end: 'stopping' | 'stopped' | null = null;
  /** When the end of the log was last seen, by the timers. */
  #currentAtMs = Number.NEGATIVE_INFINITY;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #lostCheckpoint: string | null = null;
  #counts = { applied: 0, duplicates: 0, fenced: 0, restored: 0, requests: 0 };
  #trouble: string | null = null;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#pace = { ...replicaPace, ...options.pace };
    this.#outbox = new Outbox({
      from: options.name,
      fingerprint: options.fingerprint,
      timers: options.timers,
      patienceMs: this.#pace.patienceMs,
      onBroken: (connection, error) => this.#break(connection, error),
    });
  }

  /** Null until the first entry was applied, and while a state is looked for anew. */
  get state(): ReplicaState | null {
    return this.#state;
  }

  /**
   * Follows the log until `stop`. Rejects with a `ReplicaRefused` where that makes no sense; any other trouble is
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
        if (error instanceof ReplicaRefused) throw error;
        this.#trouble = error instanceof Error ? error.message : String(error);
      } finally {
        this.#outbox.disconnect();
        this.#connection = null;
        connection?.close();
      }
      if (!this.#isStopped()) await new Promise<void>((resolve) => void timers.later(this.#pace.reopenMs, resolve));
    }
  }

  /** Whether requests sent here are answered; a load balancer asks it. */
  get isReady(): boolean {
    return this.#end === null && !this.#isBehind();
  }

  health(): ReplicaHealth {
    const { requests: _, ...counts } = this.#counts;
    return {
      replica: this.#options.name,
      state: this.#end !== null ? 'stopping' : this.#isBehind() ? 'behind' : 'ready',
      connected: this.#connection !== null,
      position: this.#state?.entry.id ?? null,
      waiting: this.#outbox.waiting,
      ...counts,
      trouble: this.#isBehind() ? this.#trouble : null,
    };
  }

  /** Resolves with an answer always; rejects for a bug of ours. */
  handle(request: CoreRequest): Promise<CoreResponse> {
    if (request.path === readyPath) return Promise.resolve(describeReady(this.isReady, this.health().state));
    const state = this.#state;
    if (state && isOwnMatter(request, this.#options.guard)) return Promise.resolve(this.#answerAlone(request, state));
    if (state === null || this.#isBehind() || this.#end === 'stopped') {
      return Promise.resolve(refuse(request, { reason: this.#whyBehind(), isOpen: false }));
    }
    if (this.#outbox.isFull) {
      return Promise.resolve(refuse(request, { reason: 'too many requests wait for the shared log', isOpen: false }));
    }
    return new Promise((resolve, reject) => {
      this.#outbox.add(toEnvelope(request, this.#options.vault), (end) => {
        if (end instanceof Error) reject(end);
        else resolve('reason' in end ? refuse(request, end) : end);
      });
    });
  }

  /** From now on the health says that it stops; requests are answered still. */
  drain(): void {
    this.#end ??= 'stopping';
  }

  stop(): void {
    this.#end = 'stopped';
    this.#outbox.close('this replica stops');
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
    return `this replica is behind the shared log${trouble}`;
  }

  #break(connection: LogConnection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#trouble = error instanceof Error ? error.message : String(error);
    this.#outbox.disconnect();
    connection.close();
  }

  async #follow(connection: LogConnection): Promise<void> {
    const state = this.#state ?? (await this.#findState(connection));
    if (!state) return;
    // The first look does not wait: an end that is already reached is known at once. Nothing is sent before it: a log
    // that was lost has to begin with its first entry again.
    let waits = false;
    let isSending = false;
    while (!this.#isStopped() && this.#connection === connection) {
      const entries = await connection.read(state.entry, { countMax: entriesAtOnce, waits });
      if (entries === 'gone') return this.#forgetState(state);
      if (!isSending) this.#outbox.connect(connection);
      isSending = true;
      for (const entry of entries) {
        const applying = this.#apply(state, entry);
        if (applying) await applying;
      }
      waits = entries.length < entriesAtOnce;
      if (waits) this.#currentAtMs = this.#options.timers.now();
    }
  }

  /** Null when nothing is there yet: the next look finds the beginning, whoever wrote it. */
  async #findState(connection: LogConnection): Promise<ReplicaState | null> {
    const { name, fingerprint, makeEngine, vault } = this.#options;
    const checkpoint = await connection.checkpoint();
    if (checkpoint) {
      this.#holdFingerprint(checkpoint.fingerprint);
      if (checkpoint.at === this.#lostCheckpoint) {
        throw new ReplicaRefused(
          'The shared log has a checkpoint and not the entry that it was taken at: delete both.',
        );
      }
      this.#state = await ReplicaState.restore(checkpoint, { make: makeEngine, vault });
    } else {
      const found = await connection.read(null, { countMax: 1, waits: false });
      const first = found === 'gone' ? undefined : found[0];
      if (!first) {
        const begin: Parcel = { from: name, n: 0, f: fingerprint, kind: 'begin' };
        await connection.begin(JSON.stringify(begin));
        return null;
      }
      const parcel = readParcel(first.text);
      this.#holdFingerprint(parcel?.f ?? 'unknown');
      if (parcel?.kind !== 'begin') {
        throw new ReplicaRefused('The shared log has lost its beginning and has no checkpoint: delete it.');
      }
      this.#state = await ReplicaState.begin(first, makeEngine);
    }
    this.#counts.restored += 1;
    return this.#state;
  }

  #holdFingerprint(found: string): void {
    const { fingerprint } = this.#options;
    if (found === fingerprint) return;
    throw new ReplicaRefused(
      `The shared log belongs to replicas of another version, world or setting (${found}, this is ${fingerprint}); ` +
        'stop them and delete the log, or give --shared another name.',
    );
  }

  /** What was applied here is not what the log says: only the log counts. */
  #forgetState({ entry }: ReplicaState): void {
    this.#options.tell(`The shared log does not have entry ${entry.id} any more; the state is read from it anew.`);
    const wasCheckpoint = readParcel(entry.text)?.kind === 'checkpoint';
    this.#lostCheckpoint = wasCheckpoint ? entry.id : null;
    this.#state = null;
    this.#currentAtMs = Number.NEGATIVE_INFINITY;
    this.#endStreams();
  }

  /** Synchronous but for the MCP door: later entries wait. */
  #apply(state: ReplicaState, entry: LogEntry): Promise<void> | null {
    state.entry = entry;
    state.bytes += entry.text.length;
    this.#counts.applied += 1;
    const parcel = readParcel(entry.text);
    if (parcel?.f !== this.#options.fingerprint) {
      this.#counts.fenced += 1;
      return null;
    }
    if (parcel.kind === 'begin') return null;
    if (!state.isNew(parcel.from, parcel.n)) {
      this.#counts.duplicates += 1;
      return null;
    }
    const isOwn = parcel.from === this.#options.name;
    const waiting = isOwn ? this.#outbox.take(parcel.n) : [];
    if (parcel.kind !== 'requests') {
      if (parcel.kind === 'checkpoint') this.#checkpoint(state, isOwn);
      return null;
    }
    const applying = this.#answer(state, { requests: parcel.requests, waiting, isOwn });
    if (isOwn && state.bytes >= this.#pace.checkpointBytes) this.#askForCheckpoint();
    return applying;
  }

  /** Null when all was answered at once. */
  #answer(state: ReplicaState, { requests, waiting, isOwn }: Work, from = 0): Promise<void> | null {
    const { vault } = this.#options;
    const { engine } = state;
    for (let i = from; i < requests.length; i += 1) {
      const letter = openEnvelope(requests[i] as Envelope, vault);
      if (!isOwn && isLook({ method: letter.m, path: letter.p })) continue;
      this.#counts.requests += 1;
      const request = toRequest(letter, { engine, vault, connection: this.#counts.requests });
      const end = waiting[i] ?? (() => {});
      if (request.path === mcpPath && request.method !== 'OPTIONS') {
        const answered = engine.handleMcp(request).then(end, (bug) => end(toError(bug)));
        return answered.then(() => this.#answer(state, { requests, waiting, isOwn }, i + 1) ?? undefined);
      }
      const response = attempt(() => engine.handle(request));
      if (response instanceof Error || !response.later) end(response);
      else {
        // What is made later may change something too, and nothing may come in between.
        const answered = complete(response).then(end, (bug) => end(toError(bug)));
        return answered.then(() => this.#answer(state, { requests, waiting, isOwn }, i + 1) ?? undefined);
      }
    }
    return null;
  }

  #askForCheckpoint(): void {
    const nowMs = this.#options.timers.now();
    if (nowMs - this.#askedAtMs < askAgainMs) return;
    this.#askedAtMs = nowMs;
    this.#outbox.post('checkpoint');
  }

  /** Several replicas may have asked; all of them decide in the same way whether it is time. */
  #checkpoint(state: ReplicaState, isOwn: boolean): void {
    if (state.bytes < this.#pace.checkpointBytes) return;
    const describe = state.checkpoint();
    this.#askedAtMs = Number.NEGATIVE_INFINITY;
    const connection = this.#connection;
    if (!isOwn || !connection) return;
    const { vault, fingerprint, tell } = this.#options;
    const at = state.entry.id;
    vault
      .pack(describe())
      .then((bytes) => connection.keep({ at, fingerprint, bytes }))
      .catch((error: Error) => tell(`A checkpoint of the shared log could not be kept: ${error.message}`));
  }

  #answerAlone(request: CoreRequest, { engine }: ReplicaState): CoreResponse {
    const response = engine.handle(request);
    const isHealth = request.path.endsWith('/health') && response.status === 200;
    if (isHealth && !this.isReady) return { ...response, status: 503 };
    const { stream } = response;
    return stream ? { ...response, stream: (send, end) => this.#openStream(() => stream(send, end), end) } : response;
  }

  /** A stream of events belongs to one engine. */
  #openStream(open: () => () => void, end: () => void): () => void {
    const stop = open();
    const close = () => {
      this.#streams.delete(close);
      stop();
      end();
    };
    this.#streams.add(close);
    return () => {
      this.#streams.delete(close);
      stop();
    };
  }

  #endStreams(): void {
    for (const close of [...this.#streams]) close();
  }
}

async function complete(response: CoreResponse): Promise<CoreResponse> {
  const { later, ...rest } = response;
  const { headers, ...made } = (await later?.()) ?? { headers: {}, body: '' };
  return { ...rest, ...made, headers: { ...rest.headers, ...headers } };
}

function attempt(act: () => CoreResponse): CoreResponse | Error {
  try {
    return act();
  } catch (bug) {
    return toError(bug);
  }
}

function toError(bug: unknown): Error {
  return bug instanceof Error ? bug : new Error(String(bug));
}
