// Reviews: per account, order and rejections; pages.ts checks the pages.

import { parseTimestamp } from '../../../src/contract/timestamps.ts';
import {
  accountsOrNone,
  checkResponse,
  checkResponses,
  expectInvalidAccount,
  expectUnknownAccount,
  isDocumentedRejection,
  othersOf,
  readUnlessTroubled,
  responsesOf,
  reviewed,
  tryReviews,
} from '../../assertions/accounts.ts';
import { directionOf } from '../../assertions/call-log/timestamps.ts';
import { expectInvalidRejected, invalidReply } from '../../assertions/invalid-bodies.ts';
import { drawn, hasTime, sample, sendInvalid } from '../../assertions/invalid-inputs.ts';
import { equalMin, isDistinctive } from '../../assertions/organizations.ts';
import {
  checkTogether,
  expectUnknown,
  isOfPattern,
  isPlainInvalid,
  sendReply,
  textMax,
  versioned,
  wideText,
} from '../../assertions/writes.ts';
import { canonical } from '../../exchange/canonical.ts';
import { dataOf, type Exchange, errorCode, isObject, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/claims.ts';
import { segmentOf } from '../../observe/look.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { type AccountRow, rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';
import { invalidIds, reviewCursors } from '../../scenarios/inputs.ts';

/** Accounts in addition to the first one that shows reviews. */
const othersMax = 3;
/** Of one of them. */
const fullPagesMax = 3;

const listing: CheckRow = {
  id: 'reviews/listing',
  title: 'GET /connect/accounts/{accountId}/reviews returns reviews of a connected account',
  cites: [
    '4.connect.list-reviews.endpoint',
    '4.connect.list-reviews.cursor',
    '1.connect-operations',
    '5.provider-auth',
  ],
  after: [],
  cost: { requests: 0, uses: ['reviews'] },
  async run(probe) {
    const { tried, usable } = await tryReviews(probe);
    await checkResponses(probe, tried, '4.connect.list-reviews.endpoint');
    if (usable === null) probe.stop('precondition', `no account returned its reviews: ${responsesOf(tried)}`);
  },
};

const order: CheckRow = {
  id: 'reviews/order',
  title: 'The reviews endpoint returns the newest reviews first',
  cites: ['4.connect.list-reviews.order'],
  // R23: a reply may count as newer information, and the form of `date` is not promised.
  level: 'observe',
  cost: { requests: 0, uses: ['reviews'] },
  async run(probe) {
    const { exchange } = await reviewed(probe);
    const dates = rowsOf(exchange, ['data', 'reviews']).map(({ date }) =>
      typeof date === 'string' ? parseTimestamp(date) : null,
    );
    const timestamps = dates.filter((date) => date !== null);
    if (timestamps.length < dates.length) return probe.stop('vacuous', 'needs reviews with date-times');
    const direction = directionOf(timestamps);
    if (direction === 'level' || direction === 'mixed') return probe.stop('vacuous', 'the dates reveal no order');
    const claim = about(exchange, '4.connect.list-reviews.order', '/data/reviews');
    probe.holds(direction === 'falling', { ...claim, expected: 'the newest first', actual: 'the oldest review first' });
  },
};

const unknownAccount: CheckRow = {
  id: 'reviews/unknown-account',
  title: 'The reviews endpoint returns 404 for an unknown account',
  cites: ['4.connect.unknown-account', '1.unknown-record', '4.connect.account-id'],
  after: [],
  cost: {
    requests: 2,
    least: 1,
    confirms: 4,
    uses: ['accounts'],
    withTime: { requests: invalidIds.length - 1, confirms: 2 * invalidIds.length },
  },
  async run(probe) {
    const near = await nearMiss(probe);
    const ofUnknown = (id: string) => probe.get('listReviews', { accountId: id === probe.facts.unknownId ? near : id });
    await expectUnknownAccount(probe, 'listReviews', ofUnknown);
    for (const accountId of sample(probe, invalidIds)) {
      expectInvalidAccount(probe, await sendInvalid(probe, { operation: 'listReviews', params: { accountId } }));
    }
  },
};

/** The id of a listed account but for its last digit: a server that compares only a part of it would return data. */
async function nearMiss(probe: Probe): Promise<string> {
  const ids = (await accountsOrNone(probe)).map(({ accountId }) => accountId);
  const near = ids.flatMap((id) => [...'0123456789'].map((digit) => `${id.slice(0, -1)}${digit}`));
  const isFree = (id: string) => isOfPattern(id) && !ids.some((listed) => sameId(listed, id));
  return near.find(isFree) ?? probe.facts.unknownId;
}

/** A server that ignores the account returns the same reviews for all. */
const otherAccounts: CheckRow = {
  id: 'reviews/other-accounts',
  title: 'The reviews endpoint does not mix reviews of different accounts',
  cites: ['4.connect.list-reviews.endpoint', '2.list-reviews-output.reviews', '5.provider-auth', '4.connect.statuses'],
  phase: 'rejections',
  needs: ['extended'],
  // A list of each, the cursor of one account at another, and the later pages of one.
  cost: { requests: othersMax + fullPagesMax, uses: ['reviews'] },
  async run(probe) {
    const others = (await othersOf(probe)).slice(0, othersMax);
    await checkOthers(probe, others);
    await checkForeignCursor(probe, others);
    const isOther = (one: Exchange) => others.some(({ accountId }) => sameId(segmentOf(one, 2), accountId));
    const full = probe.shown('listReviews').find((one) => isOther(one) && pagesOf(one) > 1);
    if (full !== undefined) await readPages(probe, full, pagesOf(full));
  },
};

/** The pages of a short list whose last page is full; 0 for other lists, and for the later pages. */
function pagesOf(first: Exchange): number {
  const { aggregate, reviews } = dataOf(first);
  const all = (isObject(aggregate) ? Number(aggregate.reviewCount) : 0) / listOf(reviews).length;
  return Number.isInteger(all) && all <= fullPagesMax && !first.target.includes('?') ? all : 0;
}

/** To the end: after a full page, a server may promise a further one. reviews/end looks at it. */
async function readPages(probe: Probe, first: Exchange, pages: number): Promise<void> {
  let page: Exchange | null = first;
  for (let read = 1; read < pages && page !== null; read += 1) {
    const { nextCursor: cursor } = dataOf(page);
    if (typeof cursor !== 'string' || cursor === '') return;
    const spec = { operation: 'listReviews', params: { cursor } } as const;
    page = await readUnlessTroubled(probe, segmentOf(first, 2), spec);
    if (page?.status !== 200) return;
  }
}

/** A cursor of one account may be rejected for another account, or be ignored. It never opens the first one's list. */
async function checkForeignCursor(probe: Probe, others: readonly AccountRow[]): Promise<void> {
  const { accountId } = await reviewed(probe);
  const pagesOfAccount = (id: string) => probe.shown('listReviews').filter(({ target }) => target.includes(id));
  const shown = pagesOfAccount(accountId);
  const cursor = shown.map((page) => dataOf(page).nextCursor).find((one) => typeof one === 'string' && one !== '');
  const own = (await probe.facts.accounts()).find((row) => sameId(row.accountId, accountId));
  // Two platforms share no reviews.
  const other = others.find(({ provider }) => provider !== own?.provider);
  if (typeof cursor !== 'string' || other === undefined) return;
  const response = await probe.send({ operation: 'listReviews', params: { accountId: other.accountId, cursor } });
  if (response.status !== 200) return;
  const textsIn = (pages: readonly Exchange[]) =>
    pages.flatMap((page) => rowsOf(page, ['data', 'reviews'])).map((row) => canonical(row));
  // Accounts that were seeded alike show equal reviews without a cursor too.
  const theirs = new Set(textsIn(pagesOfAccount(other.accountId).filter(({ target }) => !target.includes('?'))));
  const known = new Set(textsIn(shown).filter((text) => !theirs.has(text)));
  const rows = rowsOf(response, ['data', 'reviews']);
  const equal = rows.filter((row) => known.has(canonical(row)) && isDistinctive(row)).length;
  probe.holds(equal < equalMin, {
    ...about(response, '4.connect.list-reviews.endpoint', '/data/reviews'),
    expected: 'reviews of this account only',
    actual: `${equal} of ${rows.length} reviews of the account of the cursor`,
  });
}

async function checkOthers(probe: Probe, others: readonly AccountRow[]): Promise<void> {
  const { accountId, exchange } = await reviewed(probe);
  const own = (await probe.facts.accounts()).find((row) => sameId(row.accountId, accountId));
  const shown = reviewsOf(exchange);
  const responses: { readonly response: Exchange; readonly isElsewhere: boolean }[] = [];
  for (const other of others) {
    const response = await readUnlessTroubled(probe, other.accountId, { operation: 'listReviews' });
    if (response !== null) checkResponse(probe, { ...other, exchange: response }, '4.connect.list-reviews.endpoint');
    if (response?.status === 200) responses.push({ response, isElsewhere: other.provider !== own?.provider });
    else if (response !== null && isDocumentedRejection(response)) holdsRejection(probe, response);
  }
  if (shown === '') return probe.stop('vacuous', 'needs an account with reviews');
  const distinctive = rowsOf(exchange, ['data', 'reviews']).filter(isDistinctive).length;
  for (const { response, isElsewhere } of responses) {
    const isSame = reviewsOf(response) === shown;
    const claim = {
      ...about(response, '4.connect.list-reviews.endpoint', '/data/reviews'),
      expected: 'reviews of this account',
      actual: isSame ? `the reviews of another account, as in ${exchange.id}` : 'others',
    };
    // Two platforms share no reviews. One business may be connected twice to one of them; that all are one is rare.
    const isSure = isElsewhere && distinctive >= equalMin;
    const hasOthers = responses.some((one) => reviewsOf(one.response) !== shown);
    if (!isSame || isSure) probe.holds(!isSame, claim);
    else if (hasOthers) probe.note(claim);
    else probe.warn(claim);
  }
}

/** Whole reviews: their ids may be numbers from one on, in each account (R9). */
function reviewsOf(exchange: Exchange): string {
  return rowsOf(exchange, ['data', 'reviews'])
    .map((row) => canonical(row))
    .join('\n');
}

/** The form of a cursor is the server's own affair, so both ways of taking a foreign one are right. */
const badCursor: CheckRow = {
  id: 'reviews/bad-cursor',
  title: 'The reviews endpoint rejects or ignores unknown cursors',
  cites: [
    '4.connect.statuses',
    '4.connect.list-reviews.cursor',
    '4.connect.list-reviews.endpoint',
    '2.list-reviews-output.reviews',
    '5.provider-auth',
  ],
  phase: 'rejections',
  cost: {
    requests: 1,
    optional: 1,
    confirms: 2,
    uses: ['reviews'],
    withTime: { requests: reviewCursors.length - 1, confirms: 2 * reviewCursors.length },
  },
  async run(probe) {
    if (probe.requestsLeft() < 1) return probe.stop('budget', 'no requests left for this check');
    const { accountId } = await reviewed(probe);
    const queries = hasTime(probe) ? reviewCursors : reviewCursors.slice(0, 1);
    for (const query of queries) await expectCalm(probe, accountId, query);
  },
};

async function expectCalm(probe: Probe, accountId: string, query: string): Promise<void> {
  const path = `/connect/accounts/${encodeURIComponent(accountId)}/reviews?${query}`;
  const exchange = await sendInvalid(probe, { path });
  if (isDocumentedRejection(exchange)) holdsRejection(probe, exchange);
  else probe.expectStatus(exchange, 200, '4.connect.statuses');
}

/** By the code table, which allows any documented rejection. */
function holdsRejection(probe: Probe, exchange: Exchange): void {
  const claim = about(exchange, '4.connect.statuses');
  probe.holds(true, { ...claim, expected: 'a rejection', actual: nameOfResponse(exchange) });
}

const common = { phase: 'read', after: ['reviews/listing'] } as const;
export const reviewLists = defineChecks(common, [listing, unknownAccount]);
export const reviews = defineChecks(common, [order, otherAccounts, badCursor]);

// Replies without permission to write: account and review do not exist, so nothing can be posted. See
// reviews/replies-written.ts.

const reviewId = 'casa-conformance-no-such-review';
/** The shortest that section 2 allows. */
const shortId = 'x';
const replyText = 'casa-kit conformance';
const replyMax = textMax.reply;

/** Four valid inputs in one request; each is sent alone only if the four are rejected as invalid together. */
const validInputs: CheckRow = {
  id: 'replies/right-inputs',
  title: 'Valid reply inputs are not rejected as invalid',
  cites: [
    '8.reply-text',
    '2.reply-review-input.text',
    '2.reply-review-input.account-id-pattern',
    '2.reply-review-input.review-id-length',
    '4.connect.reply.review-id',
    '4.rules.path-wins',
    '4.connect.unknown-account',
    '7.code.invalid-input',
    // Of a warning about its capitals.
    '2.create-post-input.account-id-pattern',
  ],
  // Behind the bodies that are too large, which must not stay with the requests that follow.
  cost: { requests: 1, least: 1, confirms: 6 },
  async run(probe) {
    const { unknownId } = probe.facts;
    const ofVersion8 = versioned(unknownId, '8a');
    const text = wideText(replyMax);
    const send = (id: string, review: string, body: Record<string, unknown>) =>
      sendReply(probe, { accountId: id, reviewId: review }, body);
    // In capitals, because hex digits have no case (R9).
    const sendAll = () => send(ofVersion8.toUpperCase(), shortId, { accountId: 42, reviewId: '', text });
    const together = await sendAll();
    const isFine = errorCode(together) !== 'invalid_input';
    const ofId = '2.reply-review-input.account-id-pattern';
    if (!isFine && (await isPlainInvalid(probe, together))) return void (await expectUnknown(probe, together, ofId));
    const plain = { accountId: unknownId, reviewId, text: replyText };
    const one = async (id: string, review: string, body: Record<string, unknown>) =>
      isFine ? together : send(id, review, body);
    const version = await one(ofVersion8, reviewId, { ...plain, accountId: ofVersion8 });
    const short = await one(unknownId, shortId, { ...plain, reviewId: shortId });
    const long = await one(unknownId, reviewId, { ...plain, text });
    const copies = await one(unknownId, reviewId, { accountId: 42, reviewId: '', text: replyText });
    const alone = [version, short, long, copies];
    const isAlone = alone.every((one) => errorCode(one) !== 'invalid_input');
    if (!isFine && isAlone) await checkTogether(probe, together, sendAll);
    await expectUnknown(probe, version, ofId);
    await expectUnknown(probe, short, '4.connect.reply.review-id', ['2.reply-review-input.review-id-length']);
    await expectUnknown(probe, long, '8.reply-text');
    await expectUnknown(probe, copies, '4.rules.path-wins');
  },
};

const invalidInputs: CheckRow = {
  id: 'replies/wrong-inputs',
  title: 'Replies with an invalid text return 400, even for an unknown account',
  cites: ['4.connect.reply.invalid', '4.connect.reply.body', '2.reply-review-input.text', '8.reply-text'],
  phase: 'rejections',
  cost: { requests: 1, optional: 1, least: 1, confirms: 2 },
  async run(probe) {
    if (probe.requestsLeft() < 1) return probe.stop('budget', 'no requests left for this check');
    const accountId = probe.facts.unknownId;
    const invalidId = drawn(probe, invalidIds);
    const invalid = invalidReply(probe);
    const params = { accountId, reviewId: invalidId };
    // Without the copies of the path: connect/absent-copies looks whether they are missed.
    expectInvalidRejected(
      probe,
      await sendInvalid(probe, { operation: 'replyToReview', params, body: invalid.body }),
      invalid,
    );
  },
};

const usual = { phase: 'bursts' } as const;
export const replies = defineChecks(usual, [invalidInputs]);
export const repliesAfterBursts = defineChecks(usual, [validInputs]);
