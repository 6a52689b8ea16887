// The possible conclusions of a check or a rule, and the fields of a finding.

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { words } from '../../src/contract/words.ts';

/** must: a broken expectation fails. should: it warns. observe: it is noted. */
export const levels = ['must', 'should', 'observe'] as const;
export type Level = (typeof levels)[number];

/**
 * Why a result is inconclusive: the target lacks something, not enough data, the clock, other traffic, the platform,
 * our own budget, or no connection.
 */
export const inconclusiveReasons = words('precondition vacuous timing interference platform budget unreachable');
export type InconclusiveReason = (typeof inconclusiveReasons)[number];

/** The most severe first, as in reports: it decides for a clause. A pass comes before inconclusive kinds. */
export const resultKinds = ['fail', 'error', 'warn', 'pass', 'note', 'inconclusive', 'skipped'] as const;
export type ResultKind = (typeof resultKinds)[number];

/** Kinds that can count as a failure: a kind of result, or a reason why it is inconclusive. */
export const failableKinds = [
  ...resultKinds,
  ...inconclusiveReasons.map((reason) => `inconclusive:${reason}` as const),
] as const;
export type FailableKind = (typeof failableKinds)[number];

/** For `--fail-on`, which can name a kind or one of its reasons. */
export function isOfKind({ kind, reason }: Result, failable: FailableKind): boolean {
  return failable === kind || (reason !== undefined && failable === `inconclusive:${reason}`);
}

/** Whether the check or rule looked at something and came to a result. */
export function hasConcluded(kind: ResultKind | undefined): boolean {
  return kind === 'pass' || kind === 'fail' || kind === 'warn' || kind === 'note';
}

export function isTested(kind: ResultKind | null): boolean {
  return kind === 'pass' || kind === 'fail' || kind === 'warn';
}

export function isOpen(kind: ResultKind): boolean {
  return kind === 'inconclusive' || kind === 'skipped';
}

/** The conclusion of one check or rule in a run. */
export interface Result {
  readonly kind: ResultKind;
  /** Present with `inconclusive` only. */
  readonly reason?: InconclusiveReason;
  /** One sentence: why it is not a plain pass or fail. */
  readonly message?: string;
}

/** The gravest first. */
export const severities = ['fail', 'warn', 'note'] as const;
export type Severity = (typeof severities)[number];

/** One violation, with the expected value. Fields are part of the published report schema. */
export interface Finding {
  readonly severity: Severity;
  readonly clause: ClauseId;
  /** JSON pointer into the body, or `#header/<name>`, `#status`, `#body`. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** Id of the exchange that shows it; null when several together do. */
  readonly exchange: string | null;
  readonly message?: string;
  /** How many places showed the same; 1 for a single one. */
  readonly count: number;
  /** Ids of further exchanges that show the same. */
  readonly alike?: readonly string[];
  /** For a finding that names a cause and is about several responses. */
  readonly proof?: readonly Witness[];
  /** For a finding that names a cause, if identical requests returned different records. */
  readonly unsteady?: Unsteady;
  /** The first read of another record, if it shows that the defect needs an earlier request. */
  readonly firstRead?: string;
}

/** A record that only some of the responses to identical requests have. The exchanges are in the order of sending. */
export interface Unsteady {
  readonly record: string;
  readonly exchanges: readonly string[];
  readonly without: readonly string[];
}

/** One line of a proof: `returned 2 records, without a1`. */
export interface Witness {
  readonly exchange: string;
  readonly shows: string;
}

/** The row of a check or rule in every report. */
export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly cites: readonly ClauseId[];
  readonly result: Result;
  readonly findings: readonly Finding[];
  /** How many falsifiable expectations were put to the test. */
  readonly evidence: number;
  /**
   * Clauses on which something was seen that could have failed, and held; the clause that is cited, when it is the only
   * one and this is absent.
   */
  readonly shown?: readonly ClauseId[];
  /** The first exchanges that showed them. */
  readonly shownIn?: ReadonlyMap<ClauseId, readonly string[]>;
  /** Exchanges that the check looked at. */
  readonly exchanges: readonly string[];
}
