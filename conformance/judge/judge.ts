// A check as data and a function of a history. It sends nothing, so every history can be judged: of a run, of a
// recording, of the traffic of a client.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { History } from '../exchange/history.ts';
import { type Claim, type Ledger, makeLedger } from './ledger.ts';
import type { CheckResult, InconclusiveReason, Level, Severity } from './result.ts';

/**
 * A claim that was tested, and `fail` as its severity when absent; a finding without a test; or why something stays
 * open.
 */
export type Judgment =
  | (Claim & { readonly isTrue: boolean; readonly severity?: Severity })
  | (Claim & { readonly isTrue?: undefined; readonly severity: Severity })
  | { readonly doubt: InconclusiveReason; readonly message: string };

export interface Judged {
  /** `area/name`; stable, never reused. */
  readonly id: string;
  /** A sentence that is true when the check passes. */
  readonly title: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** `must` when absent. */
  readonly level?: Level;
  /** Pure: the same history gives the same judgments. */
  judge(history: History): Iterable<Judgment>;
}

export function judgeInto(ledger: Ledger, { judge }: Pick<Judged, 'judge'>, history: History): void {
  for (const judgment of judge(history)) {
    if ('doubt' in judgment) ledger.doubt(judgment.doubt, judgment.message);
    else if (judgment.isTrue === undefined) ledger.record(judgment.severity, judgment);
    else ledger.holds(judgment.isTrue, judgment, judgment.severity);
  }
}

/** The results of all checks. One that throws is recorded as a crash, and the others continue. */
export function judgeAll(checks: readonly Judged[], history: History): CheckResult[] {
  return checks.map((check) => {
    const { level = 'must', clauses: cites } = check;
    const ledger = makeLedger(level);
    try {
      judgeInto(ledger, check, history);
    } catch (error) {
      ledger.crash(`the check itself ended with an error: ${error instanceof Error ? error.message : String(error)}`);
    }
    return toResult({ ...check, level, cites }, ledger, []);
  });
}

/** The row of a report, from the ledger of a check or a rule. */
export function toResult(
  { id, title, level, cites }: Pick<CheckResult, 'id' | 'title' | 'level' | 'cites'>,
  ledger: Ledger,
  exchanges: readonly string[],
): CheckResult {
  return {
    id,
    title,
    level,
    cites,
    exchanges,
    result: ledger.conclude(),
    findings: ledger.findings(),
    evidence: ledger.evidence,
    shown: [...ledger.shown],
    shownIn: ledger.shownIn,
  };
}
