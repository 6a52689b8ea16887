// Has a deployment changed since its profile was learnt? Whatever looks changed is read again, three times, before it
// counts, and a reading in which accounts differ from each other is a mixture.
import type { ReadingId } from '../../src/contract/generated/readings.ts';
import type { NotLearnt, Profile } from '../../src/contract/profile.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { breaches, learntFrom, type Observed, observe, observeByOwner, type ReadingState } from '../observe/observe.ts';
import type { Abort, Report } from '../report/report.ts';
import { type Round, roundFor } from './asked.ts';
import { timesMin } from './compare.ts';
import { type Moved, movedReadings } from './moved.ts';

/** A run with its exchanges: bodies included, so they stay in this process. */
export interface Witnessed {
  readonly report: Report;
  readonly exchanges: readonly Exchange[];
}

export interface DriftOptions {
  readonly before: Profile;
  readonly first: Witnessed;
  readonly keyPrefix: string | null;
  /** A narrow run of the same deployment, about the readings that look changed. */
  again(round: Round, suspects: readonly ReadingId[]): Promise<Witnessed>;
}

export interface Drift extends Moved {
  /** Clauses that the profile does not list as violated. */
  readonly violations: readonly NotLearnt[];
  /** Looked changed in the first run and in none of the repeats. */
  readonly unrepeated: readonly ReadingId[];
  /** Why the repeats ended early; null when they did not. */
  readonly abort: Abort | null;
}

/** Sends nothing when the first run shows no change. */
export async function findDrift({ before, first, again, keyPrefix }: DriftOptions): Promise<Drift> {
  const seen = movedReadings(before.readings, learntFrom(first.report.readings));
  const suspects = seen.moved.map(({ id }) => id);
  const runs = [first];
  while (suspects.length > 0 && runs.length <= timesMin && runs.at(-1)?.report.abort === null)
    runs.push(await again(roundOf(suspects, first.report), suspects));
  const all = runs.flatMap(({ exchanges }) => exchanges);
  const results = runs.flatMap(({ report }) => report.checks);
  const later = runs.slice(1).flatMap(({ exchanges }) => exchanges);
  const shown = observe({ exchanges: later, results, keyPrefix, context: all });
  const repeated = movedReadings(before.readings, learntFrom(shown)).moved.filter(({ id }) => suspects.includes(id));
  const mixtures = repeated.filter(({ id }) => isMixture(id, before, { exchanges: all, results, keyPrefix }));
  const known = new Set(before.notLearnt.map(({ clause }) => clause));
  return {
    moved: repeated.filter((each) => !mixtures.includes(each)),
    compared: seen.compared,
    open: [...seen.open, ...mixtures.map(({ id }) => id)],
    lost: seen.lost,
    violations: breaches(first.report.checks).filter(({ clause }) => !known.has(clause)),
    unrepeated: suspects.filter((id) => !repeated.some((each) => each.id === id)),
    abort: runs.at(-1)?.report.abort ?? null,
  };
}

/** The questions of a diff, and the reads that showed the change. */
function roundOf(suspects: readonly ReadingId[], first: Report): Round {
  const round = roundFor(
    suspects.map((reading) => ({ reading })),
    first,
    first,
  );
  const shown = new Set(
    first.readings.flatMap((state) =>
      state.state !== 'unknown' && suspects.includes(state.id) ? state.exchanges : [],
    ),
  );
  const reads = first.exchanges.filter(
    ({ id, method, key, status }) => shown.has(id) && method === 'GET' && key === 'good' && status === 200,
  );
  return { ...round, reads: [...new Set([...round.reads, ...reads.map(({ target }) => target)])] };
}

/** Some accounts or sites still show what the profile says, the others show something else, and none shows both. */
function isMixture(id: ReadingId, before: Profile, all: Observed): boolean {
  const { owned, rest } = observeByOwner(id, all);
  const relation = (state: ReadingState) => {
    const { moved, compared } = movedReadings(before.readings, learntFrom([state]));
    if (state.state === 'unknown' || compared === 0) return 'open';
    return moved.length === 0 ? 'same' : state.state === 'mixed' ? 'both' : 'other';
  };
  const relations = owned.map(relation);
  const isSplit = relations.includes('same') && relations.includes('other') && !relations.includes('both');
  return isSplit && ['same', 'open'].includes(relation(rest));
}
