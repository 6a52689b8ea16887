// Creates an engine from the options of a mock. It does not use Node, so a mock runs in a browser too.
import { behaviorsOf, type Profile, sourceOf } from '../contract/profile.ts';
import { createClock } from '../domain/clock.ts';
import { contractLimits } from '../domain/limits.ts';
import { styleWorld } from '../domain/style-world.ts';
import type { WorldBehavior } from '../domain/world-behavior.ts';
import type { WorldData } from '../domain/world-data.ts';
import type { TestOptions } from '../options/mock-options.ts';
import { toEpochMs } from '../terminal/duration.ts';
import type { PartialWorld } from '../worlds/fill.ts';
import { builtInWorld, readWorld, type WorldName } from '../worlds/load.ts';
import { rebase } from '../worlds/rebase.ts';
import { type CompleteOptions, createEngine } from './create-engine.ts';
import type { Engine } from './engine.ts';

/** Options of every mock. */
export interface MockOptions extends TestOptions {
  /**
   * A built-in world by name, a world from `casa seed`, or parts of one such as `{ articles: [{ title: 'Tea' }] }`,
   * which are completed. The default is `default`, or the world that reveals the mutant.
   */
  readonly world?: WorldName | WorldData | PartialWorld | undefined;
  /** Default `frozen`: only `casa.clock` moves the time. `running` follows the system's time. */
  readonly clock?: 'frozen' | 'running' | undefined;
  /** Start of the clock. The default is the anchor of the world for a frozen clock, and now for a running one. */
  readonly startAt?: Date | number | string | undefined;
  /** Other legal behaviors of the contract, by the names of spec/behaviors.yaml. */
  readonly behavior?: Partial<WorldBehavior> | undefined;
  /**
   * The behaviors of a deployment, as `conformance calibrate` writes them: the mock follows them where the contract
   * leaves behavior unspecified. `behavior` overrides it.
   */
  readonly profile?: Profile | undefined;
  /**
   * Default `one`: only the client under test uses the mock, and a repeated request after a rejection is a violation.
   * `many` allows equal requests of two clients at the same time.
   */
  readonly clients?: 'one' | 'many' | undefined;
}

export interface PreparedEngine {
  readonly engine: Engine;
  /** Start of the clock in epoch milliseconds. */
  readonly startMs: number;
}

/** Returns an engine. Rejects with a `RangeError` for an invalid world, mutant or value. */
export async function prepareEngine(
  options: MockOptions,
  extra: Partial<CompleteOptions> = {},
): Promise<PreparedEngine> {
  // Loaded on demand, because there are hundreds of mutants.
  const mutation = options.mutant === undefined ? null : await import('../mutants/index.ts');
  const mutant = mutation?.mutantNamed(options.mutant ?? '');
  const { world = mutant?.world ?? 'default', clock: pace = 'frozen', startAt, settleS, grease } = options;
  const data = typeof world === 'string' ? await builtInWorld(world) : await checkedWorld(world);
  const startMs = startAt !== undefined ? toEpochMs(startAt) : pace === 'frozen' ? Date.parse(data.anchor) : Date.now();
  // Reads `Date` each time: a test runner that fakes it also moves the time of violations.
  const clock = createClock(() => Date.now(), { startMs, frozen: pace === 'frozen' });
  const behavior = options.profile ? behaviorsOf(options.profile, options.behavior) : { ...options.behavior };
  const engine = createEngine({
    ...options,
    data: styleWorld(rebase(data, startMs), behavior),
    clock,
    behavior,
    limits: { ...contractLimits, enforced: options.limits ?? false },
    settleMs: settleS === undefined ? (options.relaxed ? 0 : undefined) : settleS * 1000,
    grease: grease === true ? 1 : grease === false ? undefined : grease,
    learnt: options.profile && sourceOf(options.profile),
    profile: undefined,
    ...extra,
  });
  return { engine: mutation && mutant ? mutation.mutate(engine, mutant) : engine, startMs };
}

async function checkedWorld(world: unknown): Promise<WorldData> {
  const violation = await readWorld(world);
  if (violation.ok) return violation.data;
  throw new RangeError(`The world cannot be used: ${violation.problems[0]}.`);
}
