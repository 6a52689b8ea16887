// A running `casa mock`: engine, save file, socket and watcher, put together and taken apart in order.

import { adminApi } from '../admin/control-plane.ts';
import type { BehaviorsSource } from '../contract/profile.ts';
import { dayMs } from '../contract/timestamps.ts';
import { type ControlledClock, createClock, steadySource } from '../domain/clock.ts';
import { contractLimits } from '../domain/limits.ts';
import { styleWorld } from '../domain/style-world.ts';
import type { Commit, CommitEntry } from '../engine/commit.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import type { Snapshot, StoredSnapshot } from '../engine/snapshot.ts';
import type { Act } from '../mutants/index.ts';
import { count } from '../terminal/count.ts';
import { readVersion } from '../terminal/version.ts';
import { listen, type NodeServer } from '../transports/node.ts';
import { rebase } from '../worlds/rebase.ts';
import type { ChosenMutant } from './mutant-flag.ts';
import { profileOf } from './profile.ts';
import type { Recall, SaveFile, SaveHead } from './save/save-file.ts';
import type { MockSettings } from './settings.ts';
import { behaviorsAsked, describeBehaviors, forHead, isSameSource, settleBehaviors } from './start-behaviors.ts';
import type { OpenRelay } from './upstream/relay.ts';
import { ClientChanges, type WorldSource } from './world-source.ts';

/** What `casa mock` holds while it runs; tests start one without a terminal. */
export interface MockProcess {
  readonly engine: Engine;
  readonly server: NodeServer;
  /** Notices about the start, one sentence each. */
  readonly notices: readonly string[];
  /** Puts another world under the running mock; returns how many changes by clients were made again on it. */
  reload(source: WorldSource): number;
  /** Finishes open responses, then closes the save file. */
  stop(): Promise<void>;
}

