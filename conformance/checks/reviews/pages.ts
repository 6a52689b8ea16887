// The pages of reviews. The server chooses the page size, so a walk is checked for repetitions and for its end. Missing
// reviews show at most in the count of the aggregate.

import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import { accountIdIn } from '../../exchange/accounts.ts';
import { type Exchange, isObstacle, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, precedes, responsesTo } from '../../exchange/history.ts';
import { type ReviewPage as Page, reviewCount, reviewPage, reviewPages } from '../../exchange/reviews.ts';
import { about, aboutStatus } from '../../judge/expect.ts';
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
