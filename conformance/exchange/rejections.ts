// Documented rejections: of the account or the platform, not of the key.
import { errorStatus } from '../../src/contract/generated/errors.ts';
import { type Exchange, errorCode } from './exchange.ts';

/** A code of the table with the status of its row, about the account or the platform and not about the key. */
export function isDocumentedRejection(exchange: Exchange): boolean {
  const code = errorCode(exchange);
  if (code === null || code === 'unauthorized' || !Object.hasOwn(errorStatus, code)) return false;
  return errorStatus[code as keyof typeof errorStatus] === exchange.status;
}

/** Payment, permission or a lost authorization can block any connect operation at any time (interpretation R2). */
export function isObstacle(exchange: Exchange): boolean {
  return isDocumentedRejection(exchange) && [401, 402, 403].includes(exchange.status);
}
