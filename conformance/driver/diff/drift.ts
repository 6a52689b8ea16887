// Detects changes of a deployment since its profile was learnt. Apparent changes are read again, three times. A
// behavior in which accounts differ from each other is mixed.

import { alternatives } from '../../../src/contract/forms.ts';
import { type Behavior, type BehaviorId, behaviors } from '../../../src/contract/generated/behaviors.ts';
import type { Learnt, NotLearnt, Profile } from '../../../src/contract/profile.ts';
import { count } from '../../../src/terminal/count.ts';
import {
  type BehaviorState,
  learntFrom,
  type Observed,
  observe,
  observeByOwner,
  shareName,
  violationsOf,
} from '../../behaviors/observe.ts';
import { type Exchange, errorCode, isLimiterRejection } from '../../exchange/exchange.ts';
import { accountOf, lookAt } from '../../exchange/look.ts';
import { emptySentence } from '../../report/outcome.ts';
import type { Abort, AbortCause, ExitCode, Report } from '../../report/report.ts';
import { inFront, maintenance, pageTitle } from '../preflight.ts';
import { timesMin } from './compare.ts';
import { type Round, relateBehaviors, relateTrimmed, roundFor } from './relation.ts';

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
  const round = roundFor(suspects, first, first);
  const shown = new Set(
    first.behaviors.flatMap((state) =>
      state.state !== 'unknown' && suspects.includes(state.id) ? state.exchanges : [],
    ),
  );
  const reads = first.exchanges.filter(
    ({ id, method, key, status }) => shown.has(id) && method === 'GET' && key === 'good' && status === 200,
  );
  const targets = [...round.reads, ...reads.map(({ target }) => target)];
  // An account may have been removed, or have another state now.
  const accounts = targets.some((target) => target.startsWith('/connect/accounts/')) ? ['/connect/accounts'] : [];
  return { ...round, reads: [...new Set([...targets, ...accounts])] };
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

// Causes of differences other than drift: the key, the plan, the data, other clients, a page in front, or a clock.

/** The names of the causes, which the output and the action use. */
export type NoDriftCause = AbortCause | 'limits-used';

export interface NoDrift {
  readonly cause: NoDriftCause;
  readonly sentence: string;
  readonly exitCode: ExitCode;
  /** Whether the rest of the run can still show changes. */
  readonly isPartial: boolean;
}

interface Row {
  readonly cause: NoDriftCause;
  readonly exitCode: ExitCode;
  readonly is: (exchange: Exchange) => boolean;
  readonly sentence: (host: string) => string;
}

/** Causes that responses show. One explains a run if half of the responses have it, or the last three. */
const rows: readonly Row[] = [
  {
    cause: 'login',
    exitCode: 2,
    is: (exchange) => inFront(exchange)?.exitCode === 2,
    sentence: (host) => `A login in front of ${host} rejects requests: let the API key pass it.`,
  },
  {
    cause: 'maintenance',
    exitCode: 4,
    is: (exchange) => maintenance.test(pageTitle(exchange)),
    sentence: (host) => `${host} shows a maintenance page: the next run checks it again.`,
  },
  {
    cause: 'key-revoked',
    exitCode: 2,
    is: (exchange) => exchange.status === 401 && errorCode(exchange) === 'unauthorized',
    sentence: (host) =>
      `${host} rejects the API key, which was valid before: it was revoked or replaced. Store the new key.`,
  },
  {
    cause: 'limits-used',
    exitCode: 3,
    is: isLimiterRejection,
    sentence: (host) =>
      `Other clients use up the rate limit of the API key on ${host}: run at another time, or use a separate key.`,
  },
];
const lastMin = 3;

/** Returns the cause, or null if the run can show drift. */
export function whyNoDrift({ report, exchanges }: Repetition): NoDrift | null {
  const { host } = new URL(report.target);
  // A burst and a test of the limits are rejected on purpose.
  const plain = exchanges.filter(
    ({ key, burst, mcpEndpoint }) => key === 'good' && !burst && mcpEndpoint === undefined,
  );
  for (const { cause, exitCode, is, sentence } of rows) {
    const found = plain.filter(is).length;
    const isAtEnd = plain.length >= lastMin && plain.slice(-lastMin).every(is);
    if (found > 0 && (found >= plain.length / 2 || isAtEnd))
      return { cause, exitCode, sentence: sentence(host), isPartial: false };
  }
  // An empty organization has no account that a lapsed plan could lock.
  if (report.isEmpty && report.abort === null)
    return { cause: 'data-emptied', exitCode: 3, sentence: emptySentence(report), isPartial: true };
  if (isUnpaid(plain)) {
    const sentence = `${host} returns 402 for connected accounts: the plan lapsed. Pay it, or use a key of another organization.`;
    return { cause: 'plan-lapsed', exitCode: 3, sentence, isPartial: true };
  }
  return report.abort === null ? null : { cause: 'unreachable', ...report.abort, isPartial: false };
}

/** A locked account returns 402 legally, and one 402 can be a trouble of a platform (R2). */
function isUnpaid(exchanges: readonly Exchange[]): boolean {
  const look = lookAt(exchanges, null);
  const responses = exchanges.filter(({ target, status }) => target.startsWith('/connect/') && paidOrNot.has(status));
  const reads = responses.filter((exchange) => {
    const account = accountOf(look, exchange);
    return account?.status === 'connected' && !account.locked;
  });
  // Without a list of accounts, the lists themselves are unpaid.
  const usable = reads.length > 0 ? reads : responses;
  const isRejected = ({ status }: Exchange) => status === 402;
  const unpaid = usable.filter(isRejected);
  // A run reads few accounts. If all reads are unpaid, rejected writes confirm it.
  const writes =
    unpaid.length < usable.length ? [] : responses.filter(({ method }) => method === 'POST').filter(isRejected);
  const shown = new Set([...unpaid, ...writes]).size;
  return unpaid.length > 0 && shown >= lastMin && unpaid.length >= usable.length / 2;
}

const paidOrNot: ReadonlySet<number> = new Set([200, 402]);

/** Whether a cause alone can change what a run sees of a behavior. */
export function isHiddenBy(cause: NoDriftCause | undefined, id: BehaviorId): boolean {
  const { aspect, interpretation, operations, input, kind }: Behavior = behaviors[id];
  if (cause === 'data-emptied') return kind === 'shape';
  if (cause === 'clock') return aspect === 'time' || interpretation === 'R43' || interpretation === 'R44';
  const own = Array.isArray(operations) ? operations : (input?.operations ?? []);
  return cause === 'plan-lapsed' && own.some((each) => each === 'getInsights' || each === 'listReviews');
}

const skewMinMs = 300_000;

/** Returns the difference between the clock of the service and that of this machine, if it is above five minutes. */
export function clockCause({ report, exchanges }: Repetition): NoDrift | null {
  const skews = exchanges
    .map(({ headers, receivedAt }) => Date.parse(headers.date ?? '') - receivedAt)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const skew = skews[Math.floor(skews.length / 2)] ?? 0;
  if (Math.abs(skew) < skewMinMs) return null;
  const { host } = new URL(report.target);
  const words = `${count(Math.round(Math.abs(skew) / 60_000), 'minute')} ${skew > 0 ? 'ahead of' : 'behind'}`;
  const sentence = `The clock of ${host} is ${words} the clock of this machine: set the one that is wrong.`;
  return { cause: 'clock', exitCode: 3, sentence, isPartial: true };
}
