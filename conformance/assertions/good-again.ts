// A valid request behind a bad one gets a response as if the bad one had never come: what was rejected stays with
// nobody, on no connection, at no place and under no key.
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

interface Behind {
  /** Names what was rejected just before. */
  readonly before: string;
  /** What another status breaks; the list of statuses of the endpoint when absent. */
  readonly clause?: ClauseId;
}

export async function expectGood(probe: Probe, exchange: Exchange, { before, clause: usual }: Behind): Promise<void> {
  // What was read before may have been removed meanwhile (R59).
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

/** A valid key among bad ones, or behind them, is as good as before. */
export function expectGoodKey(probe: Probe, exchange: Exchange): Promise<void> {
  return expectGood(probe, exchange, { before: 'requests with invalid keys' });
}
