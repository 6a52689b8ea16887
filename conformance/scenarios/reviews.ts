// Reviews and insights: of which accounts, their pages, and requests that are rejected.
import { accountIdIn, accountsOf, candidatesIn, otherBusinesses, rank, readsOf } from '../exchange/accounts.ts';
import { type Exchange, isGatewayPage, isPlatformTrouble, nameOfResponse } from '../exchange/exchange.ts';
import { type History, responsesTo } from '../exchange/history.ts';
import { datesOf, extraDaysMax, measuredIn } from '../exchange/insights.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { othersWithReviews, type ReviewPage, reviewCount, reviewPage, reviewPages } from '../exchange/reviews.ts';
import { isUuid, otherCase, sameId } from '../exchange/same-id.ts';
import { invalidIds, invalidRanges, nearRanges, rareRanges, reviewCursors } from './inputs.ts';
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
  const params = { accountId: nearMiss(history()) };
  const spec = { operation: 'listReviews', params, label: 'reviews of an unknown account' } as const;
  yield* sendUnknown(spec, reviewPages(history())[0]?.exchange);
  yield* sendMalformed(invalidIds.slice(0, 1));
});

/** A platform has problems with known accounts only. */
function* sendUnknown(spec: RequestSpec, known: Exchange | undefined): Asks<void> {
  const sent = yield* sendRaw(spec);
  if (known === undefined || !isPlatformTrouble(sent) || isGatewayPage(sent)) return;
  yield* sendRaw({ path: known.target });
  yield* sendRaw(spec);
}

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

// Insights: the three ranges and the default of one account, invalid ranges and accounts, and other accounts.

const operation = 'getInsights';

const ofAccount = scenario('insights/of-account', { most: 3 }, function* ({ history }) {
  if (history().given.account === null) yield* get('listAccounts');
  const tried: Exchange[] = [];
  for (const accountId of candidatesIn(history())) {
    tried.push(yield* sendRaw({ operation, params: { accountId, range: '28d' } }));
    if (tried.at(-1)?.status === 200) return undefined;
  }
  if (tried.length === 0) return 'the organization has no connected account';
  return `no account returned its insights: ${[...new Set(tried.map(nameOfResponse))].join(', ')}`;
});

/** Of the account whose insights are compared. */
function ofMeasured(id: string, most: number, ask: (accountId: string, run: SoFar) => Asks<void>): Scenario {
  return scenario(id, { most }, function* (run) {
    const accountId = measuredIn(run.history());
    if (accountId === null) return 'needs an account that returns its insights';
    yield* ask(accountId, run);
    return undefined;
  });
}

const ranges = ofMeasured('insights/ranges', 3, function* (accountId) {
  const week = yield* get(operation, { accountId, range: '7d' });
  yield* get(operation, { accountId, range: '90d' });
  const days = datesOf(week)?.days ?? 0;
  const other = otherCase(accountId);
  // The other case of the id is another address to a cache, and not to the service.
  const isOdd = days > 7 + extraDaysMax && isUuid(accountId) && other !== accountId;
  if (isOdd) yield* send({ operation, params: { accountId: other, range: '7d' } });
});

/** On an account that has returned 200, so nothing can come before the 400 but payment and platform. */
function* sendRanges(accountId: string, all: readonly string[], label: string): Asks<void> {
  const at = `/connect/accounts/${encodeURIComponent(accountId)}/insights?range=`;
  for (const range of all) {
    // These are sent as is: malformed percent-encoding, and a duplicate parameter.
    const isRaw = range.startsWith('%') || range.includes('&');
    yield* sendInvalid({ path: `${at}${isRaw ? range : encodeURIComponent(range)}`, label });
  }
}

const label = 'insights of an invalid range';
const malformed = 'insights of a malformed account id';

/** The valid request after the invalid one. */
const invalidRange = ofMeasured('insights/invalid-range', 4, function* (accountId) {
  yield* sendRanges(accountId, invalidRanges.slice(0, 1), label);
  yield* get(operation, { accountId });
});

const more = [...invalidRanges.slice(1), ...rareRanges];
const invalidMost = more.length + nearRanges.length + invalidIds.length + 2;

const invalidOnes = ofMeasured('insights/invalid-inputs', invalidMost, function* (accountId) {
  yield* sendRanges(accountId, nearRanges, 'insights of a malformed range');
  yield* sendRanges(accountId, more, label);
  for (const id of invalidIds.slice(1)) yield* sendInvalid({ operation, params: { accountId: id }, label: malformed });
});

const insightsOfUnknown = scenario('insights/unknown-account', { least: 2, most: 6 }, function* ({ history }) {
  const spec = { operation, params: { accountId: history().given.unknownId } } as const;
  const known = responsesTo(history(), operation).filter(({ status }) => status === 200);
  yield* sendUnknown({ ...spec, label: 'insights of an unknown account' }, known.at(-1));
  yield* sendInvalid({ operation, params: { accountId: invalidIds[0] }, label: malformed });
});

/** Accounts in addition to the first one that shows insights. */
const measuredMax = 6;

/** Each platform has its own code, so those of other providers come first, one of each. */
const otherInsights = ofMeasured('insights/other-accounts', measuredMax + 2, function* (accountId, { history }) {
  const rows = accountsOf(history());
  const own = rows.find((row) => sameId(row.accountId, accountId))?.provider;
  const all = otherBusinesses(rows, accountId).sort((one, other) => rank(one) - rank(other));
  const isFirst = ({ provider }: (typeof all)[number], index: number) =>
    provider !== own && all.findIndex((row) => row.provider === provider) === index;
  const ordered = [...all.filter(isFirst), ...all.filter((row, index) => !isFirst(row, index))];
  const usual = readsOf(history(), operation).find((read) => read.accountId === accountId && read.range === '28d');
  const usualDays = (usual && datesOf(usual.exchange)?.days) ?? null;
  for (const [index, row] of ordered.slice(0, measuredMax).entries()) {
    // The longest range shows the most points. Without one, the days can be compared with those of the first account.
    const params = { accountId: row.accountId, ...(index % 2 === 0 ? { range: '90d' } : {}) };
    const response = yield* sendRaw({ operation, params, repeatable: 'if lost' });
    const days = datesOf(response)?.days ?? null;
    const isOdd = days !== null && usualDays !== null && Math.abs(days - usualDays) > extraDaysMax;
    if (!isOdd || index % 2 === 0) continue;
    for (const range of ['28d', days < usualDays ? '7d' : '90d'])
      yield* send({ operation, params: { accountId: row.accountId, range } });
    return;
  }
});

export const reviewScenarios: readonly Scenario[] = [
  // Odd pages when all pages were read.
  ...[pages, allPages, others, oddPages, invalidCursor, moreCursors, unknownAccount, malformedIds],
  ...[ofAccount, ranges, invalidRange, insightsOfUnknown, otherInsights, invalidOnes],
];
