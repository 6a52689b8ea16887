// Which account's reviews are read, and what a page of them holds.
import { dataOf, type Exchange, listOf } from '../exchange/exchange.ts';
import { rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { type Reading, type Readings, readUsable } from './usable-account.ts';

const isRich = (exchange: Exchange) => listOf(dataOf(exchange).reviews).length > 0;

export function tryReviews(probe: Probe): Promise<Readings> {
  return readUsable(probe, { operation: 'listReviews', isRich });
}

export async function reviewed(probe: Probe): Promise<Reading> {
  const { usable } = await tryReviews(probe);
  return usable ?? probe.stop('precondition', 'no account that was tried shows its reviews');
}

export interface ReviewPage {
  readonly exchange: Exchange;
  readonly ids: readonly string[];
  readonly nextCursor: string | null;
}

export function toPage(probe: Probe, exchange: Exchange): ReviewPage {
  const ids = rowsOf(exchange, ['data', 'reviews'], ['reviewId']).map(({ reviewId }) => String(reviewId));
  const nextCursor = dataOf(exchange).nextCursor ?? null;
  if (nextCursor !== null && typeof nextCursor !== 'string')
    return probe.stop('precondition', 'nextCursor is not a string');
  return { exchange, ids, nextCursor };
}
