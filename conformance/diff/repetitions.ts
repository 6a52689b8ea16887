// The requests to repeat before a difference counts, and the result of the repetitions.

import type { BehaviorId } from '../../src/contract/generated/behaviors.ts';
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { CheckResult, Finding } from '../judge/result.ts';
import type { Report, StoredExchange } from '../report/report.ts';
import { furtherBehaviors } from '../run/further.ts';

/** A clause or a behavior in which A and B differed in the first run. */
export interface Suspect {
  readonly clause?: ClauseId;
  readonly behavior?: BehaviorId;
}

/** One narrow run: some checks, some further questions, some reads once more. */
export interface Round {
  readonly checks: readonly string[];
  readonly behaviors: readonly BehaviorId[];
  readonly reads: readonly string[];
}

const readsMax = 3;

/** The least that shows the suspects on one side again. `other` is the run of the other side. */
export function roundFor(suspects: readonly Suspect[], own: Report, other: Report): Round {
  const parts = suspects.map(({ clause, behavior }) =>
    clause === undefined ? behaviorAgain(behavior as BehaviorId, own) : clauseAgain(clause, own, other),
  );
  const all = <Name extends keyof Round>(name: Name) => [...new Set(parts.flatMap((part) => [...part[name]]))].sort();
  return {
    checks: all('checks') as string[],
    behaviors: all('behaviors') as BehaviorId[],
    reads: all('reads') as string[],
  };
}

/** The questions of calibrate show most; the rest shows in responds like those that showed it before. */
function behaviorAgain(id: BehaviorId, { behaviors, exchanges, checks }: Report): Round {
  if (furtherBehaviors.has(id)) return { checks: [], behaviors: [id], reads: [] };
  const state = behaviors.find((each) => each.id === id);
  const shown = new Set(state === undefined || state.state === 'unknown' ? [] : state.exchanges);
  const shows = exchanges.filter((exchange) => shown.has(exchange.id));
  const reads = shows.filter(isPlainRead);
  if (reads.length > 0)
    return { checks: [], behaviors: [], reads: reads.slice(0, readsMax).map(({ target }) => target) };
  // Responses of a limiter come with the bursts of a check.
  return { checks: sendersOf(shows, checks), behaviors: [], reads: [] };
}

/** The check that sent one of these requests. */
function sendersOf(exchanges: readonly StoredExchange[], checks: Report['checks']): string[] {
  const ids = new Set(exchanges.map(({ id }) => id));
  const senders = checks.filter(({ id, exchanges: sent }) => !id.startsWith('rule/') && sent.some((x) => ids.has(x)));
  return senders.slice(0, 1).map(({ id }) => id);
}

/** Checks are repeated completely; for a rule, only the reads that it reported and equal reads on the other side. */
function clauseAgain(clause: ClauseId, own: Report, other: Report): Round {
  const both = [own, other].map((report) => violationsOf(clause, report));
  const checks = both.flatMap(({ checks: ids }) => ids);
  const violating = both.flatMap(({ exchanges }) => exchanges);
  const round = { checks: [...checks, ...othersFor(clause, own, checks)], behaviors: [], reads: [] };
  const operations = new Set(violating.filter(isPlainRead).map(({ operation }) => operation));
  if (operations.size === 0) return round;
  const reads = own.exchanges.filter((exchange) => isPlainRead(exchange) && operations.has(exchange.operation));
  const again = whatShows(clause, own, { reads, violating });
  // A cursor may be good for a while only: the check that came by it comes by a new one.
  const senders = sendersOf(
    again.filter(({ target }) => /[?&]cursor=/.test(target)),
    own.checks,
  );
  return {
    ...round,
    checks: [...round.checks, ...senders],
    reads: [...new Set(again.map(({ target }) => target))].slice(0, readsMax),
  };
}

/**
 * The responses that violated the clause on this side, or that verified it: other pages of the list may lack such a
 * record.
 */
function whatShows(
  clause: ClauseId,
  { checks }: Report,
  { reads, violating }: { reads: readonly StoredExchange[]; violating: readonly StoredExchange[] },
): readonly StoredExchange[] {
  const own = reads.filter((read) => violating.includes(read));
  if (own.length > 0) return own;
  const showing = new Set(checks.flatMap(({ shownIn }) => shownIn?.get(clause) ?? []));
  const shown = reads.filter(({ id }) => showing.has(id));
  if (shown.length > 0) return shown;
  const targets = new Set(violating.map(({ target }) => target));
  const alike = reads.find(({ status }) => violating.some((each) => each.status === status));
  return [reads.find(({ target }) => targets.has(target)) ?? alike ?? reads[0]].flatMap((read) => read ?? []);
}

/** Evidence of one side for a violated clause: checks to run again, and the responses that a rule reported. */
function violationsOf(clause: ClauseId, { checks, exchanges }: Report) {
  const isOfClause = ({ clause: own, severity }: Finding) => own === clause && severity !== 'note';
  const violated = checks.filter(({ findings }) => findings.some(isOfClause));
  const rules = violated.filter(({ id }) => id.startsWith('rule/'));
  const violating = new Set(
    rules.flatMap(({ findings }) => findings.filter(isOfClause)).map(({ exchange }) => exchange),
  );
  const shown = exchanges.filter(({ id }) => violating.has(id));
  // A response to a write is repeated with the check that sent it.
  const senders = sendersOf(
    shown.filter((exchange) => !isPlainRead(exchange)),
    checks,
  );
  const own = violated.filter(({ id }) => !id.startsWith('rule/'));
  return { checks: [...own.map(({ id }) => id), ...senders], exchanges: shown };
}

/** On the side that keeps the clause another check may have shown it. */
function othersFor(clause: ClauseId, { checks }: Report, known: readonly string[]): string[] {
  const shows = ({ shown, findings }: CheckResult) =>
    shown?.includes(clause) === true || findings.some((finding) => finding.clause === clause);
  if (checks.some((check) => known.includes(check.id) && shows(check))) return [];
  return checks
    .filter((check) => !check.id.startsWith('rule/') && shows(check))
    .map(({ id }) => id)
    .slice(0, 1);
}

function isPlainRead({ method, key, operation, burst, status }: StoredExchange): boolean {
  return method === 'GET' && key === 'good' && operation !== null && !burst && status !== 429;
}
