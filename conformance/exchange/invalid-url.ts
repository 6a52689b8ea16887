// URLs that anything in front of a service may reject, so that the service never sees them (rulings R64).
import { isDecodable } from '../../src/contract/percent.ts';
import type { Exchange } from './exchange.ts';

/** Broken percent-encoding, bytes that are not UTF-8, and the byte that ends a string in many a language. */
export function isInvalidUrl(target: string): boolean {
  return hasNul(target) || !isDecodable(target);
}

/** Any 4xx in any body is legal, and a 5xx warns at most: rules and checks ask for no more. */
export function isRejectedUrl({ target, status }: Pick<Exchange, 'target' | 'status'>): boolean {
  // A NUL is valid UTF-8: many a proxy rejects it, and a service must not break at it.
  return status >= 400 && (!isDecodable(target) || (status < 500 && hasNul(target)));
}

function hasNul(target: string): boolean {
  return target.includes('%00');
}
