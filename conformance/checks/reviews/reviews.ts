// Reviews: of each account, their order, and rejections. pages.ts has their pages.
import { parseTimestamp } from '../../../src/contract/timestamps.ts';
import { accountsOf, readsOf } from '../../exchange/accounts.ts';
import { directionOf } from '../../exchange/call-timestamps.ts';
import { canonical } from '../../exchange/canonical.ts';
import { isDocumentedRejection } from '../../exchange/exchange.ts';
import { type History, labelled } from '../../exchange/history.ts';
import { equalMin, isDistinctive } from '../../exchange/organizations.ts';
import { othersWithReviews, type ReviewPage, reviewPages } from '../../exchange/reviews.ts';
import { sameId } from '../../exchange/same-id.ts';
import { areInvalid, areNotDenied, areUnknown, isResponse } from '../../judge/accounts.ts';
import { about, aboutStatus, hasStatus, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';

const clause = '4.connect.list-reviews.endpoint';

const listing: Judged = {
  id: 'reviews/listing',
  title: 'GET /connect/accounts/{accountId}/reviews returns reviews of a connected account',
  clauses: [
    clause,
    '4.connect.list-reviews.cursor',
    '4.connect.list-reviews.order',
    '1.connect-operations',
    '5.provider-auth',
  ],
  scenarios: ['reviews/pages'],
  *judge(history) {
    const reads = readsOf(history, 'listReviews').filter(({ row }) => row === undefined || row.status === 'connected');
    for (const read of reads) yield* isResponse(read, clause);
    yield* areNotDenied(reads);
    for (const page of reviewPages(history)) yield* isNewestFirst(page);
  },
};

/** R23: a reply may count as newer information, and the form of `date` is not promised. */
function* isNewestFirst({ exchange, rows }: ReviewPage): Iterable<Judgment> {
  const timestamps = rows.flatMap(({ date }) => (typeof date === 'string' ? (parseTimestamp(date) ?? []) : []));
  const direction = timestamps.length < rows.length ? 'mixed' : directionOf(timestamps);
  if (direction === 'level' || direction === 'mixed') return;
  const claim = { ...about(exchange, '4.connect.list-reviews.order', '/data/reviews'), severity: 'note' } as const;
  const words = { expected: 'the newest first', actual: 'the oldest review first' };
  yield { ...claim, ...words, isTrue: direction === 'falling' };
}

const unknownAccount: Judged = {
  id: 'reviews/unknown-account',
  title: 'The reviews endpoint returns 404 for an unknown account',
  clauses: ['4.connect.unknown-account', '1.unknown-record', '4.connect.account-id'],
  scenarios: ['reviews/unknown-account', 'reviews/malformed-ids'],
  *judge(history) {
    yield* areUnknown(history, 'reviews of an unknown account');
    yield* areInvalid(history, 'reviews of a malformed id');
  },
};

/** A server that ignores the account returns the same reviews for all. */
const otherAccounts: Judged = {
  id: 'reviews/other-accounts',
  title: 'The reviews endpoint does not mix reviews of different accounts',
  clauses: [clause, '2.list-reviews-output.reviews', '5.provider-auth'],
  scenarios: ['reviews/pages', 'reviews/other-accounts'],
  *judge(history) {
    const pages = reviewPages(history);
    const own = pages.find(({ from, ids }) => from === null && ids.length > 0);
    if (own === undefined) return yield { doubt: 'vacuous', message: 'needs an account with reviews' };
    const elsewhere = elsewhereOf(history, own.accountId);
    const others = othersWithReviews(history, own.accountId).flatMap(
      ({ accountId }) => pages.find((page) => page.from === null && sameId(page.accountId, accountId)) ?? [],
    );
    const isSure = own.rows.filter(isDistinctive).length >= equalMin;
    for (const page of others) {
      const isSame = textOf(page) === textOf(own);
      const actual = isSame ? `the reviews of another account, as in ${own.exchange.id}` : 'others';
      const claim = { ...about(page.exchange, clause, '/data/reviews'), expected: 'reviews of this account', actual };
      // Two platforms share no reviews. One business may be connected twice to one of them; that all are one is rare.
      if (!isSame || (isSure && elsewhere(page.accountId))) yield { ...claim, isTrue: !isSame };
      else yield { ...claim, severity: others.some((one) => textOf(one) !== textOf(own)) ? 'note' : 'warn' };
    }
    for (const page of pages) yield* isOfOwnAccount(page, pages, elsewhereOf(history, page.accountId));
  },
};

function elsewhereOf(history: History, accountId: string): (other: string) => boolean {
  const providerOf = (id: string) => accountsOf(history).find((row) => sameId(row.accountId, id))?.provider;
  return (other) => providerOf(other) !== undefined && providerOf(other) !== providerOf(accountId);
}

/** Whole reviews: their ids may be numbers from one on, in each account (R9). */
const textsOf = ({ rows }: ReviewPage) => rows.map((row) => canonical(row));
const textOf = (page: ReviewPage) => textsOf(page).join('\n');

/** A cursor of one account may be rejected for another account, or be ignored. It never opens the first one's list. */
function* isOfOwnAccount(
  page: ReviewPage,
  pages: readonly ReviewPage[],
  elsewhere: (other: string) => boolean,
): Iterable<Judgment> {
  const sources = page.from === null ? [] : pages.filter(({ next }) => next === page.from);
  const [source] = sources;
  if (source === undefined || !sources.every(({ accountId }) => elsewhere(accountId))) return;
  const ofAccount = (wanted: string) => pages.filter(({ accountId }) => accountId === wanted);
  // Accounts that were seeded alike show equal reviews without a cursor too.
  const theirs = new Set(ofAccount(page.accountId).flatMap((one) => (one.from === null ? textsOf(one) : [])));
  const known = new Set(ofAccount(source.accountId).flatMap(textsOf));
  const equal = page.rows.filter((row) => {
    const text = canonical(row);
    return known.has(text) && !theirs.has(text) && isDistinctive(row);
  });
  yield {
    ...about(page.exchange, clause, '/data/reviews'),
    isTrue: equal.length < equalMin,
    expected: 'reviews of this account only',
    actual: `${equal.length} of ${page.rows.length} reviews of the account of the cursor`,
  };
}

/** The form of a cursor is the server's own affair, so both ways of taking a foreign one are right. */
const invalidCursor: Judged = {
  id: 'reviews/bad-cursor',
  title: 'The reviews endpoint rejects or ignores unknown cursors',
  clauses: [
    '4.connect.statuses',
    '4.connect.list-reviews.cursor',
    clause,
    '2.list-reviews-output.reviews',
    '5.provider-auth',
  ],
  scenarios: ['reviews/pages', 'reviews/invalid-cursor', 'reviews/invalid-cursors'],
  *judge(history) {
    for (const exchange of labelled(history, 'reviews with an invalid cursor')) {
      if (!(yield* judgeable(history, exchange))) continue;
      const claim = { ...aboutStatus(exchange, '4.connect.statuses'), expected: 'a rejection', isTrue: true };
      const tested = isDocumentedRejection(exchange) ? claim : hasStatus(exchange, 200, '4.connect.statuses');
      if (tested !== null) yield tested;
    }
  },
};

export const reviews: readonly Judged[] = [listing, unknownAccount, otherAccounts, invalidCursor];
