// The pages of reviews. The server chooses the page size, so a walk is checked for repetitions and for its end. Missing
// reviews show at most in the count of the aggregate.

import { count } from '../../../src/terminal/count.ts';
import {
  isObstacle,
  listedAccount,
  longWalkMax,
  othersOf,
  type ReviewPage as Page,
  readUnlessTroubled,
  reviewed,
  toPage,
} from '../../assertions/accounts.ts';
import { hasRoom } from '../../assertions/invalid-inputs.ts';
import { expectFound } from '../../assertions/same-record.ts';
import { dataOf, type Exchange, isObject, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about, aboutStatus } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { segmentOf } from '../../observe/look.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Outcome } from '../../probe/confirm.ts';
import type { Probe } from '../../probe/probe.ts';

/** Where requests are scarce: enough to show repetitions, or all pages if there are only so many. */
const pagesAfterFirstMin = 2;
const pagesAfterFirstMax = 4;
const furtherPagesMax = longWalkMax - pagesAfterFirstMax;

/** Accounts that are read, and pages of each, when a count of reviews suggests that each edge of a page loses some. */
const [othersMax, otherPagesMax] = [2, 8];
/** Edges that all lack the same number of reviews: of fewer ones, it can be chance. */
const edgesMin = 4;

interface Walk {
  readonly accountId: string;
  readonly pages: readonly [Page, ...Page[]];
  /** A cursor that leads nowhere new; a rejected cursor; or no cursor; or more pages than the kit reads. */
  readonly end: 'ended' | 'circle' | 'budget' | Exchange;
}

/** Every page through the record, so several checks walk at the price of one. Cites 4.rules.reviews-pagination. */
async function walkPages(probe: Probe): Promise<Walk> {
  const { accountId, exchange: first } = await reviewed(probe);
  const laterMax = hasRoom(probe) ? longWalkMax : isNearEnd(first) ? pagesAfterFirstMax : pagesAfterFirstMin;
  const pages: [Page, ...Page[]] = [toPage(probe, first)];
  const followed = new Set<string>();
  let { nextCursor } = pages[0];
  // R14: any string is a further page, an empty one too.
  while (nextCursor !== null) {
    if (followed.has(nextCursor)) return { accountId, pages, end: 'circle' };
    // A page that is shorter than the first one should be the last one.
    const isShort = (pages.at(-1)?.ids.length ?? 0) < pages[0].ids.length;
    const isSpare = pages.length <= pagesAfterFirstMax + Number(isShort) || probe.requestsLeft() >= 1;
    const isFurther = pages.length <= laterMax + Number(isShort) && isSpare;
    // An earlier walk may have had more requests.
    if (!isFurther && !isRead(probe, accountId, nextCursor)) return { accountId, pages, end: 'budget' };
    followed.add(nextCursor);
    const exchange = await probe.get('listReviews', { accountId, cursor: nextCursor });
    if (exchange.status !== 200) return { accountId, pages, end: exchange };
    const page = toPage(probe, exchange);
    pages.push(page);
    ({ nextCursor } = page);
  }
  return { accountId, pages, end: 'ended' };
}

function isRead(probe: Probe, accountId: string, cursor: string): boolean {
  const isPage = (one: Exchange) =>
    segmentOf(one, 2) === accountId && new URLSearchParams(one.target.split('?')[1]).get('cursor') === cursor;
  return probe.shown('listReviews').some(isPage);
}

/** Without a number of reviews, the end may be near. */
function isNearEnd(first: Exchange): boolean {
  return (countOf(first) ?? 0) <= (1 + pagesAfterFirstMax) * listOf(dataOf(first).reviews).length;
}

const end: CheckRow = {
  id: 'reviews/end',
  title: 'The reviews endpoint accepts its cursors, and the list ends',
  cites: ['4.rules.reviews-walk', '4.connect.list-reviews.cursor', '2.list-reviews-output.next-cursor'],
  // Then the run has seen the reviews of other accounts too.
  phase: 'after bursts',
  // A page after a short one, and the last one again.
  cost: {
    requests: 0,
    confirms: 2,
    uses: ['review pages'],
    withTime: { requests: furtherPagesMax, optional: furtherPagesMax - 1, confirms: 1 },
  },
  async run(probe) {
    const walk = await walkPages(probe);
    await checkEnd(probe, walk);
    const other = emptyEnd(probe, walk.accountId);
    if (other !== null) await checkEmpty(probe, ...other);
  },
};

