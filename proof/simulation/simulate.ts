// One run: a seed, a mock on a clock that the run moves, and clients that take turns for hours of virtual time. The
// first invariant that does not hold ends it. The same seed and hours do the same, step by step.

import { createClock } from '../../src/domain/clock.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import { createRandom, hashToUnit, type Random } from '../../src/domain/random.ts';
import { behaviorValues, type WorldBehavior, type WorldBehaviorName } from '../../src/domain/world-behavior.ts';
import type { WorldData } from '../../src/domain/world-data.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createEngine } from '../../src/mock/create-engine.ts';
import { type Mutant, mutate } from '../../src/mutants/index.ts';
import { builtInWorld, type WorldName } from '../../src/worlds/load.ts';
import { rebase } from '../../src/worlds/rebase.ts';
import { type Client, draw, hourMs, type Identity, pick, type Session } from './client.ts';
import { connector } from './clients/connector.ts';
import { burster, crowd, heavy, unknownKeyClient } from './clients/crowd.ts';
import { callsOperator, clockOperator, faultsOperator, recordsOperator } from './clients/operator.ts';
import { auditor, poller } from './clients/poller.ts';
import { writer } from './clients/writer.ts';
import {
  describeExchange,
  type Exchange,
  forcedFault,
  hold,
  type InvariantName,
  isBlocked,
  parseBody,
  type Sent,
  Violation,
} from './exchange.ts';
import { auditPosts, watchAll } from './invariants.ts';
import { type KnownOrganization, type Ledger, openLedger } from './ledger.ts';

/** `hours` are of the virtual clock. */
export interface SimulationOptions {
  readonly seed: number;
  readonly hours: number;
  /** The mock made wrong in one fact. */
  readonly mutant?: Mutant | undefined;
  /** Names of the clients that take part; all when absent. */
  readonly only?: readonly string[] | undefined;
}

/** `failure` is null when all invariants held. */
export interface SimulationResult {
  readonly seed: number;
  readonly setting: string;
  readonly exchanges: number;
  readonly blocked: number;
  readonly forced: number;
  readonly virtualHours: number;
  readonly failure: Failure | null;
}

interface Failure {
  readonly invariant: InvariantName;
  readonly message: string;
  /** The last requests, oldest first. */
  readonly steps: readonly string[];
}

/** Rejects only when the simulation itself is broken; a mock that breaks an invariant is a result. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const setting = await chooseSetting(options.seed, options.mutant?.world);
  return new Run(options, setting).play();
}

/** One line a seed, and for a failure the last steps before it. */
export function describeRun({ failure, ...run }: SimulationResult): string {
  const { seed, setting, virtualHours, exchanges, blocked, forced } = run;
  const counts = `${exchanges} requests, ${blocked} blocked, ${forced} forced errors`;
  const head = `seed ${seed} (${setting}): ${virtualHours.toFixed(2)} h, ${counts}`;
  if (!failure) return head;
  const steps = failure.steps.map((line) => `    ${line}`);
  return [head, `  ${failure.invariant}: ${failure.message}`, '  the last requests:', ...steps].join('\n');
}

/** A client and its next step. */
interface Turn {
  readonly client: Client;
  readonly session: Session;
  /** Time of the run, not of the mock. */
  atMs: number;
  /** The next request; null to continue after a wait. */
  send: Sent | null;
}

/** Enough to see the requests that caused a failure, and short enough to read. */
const stepsKept = 15;

/** One event loop in virtual time: the earliest turn goes next, ties in a fixed order, so a seed is repeatable. */
class Run {
  readonly #options: SimulationOptions;
  readonly #setting: Setting;
  readonly #watch: (exchange: Exchange) => void;
  readonly #turns: Turn[];
  readonly #steps: string[] = [];
  readonly #polite: ReadonlySet<string>;
  #sourceMs: number;
  readonly #engine: Engine;
  #counts = { exchanges: 0, blocked: 0, forced: 0 };
  readonly #chance;

  constructor(options: SimulationOptions, setting: Setting) {
    const { seed, only } = options;
    this.#options = options;
    this.#setting = setting;
    this.#sourceMs = setting.startMs;
    this.#chance = chanceOf(seed, 'run');
    this.#engine = this.#make();
    this.#watch = watchAll(setting.ledger);
    const actors = setting.actors.filter(({ name }) => only?.includes(name) ?? true);
    this.#polite = new Set(actors.filter(({ polite }) => polite).map(({ address }) => address));
    this.#turns = actors.map((client) => ({ client, session: this.#begin(client), atMs: setting.startMs, send: null }));
  }

