// One seed: three replicas over a model of the stream, clients of any of them, and faults that cut, pause, kill and
// separate them, for hours of virtual time. The history must be possible with a single mock, and all replicas must have
// equal states.

import { goodKey, googleAccount, json, toRequest } from '../../fixtures/test-kit/engine.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { Client, type Field, type HttpResponse, poller, randomOf, startClients } from './clients.ts';
import { holdPosts, holdRegisters, type Recorded } from './history.ts';
import { type ModelOptions, ModelReplica } from './model-replica.ts';
import { ModelStream, VirtualTime } from './model-stream.ts';

/** `replacements` replaces parts, to see that the laws can be broken. */
export interface SimulatedRun {
  readonly seed: number;
  readonly hours: number;
  readonly replacements?: Partial<ModelOptions>;
}

const hourMs = 3_600_000;
const startMs = Date.parse('2026-03-01T08:00:00Z');
/** Long enough for every late copy, restoration and poll. */
const calmMs = 2 * hourMs;
/** Longer than a replica lets a request wait. */
const giveUpMs = 12_000;

/** Throws when a law was broken; returns numbers that show that something was tried. */
export async function simulate(run: SimulatedRun) {
  return await new Simulation(run).play();
}

class Simulation {
  readonly #run: SimulatedRun;
  readonly #time = new VirtualTime(startMs);
  readonly #stream: ModelStream;
  readonly #replicas: ModelReplica[];
  readonly #disturbances: Record<string, number> = {};
  readonly #history: Recorded[] = [];
  readonly #chance;
  readonly #endMs: number;
  /** Those that were killed too. */
  readonly #all: ModelReplica[] = [];
  readonly #checkpoints = new Set<string>();

  constructor(run: SimulatedRun) {
    this.#run = run;
    this.#endMs = startMs + run.hours * hourMs;
    this.#chance = randomOf('saboteur', run.seed);
    this.#stream = new ModelStream(this.#time, randomOf('network', run.seed));
    this.#replicas = [1, 2, 3].map(() => this.#start());
  }

  async play() {
    const field = this.#field();
    this.#stream.isFlaky = true;
    await this.#time.play(startMs + 1000);
    const since = new Date(startMs - 24 * hourMs).toISOString();
    const pollers = ['10', '11'].map((name) => poller(new Client(name, field), field, since));
    let lists: string[][] | null = null;
    Promise.all([Promise.all(pollers), this.#disturb(), ...startClients(field)]).then(([found]) => {
      lists = found;
    });
    await this.#time.play(this.#endMs);
    Object.assign(this.#stream, { isDown: false, isFull: false, isFlaky: false });
    for (const replica of this.#replicas) replica.isCutOff = false;
    for (let turn = 0; turn < 6 && lists === null; turn += 1) await this.#time.play(this.#time.nowMs + calmMs);
    if (lists === null) throw new Error('a client never came to an end');
    return this.#judge(lists, since);
  }

  #judge(lists: string[][], since: string) {
    const engines = this.#replicas.map(({ replica }) => replica.state?.engine);
    if (new Set(engines.map((engine) => JSON.stringify(engine?.snapshot()))).size !== 1)
      throw new Error('the replicas hold different states');
    const [organization] = engines[0]?.world.organizations.values() ?? [];
    const posts = organization?.accounts.get(googleAccount)?.posts ?? [];
    const truth = this.#callsSince(since);
    if (lists.some((list) => list.join() !== truth.join())) throw new Error('a poller did not get each call once');
    const sum = (name: 'duplicates' | 'restored') =>
      this.#all.reduce((total, { replica }) => total + replica.health()[name], 0);
    return {
      requests: this.#history.length,
      withoutResponse: this.#history.filter(({ status }) => status === null).length,
      blocked: this.#history.filter(({ status }) => status === 429).length,
      registers: holdRegisters(this.#history, startTexts),
      posts: holdPosts(this.#history, posts),
      calls: lists[0]?.length ?? 0,
      duplicates: sum('duplicates'),
      restored: sum('restored'),
      checkpoints: this.#checkpoints.size,
      disturbances: this.#disturbances,
    };
  }

  #field(): Field {
    const time = this.#time;
    return {
      seed: this.#run.seed,
      now: () => time.nowMs,
      wait: (ms) => time.wait(ms),
      isOver: () => time.nowMs >= this.#endMs,
      isSettled: () => time.nowMs >= this.#endMs + hourMs / 2,
      rests: true,
      history: this.#history,
      reviews: Object.keys(startTexts),
      send: async ({ line, body }, { address, chance }) => {
        const isAdmin = line.includes(' /__admin');
        const headers = isAdmin ? {} : { 'x-forwarded-for': address };
        const request = toRequest(line, isAdmin ? '' : '/api/v1', { body, headers, key: isAdmin ? null : goodKey });
        const replica = this.#pick(chance);
        await time.wait(1 + chance.below(5));
        const apiResponse = await new Promise<HttpResponse | null>((resolve) => {
          const response = replica.ask(request).then((response) => ({ status: response.status, json: json(response) }));
          response.then(resolve, () => resolve(null));
          time.after(giveUpMs, () => resolve(null));
        });
        await time.wait(1 + chance.below(5));
        return apiResponse;
      },
    };
  }

  /** By the world itself and not by the log's own pages. */
  #callsSince(since: string): string[] {
    const engine = this.#replicas[0]?.replica.state?.engine;
    const [organization] = engine?.world.organizations.values() ?? [];
    const now = new Date(engine?.clock.now() ?? 0).toISOString();
    const calls = (organization?.calls.toData() ?? []) as { id: string; visibleAt?: string }[];
    const visible = calls.flatMap(({ id, visibleAt = '' }) =>
      visibleAt > since && visibleAt <= now ? [{ id, visibleAt }] : [],
    );
    return visible.sort((a, b) => (a.visibleAt < b.visibleAt ? -1 : 1)).map(({ id }) => id);
  }

  #start(): ModelReplica {
    const replica = new ModelReplica({ stream: this.#stream, ...this.#run.replacements });
    this.#all.push(replica);
    return replica;
  }

  #pick(chance = this.#chance): ModelReplica {
    return this.#replicas[chance.below(this.#replicas.length)] as ModelReplica;
  }

  /** Up to so many milliseconds. */
  #wait(ms: number): Promise<void> {
    return this.#time.wait(this.#chance.below(ms));
  }

