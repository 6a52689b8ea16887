// One check of a run: whether its requests are left, what blocks it, and the result of an error that it throws.

import { toResult } from '../judge/judge.ts';
import { type Ledger, makeLedger } from '../judge/ledger.ts';
import { type CheckResult, hasConcluded, type InconclusiveReason, type Result } from '../judge/result.ts';
import { NotOpened } from '../mcp/endpoint.ts';
import { RequestsUp, TargetDown } from '../pace/client.ts';
import { TimeUp } from '../pace/clock.ts';
import type { Trouble } from '../pace/patience.ts';
import type { Budget } from '../plan/budget.ts';
import type { Check } from '../probe/check.ts';
import { makeProbe } from '../probe/probe.ts';
import { NoResponse, Stop } from '../probe/stop.ts';
import type { PlannedCheck } from '../report/coverage.ts';
import type { Session } from './session.ts';

export const beyondRequests = 'not enough requests in this run: use --only, or a larger --minutes';

interface SoFar {
  readonly done: readonly CheckResult[];
  readonly budget: Budget;
  readonly sendsAll?: boolean;
}

/** A check starts only if all its requests are left: half a check would be inconclusive. Then a sample may fit. */
export async function runWithin(
  { check, sample, depth }: PlannedCheck,
  session: Session,
  soFar: SoFar,
): Promise<CheckResult> {
  const { budget } = soFar;
  const chosen = [check, sample].find(budget.allows);
  const result =
    chosen === undefined
      ? leaveOut(check, { kind: 'inconclusive', reason: 'budget', message: beyondRequests })
      : await runCheck(chosen, session, { ...soFar, sendsAll: depth === 'all' && chosen === check });
  const hasFound = result.findings.some(({ severity }) => severity !== 'note');
  budget.settle(chosen ?? sample, chosen === undefined ? 'left out' : hasFound ? 'found' : 'nothing found');
  return result;
}

/** If an earlier check did not pass, later ones are inconclusive: their failure would have the same cause. */
async function runCheck(
  check: Check,
  session: Session,
  { done, budget, sendsAll = true }: SoFar,
): Promise<CheckResult> {
  const blocker = done.find(
    ({ id, result: outcome }) => check.after?.includes(id) && (!hasConcluded(outcome.kind) || outcome.kind === 'fail'),
  );
  if (blocker) {
    const message = `blocked by ${blocker.id}`;
    const { reason: cause } = blocker.result;
    const reason = cause === 'platform' || cause === 'interference' ? cause : 'precondition';
    return leaveOut(check, { kind: 'inconclusive', reason, message });
  }
  const failed = done.find(({ id, result: outcome }) => check.unless?.includes(id) && outcome.kind === 'fail');
  if (failed)
    return leaveOut(check, { kind: 'inconclusive', reason: 'precondition', message: `blocked by ${failed.id}` });
  const ledger = makeLedger(check.level);
  const exchanges = new Set<string>();
  const probe = makeProbe({ ...session, requestsLeft: budget.left, sendsAll }, ledger, (id) => exchanges.add(id));
  try {
    await check.run(probe);
  } catch (error) {
    recordThrow(ledger, error);
  }
  return toResult(check, ledger, [...exchanges]);
}

/** The result of an exception. An unknown one is a bug of the check, and never the target's failure. */
function recordThrow(ledger: Ledger, error: unknown): void {
  if (error instanceof Stop) ledger.doubt(error.reason, error.message);
  else if (error instanceof TimeUp) ledger.doubt('budget', error.message);
  else if (error instanceof TargetDown || error instanceof RequestsUp) {
    ledger.doubt(reasonOf(error.trouble), error.message);
  } else if (error instanceof NotOpened)
    ledger.doubt('precondition', `the MCP endpoint did not open: ${error.message}`);
  else if (error instanceof NoResponse) ledger.crash(error.message);
  else ledger.crash(`the check itself ended with an error: ${error instanceof Error ? error.message : String(error)}`);
}

/** Why a check was left out once nothing more could be sent. */
function reasonOf(trouble: Trouble | null): InconclusiveReason {
  if (trouble === null) return 'budget';
  return trouble === 'interference' ? 'interference' : 'platform';
}

export function leaveOut(check: Check, outcome: Result): CheckResult {
  return { ...toResult(check, makeLedger(check.level), []), result: outcome };
}
