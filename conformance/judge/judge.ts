// A check as data and a function of a history. It sends nothing, so every history can be judged: of a run, of a
// recording, of the traffic of a client.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { type Exchange, rejectsChunks, rejectsNamedClient } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { type Confirmable, confirmationOf, isOfRecords, isUnsent } from './confirmation.ts';
import { type Claim, type Ledger, makeLedger } from './ledger.ts';
import type { CheckResult, InconclusiveReason, Level, Severity } from './result.ts';

export interface Doubt {
  readonly doubt: InconclusiveReason;
  readonly message: string;
}

/**
 * A claim that was tested, and `fail` as its severity when absent; a finding without a test; or why something stays
 * open. A claim with `of` counts only after its requests were sent again (`Confirmable`).
 */
export type Judgment =
  | (Claim & { readonly isTrue: boolean; readonly severity?: Severity; readonly of?: undefined })
  | (Claim & { readonly isTrue?: undefined; readonly severity: Severity; readonly of?: undefined })
  | (Confirmable & { readonly isTrue: boolean })
  | Doubt;

export interface Judged {
  /** `area/name`; stable, never reused. */
  readonly id: string;
  /** A sentence that is true when the check passes. */
  readonly title: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** `must` when absent. */
  readonly level?: Level;
  /** The ids of the scenarios that send its requests. Without any, it reads the exchanges of others. */
  readonly scenarios?: readonly string[];
  /** Pure: the same history gives the same judgments. */
  judge(history: History): Iterable<Judgment>;
}

type JudgeOf = Pick<Judged, 'judge'>;

/** Copies of requests count only for the finding that they confirm. */
function withoutCopies(history: History): History {
  const isCopy = history.exchanges.some(({ confirms }) => confirms !== undefined);
  return isCopy ? { ...history, exchanges: history.exchanges.filter((one) => one.confirms === undefined) } : history;
}

const isOpen = (one: Judgment): one is Confirmable & { readonly isTrue: boolean } =>
  'of' in one && one.of !== undefined && !one.isTrue;

const findingsOf =
  ({ judge }: JudgeOf) =>
  (history: History) =>
    [...judge(history)].filter(isOpen);

/** Records what holds, the confirmed findings, and why others stay open. A check that throws is a crash of ours. */
export function judgeInto(ledger: Ledger, check: JudgeOf, history: History): void {
  try {
    recordAll(ledger, check, history);
  } catch (error) {
    ledger.crash(`the check itself ended with an error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function recordAll(ledger: Ledger, check: JudgeOf, history: History): void {
  const open: Confirmable[] = [];
  for (const judgment of check.judge(withoutCopies(history))) {
    if ('doubt' in judgment) ledger.doubt(judgment.doubt, judgment.message);
    else if (isOpen(judgment)) open.push(judgment);
    else if (judgment.isTrue === undefined) ledger.record(judgment.severity, judgment);
    else ledger.holds(judgment.isTrue, judgment, judgment.severity);
  }
  const confirmations = open.map((finding) => confirmationOf(finding, history, findingsOf(check)));
  const confirmed = confirmations.flatMap((one) => (one.kind === 'confirmed' ? [one.finding] : []));
  for (const { severity = 'fail', ...claim } of confirmed) ledger.holds(false, claim, severity);
  const [first] = confirmed.length === 0 ? open : [];
  if (first === undefined) return;
  const message = 'repeated requests did not show it again';
  if (!isOfRecords(first) && confirmations[0]?.kind === 'open') ledger.record('note', { ...first, message });
  if (confirmations.every(({ kind }) => kind === 'unsent'))
    ledger.doubt('budget', 'the requests of a finding could not be sent again');
  else ledger.doubt('interference', isOfRecords(first) ? 'the data changed during the check' : message);
}

/** So many findings of one check are confirmed, each about other requests. */
const confirmedMax = 3;

/** The finding whose requests are to be sent next; null once one of them is confirmed, or all were sent. */
export function nextToConfirm(check: JudgeOf, history: History): Confirmable | null {
  const findings = findingsOf(check)(withoutCopies(history));
  const groups = new Map(findings.toReversed().map((one) => [one.of.map(({ id }) => id).join(), one]));
  const first = [...groups.values()].toReversed().slice(0, confirmedMax);
  const confirmations = first.map((one) => confirmationOf(one, history, findingsOf(check)));
  if (confirmations.some(({ kind }) => kind === 'confirmed')) return null;
  return first.find((one) => isUnsent(one, history)) ?? null;
}

/** The results of all checks. */
export function judgeAll(checks: readonly Judged[], history: History): CheckResult[] {
  return checks.map((check) => {
    const { level = 'must', clauses: cites } = check;
    const ledger = makeLedger(level);
    judgeInto(ledger, check, history);
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

// A rule checks every exchange, of any check. Its row in the report merges the results of all.

export interface RuleContext {
  /** The placeholders of the secrets that a text gives away. */
  findSecrets(text: string): string[];
}

/** Rules see what checks, repeats and bursts brought in, and recorded traffic. They send nothing. */
export interface Rule {
  /** `rule/name`. */
  readonly id: string;
  /** A sentence that is true when the rule passes. */
  readonly title: string;
  readonly cites: readonly [ClauseId, ...ClauseId[]];
  readonly level: Level;
  /** It has something to say of responses of the MCP endpoint. */
  readonly isForMcp?: true;
  check(exchange: Exchange, ledger: Ledger, context: RuleContext): void;
}

/** The result of each rule. One that throws is recorded as a crash, and the others continue. */
export function judgeRules(
  rules: readonly Rule[],
  exchanges: readonly Exchange[],
  context: RuleContext,
): CheckResult[] {
  const usable = exchanges.filter((one) => !rejectsChunks(one) && !rejectsNamedClient(one));
  return rules.map((rule) => {
    const ledger = makeLedger(rule.level);
    const shown = usable.filter((exchange) => {
      const before = ledger.evidence;
      try {
        rule.check(exchange, ledger, context);
      } catch (error) {
        ledger.crash(`the rule itself broke: ${error instanceof Error ? error.message : String(error)}`);
      }
      return ledger.evidence > before;
    });
    return toResult(
      rule,
      ledger,
      shown.map(({ id }) => id),
    );
  });
}
