// Pages of reviews, as a history shows them.
import { type AccountRow, accountIdIn, accountsOf, otherBusinesses, reviewedProviders } from './accounts.ts';
import { dataOf, type Exchange, isObject } from './exchange.ts';
import { type History, responsesTo } from './history.ts';
import { type Fields, rowsAt } from './records.ts';
import { sameId } from './same-id.ts';

/** One page of reviews. */
export interface ReviewPage {
  readonly exchange: Exchange;
  /** In lower case. */
  readonly accountId: string;
  readonly rows: readonly (Fields & { readonly reviewId: string })[];
  readonly ids: readonly string[];
  /** The cursor that was sent. */
  readonly from: string | null;
  /** Null at the end. Any string is a further page, an empty one too (interpretation R14). */
  readonly next: string | null;
}

/** Null where rows or cursor cannot be read. */
export function reviewPage(exchange: Exchange): ReviewPage | null {
  const rows = rowsAt(exchange, '/data/reviews', ['reviewId']);
  const next = dataOf(exchange).nextCursor ?? null;
  if (rows === null || (next !== null && typeof next !== 'string')) return null;
  const from = new URLSearchParams(exchange.target.split('?')[1]).get('cursor');
  const ids = rows.map(({ reviewId }) => reviewId);
  return { exchange, accountId: accountIdIn(exchange).toLowerCase(), rows, ids, from, next };
}

export function reviewPages(history: History): readonly ReviewPage[] {
  return responsesTo(history, 'listReviews').flatMap((exchange) => reviewPage(exchange) ?? []);
}

/** null where the aggregate is absent or of another type. */
export function reviewCount({ exchange }: ReviewPage): number | null {
  const { aggregate } = dataOf(exchange);
  const stated = isObject(aggregate) ? aggregate.reviewCount : null;
  return typeof stated === 'number' ? stated : null;
}

/** Accounts of other businesses that usually have reviews; of another provider first, because two share no reviews. */
export function othersWithReviews(history: History, accountId: string): readonly AccountRow[] {
  const rows = accountsOf(history);
  const own = rows.find((row) => sameId(row.accountId, accountId));
  const rank = (row: AccountRow) => 2 * Number(row.locked) + Number(row.provider === own?.provider);
  const usual = otherBusinesses(rows, accountId).filter(({ provider }) => reviewedProviders.includes(provider));
  return usual.toSorted((one, other) => rank(one) - rank(other));
}
