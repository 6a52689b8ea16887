// Compares the runs of two sides. Pure: other modules send the requests.

import { type BehaviorId, behaviors } from '../../../src/contract/generated/behaviors.ts';
import { type ClauseId, clauses } from '../../../src/contract/generated/clauses.ts';
import type { BehaviorState } from '../../behaviors/observe.ts';
import type { ClauseCoverage } from '../../report/coverage.ts';
import type { DiffOutcome, Dimension, SideName } from '../../report/difference.ts';
import type { Report } from '../../report/report.ts';
import {
  brief,
  faultOf,
  laws,
  type Relation,
  relateBehaviors,
  relateClauses,
  type Suspect,
  showResult,
  showState,
} from './relation.ts';

/** So often A agrees with itself, and differs from B, before it counts. */
export const timesMin = 3;

/** Result of repeating a suspected difference: shown again, or noise with the reason. */
export type Again = { readonly isShown: true } | { readonly isShown: false; readonly why: string };

/** Clauses and behaviors in which the first runs differ, and that were not shown three times on the way. */
export function suspectsOf(a: Report, b: Report): Suspect[] {
  return [
    ...clausePairs(a, b).flatMap(([mine, other]) =>
      relateClauses(mine, other).kind === 'differs' ? [mine.clause] : [],
    ),
    ...behaviorPairs(a, b).flatMap(([mine, other]) =>
      relateBehaviors(mine, other).kind === 'differs' && !isShownOften(mine, other) ? [mine.id] : [],
    ),
  ];
}

/** Three responses of each side are three times. */
function isShownOften(...states: readonly BehaviorState[]): boolean {
  return states.every((state) => state.state !== 'unknown' && state.exchanges.length >= timesMin);
}

/** Whether a later run of A shows what its first one did. */
export function agreesWithItself(suspect: Suspect, first: Report, again: Report): Again {
  const relation = relate(suspect, first, again);
  if (relation.kind === 'same') return { isShown: true };
  if (relation.kind === 'open') return { isShown: false, why: 'a second run of A did not show it' };
  return { isShown: false, why: 'A differs from itself' };
}

/** Whether a later run of B differs from A as the first one did. */
export function differsStill(suspect: Suspect, first: Report, again: Report): Again {
  const relation = relate(suspect, first, again);
  if (relation.kind === 'differs') return { isShown: true };
  if (relation.kind === 'open') return { isShown: false, why: openAgain(suspect, again) };
  return { isShown: false, why: 'B varies: a second run matched A' };
}

/** Either B does not show it any more, or what it shows is inconclusive from A. */
function openAgain(suspect: Suspect, again: Report): string {
  const self = relate(suspect, again, again);
  return self.kind === 'open' ? 'a second run of B did not show it' : 'a second run of B could not be compared with A';
}

function relate(suspect: Suspect, a: Report, b: Report): Relation {
  const ofClause = clausePairs(a, b).find(([mine]) => mine.clause === suspect);
  if (ofClause !== undefined) return relateClauses(...ofClause);
  const pair = behaviorPairs(a, b).find(([mine]) => mine.id === suspect);
  return pair === undefined ? { kind: 'open', why: 'no response shows it' } : relateBehaviors(...pair);
}

const clausePairs = (a: Report, b: Report) =>
  pairsOf(
    a.coverage.filter(({ provable }) => provable),
    b.coverage,
    ({ clause }) => clause,
  );
const behaviorPairs = (a: Report, b: Report) => pairsOf(a.behaviors, b.behaviors, ({ id }) => id);

function pairsOf<Row>(all: readonly Row[], others: readonly Row[], nameOf: (row: Row) => string): [Row, Row][] {
  const known = new Map(others.map((row) => [nameOf(row), row]));
  return all.flatMap((row): [Row, Row][] => {
    const other = known.get(nameOf(row));
    return other === undefined ? [] : [[row, other]];
  });
}

/** How often the repetitions have shown a suspect, and why not more often. */
export type Results = (suspect: Suspect) => { readonly times: number; readonly why: string | null };

