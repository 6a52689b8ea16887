// The pages of reviews. The server chooses the page size, so a walk is checked for repetitions and for its end. Missing
// reviews show at most in the count of the aggregate.
import { parseTimestamp } from '../../../src/contract/timestamps.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import { accountIdIn, accountsOf, readsOf } from '../../exchange/accounts.ts';
import { directionOf } from '../../exchange/call-timestamps.ts';
import { canonical } from '../../exchange/canonical.ts';
import { type Exchange, isDocumentedRejection, isObstacle, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, labelled, precedes, responsesTo } from '../../exchange/history.ts';
import { equalMin, isDistinctive } from '../../exchange/organizations.ts';
import {
  othersWithReviews,
  type ReviewPage as Page,
  type ReviewPage,
  reviewCount,
  reviewPage,
  reviewPages,
} from '../../exchange/reviews.ts';
import { sameId } from '../../exchange/same-id.ts';
import { areInvalid, areNotDenied, areUnknown, isResponse } from '../../judge/accounts.ts';
import { about, aboutStatus, hasStatus, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import { isFound, listedAccount } from '../../judge/same-record.ts';

/** Edges that all lack the same number of reviews: of fewer ones, it can be chance. */
const edgesMin = 4;
/** A page may be empty because all that was on it has been removed; so many of them are not a list. */
const emptyPagesMax = 8;

interface Walk {
  readonly pages: readonly [Page, ...Page[]];
  /** A cursor that was followed before; a rejected cursor; or more pages than are read. */
  readonly end: 'ended' | 'circle' | 'unread' | Exchange;
}

/** Each page follows the one with its cursor. Of several first pages, the last one before the second page counts. */
function walksIn(history: History): readonly Walk[] {
  const responses = responsesTo(history, 'listReviews');
  const pages = reviewPages(history);
  const firsts = pages.filter(({ from }) => from === null);
  const walks = firsts.map((first) => walkFrom(first, responses));
  return walks.filter(({ pages: [first, second] }) => {
    const isLater = (one: Page) => one.accountId === first.accountId && precedes(first.exchange, one.exchange);
    return second === undefined || !firsts.some((one) => isLater(one) && precedes(one.exchange, second.exchange));
  });
}

function walkFrom(first: Page, responses: readonly Exchange[]): Walk {
  const pages: [Page, ...Page[]] = [first];
  const followed = new Set<string>();
  for (let last: Page = first; last.next !== null; ) {
    const { next, exchange } = last;
    if (followed.has(next)) return { pages, end: 'circle' };
    followed.add(next);
    const isNext = (one: Exchange) =>
      new URLSearchParams(one.target.split('?')[1]).get('cursor') === next && precedes(exchange, one);
    const found = responses.find((one) => accountIdIn(one).toLowerCase() === first.accountId && isNext(one));
    const page = found === undefined ? null : reviewPage(found);
    if (page === null) return { pages, end: found === undefined || found.status === 200 ? 'unread' : found };
    pages.push(page);
    last = page;
  }
  return { pages, end: 'ended' };
}

const walk: Judged = {
  id: 'reviews/walk',
  title: 'Following nextCursor returns each review at most once, to the end of the list',
  clauses: [
    ...words('4.rules.reviews-walk 4.connect.list-reviews.cursor 2.list-reviews-output.next-cursor'),
    '2.list-reviews-output.aggregate.review-count',
  ],
  scenarios: ['reviews/pages', 'reviews/all-pages', 'reviews/odd-pages'],
  *judge(history) {
    const walks = walksIn(history);
    const isUnread = (one: Exchange) => one.status === 200 && reviewPage(one) === null;
    if (responsesTo(history, 'listReviews').some(isUnread))
      yield { doubt: 'precondition', message: 'a page has no reviews with ids, or a nextCursor that is not a string' };
    for (const one of walks) {
      const again = one.pages.find(
        ({ from, ids }) => from === '' && ids[0] !== undefined && ids[0] === one.pages[0].ids[0],
      );
      if (again !== undefined) yield beginningAgain(one, again);
      else {
        yield* hasEnd(history, one);
        yield* isOnceEach(history, one);
        if (one.end === 'ended') yield* hasAll(history, walks, one);
      }
    }
    const isLong = walks.some(({ pages }) => pages.length > 1);
    if (walks.length > 0 && !isLong) yield { doubt: 'vacuous', message: 'needs at least two pages of reviews' };
  },
};

/** An empty string is neither null nor missing (R14), so a client continues; it must not get the first page. */
function beginningAgain({ pages }: Walk, again: Page): Judgment {
  const last = pages[pages.indexOf(again) - 1];
  return {
    ...about(last?.exchange, '2.list-reviews-output.next-cursor', '/data/nextCursor'),
    isTrue: false,
    expected: 'null or no nextCursor on the last page',
    actual: '"", which returns the first page again',
  };
}

function* hasEnd(history: History, { pages, end }: Walk): Iterable<Judgment> {
  const last = pages.at(-1) ?? pages[0];
  const claim = about(last.exchange, '4.rules.reviews-walk', '/data/nextCursor');
  if (end === 'unread') {
    const empty = pages.length - 1 - pages.findLastIndex(({ ids }) => ids.length > 0);
    const words = { expected: 'null at the end', actual: `a cursor on ${empty} empty pages in a row` };
    if (empty >= emptyPagesMax) yield { ...claim, ...words, isTrue: false };
  } else if (end === 'ended') {
    const proves = pages.length > 1 ? (['4.rules.reviews-walk', '4.connect.list-reviews.cursor'] as const) : [];
    yield { ...claim, proves, expected: 'an end', actual: count(pages.length, 'page'), isTrue: true };
  } else if (end === 'circle') {
    // A cursor can be a session that advances with each request; then a repetition shows new reviews.
    const same = reviewPages(history).filter(
      ({ accountId, from }) => accountId === last.accountId && from === last.next,
    );
    const known = new Set(pages.flatMap(({ ids }) => ids));
    const isSteady = same.length > 1 && same.every(({ ids }) => ids.every((id) => known.has(id)));
    const actual = `the cursor ${show(last.next)} again`;
    if (isSteady) yield { ...claim, expected: 'null, or the cursor of the next page', actual, isTrue: false };
    else yield { doubt: 'budget', message: 'one cursor returns different pages, and only some of them were read' };
  } else yield* isAccepted(history, end);
}

/** A cursor that the service has given out is taken back, unless the account cannot be used any more. */
function* isAccepted(history: History, rejected: Exchange): Iterable<Judgment> {
  const clause = '4.connect.list-reviews.cursor';
  if (isObstacle(rejected) || history.isRecorded)
    yield { doubt: 'platform', message: `a further page returned ${nameOfResponse(rejected)}` };
  else if (rejected.status === 404) yield* isFound(rejected, { clause, ...listedAccount(accountIdIn(rejected)) });
  // No excuse for its characters: the service has chosen them.
  else yield { ...aboutStatus(rejected, clause), expected: '200', isTrue: false };
}

/** Three new reviews between two reads are unlikely. A later read proves nothing: a cache can have lost the page. */
function isOnlyOf({ ids }: Page, before: Page | undefined): boolean {
  return ids.length > 2 && before !== undefined && ids.every((id) => before.ids.includes(id));
}

/** A repetition counts only if the first page is unchanged: new reviews move old ones to the next page. */
function* isOnceEach(history: History, { pages, end }: Walk): Iterable<Judgment> {
  const clause = '4.rules.reviews-walk';
  const same = pages.find((page, at) => at > 0 && isOnlyOf(page, pages[at - 1]));
  // A client can read the second page hours after the first one.
  const isNear = !history.isRecorded || isUnchanged(history, pages);
  if (same !== undefined && isNear) {
    const words = { expected: 'the reviews after the cursor', actual: 'only reviews of the page before it' };
    yield { ...about(same.exchange, clause, '/data/reviews'), ...words, isTrue: false };
  }
  if ((same !== undefined && isNear) || end === 'circle' || pages.length < 2) return;
  const ids = pages.flatMap((page) => page.ids);
  const repeated = ids.length - new Set(ids).size;
  const page = pages.find((_, at) => {
    const until = pages.slice(0, at + 1).flatMap((each) => each.ids);
    return new Set(until).size < until.length;
  });
  const claim = about((page ?? pages.at(-1))?.exchange, clause, '/data/reviews');
  const words = { expected: 'every review once', actual: `${repeated} of ${ids.length} reviews twice` };
  if (page === undefined || page === pages[0] || isUnchanged(history, pages))
    yield { ...claim, ...words, isTrue: page === undefined };
  else yield { doubt: 'interference', message: 'the reviews changed while their pages were read' };
}

/** Newest first: new or moved reviews show on the first page. */
function isUnchanged(history: History, pages: Walk['pages']): boolean {
  return firstPagesAfter(history, pages).some(({ ids }) => ids.join('\n') === pages[0].ids.join('\n'));
}

function firstPagesAfter(history: History, pages: Walk['pages']): readonly Page[] {
  const last = pages.at(-1) ?? pages[0];
  return reviewPages(history).filter(
    ({ from, accountId, exchange }) =>
      from === null && accountId === last.accountId && precedes(last.exchange, exchange),
  );
}

/**
 * The contract does not state what `reviewCount` counts. Where a few less are shown, a loss at the edge of a page is
 * likely, and proved where every account lacks the same number at each edge; where many less are shown, it counts
 * something else.
 */
function* hasAll(history: History, walks: readonly Walk[], { pages }: Walk): Iterable<Judgment> {
  const { stated, shown, edges } = countsOf(pages);
  if (edges === 0 || stated === null || stated === shown) return;
  const claim = {
    ...about(pages[0].exchange, '4.rules.reviews-walk', '/data/reviews'),
    expected: 'as many reviews on the pages as in reviewCount',
    actual: `${count(shown, 'review')} on ${count(pages.length, 'page')}, and a reviewCount of ${stated}`,
  };
  if (shown > stated || stated - shown > Math.max(...pages.map(({ ids }) => ids.length)))
    return yield { ...claim, clause: '2.list-reviews-output.aggregate.review-count', severity: 'note' };
  if (!firstPagesAfter(history, pages).some((page) => reviewCount(page) === stated)) return;
  const lost = (stated - shown) / edges;
  const others = walks.filter(({ end, pages: [first] }) => end === 'ended' && first.accountId !== pages[0].accountId);
  const counts = others.map((other) => countsOf(other.pages)).filter((one) => one.stated !== null && one.edges > 0);
  const isLost =
    Number.isInteger(lost) &&
    counts.length > 0 &&
    counts.every((one) => Number(one.stated) - one.shown === lost * one.edges) &&
    counts.reduce((sum, one) => sum + one.edges, edges) >= edgesMin;
  if (!isLost) yield { ...claim, severity: 'warn', message: 'the same count was shown before and after' };
  else {
    const message = `other accounts lack ${count(lost, 'review')} at each edge of a page, too`;
    yield { ...claim, isTrue: false, message };
  }
}

function countsOf(pages: Walk['pages']) {
  const shown = pages.reduce((total, { ids }) => total + ids.length, 0);
  return { stated: reviewCount(pages[0]), shown, edges: pages.length - 1 };
}

export const reviewWalks: readonly Judged[] = [walk];

// Reviews: of each account, their order, and rejections. pages.ts has their pages.

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
