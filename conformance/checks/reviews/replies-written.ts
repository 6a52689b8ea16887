// Replies with permission to write, to reviews of the account that the user named.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import { dataOf, type Exchange, errorCode } from '../../exchange/exchange.ts';
import { type History, isOfService, labelled } from '../../exchange/history.ts';
import { segmentOf } from '../../exchange/look.ts';
import { isCut } from '../../exchange/texts.ts';
import { about, aboutStatus, isRejected, judgeEach } from '../../judge/expect.ts';
import * as inputs from '../../judge/inputs.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import { isFound, onceEach, type Witnessed } from '../../judge/same-record.ts';
import * as replies from '../../scenarios/replies.ts';
import { accountOf, firstLabels, noInputs, rowsIn } from '../../scenarios/written.ts';

const [pathWins, endpoint, ofReview, walk] = [
  '4.rules.path-wins',
  '4.connect.reply.endpoint',
  '4.connect.reply.review-id',
  '4.rules.reviews-walk',
] as const;
const [ofText, ofLength, invalid, body] = [
  '2.reply-review-input.text',
  '8.reply-text',
  '4.connect.reply.invalid',
  '4.connect.reply.body',
] as const;
const [accountCopy, reviewCopy, ofAccount, ofReviewLength, shownText, unknownReview] = [
  ...words('2.reply-review-input.account-id 2.reply-review-input.review-id'),
  ...words('2.reply-review-input.account-id-pattern 2.reply-review-input.review-id-length'),
  ...words('2.review-item.reply-text 4.connect.reply.unknown-review'),
] as const;

const reviewOf = (reply: Exchange) => segmentOf(reply, 4);
const pagesAfter = (history: History, reply: Exchange) => replies.pagesAround(history, reply, 'after');

/** A review can be deleted before the reply (R59). */
function listedReview(history: History, reviewId: string): Witnessed {
  const first = { operation: 'listReviews', params: { accountId: accountOf(history) } } as const;
  return {
    rows: [{ reviewId }],
    witness: replies.pagesBefore(history).find((page) => replies.has(page, [reviewId])) ?? first,
  };
}

/** The user can name a review that does not exist. */
function isAccepted(
  history: History,
  reply: Exchange,
  wanted: Parameters<typeof inputs.isWritten>[1] & { readonly clause: ClauseId },
): Judgment {
  const reviewId = reviewOf(reply);
  const isListed = replies.pagesBefore(history).some((page) => replies.has(page, [reviewId]));
  if (errorCode(reply) === 'not_found' && reviewId === history.given.review && !isListed)
    return { doubt: 'precondition', message: `--review ${reviewId} is not among the reviews of the account` };
  return inputs.isWritten(reply, { ...wanted, ...listedReview(history, reviewId) });
}

const accepts: Judged = {
  id: 'replies/path-wins',
  title: 'The ids in the path override the body of a reply',
  clauses: [pathWins, endpoint, ofReview, walk, accountCopy, reviewCopy],
  scenarios: ['replies/first-written', 'replies/malformed-copies-written', 'replies/absent-copies-written'],
  *judge(history) {
    yield* judgeEach(history, labelled(history, firstLabels.replyToReview), function* (reply) {
      // An id that needs encoding in a path: not found means that the server did not decode it.
      const isUnread = errorCode(reply) === 'not_found' && replies.encoded.some((sign) => sign.test(reviewOf(reply)));
      const clause = isUnread ? ofReview : pathWins;
      const expected = '200, because ids in the body are ignored';
      yield isAccepted(history, reply, { clause, proves: [pathWins, endpoint, ofReview], expected });
      if (reply.status !== 200) return;
      yield* isNotElsewhere(history, reply);
    });
    const copies = { clause: pathWins, expected: '200, because ids in the body are ignored' } as const;
    const malformed = labelled(history, 'reply with malformed copies');
    yield* judgeEach(history, malformed, (one) => [isAccepted(history, one, copies)]);
    const none = { clause: accountCopy, proves: [accountCopy, reviewCopy], expected: '200' } as const;
    const absent = labelled(history, 'reply without copies');
    yield* judgeEach(history, absent, (one) => [isAccepted(history, one, none)]);
  },
};