/** Time, disk and output are parameters. */
export interface StartOptions {
  readonly settings: MockSettings;
  readonly source: WorldSource;
  readonly mutant?: ChosenMutant | null;
  /** Told of each exchange in which the mutant changed something. */
  readonly onAct?: (act: Act) => void;
  /** When the process began: a new world is brought to life at this moment. */
  readonly nowMs: number;
  readonly onShutdown: () => void;
  /** Told what the user should know while the mock runs, one sentence each. */
  readonly onNotice: (sentence: string) => void;
  /** Where the keys of a deployment are; that of the process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Rejects with a `SaveFileError`, a `SaveDiskError` or a `ListenError` when it cannot start. */
export async function startMockProcess(options: StartOptions): Promise<MockProcess> {
  const { settings, source, nowMs } = options;
  const clock = createClock(
    steadySource(
      () => Date.now(),
      () => performance.now(),
    ),
  );
  const head = describeHead(source, settings, nowMs);
  const save = await openSave(head, options);
  const startMs = save?.head.startMs ?? nowMs;
  const behaviors = settleBehaviors(settings, save);
  const state: Running = {
    data: styleWorld(rebase(source.data, startMs), behaviors.ofWorld.chosen),
    made: new ClientChanges(),
    keeping: false,
    log: undefined,
  };
  const commit: Commit = (entry, takeBack) => {
    if (!state.keeping) return;
    state.log?.append(entry, takeBack);
    if (settings.watch) state.made.add(entry);
  };
  let relay: OpenRelay | undefined;
  try {
    relay = await openUpstream(options);
    // Without --save, changes need no description.
    const keeps = save !== null || settings.watch;
    const engine = buildEngine({
      ...options,
      clock,
      commit: keeps ? commit : undefined,
      world: state,
      relay,
      behaviors: behaviors.inForce,
      health: () => (save?.isFailing ? { status: 'failing', failure: save.failure } : {}),
    });
    const notices = [await save?.recall(createRecall(engine, settings.watch ? state.made : null))];
    const strays = behaviors.asked !== null && !isSameSource(engine.behaviors, behaviors.asked);
    if (save) applyFlags(engine, settings, strays ? behaviors.asked : null);
    const { made } = state;
    const isOther = behaviors.isNew || strays;
    state.log = await save?.start(isOther ? { ...save.head, ...forHead(behaviors.inForce) } : save.head, () => ({
      ...engine.toWrite(),
      ...(settings.watch && { clientChanges: structuredClone(made.entries) }),
    }));
    state.keeping = true;
    const reload = createReload(engine, state, settings);
    if (save && settings.watch && save.head.world !== head.world)
      notices.push(`the world file has changed since; ${describeMade(reload(source))} on it`);
    for (const fault of settings.faults) engine.faults.add(fault);
    const server = await listen(await mutated(engine, options), { ...settings, persistence: state.log });
    const stop = async () => {
      await server.close();
      relay?.close();
      save?.close();
    };
    return {
      engine,
      server,
      notices: describeStart(options, [startMs, server.port], [...notices, ...describeBehaviors(settings, behaviors)]),
      reload,
      stop,
    };
  } catch (error) {
    relay?.close();
    save?.close();
    throw error;
  }
}

/** State that changes while the mock runs, in addition to its engine. */
interface Running {
  /** The world that was loaded last. */
  data: WorldSource['data'];
  /** With `--watch`: the parts that are created again for the next world. */
  readonly made: ClientChanges;
  /** False while changes are made that were kept before. */
  keeping: boolean;
  log: SaveFile | undefined;
}

/** Another world, on which the changes by clients are made again; the save file moves to it. */
function createReload(engine: Engine, state: Running, settings: MockSettings): MockProcess['reload'] {
  return (next) => {
    const nowMs = engine.clock.now();
    state.keeping = false;
    state.data = styleWorld(rebase(next.data, nowMs), engine.behaviors.chosen);
    engine.restore({ ...stored(engine.snapshot()), world: state.data.organizations });
    engine.replay(state.made.entries);
    state.keeping = true;
    state.log?.moveTo({ ...describeHead(next, settings, nowMs), ...forHead(engine.behaviors) });
    return state.made.entries.length;
  };
}

/** The changes by clients that a reload has kept. */
export function describeMade(made: number): string {
  return `${count(made, 'change')} by clients ${made === 1 ? 'was' : 'were'} made again`;
}

/** Only the socket has the mutant: saved changes are those of the mock. */
async function mutated(engine: Engine, { mutant, onAct }: StartOptions): Promise<Engine> {
  return !mutant ? engine : (await import('../mutants/index.ts')).mutate(engine, mutant, onAct);
}

interface EngineParts
  extends Pick<StartOptions, 'settings' | 'mutant' | 'onShutdown'>,
    Pick<EngineOptions, 'health' | 'relay'> {
  readonly clock: ControlledClock;
  readonly commit: Commit | undefined;
  readonly behaviors: BehaviorsSource;
  /** Changes when the world is loaded again. */
  readonly world: { readonly data: WorldSource['data'] };
}

/** `--relaxed` means two things: no limiters, and calls that settle at once. */
function buildEngine({
  settings,
  mutant,
  clock,
  commit,
  onShutdown,
  world,
  health,
  relay,
  behaviors,
}: EngineParts): Engine {
  const { limits, settleS, host } = settings;
  return createEngine({
    ...settings,
    admin: adminApi,
    // Read again by every reset, which has to go back to the world that was loaded last.
    get data() {
      return world.data;
    },
    clock,
    behavior: behaviors.chosen,
    learnt: behaviors.learnt,
    limits: { ...contractLimits, enforced: limits },
    settleMs: settleS === null ? undefined : settleS * 1000,
    grease: behaviors.grease ?? undefined,
    adminHosts: [host],
    profile: profileOf(settings, mutant).name,
    commit,
    // Browsers, scripts and colleagues share it.
    clients: 'many',
    health,
    relay,
    onShutdown,
  });
}

/** The settings that a save file must agree with. */
function describeHead(source: WorldSource, settings: MockSettings, startMs: number): SaveHead {
  const seed = settings.seed ?? source.data.seed;
  return { version: readVersion(), world: source.identity, seed, startMs, ...forHead(behaviorsAsked(settings)) };
}

// Most runs save nothing, so what does it is loaded on demand.
async function openSave(head: SaveHead, { settings, onNotice }: StartOptions): Promise<SaveFile | null> {
  if (settings.save === null) return null;
  const { openSaveFile } = await import('./save/save-file.ts');
  const { saveSync: sync, watch: takesOtherWorld } = settings;
  return openSaveFile(settings.save, { head, sync, takesOtherWorld, tell: onNotice });
}

// Most runs ask no deployment, and the kit that checks one is large.
async function openUpstream({ settings, onNotice, env = process.env }: StartOptions): Promise<OpenRelay | undefined> {
  if (settings.upstream === null) return undefined;
  const { openRelay } = await import('./upstream/relay.ts');
  return openRelay(settings.upstream, { env, now: Date.now, tell: onNotice });
}

/** Puts an engine where the last process left it. With `--watch`, `made` takes up what clients changed. */
function createRecall(engine: Engine, made: ClientChanges | null): Recall {
  return {
    restore(snapshot) {
      const { clientChanges } = snapshot as { clientChanges?: readonly CommitEntry[] };
      if (made && !clientChanges) {
        throw new Error('it was written without --watch, so its single changes cannot be replayed');
      }
      made?.restore(clientChanges ?? []);
      engine.restore(snapshot as Snapshot, { clock: 'elapsed' });
    },
    replay(changes) {
      for (const change of changes) made?.add(change as CommitEntry);
      engine.replay(changes as readonly CommitEntry[]);
    },
  };
}

/** Flags win over what was saved: faults of old flags go, limits are new, and behaviors where flags name some. */
function applyFlags(engine: Engine, { limits }: MockSettings, asked: BehaviorsSource | null): void {
  if (asked !== null) engine.restore({ ...stored(engine.snapshot()), behaviors: asked });
  for (const { rule } of [...engine.faults.list()]) {
    if (rule.id.startsWith('--fault ')) engine.faults.remove(rule.id);
  }
  engine.limits.configure({ ...contractLimits, enforced: limits });
}

// The history of requests stays out of the file: it is not what clients created.
function stored({
  requestLog: _,
  violations: __,
  deliveries: ___,
  ...rest
}: Snapshot): StoredSnapshot & Partial<Snapshot> {
  return rest;
}

/** Null for a built-in world, whose times mean nothing to its user, and for a file without an anchor. */
function describeMove({ data, name, identity }: WorldSource, startMs: number): string | null {
  const distanceMs = Math.abs(startMs - Date.parse(data.anchor));
  if (identity === name || data.fixedTimes || distanceMs === 0) return null;
  const days = distanceMs < dayMs ? 'less than 1 day' : count(Math.round(distanceMs / dayMs), 'day');
  return `all times of ${name} are moved by ${days}, because its "anchor" ${data.anchor} becomes the start of the clock`;
}

/** The ports that the fetch standard blocks. */
const blockedPorts =
  '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 ' +
  '135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 ' +
  '995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080';

/** Null for a port that clients can use. */
export function describePort(port: number): string | null {
  if (!blockedPorts.split(' ').includes(String(port))) return null;
  return `browsers and fetch() block port ${port}, so they cannot reach this mock; choose another port with --port`;
}

function describeStart(
  { settings: { host, adminToken }, source, nowMs }: StartOptions,
  [startMs, port]: readonly [startMs: number, port: number],
  told: readonly (string | null | undefined)[],
): string[] {
  // A saved world has been moved before.
  const moved = startMs === nowMs ? describeMove(source, nowMs) : null;
  const notices = [...told, moved, describePort(port)].filter((sentence) => typeof sentence === 'string');
  const loopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (!loopback && adminToken === null) {
    notices.push(
      '/__admin accepts requests from this machine only; pass --admin-token TOKEN to use it from other machines.',
    );
  }
  return notices;
}
