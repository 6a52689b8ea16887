// Detects changes of a deployment since its profile was learnt. Apparent changes are read again, three times. A
// behavior in which accounts differ from each other is mixed.

import { alternatives } from '../../src/contract/forms.ts';
import { type BehaviorId, behaviors } from '../../src/contract/generated/behaviors.ts';
import type { Learnt, NotLearnt, Profile } from '../../src/contract/profile.ts';
import type { Exchange } from '../exchange/exchange.ts';
import {
  type BehaviorState,
  learntFrom,
  type Observed,
  observe,
  observeByOwner,
  shareName,
  violationsOf,
} from '../observe/observe.ts';
import type { Abort, Report } from '../report/report.ts';
import { timesMin } from './compare.ts';
import { relateBehaviors, relateTrimmed } from './relation.ts';
import { type Round, roundFor } from './repetitions.ts';

/** A run with its exchanges: bodies included, so they stay in this process. */
export interface Repetition {
  readonly report: Report;
  readonly exchanges: readonly Exchange[];
}

export interface DriftOptions {
  readonly before: Profile;
  readonly first: Repetition;
  readonly keyPrefix: string | null;
  /** A narrow run of the same deployment, about the behaviors that look changed. */
  again(round: Round, suspects: readonly BehaviorId[]): Promise<Repetition>;
}

export interface Drift extends Changes {
  /** Clauses that the profile does not list as violated. */
  readonly violations: readonly NotLearnt[];
  /** Looked changed in the first run and in none of the repeats. */
  readonly unrepeated: readonly BehaviorId[];
  /** Why the repeats ended early; null when they did not. */
  readonly abort: Abort | null;
}

/** Sends nothing when the first run shows no change. */
export async function findDrift({ before, first, again, keyPrefix }: DriftOptions): Promise<Drift> {
  const seen = changedBehaviors(before.behaviors, learntFrom(first.report.behaviors));
  const suspects = seen.changed.map(({ id }) => id);
  const runs = [first];
  while (suspects.length > 0 && runs.length <= timesMin && runs.at(-1)?.report.abort === null)
    runs.push(await again(roundOf(suspects, first.report), suspects));
  const all = runs.flatMap(({ exchanges }) => exchanges);
  const results = runs.flatMap(({ report }) => report.checks);
  const later = runs.slice(1).flatMap(({ exchanges }) => exchanges);
  const shown = observe({ exchanges: later, results, keyPrefix, context: all });
  const repeated = changedBehaviors(before.behaviors, learntFrom(shown)).changed.filter(({ id }) =>
    suspects.includes(id),
  );
  const mixtures = repeated.filter(({ id }) => isMixture(id, before, { exchanges: all, results, keyPrefix }));
  const known = new Set(before.notLearnt.map(({ clause }) => clause));
  return {
    changed: repeated.filter((each) => !mixtures.includes(each)),
    compared: seen.compared,
    open: [...seen.open, ...mixtures.map(({ id }) => id)],
    lost: seen.lost,
    violations: violationsOf(first.report.checks).filter(({ clause }) => !known.has(clause)),
    unrepeated: suspects.filter((id) => !repeated.some((each) => each.id === id)),
    abort: runs.at(-1)?.report.abort ?? null,
  };
}

/** The questions of a diff, and the reads that showed the change. */
function roundOf(suspects: readonly BehaviorId[], first: Report): Round {
  const round = roundFor(
    suspects.map((behavior) => ({ behavior })),
    first,
    first,
  );
  const shown = new Set(
    first.behaviors.flatMap((state) =>
      state.state !== 'unknown' && suspects.includes(state.id) ? state.exchanges : [],
    ),
  );
  const reads = first.exchanges.filter(
    ({ id, method, key, status }) => shown.has(id) && method === 'GET' && key === 'good' && status === 200,
  );
  return { ...round, reads: [...new Set([...round.reads, ...reads.map(({ target }) => target)])] };
}

