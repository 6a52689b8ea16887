// Which account's reviews are read, and what a page of them holds.
import { type Exchange, isObject } from '../exchange/exchange.ts';
import { rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { type Reading, type Readings, readUsable } from './usable-account.ts';

const isRich = (exchange: Exchange) => isObject(exchange.json) && itemsOf(exchange).length > 0;

function itemsOf({ json }: Exchange): readonly unknown[] {
  const data = isObject(json) && isObject(json.data) ? json.data : {};
  return Array.isArray(data.reviews) ? data.reviews : [];
}

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
  const data = isObject(exchange.json) && isObject(exchange.json.data) ? exchange.json.data : {};
  const nextCursor = data.nextCursor ?? null;
  if (nextCursor !== null && typeof nextCursor !== 'string')
    return probe.stop('precondition', 'nextCursor is not a string');
  return { exchange, ids, nextCursor };
}