/** A page may be empty because all that was on it has been removed; so many of them are not a list. */
const emptyPagesMax = 8;

/** A budget that ran out proves nothing, unless the pages were empty. */
async function checkEnd(probe: Probe, { accountId, pages, end: reached }: Walk): Promise<void> {
  const last = pages.at(-1) ?? pages[0];
  const claim = about(last.exchange, '4.rules.reviews-walk', '/data/nextCursor');
  const news = pages.findLastIndex(({ ids }) => ids.length > 0);
  if (reached === 'budget' && pages.length - 1 - news >= emptyPagesMax) {
    const words = {
      expected: 'null at the end',
      actual: `a cursor on ${pages.length - 1 - news} empty pages in a row`,
    };
    probe.holds(false, { ...claim, ...words });
    return;
  }
  if (reached === 'budget' && last.nextCursor === '') return checkEmpty(probe, accountId, pages);
  if (reached === 'budget') {
    return probe.doubt('budget', `the list has more than ${count(pages.length, 'page')}`);
  }
  if (reached === 'ended') {
    const isLong = pages.length > 1;
    const proves = isLong ? (['4.rules.reviews-walk', '4.connect.list-reviews.cursor'] as const) : [];
    probe.holds(true, { ...claim, proves, expected: 'an end', actual: count(pages.length, 'page') });
  } else if (reached === 'circle') {
    const isMoving = await showsNews(probe, accountId, pages);
    if (isMoving)
      return probe.doubt('budget', 'one cursor returns different pages, and the suite reads only some of them');
    probe.holds(false, {
      ...claim,
      expected: 'null, or the cursor of the next page',
      actual: `the cursor ${show(last.nextCursor)} again`,
    });
  } else await checkRejected(probe, accountId, reached);
}

/** A cursor that the service has given out is taken back, unless the account cannot be used any more. */
async function checkRejected(probe: Probe, accountId: string, rejected: Exchange): Promise<void> {
  if (isObstacle(rejected)) return probe.doubt('platform', `a further page returned ${nameOfResponse(rejected)}`);
  const clause = '4.connect.list-reviews.cursor';
  if (rejected.status === 404) await expectFound(probe, rejected, { clause, ...listedAccount(accountId) });
  // No excuse for its characters: the service has chosen them.
  else probe.holds(false, { ...aboutStatus(rejected, clause), expected: '200' });
}

/** Pages of another account that end with an empty cursor; an empty page could not show the first one again. */
function emptyEnd(probe: Probe, walked: string): [accountId: string, pages: Walk['pages']] | null {
  const reads = probe.shown('listReviews').filter((one) => !sameId(segmentOf(one, 2), walked));
  for (const exchange of reads.filter((one) => dataOf(one).nextCursor === '')) {
    const accountId = segmentOf(exchange, 2);
    const first = reads.find((one) => !one.target.includes('?') && segmentOf(one, 2) === accountId);
    const page = first && toPage(probe, first);
    if (page && page.ids.length > 0) return [accountId, [page, toPage(probe, exchange)]];
  }
  return null;
}

/** An empty string is neither null nor missing (R14), so a client continues; it must not get the first page. */
async function checkEmpty(probe: Probe, accountId: string, pages: Walk['pages']): Promise<void> {
  const next = await probe.send({ operation: 'listReviews', params: { accountId, cursor: '' } });
  if (next.status !== 200) return checkRejected(probe, accountId, next);
  const first = pages[0].ids[0];
  const isBeginning = first !== undefined && toPage(probe, next).ids[0] === first;
  probe.holds(!isBeginning, {
    ...about(pages.at(-1)?.exchange, '2.list-reviews-output.next-cursor', '/data/nextCursor'),
    expected: 'null or no nextCursor on the last page',
    actual: isBeginning ? '"", which returns the first page again' : '"", which returns a next page',
  });
}

