// Which account's reviews are read, and what a page of them holds.
import { dataOf, type Exchange, listOf } from '../exchange/exchange.ts';
import { rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { type Reading, type Readings, readUsable } from './accounts.ts';

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

/** A text under a review that it was not meant for. */
interface Astray {
  readonly page: Exchange;
  readonly at: number;
  readonly under: unknown;
}

/** A reply that was sent. */
interface SentReply {
  readonly accountId: string;
  readonly reviewId: string;
  readonly text: string;
}

/** On this page or, where the text is not under its own review, on the next: it may have gone to a neighbour. */
export async function findAstray(
  probe: Probe,
  first: Exchange,
  { accountId, reviewId, text }: SentReply,
): Promise<Astray | null> {
  const look = (page: Exchange): Astray | null => {
    const rows = rowsOf(page, ['data', 'reviews']);
    const at = rows.findIndex((row) => row.replyText === text && row.reviewId !== reviewId);
    return at < 0 ? null : { page, at, under: rows[at]?.reviewId };
  };
  const cursor = toPage(probe, first).nextCursor;
  const own = rowsOf(first, ['data', 'reviews']).find((row) => row.reviewId === reviewId);
  const here = look(first);
  if (here !== null || cursor === null || own === undefined || own.replyText === text) return here;
  return look(await probe.send({ operation: 'listReviews', params: { accountId, cursor } }));
}