  async #disturb(): Promise<void> {
    const kinds: readonly (readonly [string, () => Promise<void> | void])[] = [
      ['cut', () => this.#cutOften()],
      ['pause', () => this.#pick().pause(this.#chance.below(120_000))],
      ['crash', () => this.#replace((replica) => replica.kill())],
      [
        'orderly stop',
        () => this.#replace((replica) => void replica.replica.leaveCheckpoint().then(() => replica.kill())),
      ],
      ['partition', () => this.#partition()],
      ['restart of the stream', () => this.#during('isDown', 30_000)],
      ['full memory', () => this.#during('isFull', 20_000)],
    ];
    while (this.#time.nowMs < this.#endMs) {
      await this.#wait(900_000);
      const [name, act] = kinds[this.#chance.below(kinds.length)] as (typeof kinds)[number];
      this.#disturbances[name] = (this.#disturbances[name] ?? 0) + 1;
      await act();
      if (this.#stream.checkpoint) this.#checkpoints.add(this.#stream.checkpoint.at);
    }
  }

  async #cutOften(): Promise<void> {
    for (let i = 0; i < 100; i += 1) {
      this.#stream.cut();
      await this.#time.wait(60);
    }
  }

  /** Another process takes its place, which has to find the state. */
  async #replace(end: (replica: ModelReplica) => void): Promise<void> {
    const index = this.#chance.below(this.#replicas.length);
    const old = this.#replicas[index] as ModelReplica;
    end(old);
    await this.#wait(60_000);
    if (!old.isDead) old.kill();
    this.#replicas[index] = this.#start();
  }

  async #partition(): Promise<void> {
    const replica = this.#pick();
    replica.isCutOff = true;
    this.#stream.cut((deliver) => deliver === replica.deliver);
    await this.#wait(300_000);
    replica.isCutOff = false;
  }

  async #during(trouble: 'isDown' | 'isFull', ms: number): Promise<void> {
    this.#stream[trouble] = true;
    if (trouble === 'isDown') this.#stream.cut();
    await this.#wait(ms);
    this.#stream[trouble] = false;
  }
}

/** The replies to the newest reviews, which are all on the first page. */
const startTexts: Readonly<Record<string, string | null>> = Object.fromEntries(
  [...(defaultWorld.organizations[0]?.accounts.find(({ accountId }) => accountId === googleAccount)?.reviews ?? [])]
    .sort((a, b) => Date.parse(b.date) - Date.parse(a.date))
    .slice(0, 3)
    .map((one) => [one.reviewId, one.replyText ?? null]),
);
