// Replies with permission to write: only to reviews without a reply, or to the one that the user named. Each scenario
// replies to another review.
import { dataOf, type Exchange, errorCode } from '../exchange/exchange.ts';
import { type History, labelled, responsesTo } from '../exchange/history.ts';
import { type Fields, rowsAt } from '../exchange/records.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { malformedFrom, markOf, textMax, unusualText, wideText } from '../exchange/texts.ts';
import { type Asks, get, type Row, type Scenario, scenario, send, write } from './scenario.ts';
import { accountOf, afterFirst, firstLabels, noInputs, rowsIn, type Table, writeUnusual } from './written.ts';

const needs = ['account', 'writes:replies'] as const;

/** Pages after the first one, in search of a review; and where the run has read more before. */
const [pagesMax, longWalkMax] = [5, 15];
const noReview = 'casa-conformance-no-such-review';

export type Review = Fields & { readonly reviewId: string };

export const reviewsOn = (page: Exchange): readonly Review[] => rowsAt(page, '/data/reviews', ['reviewId']) ?? [];

export function has(page: Exchange, reviewIds: readonly string[]): boolean {
  return reviewsOn(page).some(({ reviewId }) => reviewIds.includes(reviewId));
}

const ofAccount = (history: History, operation: 'listReviews' | 'replyToReview') =>
  responsesTo(history, operation).filter(({ target }) =>
    target.toLowerCase().startsWith(`/connect/accounts/${encodeURIComponent(accountOf(history)).toLowerCase()}/`),
  );

/** Of the account that the user named. */
export const repliesIn = (history: History): readonly Exchange[] => ofAccount(history, 'replyToReview');

/** The pages of reviews of that account before the first reply, or after a reply. */
export function pagesAround(history: History, reply: Exchange | undefined, side: 'before' | 'after'): Exchange[] {
  const place = reply === undefined ? history.exchanges.length : history.exchanges.indexOf(reply);
  const isThere = (one: Exchange) => (side === 'before') === history.exchanges.indexOf(one) < place;
  return ofAccount(history, 'listReviews').filter((one) => one.status === 200 && isThere(one));
}

/** The same for each scenario, so the order of the reviews is the same too. */
export function pagesBefore(history: History): readonly Exchange[] {
  return pagesAround(history, repliesIn(history)[0], 'before');
}

