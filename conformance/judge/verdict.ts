// What a check or a rule may conclude, and what a finding holds.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';

/** must: a broken expectation fails. should: it warns. observe: it is noted. */
export type Level = 'must' | 'should' | 'observe';

export type InconclusiveReason =
  | 'precondition'
  | 'vacuous'
  | 'timing'
  | 'interference'
  | 'platform'
  | 'budget'
  | 'unreachable';

export type VerdictKind = 'pass' | 'fail' | 'warn' | 'note' | 'inconclusive' | 'not-applicable' | 'excluded' | 'error';

export interface Verdict {
  readonly kind: VerdictKind;
  /** Present with `inconclusive` only. */
  readonly reason?: InconclusiveReason;
  /** One sentence: why it is not a plain pass or fail. */
  readonly message?: string;
}

export type Severity = 'fail' | 'warn' | 'note';

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
}

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly cites: readonly ClauseId[];
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** How many falsifiable expectations were put to the test. */
  readonly evidence: number;
  /**
   * Clauses on which something was seen that could have failed, and held; the clause that is cited, when it is the only
   * one and this is absent.
   */
  readonly shown?: readonly ClauseId[];
  /** Exchanges that the check looked at. */
  readonly exchanges: readonly string[];
}
