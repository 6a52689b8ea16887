// A running `casa mock`: engine, save file, socket and watcher, put together and taken apart in order.

import { type ControlledClock, createClock } from '../domain/clock.ts';
import { contractLimits } from '../domain/limits.ts';
import { listen, type NodeServer } from '../doors/node.ts';
import type { CommitEntry } from '../engine/commit.ts';
import type { Engine } from '../engine/engine.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { createEngine } from '../mock/create-engine.ts';
import type { Act } from '../mutants/index.ts';
import { readVersion } from '../terminal/version.ts';
import { rebase } from '../worlds/rebase.ts';
import type { ChosenMutant } from './mutant-flag.ts';
import { profileOf } from './profile.ts';
import { openSaveFile, type SaveFile, type SaveHead } from './save-file.ts';
import type { MockSettings } from './settings.ts';
import type { WorldSource } from './world-source.ts';
import { ClientChanges } from './world-watch.ts';

export interface MockProcess {
  readonly engine: Engine;
  readonly server: NodeServer;
  /** Notices about the start, one sentence each. */
  readonly notices: readonly string[];
  /** Puts another world under the running mock; gives back how many things of clients' were done again on it. */
  reload(source: WorldSource): number;
  /** Finishes answers under way, then makes the save file tidy. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly settings: MockSettings;
  readonly source: WorldSource;
  readonly mutant?: ChosenMutant | null;
  /** Told of each exchange in which the mutant changed something. */
  readonly onAct?: (act: Act) => void;
  /** When the process began: a new world is brought to life at this moment. */
  readonly nowMs: number;
  readonly onShutdown: () => void;
}

/** Throws a `SaveFileError` or a `ListenError` when it cannot start. */
export async function startMockProcess(options: StartOptions): Promise<MockProcess> {
  const { settings, source, nowMs } = options;
  const clock = createClock(Date.now);
  const head = describeHead(source, settings, nowMs);
  const save = settings.save === null ? null : openSaveFile(settings.save, head);
  const startMs = save?.head.startMs ?? nowMs;
  const made = new ClientChanges();
  const state = { data: rebase(source.data, startMs), keeping: false };
  const commit = (entry: CommitEntry): void => {
    if (!state.keeping) return;
    save?.append(entry);
    if (settings.watch) made.add(entry);
  };
  try {
    // Where nobody keeps changes, they need not be described either.
    const keeps = save !== null || settings.watch;
    const engine = buildEngine({ ...options, clock, commit: keeps ? commit : undefined, world: state });
    if (save) recall(engine, save, settings);
    state.keeping = true;
    for (const fault of settings.faults) engine.faults.add(fault);
    const { host, port, cors } = settings;
    const server = await listen(await mutated(engine, options), { host, port, cors });
    const reload = (next: WorldSource): number => {
      state.keeping = false;
      state.data = rebase(next.data, clock.now());
      engine.restore({ ...stored(engine.snapshot()), world: state.data.organizations });
      engine.replay(made.entries);
      state.keeping = true;
      return made.entries.length;
    };
    const stop = async (): Promise<void> => {
      await server.close();
      save?.compact(stored(engine.snapshot()));
      save?.close();
    };
    return { engine, server, notices: describeStart(settings, save), reload, stop };
  } catch (error) {
    save?.close();
    throw error;
  }
}

async function mutated(engine: Engine, { mutant, onAct }: StartOptions): Promise<Engine> {
  return !mutant ? engine : (await import('../mutants/index.ts')).mutate(engine, mutant, onAct);
}

interface EngineParts extends Pick<StartOptions, 'settings' | 'mutant' | 'onShutdown'> {
  readonly clock: ControlledClock;
  readonly commit: ((entry: CommitEntry) => void) | undefined;
  /** Changes when the world is loaded again. */
  readonly world: { readonly data: WorldSource['data'] };
}

function buildEngine({ settings, mutant, clock, commit, onShutdown, world }: EngineParts): Engine {
  const { seed, choices, relaxed, strict, grease, trustProxy, adminToken } = settings;
  return createEngine({
    // Read anew by every reset, which has to go back to the world that was loaded last.
    get data() {
      return world.data;
    },
    clock,
    seed,
    choices,
    limits: { ...contractLimits, enforced: !relaxed },
    settleMs: relaxed ? 0 : undefined,
    strict,
    grease: grease ?? undefined,
    trustProxy,
    adminToken,
    profile: profileOf(settings, mutant).name,
    commit,
    onShutdown,
  });
}

function describeHead(source: WorldSource, { seed }: MockSettings, startMs: number): SaveHead {
  return { version: readVersion(), world: source.identity, seed: seed ?? source.data.seed, startMs };
}

/** Puts the engine where the last process left it. Flags win over what was saved: faults of old flags go, limits are new. */
function recall(engine: Engine, { snapshot, changes }: SaveFile, { relaxed }: MockSettings): void {
  if (snapshot !== null) engine.restore(snapshot as Snapshot, { clock: 'elapsed' });
  engine.replay(changes as readonly CommitEntry[]);
  for (const { rule } of [...engine.faults.list()]) {
    if (rule.id.startsWith('--fault ')) engine.faults.remove(rule.id);
  }
  engine.limits.configure({ ...contractLimits, enforced: !relaxed });
}

// The history of requests stays out of the file: it is not what clients created.
function stored({ journal: _journal, verdicts: _verdicts, ...rest }: Snapshot): Omit<Snapshot, 'journal' | 'verdicts'> {
  return rest;
}

function describeStart({ host, adminToken }: MockSettings, save: SaveFile | null): string[] {
  const notices: string[] = [];
  if (save?.notice) notices.push(save.notice);
  const loopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (!loopback && adminToken === null) {
    notices.push('/__admin answers this machine only; give --admin-token TOKEN to reach it from others.');
  }
  return notices;
}
