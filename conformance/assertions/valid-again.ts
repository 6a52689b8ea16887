// A rejected request must not affect the valid request after it, on any connection, record or key.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { type Exchange, errorCode, isLimiterRejection, isPlatformTrouble } from '../exchange/exchange.ts';
import { aboutStatus } from '../judge/claims.ts';
import { statusClause } from '../judge/expect.ts';
import { segmentOf } from '../observe/look.ts';
import type { Probe } from '../probe/probe.ts';
import { isObstacle, listedAccount } from './accounts.ts';
import { expectFound } from './same-record.ts';

interface Preceded {
  /** Names what was rejected just before. */
  readonly before: string;
  /** The clause of an unexpected status; the statuses of the endpoint if absent. */
  readonly clause?: ClauseId;
}

export async function expectValidAgain(
  probe: Probe,
  exchange: Exchange,
  { before, clause: usual }: Preceded,
): Promise<void> {
  if (isPlatformTrouble(exchange) || isObstacle(exchange) || exchange.operation === null) return;
  const isRejected = errorCode(exchange) === 'unauthorized';
  const message = `the request is valid and was sent after ${before}`;
  const clause = isRejected ? '7.code.unauthorized' : (usual ?? statusClause(exchange.operation));
  const claim = { ...aboutStatus(exchange, clause), expected: '200', message, proves: [] };
  const accountId = /^\/connect\/accounts\/[^/?]+\//.test(exchange.target) ? segmentOf(exchange, 2) : '';
  // The record can be deleted meanwhile (R59).
  if (accountId !== '' && exchange.status === 404)
    await expectFound(probe, exchange, { clause, ...listedAccount(accountId) });
  // A limiter of the key may have others to count.
  else if (!isLimiterRejection(exchange)) probe.holds(exchange.status === 200, claim);
}

export function expectValidKey(probe: Probe, exchange: Exchange): Promise<void> {
  return expectValidAgain(probe, exchange, { before: 'requests with invalid keys' });
}