  /** Plays to the end of the hours or to the first broken invariant. */
  play(): SimulationResult {
    const { seed, hours } = this.#options;
    const { startMs, world, grease, behavior, ledger } = this.#setting;
    let failure: Failure | null = null;
    try {
      while (this.#step(startMs + hours * hourMs));
      auditPosts(ledger, this.#engine.world);
    } catch (error) {
      // Any other error is a bug of the simulation, unless a mutant is playing: that may well throw.
      if (!(error instanceof Violation) && !this.#options.mutant) throw error;
      const invariant = error instanceof Violation ? error.invariant : 'answers';
      failure = { invariant, message: String(error), steps: [...this.#steps] };
    }
    const behaviors = [world, ...(grease === undefined ? [] : ['greased']), ...Object.values(behavior)];
    const virtualHours = Math.min(hours, (this.#sourceMs - startMs) / hourMs);
    return { seed, setting: behaviors.join(' '), ...this.#counts, virtualHours, failure };
  }

  /** Runs the next turn; false when the time is over. */
  #step(endMs: number): boolean {
    const turn = this.#turns.reduce((first, other) => (other.atMs < first.atMs ? other : first));
    if (turn.atMs > endMs) return false;
    this.#sourceMs = Math.max(this.#sourceMs, turn.atMs);
    const { send } = turn;
    const next = send ? turn.session.next(this.#exchange(turn.client, send)) : turn.session.next();
    const move = next.done ? { waitMs: Number.POSITIVE_INFINITY } : next.value;
    turn.send = 'send' in move ? move.send : null;
    // One request after another takes as long as the way there and back; often no time, so ties come up.
    const wayMs = () => (send && this.#chance.below(2) === 0 ? this.#chance.below(120) : 0);
    turn.atMs = this.#sourceMs + ('waitMs' in move ? move.waitMs : wayMs());
    return true;
  }

  #exchange(client: Client, sent: Sent): Exchange {
    const engine = this.#engine;
    const nowMs = engine.clock.now();
    const before = engine.violations().at(-1)?.id ?? 0;
    const response = engine.handle(sent.request);
    // A request of an operator moves the clock: the response is dated by the new time.
    const isAdmin = sent.request.path.startsWith('/__admin');
    const dated = { nowMs: isAdmin ? engine.clock.now() : nowMs, json: parseBody(response) };
    const exchange: Exchange = { ...sent, ...dated, client: client.name, response };
    this.#steps.push(describeExchange(exchange));
    if (this.#steps.length > stepsKept) this.#steps.shift();
    this.#counts.exchanges += 1;
    if (isBlocked(exchange)) this.#counts.blocked += 1;
    if (forcedFault(exchange) !== null) this.#counts.forced += 1;
    this.#watch(exchange);
    // The polite clients follow sections 6 and 7 exactly, so the mock must report no violation.
    const violation = engine.violations().at(-1);
    const isReported = violation !== undefined && violation.id !== before && this.#polite.has(violation.client.address);
    hold(
      'violations',
      !isReported,
      `false violation of a client that obeys the contract: ${violation?.rule}, ${violation?.message}`,
    );
    return exchange;
  }

  #begin(client: Client): Session {
    return client.session({
      ledger: this.#setting.ledger,
      chance: chanceOf(this.#options.seed, client.name),
      nowMs: () => this.#engine.clock.now(),
      sent: (draft) => draw(client, draft),
    });
  }

  #make(): Engine {
    const { data, startMs, behavior, grease } = this.#setting;
    const { mutant, seed } = this.#options;
    const clock = createClock(() => this.#sourceMs, { startMs });
    const engine = createEngine({ data, clock, seed, behavior, grease, limits: contractLimits });
    return mutant ? mutate(engine, mutant) : engine;
  }
}

/** All that a seed decides before the first request. */
interface Setting {
  readonly world: WorldName;
  readonly data: WorldData;
  readonly startMs: number;
  readonly behavior: Partial<WorldBehavior>;
  readonly grease: number | undefined;
  readonly ledger: Ledger;
  readonly actors: readonly Client[];
}

/** A separate random source for each use, so one more draw of one changes nothing for the others. */
function chanceOf(seed: number, use: string): Random {
  return createRandom(Math.floor(hashToUnit(`${use} ${seed}`) * 2 ** 32));
}

/** Behaviors of which the ledger supports one value only. */
const readByLedger: Partial<WorldBehavior> = { reviewReplied: 'always', insightDateForm: 'YYYY-MM-DD' };

/** Every third seed is greased; half of the seeds play other legal behaviors. */
async function chooseSetting(seed: number, world?: WorldName): Promise<Setting> {
  const chance = chanceOf(seed, 'setting');
  const drawn = pick(chance, ['default', 'default', 'default', 'tied-articles', 'unpaid'] as const);
  const written = await builtInWorld(world ?? drawn);
  const startMs = Date.parse(written.anchor) + chance.below(1000 * 24 * 3600) * 1000 + chance.below(1000);
  const data = rebase(written, startMs);
  const names = Object.keys(behaviorValues) as WorldBehaviorName[];
  const other = names.map((name) => [name, pick(chance, behaviorValues[name])] as const);
  const chosen: Partial<WorldBehavior> = chance.below(2) === 0 ? Object.fromEntries(other) : {};
  const grease = chance.below(3) === 0 ? chance.below(1_000_000) : undefined;
  const behavior = grease === undefined ? chosen : { ...chosen, ...readByLedger };
  const ledger = openLedger(data, { behavior, greased: grease !== undefined });
  return { world: world ?? drawn, data, startMs, behavior, grease, ledger, actors: actorsOf(ledger) };
}

/** Every kind of client, writers for both organizations, usually at separate addresses. */
function actorsOf(ledger: Ledger): Client[] {
  const [first, second = first] = ledger.organizations as readonly [KnownOrganization, KnownOrganization?];
  const of = (organization: KnownOrganization, host: number): Identity => {
    return { organization, key: organization.key, address: `203.0.113.${host}` };
  };
  return [
    poller('poller-1', of(first, 3)),
    poller('poller-2', of(first, 4)),
    poller('poller-3', of(second, 5)),
    auditor('auditor', of(first, 6)),
    writer('writer-1', of(first, 7)),
    writer('writer-2', of(second, 8)),
    connector('connector-1', of(first, 9)),
    connector('connector-2', of(second, 10)),
    burster('burster', of(first, 11)),
    // Shares its address with the burster: invalid keys spend the same window.
    unknownKeyClient('intruder', { ledger, address: '203.0.113.11' }),
    crowd('crowd', of(second, 12)),
    heavy('heavy', of(first, 13)),
    callsOperator('switchboard', ledger.organizations),
    faultsOperator('saboteur'),
    recordsOperator('clerk', ledger.organizations),
    clockOperator('timekeeper'),
  ];
}
