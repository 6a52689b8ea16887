// From the runs of two sides to the dimensions in which they may differ. Pure: what was asked is asked elsewhere.
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import { type ReadingId, readings } from '../../src/contract/generated/readings.ts';
import type { ReadingState } from '../observe/observe.ts';
import type { ClauseCoverage } from '../report/coverage.ts';
import type { DiffOutcome, Dimension, SideName } from '../report/difference.ts';
import type { Report } from '../report/report.ts';
import type { Suspect } from './asked.ts';
import {
  brief,
  faultOf,
  layerOf,
  type Relation,
  relateClauses,
  relateReadings,
  showState,
  showVerdict,
} from './relation.ts';

/** So often A agrees with itself, and differs from B, before it counts. */
export const timesMin = 3;

/** What becomes of a suspect when it is asked again: it is shown again, or it is noise, with the reason. */
export type Again = { readonly isShown: true } | { readonly isShown: false; readonly why: string };

/** Clauses and readings in which the first runs differ, and that were not shown three times on the way. */
export function suspectsOf(a: Report, b: Report): Suspect[] {
  return [
    ...clausePairs(a, b).flatMap(([mine, other]) =>
      relateClauses(mine, other).kind === 'differs' ? [{ clause: mine.clause }] : [],
    ),
    ...readingPairs(a, b).flatMap(([mine, other]) =>
      relateReadings(mine, other).kind === 'differs' && !isShownOften(mine, other) ? [{ reading: mine.id }] : [],
    ),
  ];
}

/** Three answers of each side are three times. */
function isShownOften(...states: readonly ReadingState[]): boolean {
  return states.every((state) => state.state !== 'unknown' && state.exchanges.length >= timesMin);
}

/** Whether a later run of A shows what its first one did. */
export function agreesWithItself(suspect: Suspect, first: Report, again: Report): Again {
  const relation = relate(suspect, first, again);
  if (relation.kind === 'same') return { isShown: true };
  if (relation.kind === 'open') return { isShown: false, why: 'asked again nothing of A told of it' };
  return { isShown: false, why: 'A differs from itself' };
}

/** Whether a later run of B differs from A as the first one did. */
export function differsStill(suspect: Suspect, first: Report, again: Report): Again {
  const relation = relate(suspect, first, again);
  if (relation.kind === 'differs') return { isShown: true };
  if (relation.kind === 'open') return { isShown: false, why: openAgain(suspect, again) };
  return { isShown: false, why: 'B differs from itself: asked again it did as A does' };
}

/** Either B does not show it any more, or what it shows cannot be told from A. */
function openAgain(suspect: Suspect, again: Report): string {
  const self = relate(suspect, again, again);
  return self.kind === 'open' ? 'asked again nothing of B told of it' : 'asked again B could not be told from A';
}

function relate({ clause, reading }: Suspect, a: Report, b: Report): Relation {
  if (clause !== undefined) {
    const pair = clausePairs(a, b).find(([mine]) => mine.clause === clause);
    return pair === undefined ? { kind: 'open', why: 'no answer tells of it' } : relateClauses(...pair);
  }
  const pair = readingPairs(a, b).find(([mine]) => mine.id === reading);
  return pair === undefined ? { kind: 'open', why: 'nothing showed it' } : relateReadings(...pair);
}

function clausePairs(a: Report, b: Report): [ClauseCoverage, ClauseCoverage][] {
  const others = new Map(b.coverage.map((row) => [row.clause, row]));
  return a.coverage.flatMap((row): [ClauseCoverage, ClauseCoverage][] => {
    const other = others.get(row.clause);
    return other === undefined || !row.provable ? [] : [[row, other]];
  });
}

function readingPairs(a: Report, b: Report): [ReadingState, ReadingState][] {
  const others = new Map(b.readings.map((state) => [state.id, state]));
  return a.readings.flatMap((state): [ReadingState, ReadingState][] => {
    const other = others.get(state.id);
    return other === undefined ? [] : [[state, other]];
  });
}

/** What the rounds said of a suspect: how often it was shown, and why no more often. */
export interface Verdicts {
  of(suspect: Suspect): { readonly times: number; readonly why: string | null };
}

/** Without asking again: whatever differs once is taken for a difference. */
export function compareOnce(a: Report, b: Report): Dimension[] {
  return dimensionsOf(a, b, { of: () => ({ times: timesMin, why: null }) });
}

/** Every clause that an answer can break, and every reading. */
export function dimensionsOf(a: Report, b: Report, verdicts: Verdicts): Dimension[] {
  return [
    ...clausePairs(a, b).map((pair) => clauseDimension(pair, { a, b, verdicts })),
    ...readingPairs(a, b).map((pair) => readingDimension(pair, verdicts)),
  ];
}

function clauseDimension(
  [mine, other]: readonly [ClauseCoverage, ClauseCoverage],
  { a, b, verdicts }: { a: Report; b: Report; verdicts: Verdicts },
): Dimension {
  const { clause } = mine;
  const fault = faultOf(mine, other);
  const outcomeIf: DiffOutcome = fault === null ? 'differs legally' : 'differs illegally';
  return {
    layer: layerOf(clause),
    id: clause,
    about: clauses[clause].fact,
    clauses: [clause],
    a: saidOf(mine, a),
    b: saidOf(other, b),
    fault,
    ...weigh(relateClauses(mine, other), outcomeIf, verdicts.of({ clause })),
    answers: null,
    exchanges: [...findingsOf(clause, a, 'A'), ...findingsOf(clause, b, 'B')],
  };
}

/** The verdict, and what was seen where it is no plain one. */
function saidOf(row: ClauseCoverage, report: Report): string | null {
  const verdict = showVerdict(row);
  const [finding] = report.checks.flatMap(({ findings }) =>
    findings.filter(({ clause, severity }) => clause === row.clause && severity === row.verdict),
  );
  return finding === undefined ? verdict : brief(`${verdict}: expected ${finding.expected}, got ${finding.actual}`);
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

function readingDimension([mine, other]: readonly [ReadingState, ReadingState], verdicts: Verdicts): Dimension {
  const row = readings[mine.id as ReadingId];
  const relation = relateReadings(mine, other);
  const isOften = isShownOften(mine, other);
  return {
    layer: 'reading',
    id: mine.id,
    about: row.about,
    clauses: row.clauses as readonly ClauseId[],
    a: showState(mine),
    b: showState(other),
    fault: null,
    ...weigh(relation, 'differs legally', isOften ? { times: timesMin, why: null } : verdicts.of({ reading: mine.id })),
    answers: { a: answersOf(mine), b: answersOf(other) },
    exchanges: [...shownBy(mine, 'A'), ...shownBy(other, 'B')],
  };
}

function answersOf(state: ReadingState): number {
  return state.state === 'unknown' ? 0 : state.exchanges.length;
}

function shownBy(state: ReadingState, side: SideName): string[] {
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
  if (times < timesMin) return { outcome: 'not comparable', why: why ?? 'it was not shown three times', times };
  return { outcome: outcomeIf, why: relation.why ?? null, times };
}
