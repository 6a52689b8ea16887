// A rejected request must not affect the valid request after it, on any connection, record or key.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { type Exchange, errorCode, isLimiterRejection, isPlatformTrouble } from '../exchange/exchange.ts';
import { isObstacle } from '../exchange/rejections.ts';
import { aboutStatus } from './claims.ts';
import { statusClause } from './expect.ts';
import type { Judgment } from './judge.ts';
import { isFound } from './same-record.ts';

interface Preceded {
  /** Names what was rejected just before. */
  readonly before: string;
  /** The clause of an unexpected status; the statuses of the endpoint if absent. */
  readonly clause?: ClauseId;
}

export function* isValidAgain(exchange: Exchange, { before, clause: usual }: Preceded): Iterable<Judgment> {
  // A limiter of the key may have others to count.
  if (isPlatformTrouble(exchange) || isObstacle(exchange) || isLimiterRejection(exchange)) return;
  if (exchange.operation === null) return;
  const isUnauthorized = errorCode(exchange) === 'unauthorized';
  const clause = isUnauthorized ? '7.code.unauthorized' : (usual ?? statusClause(exchange.operation));
  const [, accountId] = /^\/connect\/accounts\/([^/?]+)\//.exec(exchange.target) ?? [];
  // The record can be deleted meanwhile (R59).
  if (accountId !== undefined && exchange.status === 404) {
    yield* isFound(exchange, { clause, rows: [{ accountId }], witness: { operation: 'listAccounts' } });
    return;
  }
  const message = `the request is valid and was sent after ${before}`;
  yield { ...aboutStatus(exchange, clause), expected: '200', message, proves: [], isTrue: exchange.status === 200 };
}

export function isValidKeyAgain(exchange: Exchange): Iterable<Judgment> {
  return isValidAgain(exchange, { before: 'requests with invalid keys' });
}
