// Reviews: of which accounts, their pages, and requests that are rejected.
import { accountIdIn, accountsOf, candidatesIn } from '../exchange/accounts.ts';
import { type Exchange, isGatewayPage, isPlatformTrouble } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { othersWithReviews, type ReviewPage, reviewCount, reviewPage, reviewPages } from '../exchange/reviews.ts';
import { sameId } from '../exchange/same-id.ts';
import { invalidIds, reviewCursors } from './inputs.ts';
import { type Asks, get, type Scenario, type SoFar, scenario, send, sendInvalid, sendRaw } from './scenario.ts';

/** Pages after the first one: enough to show repetitions, or all if there are only so many; and with more time. */
const [laterMin, laterMax] = [4, 14];
const triedMax = 3;
/** Accounts that are read, and pages of each, when a count of reviews suggests that each edge of a page loses some. */
const [lossyMax, lossyPagesMax] = [2, 7];
/** Accounts in addition to the first one that shows reviews, and pages of one of them. */
const [othersMax, fullPagesMax] = [3, 3];

/** The first page of an account. Its platform can fail while others work, so such an error ends nothing. */
function* readAccount({ history }: SoFar, accountId: string): Asks<Exchange> {
  const known = reviewPages(history()).find((page) => page.from === null && sameId(page.accountId, accountId));
  const spec = { operation: 'listReviews', params: { accountId }, repeatable: 'if lost' } as const;
  return known?.exchange ?? (yield* sendRaw(spec));
}

/** Of the first account that shows reviews, or that returns a list; otherwise the reason why no account does. */
function* readFirst(run: SoFar): Asks<Exchange | string> {
  yield* get('listAccounts');
  const read: Exchange[] = [];
  for (const accountId of candidatesIn(run.history())) {
    const exchange = yield* readAccount(run, accountId);
    if ((reviewPage(exchange)?.ids.length ?? 0) > 0) return exchange;
    read.push(exchange);
  }
  if (read.length === 0) return 'the organization has no connected account';
  return read.find(({ status }) => status === 200) ?? 'needs an account that returns its reviews';
}

/** A scenario that starts from the first page of that account. */
function fromFirst(id: string, most: number, ask: (first: Exchange, run: SoFar) => Asks<unknown>): Scenario {
  return scenario(id, { most }, function* (run) {
    const first = yield* readFirst(run);
    if (typeof first !== 'string') yield* ask(first, run);
    return typeof first === 'string' ? first : undefined;
  });
}

const pages = fromFirst('reviews/pages', triedMax + laterMin, (first) => walk(first, laterMin));

const allPages = fromFirst('reviews/all-pages', laterMax - laterMin, (first) => walk(first, laterMax));

/** Follows the cursors, and looks once more where they return to an earlier page, or where reviews are shown twice. */
function* walk(first: Exchange, most: number): Asks<readonly ReviewPage[]> {
  const accountId = accountIdIn(first);
  const read: ReviewPage[] = [];
  const followed = new Set<string | null>();
  for (let page = reviewPage(first); page !== null; ) {
    read.push(page);
    const { next: cursor, ids } = page;
    // A page that is shorter than the first one should be the last one.
    const isEnough = read.length > most + Number(ids.length < (read[0]?.ids.length ?? 0));
    if (cursor !== null && followed.has(cursor))
      yield* send({ operation: 'listReviews', params: { accountId, cursor } });
    if (cursor === null || isEnough || followed.has(cursor)) break;
    followed.add(cursor);
    page = reviewPage(yield* get('listReviews', { accountId, cursor }));
  }
  const ids = read.flatMap((page) => page.ids);
  if (new Set(ids).size < ids.length || isShort(read)) yield* send({ operation: 'listReviews', params: { accountId } });
  return read;
}

function isShort(read: readonly ReviewPage[]): boolean {
  const stated = read[0] === undefined ? null : reviewCount(read[0]);
  const isWhole = read.length > 1 && read.some(({ next }) => next === null);
  return isWhole && stated !== null && stated > new Set(read.flatMap(({ ids }) => ids)).size;
}