/** The text must not be under another review. If it is not under its own, the list does not show replies. */
function* isNotElsewhere(history: History, reply: Exchange): Iterable<Judgment> {
  const { text, reviewId: other } = inputs.inputOf(reply);
  const pages = pagesAfter(history, reply);
  const isAstray = (row: { readonly reviewId: string; readonly replyText?: unknown }) =>
    row.replyText === text && row.reviewId !== reviewOf(reply);
  const page = pages.find((one) => replies.reviewsOn(one).some(isAstray));
  const expected = 'the reply only at the review in the path';
  const [first] = pages;
  if (page === undefined) {
    if (first !== undefined)
      yield { ...about(first, pathWins, '/data/reviews'), expected, actual: 'no other', isTrue: true };
    return;
  }
  const at = replies.reviewsOn(page).findIndex(isAstray);
  const clause = replies.reviewsOn(page)[at]?.reviewId === other ? pathWins : endpoint;
  yield { ...about(page, clause, `/data/reviews/${at}/replyText`), expected, actual: show(text), isTrue: false };
}

/** Reviews may have been deleted meanwhile (R59); what accepts another reply has not been. */
const stay: Judged = {
  id: 'replies/stay-listed',
  title: 'Reviews are listed once after a reply',
  clauses: [walk, '4.connect.list-reviews.endpoint', endpoint],
  scenarios: ['replies/listed'],
  *judge(history) {
    const pages = labelled(history, replies.walkLabel).filter(isOfService);
    const [last] = pages.slice(-1);
    if (last === undefined) return;
    const [again] = labelled(history, 'reply once more');
    const replied = replies.repliedIn(history);
    const found = replied.filter((id) => pages.some((page) => replies.has(page, [id])));
    const isCut = found.length === 0 && typeof dataOf(last).nextCursor === 'string';
    const isRemoved = again !== undefined && errorCode(again) === 'not_found';
    const actual = found.length > 0 ? `${found.length}` : `none of the reviews on ${count(pages.length, 'page')}`;
    const expected = `some of the ${count(replied.length, 'review')} with a new reply`;
    const claim = { ...about(last, walk, '/data/reviews'), expected, actual };
    const message = isCut ? 'all of them might be on later pages' : 'it might have been deleted';
    if (found.length === 0 && isRemoved) yield { doubt: 'interference', message: 'the reviews were removed' };
    else if (found.length === 0 && (isCut || replied.length === 1)) yield { ...claim, severity: 'warn', message };
    else yield { ...claim, isTrue: found.length > 0 };
    for (const page of pages) {
      const ids = replies.reviewsOn(page).map(({ reviewId }) => reviewId);
      yield* onceEach(page, { what: 'review', clause: walk, ids });
      yield* areShown(history, page);
    }
  },
};

/** The contract states no delay until a reply is listed, so it is a warning only. */
function* areShown(history: History, page: Exchange): Iterable<Judgment> {
  const timed = replies.repliesIn(history).filter((one) => typeof dataOf(one).repliedAt === 'string');
  const rows = replies.reviewsOn(page).filter(({ reviewId }) => timed.map(reviewOf).includes(reviewId));
  const isTrue = rows.some(({ replied }) => replied !== false);
  const actual = isTrue ? 'as expected' : `replied: false for each of ${count(rows.length, 'review')} with a new reply`;
  const claim = { ...about(page, endpoint, '/data/reviews'), expected: 'replied: true', actual } as const;
  if (rows.length > 0) yield { ...claim, isTrue, severity: 'warn', of: [page] };
}

const longest: Judged = {
  id: 'replies/text-edges',
  title: 'POST .../reply accepts a text of 4096 characters',
  clauses: [ofLength, ofText, shownText],
  scenarios: ['replies/longest-written'],
  *judge(history) {
    const sent = labelled(history, 'longest reply');
    const text = replies.longestTexts(history)[sent.length - 1] ?? '';
    yield* judgeEach(history, sent.slice(-1), function* (reply) {
      const expected = `200 for a text of ${text.length} characters`;
      yield inputs.isNotInvalid(reply, { clause: ofLength, proves: [ofLength, ofText], expected });
      if (reply.status === 200) yield* isShownWhole(history, reply, text);
    });
  },
};

