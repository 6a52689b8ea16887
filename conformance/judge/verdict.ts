// The result of a check: the evidence in a history, and the reasons why its scenarios leave something open.
import type { History } from '../exchange/history.ts';
import { type Doubt, type Judged, judgeInto, toResult } from './judge.ts';
import { makeLedger } from './ledger.ts';
import type { CheckResult, Result } from './result.ts';

/** How a scenario ended. Plain data, so a saved run can be judged again. */
export type Outcome =
  | {
      readonly kind: 'asked';
      /** The ids of its exchanges, those of shared reads included. */
      readonly exchanges: readonly string[];
      /** Why it sent no requests, or not all of them. */
      readonly why?: string;
      /** The problem that ended it early. An error of ours is a crash. */
      readonly trouble?: Doubt | { readonly crash: string };
    }
  /** It needs a flag or a key. */
  | { readonly kind: 'skipped'; readonly message: string }
  /** The run had not enough requests or time. */
  | { readonly kind: 'left out'; readonly message: string };

export interface Judging {
  /** The exchanges that count. */
  readonly history: History;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Why the run ended early, and the number of its first exchange that does not count. */
  readonly ended?: { readonly sentence: string; readonly since: number };
}

/** Null for a check that an early end did not reach. */
export function resultOf(check: Judged, judging: Judging): CheckResult | null {
  const { level = 'must', clauses: cites, scenarios = [] } = check;
  const own = scenarios.flatMap((id) => judging.outcomes.get(id) ?? []);
  const ledger = makeLedger(level);
  for (const outcome of own) {
    const trouble = outcome.kind === 'asked' ? outcome.trouble : undefined;
    if (trouble === undefined) continue;
    if ('crash' in trouble) ledger.crash(trouble.crash);
    else ledger.doubt(trouble.doubt, trouble.message);
  }
  judgeInto(ledger, check, judging.history);
  const exchanges = [...new Set(own.flatMap((one) => (one.kind === 'asked' ? one.exchanges : [])))];
  const row = toResult({ ...check, level, cites }, ledger, exchanges);
  const isFinal = row.result.kind === 'fail' || row.result.kind === 'error';
  if (isFinal) return row;
  if (judging.ended !== undefined) {
    const { since, sentence } = judging.ended;
    const isReached = own.some(({ kind }) => kind !== 'skipped');
    const isWhole = own.length === scenarios.length && exchanges.every((id) => Number(id.slice(1)) < since);
    if (!isReached) return null;
    if (!isWhole) return open(row, { kind: 'inconclusive', reason: 'platform', message: sentence });
  }
  const why = row.evidence === 0 ? whyUnasked(own) : null;
  return why === null ? row : { ...row, result: why };
}

/** Nothing is verified. */
function open(row: CheckResult, result: Result): CheckResult {
  return { ...row, result, evidence: 0, shown: [], shownIn: new Map() };
}

/** Returns why there is no evidence: the requests that were not sent. Null if all were sent. */
function whyUnasked(outcomes: readonly Outcome[]): Result | null {
  const messages = (kind: 'skipped' | 'left out') =>
    outcomes.flatMap((one) => (one.kind === kind ? [one.message] : []));
  const [skipped, leftOut] = [messages('skipped'), messages('left out')];
  const why = outcomes.flatMap((one) => (one.kind === 'asked' ? (one.why ?? []) : []));
  if (why[0] !== undefined) return { kind: 'inconclusive', reason: 'precondition', message: why[0] };
  if (leftOut[0] !== undefined && outcomes.every(({ kind }) => kind !== 'asked'))
    return { kind: 'inconclusive', reason: 'budget', message: leftOut[0] };
  // The shortest way is the easiest one.
  const [shortest] = skipped.toSorted((one, other) => one.length - other.length);
  const isSkipped = shortest !== undefined && skipped.length === outcomes.length;
  return isSkipped ? { kind: 'skipped', message: shortest } : null;
}