/** Some accounts or sites still show the value of the profile, others show another, and none shows both. */
function isMixture(id: BehaviorId, before: Profile, all: Observed): boolean {
  const { owned, rest } = observeByOwner(id, all);
  const relation = (state: BehaviorState) => {
    const { changed, compared } = changedBehaviors(before.behaviors, learntFrom([state]));
    if (state.state === 'unknown' || compared === 0) return 'open';
    return changed.length === 0 ? 'same' : state.state === 'mixed' ? 'both' : 'other';
  };
  const relations = owned.map(relation);
  const isSplit = relations.includes('same') && relations.includes('other') && !relations.includes('both');
  return isSplit && ['same', 'open'].includes(relation(rest));
}

// Compares the profile with the newly learnt behaviors. Differences that only depend on the data are ignored.

/** Compares the behaviors of a deployment with its profile. */
export interface Changes {
  readonly changed: readonly ChangedBehavior[];
  /** Behaviors that the two share and that can be distinguished, moved ones included. */
  readonly compared: number;
  /** Known on both sides; the data may be why they differ. */
  readonly open: readonly BehaviorId[];
  /** Known before, and not seen now. */
  readonly lost: readonly string[];
}

export interface ChangedBehavior {
  readonly id: BehaviorId;
  readonly was: unknown;
  readonly is: unknown;
  /** Where the two differ, in words; null where the values say it. */
  readonly why: string | null;
}

/** A habit of every other response stays hidden in so many with 3%. */
const seenEnough = 5;
const ids = Object.keys(behaviors) as BehaviorId[];

/** Counts, shares and latency move from day to day. */
export function changedBehaviors(before: Profile['behaviors'], now: Profile['behaviors']): Changes {
  const changed: ChangedBehavior[] = [];
  const open: BehaviorId[] = [];
  let compared = 0;
  for (const id of ids) {
    const [was, is] = [before[id], now[id]];
    if (id === 'latency' || id === 'records' || was === undefined || is === undefined) continue;
    const relation = relateBehaviors(stateOf(id, was), stateOf(id, is));
    const isNew = relation.kind === 'open' && hasNewValue(id, was, is);
    // A deployment that writes timestamps in several formats chooses one by record.
    const isByRecord = id === 'callRecord' && alternatives(String(before.timestampForm?.value)).length > 1;
    if ((relation.kind === 'open' && !isNew) || (relation.kind === 'differs' && isByRecord)) {
      open.push(id);
      continue;
    }
    compared += 1;
    if (relation.kind === 'same') continue;
    const why = relation.kind === 'differs' && relation.why !== undefined ? inTime(relation.why) : null;
    changed.push({ id, was: was.value, is: is.value, why });
  }
  const lost = Object.keys(before).filter((id) => !(id in now));
  return { changed, compared, open, lost };
}

function stateOf(id: BehaviorId, { value, seen, mixed }: Learnt): BehaviorState {
  const common = { id, value, seen, exchanges: [] };
  return mixed === undefined ? { ...common, state: 'known' } : { ...common, state: 'mixed', shares: mixed };
}

/** A mixture changes if a new value appears: half of the servers can have a new release. */
function hasNewValue(id: BehaviorId, was: Learnt, is: Learnt): boolean {
  const { kind } = behaviors[id];
  // Rare values can have been missing by chance.
  if (kind === 'shape' || was.seen < seenEnough) return false;
  const [known, shown] = [was, is].map(({ value, mixed }) => {
    const values = mixed === undefined ? [shareName(value)] : Object.keys(mixed);
    return kind === 'form' ? values.flatMap(alternatives) : values;
  }) as [string[], string[]];
  if (relateTrimmed(known, shown) !== null) return false;
  return (is.mixed !== undefined || kind === 'form') && shown.some((value) => !known.includes(value));
}

/** A is the profile, B the deployment of today. */
function inTime(why: string): string {
  return why
    .replace(/\bon A\b/g, 'before')
    .replace(/\bon B\b/g, 'now')
    .replace(/^only A has any$/, 'absent now')
    .replace(/^only B has any$/, 'absent before');
}
