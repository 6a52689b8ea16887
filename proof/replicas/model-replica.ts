// One replica of the simulation: it may be paused, cut off, killed and started again.
import { createClock } from '../../src/domain/clock.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import { hashToUnit } from '../../src/domain/random.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import type { CoreRequest, CoreResponse } from '../../src/http/message.ts';
import { createEngine } from '../../src/mock/create-engine.ts';
import type { LogConnection } from '../../src/replicas/log.ts';
import { Replica, type ReplicaPace } from '../../src/replicas/replica.ts';
import type { SecretStore } from '../../src/replicas/secret-store.ts';
import type { MakeEngine } from '../../src/replicas/state.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { rebase } from '../../src/worlds/rebase.ts';
import type { Deliver, ModelStream } from './model-stream.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Seals nothing, so a run does the same each time. */
const openSecretStore: SecretStore = {
  idOf: (key) => String(hashToUnit(key)),
  seal: (text) => text,
  open: (text) => text,
  pack: async (text) => encoder.encode(text),
  unpack: async (bytes) => decoder.decode(bytes),
};

export function makeEngineOf(options: Partial<EngineOptions> = {}): MakeEngine {
  return async (startMs, now) => {
    const data = rebase(defaultWorld, startMs);
    return createEngine({ data, clock: createClock(now), limits: contractLimits, clients: 'many', ...options });
  };
}

/** The simulated hours are mostly idle, so a replica looks and keeps less often. */
const virtualPace: Partial<ReplicaPace> = { behindMs: 60_000, checkpointBytes: 60_000, checkpointMs: 1_800_000 };

export interface ModelOptions {
  readonly stream: ModelStream;
  /** Replicas of another version have other settings. */
  readonly version?: string;
  readonly makeEngine?: MakeEngine;
  readonly pace?: Partial<ReplicaPace>;
  readonly adminToken?: string;
  readonly secretStore?: SecretStore;
  /** Makes the way to the log wrong. */
  readonly wrap?: (connection: LogConnection) => LogConnection;
  /** Reads get responses from the state at hand, as by a mock that shares only its writes. */
  readonly readsAlone?: boolean;
}

export class ModelReplica {
  readonly replica: Replica;
  readonly deliver: Deliver;
  isDead = false;
  /** Cannot reach the stream. */
  isCutOff = false;
  readonly #options: ModelOptions;
  #pausedUntilMs = 0;
  /** Why it ended by itself. */
  failure: Error | null = null;

  constructor(options: ModelOptions) {
    const { stream, version = 'v1', adminToken, secretStore = openSecretStore, pace, wrap } = options;
    const { time } = stream;
    this.#options = options;
    this.deliver = (act) => this.#deliver(act);
    stream.replicas += 1;
    this.replica = new Replica({
      name: `p${stream.replicas}`,
      open: async () => {
        if (this.isCutOff) throw new Error('no route to host');
        const connection = await stream.open(this.deliver);
        return wrap ? wrap(connection) : connection;
      },
      settings: { version },
      makeEngine: options.makeEngine ?? makeEngineOf({ adminToken }),
      secretStore,
      timers: {
        now: () => time.nowMs,
        later: (ms, act) => time.after(ms, () => this.#deliver(act)),
        soon: (act) => void time.after(0, () => this.#deliver(act)),
      },
      guard: { adminToken },
      tell: () => {},
      pace: { ...virtualPace, ...pace },
    });
    this.replica.run().catch((error: Error) => {
      this.failure = error;
    });
  }

  pause(ms: number): void {
    this.#pausedUntilMs = this.#options.stream.time.nowMs + ms;
  }

  /** Responses, or never does. */
  ask(request: CoreRequest): Promise<CoreResponse> {
    return new Promise((resolve, reject) => {
      this.#deliver(() => {
        const { state } = this.replica;
        const isAlone = this.#options.readsAlone && request.method === 'GET';
        if (isAlone && state) return resolve(state.engine.handle(request));
        this.replica.handle(request).then((response) => this.isDead || resolve(response), reject);
      });
    });
  }

  /** Nothing more is heard of it; what it has sent may still arrive. */
  kill(): void {
    this.isDead = true;
    this.replica.stop();
    this.#options.stream.cut((deliver) => deliver === this.deliver);
  }

  #deliver(act: () => void): void {
    if (this.isDead) return;
    const { time } = this.#options.stream;
    const waitMs = this.#pausedUntilMs - time.nowMs;
    if (waitMs > 0) time.after(waitMs, () => this.#deliver(act));
    else act();
  }
}
