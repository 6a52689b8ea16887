// Runs some checks against a changed server on a separate clock, and returns their results.
import { type Check, type CheckResult, type Report, type RunOptions, runConformance } from '../../conformance/index.ts';
import { mutantNamed } from '../../src/mutants/index.ts';
import { type Independent, type IndependentOptions, startIndependent } from '../independent/index.ts';
import { type Exchanged, type Spoiled, startRewriting } from './rewriting-proxy.ts';
import { sharedMutant } from './shared-mutants.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

/** The result of a run on a faulty server. */
export interface Bench {
  readonly report: Report;
  /** `pass`, `fail`, ..., `inconclusive(vacuous)`, by check id; rules left out. */
  readonly results: Readonly<Record<string, string>>;
  result(id: string): CheckResult;
  /** `id result` of every check that warns, fails or breaks, and of every rule that fails or breaks. */
  readonly failures: readonly string[];
}

/** Which checks, and in what way the server is wrong: by a mutant, or by a proxy in front of it. */
export interface BenchOptions {
  readonly checks: readonly Check[];
  readonly variant?: IndependentOptions['variant'];
  /** The name of a mutant, which runs in front of a server that shows as much as the mock does. */
  readonly mutant?: string;
  readonly run?: Partial<RunOptions> | ((server: Independent) => Partial<RunOptions>);
  /** Made again for each run, with the server and the clock it may look at. */
  spoil?(server: Independent, clock: VirtualClock): (hasResponse: Exchanged) => Spoiled | undefined;
}

/** A fixed day, so a run repeats to the byte. */
export const benchStartMs = Date.UTC(2026, 4, 1, 12);

/** Of each pool of unexpected inputs it draws the first: a multiple of all their sizes. */
export const firstDraws = 2 * 7 * 11 * 13;

/** One minute, unless the run may do more. Closes everything it has started, also after a failure. */
export async function bench({ checks, variant, mutant, run = {}, spoil }: BenchOptions): Promise<Bench> {
  const clock = virtualClock(benchStartMs);
  const server = await startIndependent({
    now: clock.now,
    ...(mutant ? sharedMutant(mutantNamed(mutant)) : {}),
    ...(variant === undefined ? {} : { variant }),
  });
  const proxy = spoil ? await startRewriting(server.baseUrl, spoil(server, clock)) : null;
  const { good, second, revoked } = server.keys;
  try {
    const more = typeof run === 'function' ? run(server) : run;
    const baseUrl = proxy?.baseUrl ?? server.baseUrl;
    const keys = { good, second, revoked };
    const scarce = more.watch || more.pace || more.allowWrites ? {} : { requests: 60 };
    const report = await runConformance({ baseUrl, keys, clock, checks, seed: firstDraws, ...scarce, ...more });
    const own = report.checks.filter(({ id }) => !id.startsWith('rule/'));
    const results = Object.fromEntries(own.map(({ id, result: outcome }) => [id, nameOf(outcome)]));
    const result = (id: string) => {
      const found = own.find((each) => each.id === id);
      if (!found) throw new Error(`no check ${id} ran`);
      return found;
    };
    const failures = report.checks.flatMap(({ id, result: { kind } }) => {
      const isFailure = id.startsWith('rule/') ? /fail|error/ : /fail|warn|note|error/;
      return isFailure.test(kind) ? [`${id} ${kind}`] : [];
    });
    return { report, results, result, failures };
  } finally {
    await proxy?.close();
    await server.close();
  }
}

/** The result, with its reason where it has one. */
function nameOf({ kind, reason }: CheckResult['result']): string {
  return reason === undefined ? kind : `${kind}(${reason})`;
}
