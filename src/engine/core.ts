// The state of an engine. Every change of the world goes through `change`, and every change at all is kept and reported
// here.

import { nearestInputs } from '../contract/input-classes.ts';
import type { BehaviorsSource } from '../contract/profile.ts';
import { applyWorldChange, type WorldChange } from '../domain/change.ts';
import { type ClockState, type ControlledClock, observeClock } from '../domain/clock.ts';
import { Faults, type FaultsNews, type FaultsState } from '../domain/faults.ts';
import { contractLimits, type LimitSettings, type LimitStyle, Limits } from '../domain/limits.ts';
import { createRandom, type Random } from '../domain/random.ts';
import { prepareTakeBack, type TakeBack } from '../domain/take-back.ts';
import { createWorld, type World } from '../domain/world.ts';
import { settleBehavior, type WorldBehavior } from '../domain/world-behavior.ts';
import { needsWriter } from '../http/calibrated/plays.ts';
import { createCalibration, type Writer } from '../http/calibrated/writer.ts';
import { drawDeployment } from '../http/grease/draws.ts';
import { createGrease } from '../http/grease/grease.ts';
import { rebase } from '../worlds/rebase.ts';
import type { Change, CommitEntry, EngineEvent, Forgotten, Listener } from './commit.ts';
import { Deliveries } from './deliveries.ts';
import type { EngineOptions } from './engine-options.ts';
import { Snapshots } from './kept-snapshots.ts';
import { RequestLog } from './request-log.ts';
import {
  describeWorld,
  describeWorldToWrite,
  elapse,
  restoreWorld,
  type Snapshot,
  type StoredSnapshot,
  type WorldState,
} from './snapshot.ts';
import { Judge } from './violations/judge.ts';

/**
 * Invariant: a change of the world is stored (`#keep`) before it is made, and every change is stored before listeners
 * are notified (`tell`). A reset, restore or replay does neither, so one entry represents it.
 */