/** Whether a list shows replies is open (R31); a text that it shows is that of the client, character by character. */
function* isShownWhole(history: History, reply: Exchange, text: string): Iterable<Judgment> {
  const page = pagesAfter(history, reply).find((one) => replies.has(one, [reviewOf(reply)]));
  if (page === undefined) return;
  const index = replies.reviewsOn(page).findIndex(({ reviewId }) => reviewId === reviewOf(reply));
  const shown = replies.reviewsOn(page)[index]?.replyText;
  if (typeof shown !== 'string' || shown === text) return;
  const at = [...text].findIndex((letter, place) => [...shown][place] !== letter);
  const claim = { ...about(page, shownText, `/data/reviews/${index}/replyText`), expected: 'the text of the reply' };
  if (isCut(text, shown)) yield { ...claim, actual: `the text up to character ${at}`, isTrue: false };
  else yield { ...claim, actual: `another text from character ${at + 1} on`, severity: 'warn' };
}

const clausesOf = { text: ofText, length: ofLength } as const;

const rejects: Judged = {
  id: 'replies/refuses-wrong-bodies',
  title: 'POST .../reply rejects invalid bodies, malformed ids in the path, and unknown reviews',
  clauses: [
    ...([invalid, body, ofText, ofLength, ofAccount, ofReviewLength, ofReview, unknownReview] as const),
    '7.code.not-found',
  ],
  scenarios: ['replies/invalid-written', 'replies/unknown-review-written'],
  *judge(history) {
    const bodies = [
      ...rowsIn(replies.invalidReplies).map(
        ({ what, field }) => ({ ...inputs.invalidInput, what, clause: clausesOf[field] }) as const,
      ),
      { ...inputs.invalidInput, what: 'a list', clause: body },
      ...Object.keys(noInputs).map((what) => ({ ...inputs.noInput, what, clause: body }) as const),
    ] as const;
    for (const wanted of bodies) {
      yield* judgeEach(history, labelled(history, `reply with ${wanted.what}`), (one) =>
        isFound(one, { ...wanted, ...listedReview(history, reviewOf(one)) }),
      );
    }
    yield* isNotPosted(history);
    yield* judgeEach(history, labelled(history, 'reply to an empty review id'), (one) => [
      {
        ...aboutStatus(one, ofReviewLength),
        ...{ proves: [ofReviewLength, ofReview], expected: 'a rejection of an empty review id' },
        isTrue: one.status !== 200,
      },
    ]);
    const malformed = { ...inputs.malformedId, clause: ofAccount } as const;
    yield* judgeEach(history, labelled(history, 'reply to a malformed account id'), (one) => [
      isRejected(one, malformed),
    ]);
    yield* isOfNoReview(history);
    yield* judgeEach(history, labelled(history, 'reply of a locked account'), (one) =>
      inputs.isInvalidOrUnknown(history, one),
    );
  },
};

/** A truncated text is still the rejected text. */
function* isNotPosted(history: History): Iterable<Judgment> {
  const [reply] = labelled(history, 'reply with a list');
  const page = reply && pagesAfter(history, reply).find((one) => replies.has(one, [reviewOf(reply)]));
  if (reply === undefined || page === undefined) return;
  const row = replies.reviewsOn(page).find(({ reviewId }) => reviewId === reviewOf(reply));
  const shown = typeof row?.replyText === 'string' ? row.replyText : '';
  const isOf = ({ input }: { readonly input: unknown }) => typeof input === 'string' && input.startsWith(shown);
  const isTrue = shown === '' || !rowsIn(replies.invalidReplies).some(isOf);
  const actual = isTrue ? 'none' : 'the text of a rejected reply';
  yield { ...about(page, invalid, '/data/reviews'), expected: 'no text of a rejected reply', actual, isTrue };
}

function* isOfNoReview(history: History): Iterable<Judgment> {
  const [longer] = labelled(history, 'reply to an unknown review');
  const isShort = longer !== undefined && errorCode(longer) !== 'invalid_input';
  yield* judgeEach(history, labelled(history, 'short reply to an unknown review'), (one) => [
    isRejected(one, {
      status: 404,
      code: 'not_found',
      clause: isShort ? ofLength : unknownReview,
      proves: [unknownReview, '7.code.not-found'],
      // The account has just accepted a reply, so replies are available there.
      shadows: inputs.accountShadows.filter((code) => code !== 'not_found' && code !== 'not_supported'),
    }),
  ]);
}

export const repliesWritten: readonly Judged[] = [accepts, longest, rejects, stay];
