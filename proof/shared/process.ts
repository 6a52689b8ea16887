// One replica as a process of the simulation: it may be paused, cut off, killed and started again.
import { createClock } from '../../src/domain/clock.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import { hashToUnit } from '../../src/domain/random.ts';
import type { EngineOptions } from '../../src/engine/engine.ts';
import type { CoreRequest, CoreResponse } from '../../src/http/message.ts';
import { createEngine } from '../../src/mock/create-engine.ts';
import type { LogConnection } from '../../src/shared/log.ts';
import { Replica, type ReplicaPace } from '../../src/shared/replica.ts';
import type { MakeEngine } from '../../src/shared/state.ts';
import type { Vault } from '../../src/shared/vault.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { rebase } from '../../src/worlds/rebase.ts';
import type { Deliver, ModelStream } from './model-stream.ts';
import type { VirtualTime } from './virtual-time.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Seals nothing, so that a run does the same each time. */
export const openVault: Vault = {
  idOf: (key) => String(hashToUnit(key)),
  seal: (text) => text,
  open: (text) => text,
  pack: async (text) => encoder.encode(text),
  unpack: async (bytes) => decoder.decode(bytes),
};

export function makeEngineOf(options: Partial<EngineOptions> = {}): MakeEngine {
  return async (startMs, now) =>
    createEngine({
      data: rebase(defaultWorld, startMs),
      clock: createClock(now),
      limits: contractLimits,
      clients: 'many',
      ...options,
    });
}

/** The simulated hours are mostly idle, so a replica may look less often. */
export const virtualPace: Partial<ReplicaPace> = { behindMs: 60_000, checkpointBytes: 60_000 };

export interface ProcessOptions {
  readonly time: VirtualTime;
  readonly stream: ModelStream;
  readonly fingerprint?: string;
  readonly makeEngine?: MakeEngine;
  readonly pace?: Partial<ReplicaPace>;
  /** Makes the way to the log wrong. */
  readonly wrap?: (connection: LogConnection) => LogConnection;
  /** Reads are answered from the state at hand, as by a mock that shares nothing but its writes. */
  readonly readsAlone?: boolean;
}

export class ReplicaProcess {
  readonly replica: Replica;
  readonly #time: VirtualTime;
  readonly deliver: Deliver;
  isDead = false;
  /** Cannot reach the stream. */
  isCutOff = false;
  readonly #readsAlone: boolean;
  #pausedUntilMs = 0;
  /** Why it ended by itself. */
  failure: Error | null = null;

  constructor({ time, stream, fingerprint = 'v1', makeEngine = makeEngineOf(), pace, ...wrong }: ProcessOptions) {
    this.#time = time;
    this.#readsAlone = wrong.readsAlone ?? false;
    this.deliver = (act) => this.#deliver(act);
    stream.processes += 1;
    this.replica = new Replica({
      name: `p${stream.processes}`,
      open: async () => {
        if (this.isCutOff) throw new Error('no route to host');
        const connection = await stream.open(this.deliver);
        return wrong.wrap ? wrong.wrap(connection) : connection;
      },
      fingerprint,
      makeEngine,
      vault: openVault,
      timers: {
        now: () => time.nowMs,
        later: (ms, act) => time.after(ms, () => this.#deliver(act)),
        soon: (act) => void time.after(0, () => this.#deliver(act)),
      },
      guard: {},
      tell: () => {},
      pace: { ...virtualPace, ...pace },
    });
    this.replica.run().catch((error: Error) => {
      this.failure = error;
    });
  }

  pause(ms: number): void {
    this.#pausedUntilMs = this.#time.nowMs + ms;
  }

  /** Answers, or never does. */
  ask(request: CoreRequest): Promise<CoreResponse> {
    return new Promise((resolve, reject) => {
      this.#deliver(() => {
        const { state } = this.replica;
        if (this.#readsAlone && state && request.method === 'GET') return resolve(state.engine.handle(request));
        this.replica.handle(request).then((response) => {
          if (!this.isDead) resolve(response);
        }, reject);
      });
    });
  }

  /** Nothing more is heard of it; what it has sent may still arrive. */
  kill(stream: ModelStream): void {
    this.isDead = true;
    this.replica.stop();
    stream.cut((deliver) => deliver === this.deliver);
  }

  #deliver(act: () => void): void {
    if (this.isDead) return;
    const waitMs = this.#pausedUntilMs - this.#time.nowMs;
    if (waitMs > 0) this.#time.after(waitMs, () => this.#deliver(act));
    else act();
  }
}