/** Follows up: the last page of any account can end with an empty cursor, and others can lose as many reviews. */
const oddPages = scenario('reviews/odd-pages', { most: 0 }, function* (run) {
  const read = reviewPages(run.history());
  const isOpen = ({ accountId, next }: ReviewPage) =>
    next === '' && !read.some((one) => one.from === '' && one.accountId === accountId);
  const page = read.find(isOpen);
  if (page !== undefined) yield* get('listReviews', { accountId: accountIdIn(page.exchange), cursor: '' });
  const [first] = read;
  if (first === undefined || !isShort(read.filter(({ accountId }) => accountId === first.accountId))) return;
  for (const { accountId } of othersWithReviews(run.history(), first.accountId).slice(0, lossyMax)) {
    yield* walk(yield* readAccount(run, accountId), lossyPagesMax);
  }
});

/** A list of each, the later pages of one, and the cursor of one account at another. */
const others = fromFirst('reviews/other-accounts', othersMax + fullPagesMax, function* (first, run) {
  const all = othersWithReviews(run.history(), accountIdIn(first)).slice(0, othersMax);
  const read: Exchange[] = [];
  for (const { accountId } of all) read.push(yield* readAccount(run, accountId));
  const full = read.find((one) => fullPagesOf(one) > 1);
  // To the end: after a full page, a server may promise a further one.
  if (full !== undefined) yield* walk(full, fullPagesOf(full) - 1);
  const cursor = reviewPage(first)?.next;
  const own = accountsOf(run.history()).find(({ accountId }) => sameId(accountId, accountIdIn(first)));
  // Two platforms share no reviews.
  const { accountId } = all.find(({ provider }) => provider !== own?.provider) ?? {};
  if (cursor && accountId !== undefined) yield* send({ operation: 'listReviews', params: { accountId, cursor } });
});

/** The pages of a short list whose last page is full; 0 for other lists. */
function fullPagesOf(first: Exchange): number {
  const page = reviewPage(first);
  const all = page === null ? 0 : (reviewCount(page) ?? 0) / page.ids.length;
  return Number.isInteger(all) && all <= fullPagesMax ? all : 0;
}

function* sendCursors(first: Exchange, queries: readonly string[]): Asks<void> {
  const [path] = first.target.split('?');
  for (const query of queries)
    yield* sendInvalid({ path: `${path}?${query}`, label: 'reviews with an invalid cursor' });
}

const invalidCursor = fromFirst('reviews/invalid-cursor', 1, (first) => sendCursors(first, reviewCursors.slice(0, 1)));

const moreCursors = fromFirst('reviews/invalid-cursors', reviewCursors.length - 1, (first) =>
  sendCursors(first, reviewCursors.slice(1)),
);

const unknownAccount = scenario('reviews/unknown-account', { least: 1, most: 2 }, function* ({ history }) {
  const known = reviewPages(history())[0]?.exchange;
  const params = { accountId: nearMiss(history()) };
  const spec = { operation: 'listReviews', params, label: 'reviews of an unknown account' } as const;
  const sent = yield* sendRaw(spec);
  // A platform has problems with known accounts only.
  if (known !== undefined && isPlatformTrouble(sent) && !isGatewayPage(sent)) {
    yield* sendRaw({ path: known.target });
    yield* sendRaw(spec);
  }
  yield* sendMalformed(invalidIds.slice(0, 1));
});

const malformedIds = scenario('reviews/malformed-ids', { most: invalidIds.length - 1 }, function* () {
  yield* sendMalformed(invalidIds.slice(1));
});

function* sendMalformed(ids: readonly string[]): Asks<void> {
  for (const accountId of ids)
    yield* sendInvalid({ operation: 'listReviews', params: { accountId }, label: 'reviews of a malformed id' });
}

const ofPattern = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** The id of a listed account but for its last digit: a server that compares only a part of it would return data. */
function nearMiss(history: History): string {
  const ids = accountsOf(history).map(({ accountId }) => accountId);
  const near = ids.flatMap((id) => [...'0123456789'].map((digit) => `${id.slice(0, -1)}${digit}`));
  const isFree = (id: string) => ofPattern.test(id) && !ids.some((listed) => sameId(listed, id));
  return near.find(isFree) ?? history.given.unknownId;
}

export const reviewScenarios: readonly Scenario[] = [
  pages,
  allPages,
  others,
  // When all pages were read.
  oddPages,
  invalidCursor,
  moreCursors,
  unknownAccount,
  malformedIds,
];
