// One seed: three replicas over a model of the stream, clients that ask any of them, and a saboteur that cuts, pauses,
// kills and parts them, for hours of virtual time. In the end the history has to be one that a single mock could have
// given, and all replicas hold the same state.
import { createHash } from 'node:crypto';
import { createRandom, hashToUnit, type Random } from '../../src/domain/random.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { goodKey, googleAccount } from '../rigs/engine.ts';
import { burster, Client, type Field, operator, poller, poster, replier } from './clients.ts';
import { ModelStream } from './model-stream.ts';
import { openVault, type ProcessOptions, ReplicaProcess } from './process.ts';
import { holdLimits, holdPosts, holdRegisters, type Recorded } from './record.ts';
import { VirtualTime } from './virtual-time.ts';

export interface SharedRun {
  readonly seed: number;
  readonly hours: number;
  /** Wraps or replaces parts, to see that the checks can fail. */
  readonly sabotage?: Partial<ProcessOptions>;
}

/** Numbers that show that something was tried; `failure` is null when everything held. */
export interface SharedResult {
  readonly seed: number;
  readonly hours: number;
  readonly requests: number;
  readonly unanswered: number;
  readonly blocked: number;
  readonly registers: number;
  readonly posts: number;
  readonly calls: number;
  readonly duplicates: number;
  readonly restored: number;
  readonly checkpoints: number;
  readonly disturbances: Readonly<Record<string, number>>;
  readonly failure: string | null;
}

const hourMs = 3_600_000;
const startMs = Date.parse('2026-03-01T08:00:00Z');
const reviewsWatched = 3;
/** Long enough for every late copy, restoration and poll. */
const calmMs = 2 * hourMs;

export async function simulateShared(run: SharedRun): Promise<SharedResult> {
  return await new Simulation(run).play();
}

class Simulation {
  readonly #run: SharedRun;
  readonly #time = new VirtualTime(startMs);
  readonly #stream: ModelStream;
  readonly #processes: ReplicaProcess[] = [];
  readonly #disturbances: Record<string, number> = {};
  readonly #history: Recorded[] = [];
  readonly #chance: Random;
  readonly #gone = { duplicates: 0, restored: 0 };
  readonly #checkpoints = new Set<string>();
  /** What a replica of another version did that it should not have done. */
  #handover: string | null = null;

  constructor(run: SharedRun) {
    this.#run = run;
    this.#chance = this.#chanceOf('saboteur');
    this.#stream = new ModelStream(this.#time, this.#chanceOf('network'));
    for (let i = 0; i < 3; i += 1) this.#processes.push(this.#start());
  }