/** A cursor can be a session that advances with each request; then a repetition shows new reviews. */
async function showsNews(probe: Probe, accountId: string, pages: Walk['pages']): Promise<boolean> {
  const cursor = pages.at(-1)?.nextCursor ?? '';
  const again = toPage(probe, await probe.send({ operation: 'listReviews', params: { accountId, cursor } }));
  const seen = new Set(pages.flatMap(({ ids }) => ids));
  return again.ids.some((id) => !seen.has(id));
}

const walk: CheckRow = {
  id: 'reviews/walk',
  title: 'Following nextCursor returns each review at most once',
  cites: ['4.rules.reviews-walk'],
  // The walk itself is that of reviews/end; pages are read again only when a review shows up twice or is missing, and
  // then the pages of other accounts.
  cost: { requests: 0, confirms: 2 * (2 + pagesAfterFirstMax) + othersMax * otherPagesMax, uses: ['review pages'] },
  async run(probe) {
    await checkRows(probe, await walkPages(probe));
  },
};

/** Three new reviews between two reads are unlikely. A later read proves nothing: a cache can have lost the page. */
function isOnlyOf({ ids }: Page, before: Page | undefined): boolean {
  return ids.length > 2 && before !== undefined && ids.every((id) => before.ids.includes(id));
}

/** A repetition counts only if the first page is unchanged: new reviews move old ones to the next page. */
async function checkRows(probe: Probe, { accountId, pages, end: reached }: Walk): Promise<void> {
  const same = pages.find((page, at) => at > 0 && isOnlyOf(page, pages[at - 1]));
  if (same !== undefined) {
    const words = { expected: 'the reviews after the cursor', actual: 'only reviews of the page before it' };
    probe.holds(false, { ...about(same.exchange, '4.rules.reviews-walk', '/data/reviews'), ...words });
    return;
  }
  if (reached === 'circle') probe.stop('precondition', 'the cursors repeat');
  const repeatedAt = pages.findIndex(({ ids }, index) => {
    const before = new Set(pages.slice(0, index).flatMap((page) => page.ids));
    return new Set(ids).size < ids.length || ids.some((id) => before.has(id));
  });
  const shown = pages.reduce((total, { ids }) => total + ids.length, 0);
  const repeated = shown - new Set(pages.flatMap(({ ids }) => ids)).size;
  const claim = { clause: '4.rules.reviews-walk', pointer: '/data/reviews', expected: 'every review once' } as const;
  const actual = `${repeated} of ${shown} reviews twice`;
  if (repeatedAt < 0) {
    if (pages.length < 2) probe.stop('vacuous', 'needs at least two pages of reviews');
    probe.holds(true, { ...claim, actual });
    if (reached === 'ended') await compareCount(probe, accountId, pages);
    return;
  }
  if (repeatedAt > 0 && (await hasMoved(probe, accountId, pages[0]))) {
    probe.stop('interference', 'the reviews changed while their pages were read');
  }
  probe.holds(false, { ...claim, actual, exchange: pages[repeatedAt]?.exchange ?? null });
}

/** Newest first: new or moved reviews show on the first page. */
async function hasMoved(probe: Probe, accountId: string, first: Page): Promise<boolean> {
  const again = toPage(probe, await probe.send({ operation: 'listReviews', params: { accountId } }));
  return again.ids.join('\n') !== first.ids.join('\n');
}

/**
 * The contract does not state what `reviewCount` counts. Where a few less are shown, a loss at the edge of a page is
 * likely, and proved where a second walk lacks a review of the first, or where every account lacks the same number at
 * each edge; where many less are shown, it counts something else.
 */
