// A rejected request must not affect the valid request after it, on any connection, record or key.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import {
  type Exchange,
  errorCode,
  isLimiterRejection,
  isPlatformTrouble,
  nameOfResponse,
} from '../exchange/exchange.ts';
import { segmentOf } from '../observe/look.ts';
import type { Probe } from '../probe/probe.ts';
import { statusClause } from '../rules/status.ts';
import { isObstacle, stopIfGone } from './accounts.ts';
import { about } from './claims.ts';

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
  // The record can be deleted meanwhile (R59).
  const accountId = /^\/connect\/accounts\/[^/?]+\//.test(exchange.target) ? segmentOf(exchange, 2) : '';
  if (accountId !== '') await stopIfGone(probe, accountId, exchange);
  if (isPlatformTrouble(exchange) || isObstacle(exchange) || exchange.operation === null) return;
  const isRejected = errorCode(exchange) === 'unauthorized';
  const message = `the request is valid and was sent after ${before}`;
  const clause = isRejected ? '7.code.unauthorized' : (usual ?? statusClause(exchange.operation));
  const claim = { ...about(exchange, clause, '#status'), actual: nameOfResponse(exchange), message };
  // A limiter of the key may have others to count.
  if (!isLimiterRejection(exchange)) probe.holds(exchange.status === 200, { ...claim, expected: '200', proves: [] });
}

export function expectValidKey(probe: Probe, exchange: Exchange): Promise<void> {
  return expectValidAgain(probe, exchange, { before: 'requests with invalid keys' });
}