  async play(): Promise<SharedResult> {
    const { seed, hours } = this.#run;
    const endMs = startMs + hours * hourMs;
    const field = this.#field(endMs);
    const movesClock = seed % 2 === 0;
    this.#stream.isFlaky = true;
    await this.#time.play(startMs + 1000);
    const since = new Date(startMs - 24 * hourMs).toISOString();
    const polled = [1, 2].map((i) => poller(new Client(`${10 + i}`, field), since));
    const done = Promise.all([
      ...[1, 2, 3].map((i) => replier(new Client(`${i}`, field), field)),
      poster(new Client('4', field)),
      burster(new Client('5', field)),
      operator(new Client('6', field), { movesClock }),
      this.#disturb(endMs),
      ...polled,
    ]);
    await this.#time.play(endMs);
    this.#calm();
    await this.#time.play(endMs + calmMs);
    const lists = await Promise.race([Promise.all(polled), this.#never(done)]);
    return this.#judge({ lists, since, movesClock });
  }

  /** A client that never ends would hang the run. */
  async #never(done: Promise<unknown>): Promise<never> {
    for (let turn = 0; turn < 5; turn += 1) await this.#time.play(this.#time.nowMs + calmMs);
    await Promise.race([done, new Promise((resolve) => setImmediate(resolve))]);
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error('a client never came to an end');
  }

  #judge({ lists, since, movesClock }: { lists: string[][]; since: string; movesClock: boolean }): SharedResult {
    const engines = this.#processes.map(({ replica }) => replica.state?.engine);
    const counts = { blocked: 0, registers: 0, posts: 0 };
    let failure: string | null = null;
    try {
      const states = engines.map((engine) => digest(JSON.stringify(engine?.snapshot())));
      if (new Set(states).size !== 1) throw new Error('the replicas hold different states');
      counts.registers = holdRegisters(this.#history, this.#startTexts());
      if (!movesClock) counts.blocked = holdLimits(this.#history);
      const account = [...(engines[0]?.world.organizations.values() ?? [])][0]?.accounts.get(googleAccount);
      counts.posts = holdPosts(this.#history, account?.posts.toData() ?? []);
      const truth = this.#callsSince(since).join();
      if (this.#handover !== null) throw new Error(this.#handover);
      if (account?.posts.toData().some(({ text }) => text === foreignText))
        throw new Error('an entry of v2 was applied');
      for (const list of lists) if (list.join() !== truth) throw new Error(describeDifference(list, truth.split(',')));
    } catch (error) {
      failure = (error as Error).message;
    }
    const healths = this.#processes.map(({ replica }) => replica.health());
    return {
      ...this.#run,
      requests: this.#history.length,
      unanswered: this.#history.filter(({ status }) => status === null).length,
      ...counts,
      calls: lists[0]?.length ?? 0,
      duplicates: this.#gone.duplicates + healths.reduce((sum, { duplicates }) => sum + duplicates, 0),
      restored: this.#gone.restored + healths.reduce((sum, { restored }) => sum + restored, 0),
      checkpoints: this.#checkpoints.size,
      disturbances: this.#disturbances,
      failure,
    };
  }

  #field(endMs: number): Field {
    const pick = (chance: Random) => this.#processes[chance.below(this.#processes.length)] as ReplicaProcess;
    const reviews = Object.keys(this.#startTexts());
    return { time: this.#time, seed: this.#run.seed, endMs, pick, history: this.#history, reviews };
  }

  /** The newest ones, which are all on the first page. */
  #startTexts(): Record<string, string | null> {
    const account = defaultWorld.organizations[0]?.accounts.find(({ accountId }) => accountId === googleAccount);
    const newest = [...(account?.reviews ?? [])].sort((a, b) => Date.parse(b.date) - Date.parse(a.date));
    return Object.fromEntries(newest.slice(0, reviewsWatched).map((one) => [one.reviewId, one.replyText ?? null]));
  }

  /** By the world itself and not by the log's own pages. */
  #callsSince(since: string): string[] {
    const engine = this.#processes[0]?.replica.state?.engine;
    const [organization] = engine?.world.organizations.values() ?? [];
    const calls = organization?.calls.toData() ?? [];
    const visible = calls.flatMap((call) => {
      const { visibleAt } = call as { visibleAt?: string };
      return visibleAt !== undefined && visibleAt > since ? [{ id: call.id, visibleAt }] : [];
    });
    visible.sort((a, b) => (a.visibleAt < b.visibleAt ? -1 : 1));
    const nowMs = this.#processes[0] ? (engine?.clock.now() ?? 0) : 0;
    return visible.filter(({ visibleAt }) => Date.parse(visibleAt) <= nowMs).map(({ id }) => id);
  }

  #start(): ReplicaProcess {
    return new ReplicaProcess({ time: this.#time, stream: this.#stream, ...this.#run.sabotage });
  }

  #chanceOf(use: string): Random {
    return createRandom(Math.floor(hashToUnit(`${use} ${this.#run.seed}`) * 2 ** 32));
  }

  async #disturb(endMs: number): Promise<void> {
    const kinds: readonly (readonly [string, () => Promise<void> | void])[] = [
      ['cut', () => this.#stream.cut()],
      ['cut', () => this.#cutOften()],
      ['pause', () => this.#pickProcess().pause(this.#chance.below(120_000))],
      ['crash', () => this.#crash()],
      ['partition', () => this.#partition()],
      ['restart of the stream', () => this.#restartStream()],
      ['full memory', () => this.#fill()],
      ['upgrade in place', () => this.#upgrade()],
    ];
    while (this.#time.nowMs < endMs) {
      await this.#time.wait(this.#chance.below(900_000));
      const [name, act] = kinds[this.#chance.below(kinds.length)] as (typeof kinds)[number];
      this.#disturbances[name] = (this.#disturbances[name] ?? 0) + 1;
      await act();
      if (this.#stream.checkpoint) this.#checkpoints.add(this.#stream.checkpoint.at);
    }
  }

  #pickProcess(): ReplicaProcess {
    return this.#processes[this.#chance.below(this.#processes.length)] as ReplicaProcess;
  }

  async #cutOften(): Promise<void> {
    for (let i = 0; i < 100; i += 1) {
      this.#stream.cut();
      await this.#time.wait(60);
    }
  }

  /** Another process takes its place, which has to find the state. */
  async #crash(): Promise<void> {
    const index = this.#chance.below(this.#processes.length);
    const process = this.#processes[index] as ReplicaProcess;
    const { duplicates, restored } = process.replica.health();
    this.#gone.duplicates += duplicates;
    this.#gone.restored += restored;
    process.kill(this.#stream);
    await this.#time.wait(this.#chance.below(60_000));
    this.#processes[index] = this.#start();
  }

  /** A replica of another version is started on the same log, and an entry of one gets into it all the same. */
  async #upgrade(): Promise<void> {
    const other = new ReplicaProcess({
      ...this.#run.sabotage,
      time: this.#time,
      stream: this.#stream,
      fingerprint: 'v2',
    });
    await this.#time.wait(this.#chance.below(60_000));
    if (!this.#stream.isFull && this.#stream.entries.length > 0) this.#stream.add(foreignEntry(this.#stream.processes));
    await this.#time.wait(this.#chance.below(60_000));
    if (other.replica.state || other.replica.isReady) this.#handover = 'a replica of v2 took part in the log of v1';
    other.kill(this.#stream);
  }

  async #partition(): Promise<void> {
    const process = this.#pickProcess();
    process.isCutOff = true;
    this.#stream.cut((deliver) => deliver === process.deliver);
    await this.#time.wait(this.#chance.below(300_000));
    process.isCutOff = false;
  }

  async #restartStream(): Promise<void> {
    this.#stream.isDown = true;
    this.#stream.cut();
    await this.#time.wait(this.#chance.below(30_000));
    this.#stream.isDown = false;
  }

  async #fill(): Promise<void> {
    this.#stream.isFull = true;
    await this.#time.wait(this.#chance.below(20_000));
    this.#stream.isFull = false;
  }

  #calm(): void {
    this.#stream.isDown = false;
    this.#stream.isFull = false;
    this.#stream.isFlaky = false;
    for (const process of this.#processes) process.isCutOff = false;
  }
}

const foreignText = 'written by v2';

function foreignEntry(n: number): string {
  const path = `/api/v1/connect/accounts/${googleAccount}/posts`;
  const post = { m: 'POST', p: path, h: {}, k: [openVault.idOf(goodKey), goodKey.slice(-4)], a: '198.51.100.1', o: '' };
  const requests = [{ ...post, t: JSON.stringify({ text: foreignText }) }];
  return JSON.stringify({ from: `v2p${n}`, n: 1, f: 'v2', kind: 'requests', requests });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function describeDifference(list: readonly string[], truth: readonly string[]): string {
  const at = list.findIndex((id, i) => id !== truth[i]);
  const [got, wanted] = [list[at === -1 ? list.length : at], truth[at === -1 ? list.length : at]];
  return `a poller got ${list.length} calls of ${truth.length}; at ${at} ${got} and not ${wanted}`;
}