/** Ids that get lost where a path is decoded not at all, or once too often; the last is any that needs encoding. */
export const encoded: readonly RegExp[] = [/\//, /%[\da-f]{2}/i, /[%?#+ ]|[^ -~]/, /[^\w.~!*'()-]/];

/**
 * Reviews that may be replied to, the oldest of the page first: a reply that always goes to the newest review would not
 * be noticed there. The second one is on the first page, which shows its reply.
 */
export function openReviews(history: History): readonly string[] {
  const pages = pagesBefore(history);
  const openOn = (page: Exchange) =>
    reviewsOn(page)
      .filter((row) => row.replied !== true && row.replyText === undefined)
      .toReversed();
  const open = pages
    .filter(({ target }) => !target.includes('?'))
    .slice(0, 1)
    .flatMap(openOn);
  // One of each kind first: a server may handle each in another way. A later page may have the only one.
  const all = [...open, ...pages.flatMap(openOn)];
  const [odd = open[1], ...others] = encoded.flatMap((sign) => all.find(({ reviewId }) => sign.test(reviewId)) ?? []);
  const firsts = [odd, open[0], ...others, open.find(({ rating }) => rating === null)];
  const named = history.given.review === null ? [] : [history.given.review];
  return [...new Set([...named, ...[...firsts, ...open].flatMap((row) => row?.reviewId ?? [])])];
}

type Ids = Readonly<Record<'accountId' | 'reviewId', string>>;

/** A scenario that replies to the review at a place of the order. */
function replying(place: number, id: string, row: Row, reply: (ids: Ids, history: () => History) => Asks): Scenario {
  return scenario(id, { ...row, needs }, function* ({ history }) {
    const accountId = accountOf(history());
    yield* get('listReviews', { accountId });
    const reviewId = openReviews(history())[place];
    if (reviewId === undefined) return 'the account has too few reviews without a reply';
    return yield* reply({ accountId, reviewId }, history);
  });
}

function replyTo(params: Ids, label: string, body: unknown): RequestSpec {
  return { operation: 'replyToReview', params, label, body };
}

function* walkFor(history: History, wanted: readonly string[]): Asks<void> {
  // As many pages as the run read before its first reply: then it knows where a review was.
  const read = new Set(pagesBefore(history).map(({ target }) => target)).size;
  const furtherMax = Math.min(Math.max(read, pagesMax), longWalkMax);
  const left = new Set(wanted);
  let cursor: unknown;
  for (let further = 0; further <= furtherMax && left.size > 0; further += 1) {
    const params = { accountId: accountOf(history), ...(typeof cursor === 'string' ? { cursor } : {}) };
    const page = yield* send({ operation: 'listReviews', params, label: walkLabel });
    for (const { reviewId } of reviewsOn(page)) left.delete(reviewId);
    cursor = dataOf(page).nextCursor;
    if (typeof cursor !== 'string') return;
  }
}

export const walkLabel = 'reviews after replies';

const firstReplyRow = { least: 2, most: 3, changes: 'one reply' } as const;
const firstReply = replying(0, 'replies/first-written', firstReplyRow, function* (ids, history) {
  const { accountId, reviewId } = ids;
  const other = openReviews(history())[1] ?? noReview;
  const text = `${markOf(history())}: reply`;
  const body = { accountId: history().given.unknownId, reviewId: other, text };
  const reply = yield* write(replyTo(ids, firstLabels.replyToReview, body));
  if (reply.status !== 200) return;
  const page = yield* send({ operation: 'listReviews', params: { accountId } });
  const row = reviewsOn(page).find((one) => one.reviewId === reviewId);
  const { nextCursor: cursor } = dataOf(page);
  // The text may be under a review of the next page.
  if (row !== undefined && row.replyText !== text && typeof cursor === 'string')
    yield* send({ operation: 'listReviews', params: { accountId, cursor } });
});

/** The texts of the longest reply: an unusual one, and the one that is sent if it is rejected. */
export function longestTexts(history: History): readonly [string, string] {
  const longestOf = (start: string) => `${start}${wideText(textMax.reply)}`.slice(0, textMax.reply - 1);
  const mark = markOf(history);
  return [`${longestOf(`${mark}\r\n${unusualText}\n`)} `, `${longestOf(`${mark} `)}.`];
}

/** One limit only: a reply of one character would be visible under a real review. */
const longestReplyRow = { least: 2, most: 3, changes: 'one reply' } as const;
const longestReply = replying(1, 'replies/longest-written', longestReplyRow, function* (ids, history) {
  const specOf = (text: string) => replyTo(ids, 'longest reply', { ...ids, text });
  const reply = yield* writeUnusual(longestTexts(history()), specOf);
  if (reply?.status === 200) yield* send({ operation: 'listReviews', params: { accountId: ids.accountId } });
});

const malformedCopiesRow = { least: 1, most: 1, changes: 'one reply' } as const;
const malformedCopies = replying(2, 'replies/malformed-copies-written', malformedCopiesRow, function* (ids, history) {
  const text = `${markOf(history())}: malformed copies`;
  yield* write(replyTo(ids, 'reply with malformed copies', { accountId: 7, reviewId: 7, text }));
});

const absentCopiesRow = { least: 1, most: 1, changes: 'one reply' } as const;
const absentCopies = replying(3, 'replies/absent-copies-written', absentCopiesRow, function* (ids, history) {
  yield* write(replyTo(ids, 'reply without copies', { text: `${markOf(history())}: no copies` }));
});

/** By the clause that each is about; each is wrong in one thing only. */
export const invalidReplies: Table<'text' | 'length'> = {
  text: { 'no text': undefined, 'a number as text': 7, 'a list as text': ['casa-kit'], 'null as text': null },
  length: { 'an empty text': '', [`a text of ${textMax.reply + 1} characters`]: 'x'.repeat(textMax.reply + 1) },
};

/** Reads the review afterwards: a server can reject and still post. */
const invalidRepliesWrittenRow = {
  least: 11,
  most: 12,
  changes: 'nothing, unless the target accepts invalid requests',
} as const;
const invalidRepliesWritten = replying(
  0,
  'replies/invalid-written',
  invalidRepliesWrittenRow,
  function* (ids, history) {
    const { accountId, reviewId } = ids;
    const mark = markOf(history());
    for (const { what, input } of rowsIn(invalidReplies))
      yield* write(replyTo(ids, `reply with ${what}`, { ...ids, text: input }));
    yield* write(replyTo(ids, 'reply with a list', [{ ...ids, text: `${mark}: in a list` }]));
    for (const [what, body] of Object.entries(noInputs))
      yield* write({ operation: 'replyToReview', params: ids, label: `reply with ${what}`, ...body });
    yield* send({ operation: 'listReviews', params: { accountId } });
    const text = `${mark}: malformed path`;
    const path = `/connect/accounts/${encodeURIComponent(accountId)}/reviews//reply`;
    yield* write({ method: 'POST', path, label: 'reply to an empty review id', body: { ...ids, text } });
    const malformed = malformedFrom(accountId, 'variant');
    if (malformed === null) return;
    const params = { accountId: malformed, reviewId };
    yield* write(replyTo(params, 'reply to a malformed account id', { ...params, text }));
  },
);

const unknownReviewRow = {
  needs,
  changes: 'nothing, unless the target accepts invalid requests',
  least: 1,
  most: 3,
} as const;
const unknownReview = scenario('replies/unknown-review-written', unknownReviewRow, function* ({ history }) {
  const mark = markOf(history());
  const ids = { accountId: accountOf(history()), reviewId: `casa-conformance-${history().given.runId}` };
  const short = yield* write(replyTo(ids, 'short reply to an unknown review', { ...ids, text: 'x' }));
  // A longer text, where the short one is called invalid: the text may be what is wrong, or the review.
  if (errorCode(short) === 'invalid_input')
    yield* write(replyTo(ids, 'reply to an unknown review', { ...ids, text: mark }));
  const rows = rowsAt(yield* get('listAccounts'), '/data/accounts', ['accountId']) ?? [];
  // A locked account may have to be paid first: rule/payment-reason looks for the reason.
  const locked = rows.find((row) => row.locked === true && row.status === 'connected');
  if (locked === undefined) return;
  const params = { ...ids, accountId: locked.accountId };
  yield* write(replyTo(params, 'reply of a locked account', { ...params, text: mark }));
});

export function repliedIn(history: History): readonly string[] {
  const shown = new Set(
    ofAccount(history, 'listReviews')
      .flatMap((page) => reviewsOn(page))
      .map((row) => row.reviewId),
  );
  const paths = new Set(
    repliesIn(history)
      .filter(({ status }) => status === 200)
      .map(({ target }) => target.split('/')[5]),
  );
  return [...shown].filter((id) => paths.has(encodeURIComponent(id)));
}

/** Reviews may move while the pages are turned (R23), or be deleted (R59); what accepts another reply has not been. */
const afterRepliesRow = {
  needs,
  changes: 'a second reply to a review of this run, when its list shows none of them any more',
  most: 3 + 2 * longWalkMax,
} as const;
const afterReplies = scenario('replies/listed', afterRepliesRow, function* ({ history }) {
  const replied = repliedIn(history());
  const [reviewId] = replied;
  if (reviewId === undefined) return 'needs a reply';
  const isShown = () => labelled(history(), walkLabel).some((page) => has(page, replied));
  for (let walk = 0; walk < 2 && !isShown(); walk += 1) yield* walkFor(history(), replied);
  if (isShown() || replied.length < 2) return undefined;
  const ids = { accountId: accountOf(history()), reviewId };
  yield* write(replyTo(ids, 'reply once more', { ...ids, text: `${markOf(history())}: once more` }));
  return undefined;
});

const others = [longestReply, malformedCopies, absentCopies, invalidRepliesWritten, unknownReview, afterReplies];
export const replyScenarios: readonly Scenario[] = [firstReply, ...afterFirst('replyToReview', others)];