async function compareCount(probe: Probe, accountId: string, pages: Walk['pages']): Promise<void> {
  const { stated, shown, edges } = countsOf(pages);
  const pageMax = Math.max(...pages.map(({ ids }) => ids.length));
  if (stated === null || stated === shown) return;
  const onPages = `${count(shown, 'review')} on ${count(pages.length, 'page')}`;
  const claim = {
    ...about(pages[0].exchange, '4.rules.reviews-walk', '/data/reviews'),
    expected: 'as many reviews on the pages as in reviewCount',
    actual: `${onPages}, and a reviewCount of ${stated}`,
  };
  if (shown > stated || stated - shown > pageMax)
    return probe.note({ ...claim, clause: '2.list-reviews-output.aggregate.review-count' });
  const second = await readWhole(probe, accountId, pages.length + 1);
  if (second === null || countsOf(second).stated !== stated) return;
  if ((await expectEach(probe, pages, second)) !== 'none') return;
  const again = countsOf(second).shown;
  const lost = (stated - shown) / edges;
  const isLost = again === shown && Number.isInteger(lost) && (await doOthersLose(probe, lost, edges));
  if (!isLost) return probe.warn({ ...claim, message: `a second walk showed ${again}` });
  const message = `other accounts lack ${count(lost, 'review')} at each edge of a page, too`;
  probe.holds(false, { ...claim, message });
}

/** A review of the first walk that the second one lacks may have been deleted. */
function expectEach(probe: Probe, pages: Walk['pages'], second: Walk['pages']): Promise<Outcome> {
  const exchanges = second.map(({ exchange }) => exchange);
  return probe.judge(exchanges, (again) => {
    const shown = new Set(again.flatMap((one) => toPage(probe, one).ids));
    return pages.flatMap(({ exchange: witness, ids }) => {
      const reviewId = ids.find((id) => !shown.has(id));
      const claim = { ...about(again.at(-1) ?? witness, '4.rules.reviews-walk', '/data/reviews'), of: again };
      const words = { expected: 'the reviews as before and after', actual: `pages without review ${show(reviewId)}` };
      return reviewId === undefined ? [] : [{ ...claim, ...words, rows: [{ reviewId }], witness }];
    });
  });
}

/** All pages of an account, not from the record; null where they do not end. */
async function readWhole(probe: Probe, accountId: string, pagesMax: number): Promise<Walk['pages'] | null> {
  const pages: Page[] = [];
  for (let cursor: string | null | undefined; cursor !== null && pages.length < pagesMax; ) {
    const params = cursor === undefined ? {} : { cursor };
    const exchange = await readUnlessTroubled(probe, accountId, { operation: 'listReviews', params });
    if (exchange?.status !== 200) return null;
    pages.push(toPage(probe, exchange));
    cursor = pages.at(-1)?.nextCursor ?? null;
  }
  const [first, ...later] = pages;
  return first === undefined || pages.at(-1)?.nextCursor !== null ? null : [first, ...later];
}

/** Whether other accounts lack as many reviews at each edge of their pages; reviews without text would be at any. */
async function doOthersLose(probe: Probe, lost: number, edgesBefore: number): Promise<boolean> {
  let edges = 0;
  for (const { accountId } of (await othersOf(probe)).slice(0, othersMax)) {
    const pages = await readWhole(probe, accountId, otherPagesMax);
    if (pages === null) continue;
    const counts = countsOf(pages);
    if (counts.stated !== null && counts.stated - counts.shown !== lost * counts.edges) return false;
    if (counts.stated !== null) edges += counts.edges;
  }
  return edges > 0 && edges + edgesBefore >= edgesMin;
}

function countsOf(pages: Walk['pages']): { stated: number | null; shown: number; edges: number } {
  const shown = pages.reduce((total, { ids }) => total + ids.length, 0);
  return { stated: countOf(pages[0].exchange), shown, edges: pages.length - 1 };
}

/** null where the aggregate is absent or of another type. */
function countOf(exchange: Exchange): number | null {
  const { aggregate } = dataOf(exchange);
  const stated = isObject(aggregate) ? aggregate.reviewCount : undefined;
  return typeof stated === 'number' ? stated : null;
}

export const reviewPages = defineChecks({ phase: 'read', after: ['reviews/listing'] }, [end, walk]);