/** Compares without repetitions, so every difference counts. */
export function compareOnce(a: Report, b: Report): Dimension[] {
  return dimensionsOf(a, b, () => ({ times: timesMin, why: null }));
}

/** Every clause that a response can break, and every behavior. */
export function dimensionsOf(a: Report, b: Report, results: Results): Dimension[] {
  return [
    ...clausePairs(a, b).map((pair) => clauseDimension(pair, { a, b, results })),
    ...behaviorPairs(a, b).map((pair) => behaviorDimension(pair, results)),
  ];
}

function clauseDimension(
  [mine, other]: readonly [ClauseCoverage, ClauseCoverage],
  { a, b, results }: { a: Report; b: Report; results: Results },
): Dimension {
  const { clause } = mine;
  const fault = faultOf(mine, other);
  const outcomeIf: DiffOutcome = fault === null ? 'differs legally' : 'differs illegally';
  return {
    layer: laws.some((law) => law.test(clause)) ? 'law' : 'result',
    id: clause,
    about: clauses[clause].fact,
    clauses: [clause],
    a: resultTextOf(mine, a),
    b: resultTextOf(other, b),
    fault,
    ...weigh(relateClauses(mine, other), outcomeIf, results(clause)),
    responses: null,
    exchanges: [...findingsOf(clause, a, 'A'), ...findingsOf(clause, b, 'B')],
  };
}

/** The result, and details unless it is a plain one. */
function resultTextOf(row: ClauseCoverage, report: Report): string | null {
  const result = showResult(row);
  const [finding] = report.checks.flatMap(({ findings }) =>
    findings.filter(({ clause, severity }) => clause === row.clause && severity === row.result),
  );
  return finding === undefined ? result : brief(`${result}: expected ${finding.expected}, got ${finding.actual}`);
}

const exchangesMax = 2;

function findingsOf(clause: ClauseId, { checks }: Report, side: SideName): string[] {
  const ids = checks.flatMap(({ findings }) =>
    findings.flatMap((finding) =>
      finding.clause === clause && finding.severity !== 'note' && finding.exchange !== null ? [finding.exchange] : [],
    ),
  );
  return [...new Set(ids)].slice(0, exchangesMax).map((id) => exchangeId(side, id));
}

/** Ids of two runs would clash. */
export function exchangeId(side: SideName, id: string): string {
  return `${side.toLowerCase()}1.${id}`;
}

function behaviorDimension([mine, other]: readonly [BehaviorState, BehaviorState], results: Results): Dimension {
  const row = behaviors[mine.id as BehaviorId];
  const relation = relateBehaviors(mine, other);
  const isOften = isShownOften(mine, other);
  return {
    layer: 'behavior',
    id: mine.id,
    about: row.about,
    clauses: row.clauses as readonly ClauseId[],
    a: showState(mine),
    b: showState(other),
    fault: null,
    ...weigh(relation, 'differs legally', isOften ? { times: timesMin, why: null } : results(mine.id)),
    responses: { a: responsesOf(mine), b: responsesOf(other) },
    exchanges: [...shownBy(mine, 'A'), ...shownBy(other, 'B')],
  };
}

function responsesOf(state: BehaviorState): number {
  return state.state === 'unknown' ? 0 : state.exchanges.length;
}

function shownBy(state: BehaviorState, side: SideName): string[] {
  return state.state === 'unknown' ? [] : state.exchanges.slice(0, 1).map((id) => exchangeId(side, id));
}

/** Only what was shown three times counts as a difference. */
function weigh(
  relation: Relation,
  outcomeIf: DiffOutcome,
  { times, why }: { times: number; why: string | null },
): Pick<Dimension, 'outcome' | 'why' | 'times'> {
  if (relation.kind === 'same') return { outcome: 'same', why: null, times: 1 };
  if (relation.kind === 'open') return { outcome: 'not comparable', why: relation.why, times: 0 };
  if (times < timesMin) return { outcome: 'not comparable', why: why ?? 'it did not occur three times', times };
  return { outcome: outcomeIf, why: relation.why ?? null, times };
}