export class EngineCore {
  readonly world: World;
  readonly clock: ControlledClock;
  readonly limits: Limits;
  readonly faults: Faults;
  readonly requestLog = new RequestLog(() => this.clock.source());
  readonly deliveries = new Deliveries();
  readonly kept = new Snapshots();
  readonly judge: Judge;
  /** How responses are written now; null for the default behaviors. */
  writer: Writer | null;
  #behaviors: BehaviorsSource;
  readonly #options: EngineOptions;
  /** A separate generator for random faults, so ids do not depend on them. */
  readonly #faultsRandom: Random;
  readonly #listeners = new Set<Listener>();
  readonly #start: {
    readonly clock: ClockState | null;
    readonly random: number;
    readonly grease: number | null;
    readonly limits: LimitSettings;
    readonly behaviors: BehaviorsSource;
  };
  /** When the world began: at the start, or at the last reset of a running clock. */
  #bornMs: number | null = null;
  /** Number of connections that transports closed because of their limits. */
  closedConnections = 0;
  /** Set while changes are made that were kept before, or are kept as a whole. */
  #silent = false;

  constructor(options: EngineOptions) {
    const { data, clock, grease = null, behavior = {}, learnt, settleMs, limits = contractLimits } = options;
    this.#options = options;
    this.#behaviors = { chosen: behavior, grease, ...(learnt && { learnt }) };
    this.world = createWorld(data, {
      clock,
      behavior: settledOf(this.#behaviors),
      seed: options.seed ?? data.seed,
      ...(settleMs === undefined ? {} : { settleMs }),
    });
    this.world.near = nearestInputs(behavior);
    this.world.learnt = learnt;
    this.clock = observeClock(clock, (before) => this.#clockChanged(before));
    this.limits = new Limits(limits, limitStyle(this.world.behavior), (before) => this.#limitsChanged(before));
    this.#faultsRandom = createRandom(this.world.random.position() ^ 0x5eed);
    this.faults = new Faults(this.#faultsRandom, (news) => this.#faultsChanged(news));
    this.faults.restore({ rules: startRules(options) });
    this.judge = new Judge(clock, options.clients);
    this.writer = writerOf(this.#behaviors, options);
    this.#start = {
      clock: clock.frozen ? clock.state() : null,
      random: this.world.random.position(),
      grease: this.writer?.position() ?? null,
      limits,
      behaviors: this.#behaviors,
    };
  }

  /** For the health page: losses that a user may want to know of before trusting the request log. */
  forgotten(): Forgotten {
    const { requestLog, limits, judge, world } = this;
    return {
      requests: requestLog.dropped,
      addresses: limits.address.dropped,
      clients: judge.dropped,
      links: world.forgotten.links,
      connections: this.closedConnections,
    };
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Lets the pipeline skip what only listeners would read. */
  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Notifies listeners, except during a replay. */
  tell(event: EngineEvent): void {
    if (this.#silent) return;
    for (const listener of this.#listeners) listener(event);
  }

  /** The one way in for a change of the world: it is kept first, so a change that cannot be kept is not made. */
  change(change: WorldChange): void {
    this.#keep(change, () => prepareTakeBack(this.world, change));
    applyWorldChange(this.world, change);
  }

  /** A change from outside the API. A client may now rightly repeat a request that was rejected before. */
  changeFromOutside(change: WorldChange, what: Extract<EngineEvent, { type: 'change' }>['what']): void {
    this.change(change);
    this.judge.forgetRejections();
    this.tell({ type: 'change', what });
  }

  // The undo step is prepared only if it might be needed.
  #keep(change: Change, prepare: () => TakeBack): void {
    const { commit } = this.#options;
    if (this.#silent || !commit) return;
    const takeBack = prepare();
    const entry = { change, atMs: this.world.clock.now(), random: this.world.random.position() };
    commit(entry, () => this.#silently(takeBack));
  }

  /** The way back is taken before, the entry written after: a log needs only the word, since the start is known. */
  reset(): void {
    const takeBack = this.#prepareReturn();
    this.#silently(() => this.#reset());
    this.#keep({ kind: 'reset' }, () => takeBack);
    this.tell({ type: 'reset' });
  }

  snapshot(): Snapshot {
    return {
      ...this.#stored(describeWorld),
      requestLog: this.requestLog.state(),
      violations: [...this.judge.violations()],
      clients: this.judge.state(),
      deliveries: this.deliveries.state(),
    };
  }

  /** The records that a reset would restore, with the times of the last one. */
  initialWorld(): WorldState {
    const { data } = this.#options;
    const born = this.#bornMs === null ? data : rebase(data, this.#bornMs);
    return describeWorld(createWorld(born, this.world));
  }

  /** Returns the data of a snapshot file. Writing it as JSON takes longer, and can be done in parts. */
  toWrite(): object {
    return { ...this.#stored(describeWorldToWrite), clients: this.judge.state() };
  }

  /** Stores the restored state itself, because a later reader of the log cannot get it from the request. */
  restore(snapshot: Snapshot | StoredSnapshot, clock: 'back' | 'elapsed'): void {
    if ('clients' in snapshot) Judge.check(snapshot.clients);
    const takeBack = this.#prepareReturn();
    this.#silently(() => this.#restore(snapshot, clock));
    this.#keep({ kind: 'restore', snapshot: this.#stored(describeWorld) }, () => takeBack);
    this.tell({ type: 'reset' });
  }

  /** Each entry sets the generator to where it stood, so ids made afterwards are the ones they would have been. */
  replay(entries: readonly CommitEntry[]): void {
    this.#silently(() => {
      for (const { change, atMs, random } of entries) {
        this.#redo(change, atMs);
        this.world.random.restore(random);
      }
    });
    this.tell({ type: 'reset' });
  }

  /** The way back from a change of everything. */
  #prepareReturn(): TakeBack {
    if (!this.#options.commit) return () => {};
    const before = this.snapshot();
    return () => this.#restore(before, 'elapsed');
  }

  /**
   * A clock that was frozen at the start goes back to its timestamp; a running one runs on, and the world is moved to
   * it.
   */
  #reset(atMs: number = this.world.clock.now()): void {
    const { clock, random, grease, limits, behaviors } = this.#start;
    const { data } = this.#options;
    this.#read(behaviors);
    if (clock) this.clock.restore({ ...clock, sourceMs: this.clock.state().sourceMs });
    this.#bornMs = clock ? null : atMs;
    restoreWorld(this.world, (clock ? data : rebase(data, atMs)).organizations);
    this.world.random.restore(random);
    this.#faultsRandom.restore(random ^ 0x5eed);
    if (grease !== null) this.writer?.restore(grease);
    this.faults.restore({ rules: startRules(this.#options) });
    this.limits.configure(limits);
    this.limits.clear();
    this.requestLog.clear();
    this.deliveries.clear();
    this.judge.clear();
  }

  /** Generators are kept by position: the next id and the next draw are the same after a restore. */
  #stored<Described>(describe: (world: World) => Described) {
    return {
      casaSnapshot: 1 as const,
      world: describe(this.world),
      limits: { settings: this.limits.settings(), windows: this.limits.state() },
      clock: this.#storedClock(),
      random: {
        world: this.world.random.position(),
        faults: this.#faultsRandom.position(),
        grease: this.writer?.position() ?? null,
      },
      faults: this.faults.state(),
      behaviors: this.#behaviors,
    };
  }

  /** How the mock came to its behaviors. */
  get behaviors(): BehaviorsSource {
    return this.#behaviors;
  }

  /** To be followed by the world: its lists are kept in the order that the behaviors say. */
  #read(behaviors: BehaviorsSource): void {
    if (JSON.stringify(behaviors) === JSON.stringify(this.#behaviors)) return;
    this.#behaviors = behaviors;
    this.world.behavior = settledOf(behaviors);
    this.world.near = nearestInputs(behaviors.chosen);
    this.world.learnt = behaviors.learnt;
    this.limits.restyle(limitStyle(this.world.behavior));
    this.writer = writerOf(behaviors, this.#options);
  }

  // A stopped clock does not depend on the system time, so the same history gives the same bytes.
  #storedClock(): ClockState {
    const state = this.clock.state();
    return this.clock.frozen ? { ...state, sourceMs: state.baseMs } : state;
  }

  /**
   * Clock first: the limits and calls that follow are read against it. The history of requests goes unless the snapshot
   * brings its own.
   */
  #restore(snapshot: Snapshot | StoredSnapshot, clock: 'back' | 'elapsed'): void {
    const { world, limits, random, faults } = snapshot;
    const { sourceMs } = this.clock.state();
    if (snapshot.behaviors !== undefined) this.#read(snapshot.behaviors);
    this.clock.restore(clock === 'back' ? snapshot.clock : elapse(snapshot.clock, sourceMs));
    restoreWorld(this.world, world);
    this.world.random.restore(random.world);
    this.#faultsRandom.restore(random.faults);
    if (random.grease !== null) this.writer?.restore(random.grease);
    this.faults.restore(faults);
    this.limits.configure(limits.settings);
    this.limits.restore(limits.windows);
    this.deliveries.restore('deliveries' in snapshot ? (snapshot.deliveries ?? []) : []);
    if ('requestLog' in snapshot) this.requestLog.restore(snapshot.requestLog);
    else this.requestLog.clear();
    if ('violations' in snapshot) this.judge.restore(snapshot.violations, snapshot.clients);
    else this.judge.restore([]);
  }

  /** Makes one kept change again. `atMs` matters for a reset alone, which moves the world to that timestamp. */
  #redo(change: Change, atMs: number): void {
    switch (change.kind) {
      case 'clock':
        this.clock.restore(elapse(change.clock, this.clock.state().sourceMs));
        return;
      case 'faults':
        this.faults.restore(change.faults);
        this.#faultsRandom.restore(change.random);
        return;
      case 'fault':
        if (change.entry) this.faults.put(change.entry);
        else this.faults.remove(change.id);
        this.#faultsRandom.restore(change.random);
        return;
      case 'limits':
        this.limits.configure(change.limits);
        return;
      case 'reset':
        this.#reset(atMs);
        return;
      case 'restore':
        this.#restore(change.snapshot, 'elapsed');
        return;
      default:
        applyWorldChange(this.world, change);
    }
  }

  /** Nests nowhere: each caller is an outermost step. */
  #silently(act: () => void): void {
    this.#silent = true;
    try {
      act();
    } finally {
      this.#silent = false;
    }
  }

  /**
   * The present state is kept and not the step: `advance` on a running clock would add up differently when replayed.
   */
  #clockChanged(before: ClockState): void {
    const takeBack = () => this.clock.restore(elapse(before, this.clock.state().sourceMs));
    this.#keep({ kind: 'clock', clock: this.clock.state() }, () => takeBack);
    if (before.scale !== this.clock.scale) this.judge.changePace();
    this.tell({ type: 'clock', nowMs: this.clock.now(), scale: this.clock.scale });
  }

  /** A client may rightly come back at once when windows were widened. */
  #limitsChanged(before: LimitSettings): void {
    this.#keep({ kind: 'limits', limits: this.limits.settings() }, () => () => this.limits.configure(before));
    this.judge.forgetRejections();
    this.tell({ type: 'change', what: 'limits' });
  }

  // A rule that was used up is not a repair that clients could know of; a deleted one can be.
  #faultsChanged({ cause, id, entry, before }: FaultsNews): void {
    const random = this.#faultsRandom.position();
    const change: Change =
      id === null
        ? { kind: 'faults', faults: this.faults.state(), random }
        : { kind: 'fault', id, entry: entry && { ...entry }, random };
    this.#keep(change, () => () => this.faults.restore(before));
    if (cause === 'told') this.judge.forgetRejections();
    this.tell({ type: 'change', what: 'faults' });
  }
}

/** Grease draws behaviors, a calibrated mock follows them; a mock of default behaviors needs no writer. */
function writerOf(behaviors: BehaviorsSource, { seed, data, latency }: EngineOptions): Writer | null {
  const { chosen, grease } = behaviors;
  const settled = settledOf(behaviors);
  if (grease !== null) return createGrease(grease, { behaviors: settled, chosen });
  const pace = latency ? settled.latency : null;
  return needsWriter(chosen) || pace !== null
    ? createCalibration({ ...settled, latency: pace }, seed ?? data.seed)
    : null;
}

/** A choice by hand wins over the random profile. */
function settledOf({ chosen, grease }: BehaviorsSource): WorldBehavior {
  return settleBehavior({ ...(grease === null ? {} : drawDeployment(grease)), ...chosen });
}

function limitStyle({ blockedCount, resetMeans, addressWindow }: WorldBehavior): LimitStyle {
  return { countBlocked: blockedCount === 'yes', resetMeans, addressWindow };
}

/** The rules that a mock is started with: a reset goes back to them. */
function startRules({ faults = [] }: EngineOptions): FaultsState['rules'] {
  return faults.map((rule) => ({ rule, struck: 0 }));
}
