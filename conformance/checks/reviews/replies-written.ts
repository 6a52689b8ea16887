// Replies with permission to write: only to reviews without a reply, or to the one that the user named; each review
// once.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { count } from '../../../src/terminal/count.ts';
import { findAstray, longWalkMax, toPage } from '../../assertions/accounts.ts';
import { expectFound, expectOnce, type Witnessed } from '../../assertions/same-record.ts';
import {
  accountOf,
  accountShadows,
  expectNotInvalid,
  expectRejected,
  expectWritten,
  invalidInput,
  isCut,
  malformedFrom,
  malformedId,
  noInput,
  noInputs,
  pagesMax,
  sendUnusual,
  tag,
  textMax,
  unusualText,
  walkFor,
  wideText,
  writtenCheck,
} from '../../assertions/writes.ts';
import { dataOf, type Exchange, errorCode } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about, aboutStatus } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { repeatsMax } from '../../judge/standing.ts';
import { segmentOf } from '../../observe/look.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { type Row, rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

const needs = ['account', 'writes:replies'] as const;

/** Ids that get lost where a path is decoded not at all, or once too often; the last is any that needs encoding. */
const encoded: readonly RegExp[] = [/\//, /%[\da-f]{2}/i, /[%?#+ ]|[^ -~]/, /[^\w.~!*'()-]/];

/**
 * Reviews that may be replied to, in a fixed order, so each check of a run takes another one. The oldest of the
 * page come first: a reply that always goes to the newest review would not be noticed there. The second one is on the
 * first page, which shows its reply.
 */
async function openReviews(probe: Probe): Promise<readonly string[]> {
  const page = await probe.get('listReviews', { accountId: accountOf(probe) });
  const openOn = (one: Exchange) =>
    rowsOf<Row & { readonly reviewId: string }>(one, ['data', 'reviews'], ['reviewId'])
      .filter((row) => row.replied !== true && row.replyText === undefined)
      .reverse();
  const named = probe.settings.review;
  const open = openOn(page);
  // One of each kind first: a server may handle each in another way. A later page may have the only one.
  const all = [...open, ...pagesBefore(probe).flatMap(openOn)];
  const [odd = open[1], ...others] = encoded.flatMap((sign) => all.find(({ reviewId }) => sign.test(reviewId)) ?? []);
  const firsts = [odd, open[0], ...others, open.find(({ rating }) => rating === null)];
  const free = [...new Set([...firsts, ...open].flatMap((row) => row?.reviewId ?? []))];
  return named === null ? free : [named, ...free.filter((reviewId) => reviewId !== named)];
}

/** Before the first reply: each check finds the same order. */
function pagesBefore(probe: Probe): readonly Exchange[] {
  const history = probe.history();
  const isOf = (operation: OperationId) => (one: Exchange) =>
    one.operation === operation && sameId(segmentOf(one, 2), accountOf(probe));
  const until = history.findIndex(isOf('replyToReview'));
  const before = until < 0 ? history : history.slice(0, until);
  return before.filter(isOf('listReviews')).filter(({ key, status }) => key === 'good' && status === 200);
}

/** The place is that of the check, so two checks of a run do not reply to the same review. */
async function openReview(probe: Probe, place: number): Promise<string> {
  const reviewId = (await openReviews(probe))[place];
  return reviewId ?? probe.stop('precondition', 'the account has too few reviews without a reply');
}

/** Under the account that the user named, who can also name a review that does not exist. */
async function reply(probe: Probe, reviewId: string, body: Record<string, unknown>): Promise<Exchange> {
  const params = { accountId: accountOf(probe), reviewId };
  const exchange = await probe.write({ operation: 'replyToReview', params, body });
  const isUnknown = errorCode(exchange) === 'not_found' && reviewId === probe.settings.review;
  if (isUnknown && pageWith(probe, reviewId) === undefined)
    probe.stop('precondition', `--review ${reviewId} is not among the reviews of the account`);
  return exchange;
}

function pageWith(probe: Probe, reviewId: string): Exchange | undefined {
  return pagesBefore(probe).find((page) => rowsOf(page, ['data', 'reviews']).some((row) => row.reviewId === reviewId));
}

/** A review can be deleted before the reply (R59). */
function listedReview(probe: Probe, reviewId: string): Witnessed {
  const first = { operation: 'listReviews', params: { accountId: accountOf(probe) } } as const;
  return { rows: [{ reviewId }], witness: pageWith(probe, reviewId) ?? first };
}

/** As many pages as the run read before its first reply: then it knows where a review was. */
function furtherMax(probe: Probe): number {
  const read = new Set(pagesBefore(probe).map(({ target }) => target)).size;
  return Math.min(Math.max(read, pagesMax), longWalkMax);
}

const longWalk = { requests: 0, confirms: 2 * (longWalkMax - pagesMax) } as const;

const pathWins: CheckRow = {
  id: 'replies/path-wins',
  title: 'The ids in the path override the body of a reply',
  cites: ['4.rules.path-wins', '4.connect.reply.endpoint', '4.connect.reply.review-id', '4.rules.reviews-walk'],
  needs,
  mutates: 'one reply',
  // The reply, the list, and its further pages when the review or its reply is not on the first one; then once more.
  cost: { requests: 2 + pagesMax, confirms: 4 + pagesMax, writes: 1, uses: ['reviews'], withTime: longWalk },
  async run(probe) {
    const reviewId = await openReview(probe, 0);
    const other = (await openReviews(probe))[1] ?? 'casa-conformance-no-such-review';
    const text = `${tag(probe)}: reply`;
    const exchange = await reply(probe, reviewId, { accountId: probe.facts.unknownId, reviewId: other, text });
    const expected = '200, because ids in the body are ignored';
    const proves = ['4.rules.path-wins', '4.connect.reply.endpoint', '4.connect.reply.review-id'] as const;
    // An id that needs encoding in a path: not found means that the server did not decode it.
    const isUnread = errorCode(exchange) === 'not_found' && encoded.some((sign) => sign.test(reviewId));
    const clause = isUnread ? '4.connect.reply.review-id' : '4.rules.path-wins';
    await expectWritten(probe, exchange, { clause, proves, expected, ...listedReview(probe, reviewId) });
    if (exchange.status !== 200) return;
    await expectNotRedirected(probe, { reviewId, other, text });
    if (typeof dataOf(exchange).repliedAt === 'string') await warnIfOpen(probe, reviewId);
  },
};

/** The text must not be under another review. If it is not under its own, the list does not show replies. */
async function expectNotRedirected(
  probe: Probe,
  { reviewId, other, text }: { reviewId: string; other: string; text: string },
): Promise<void> {
  const after = await probe.send({ operation: 'listReviews', params: { accountId: accountOf(probe) } });
  const astray = await findAstray(probe, after, { accountId: accountOf(probe), reviewId, text });
  const isUnderCopy = astray === null || astray.under === other;
  probe.holds(astray === null, {
    ...about(
      astray?.page ?? after,
      isUnderCopy ? '4.rules.path-wins' : '4.connect.reply.endpoint',
      astray === null ? '/data/reviews' : `/data/reviews/${astray.at}/replyText`,
    ),
    expected: 'the reply only at the review in the path',
    actual: astray === null ? 'no other' : show(text),
  });
  const rows = rowsOf(after, ['data', 'reviews']);
  if (!rows.some((row) => row.reviewId === reviewId)) await expectOnLaterPage(probe, after, reviewId);
}

/** A list may lag, so one review that twice shows no reply is worth a warning only; replies/stay-listed reads all. */
async function warnIfOpen(probe: Probe, reviewId: string): Promise<void> {
  const rowOf = (page: Exchange) => rowsOf(page, ['data', 'reviews']).find((row) => row.reviewId === reviewId);
  const isOpen = (page: Exchange) => rowOf(page)?.replied === false;
  const lists = probe.history().filter(({ operation, status }) => operation === 'listReviews' && status === 200);
  const last = lists.findLast((page) => rowOf(page) !== undefined);
  if (last === undefined || !isOpen(last)) return;
  const exchange = await probe.send({ operation: 'listReviews', params: { accountId: accountOf(probe) } });
  if (!isOpen(exchange)) return;
  const claim = about(exchange, '4.connect.reply.endpoint', '/data/reviews');
  probe.warn({ ...claim, expected: 'replied: true after the reply', actual: 'replied: false twice' });
}

/** To which page a review belongs is open, and it may move while the pages are turned (R23, R59). */
async function expectOnLaterPage(probe: Probe, first: Exchange, reviewId: string): Promise<void> {
  const depth = { furtherMax: furtherMax(probe) };
  const once = await walkFor(probe, [reviewId], { first, ...depth });
  const { found, isCut, pages } = once.found.length > 0 ? once : await walkFor(probe, [reviewId], depth);
  if (found.length > 0) return;
  probe.warn({
    ...about(pages.at(-1), '4.rules.reviews-walk', '/data/reviews'),
    expected: `review ${show(reviewId)}, which was listed before the reply`,
    actual: `${count(pages.length, 'page')} without the review, twice`,
    message: `it might have been deleted${isCut ? ', or be on a later page' : ''}`,
  });
}

/** Reviews may have been deleted meanwhile (R59); what takes another reply has not been. */
const stay: CheckRow = {
  id: 'replies/stay-listed',
  title: 'Reviews are listed once after a reply',
  cites: ['4.rules.reviews-walk', '4.connect.list-reviews.endpoint', '4.connect.reply.endpoint'],
  needs,
  after: ['replies/path-wins'],
  mutates: 'a second reply to a review of this run, when its list shows none of them any more',
  cost: { requests: 1 + pagesMax, confirms: 2 + pagesMax + 2 * repeatsMax, writes: 1, withTime: longWalk },
  async run(probe) {
    const replied = repliedIn(probe);
    if (replied.length < 2) return probe.stop('vacuous', 'needs at least two replies');
    const depth = { furtherMax: furtherMax(probe) };
    const once = await walkFor(probe, replied, depth);
    const { found, pages, isCut } = once.found.length === 0 ? await walkFor(probe, replied, depth) : once;
    const [first = ''] = replied;
    if (found.length === 0) await stopIfDeleted(probe, first);
    const claim = {
      ...about(pages.at(-1), '4.rules.reviews-walk', '/data/reviews'),
      expected: `some of the ${replied.length} reviews with a new reply`,
      actual: found.length > 0 ? `${found.length}` : `none of the reviews on ${count(pages.length, 'page')}, twice`,
    };
    if (found.length > 0 || !isCut) probe.holds(found.length > 0, claim);
    else probe.warn({ ...claim, message: 'all of them might be on later pages' });
    const idsOf = (page: Exchange) => toPage(probe, page).ids;
    const repeating = pages.find((page) => new Set(idsOf(page)).size < idsOf(page).length);
    const words = { what: 'review', clause: '4.rules.reviews-walk', idsOf } as const;
    if (repeating !== undefined) await expectOnce(probe, repeating, words);
    await expectShown(probe, pages);
  },
};

/** Several replies that have a time, and that no list shows. The contract states no delay, so it is a warning only. */
async function expectShown(probe: Probe, pages: readonly Exchange[]): Promise<void> {
  const timed = new Set(
    repliesIn(probe)
      .filter(isTimed)
      .map(({ target }) => target.split('/')[5]),
  );
  const rowsOn = (page: Exchange) =>
    rowsOf(page, ['data', 'reviews']).filter((row) => timed.has(encodeURIComponent(String(row.reviewId))));
  const page = pages.find((one) => rowsOn(one).length >= 2);
  if (page === undefined) return;
  await probe.judge([page], ([one]) => {
    const rows = rowsOn(one);
    const actual = `replied: false for each of ${count(rows.length, 'review')} with a new reply`;
    const isTrue = rows.length < 2 || rows.some(({ replied }) => replied !== false);
    const claim = { ...about(one, '4.connect.reply.endpoint', '/data/reviews'), expected: 'replied: true' } as const;
    return [{ ...claim, isTrue, severity: 'warn', actual: isTrue ? 'as expected' : actual }];
  });
}

const isTimed = (exchange: Exchange) => typeof dataOf(exchange).repliedAt === 'string';

/** A review that the service reports as unknown was deleted, not hidden. */
async function stopIfDeleted(probe: Probe, reviewId: string): Promise<void> {
  const text = `${tag(probe)}: once more`;
  const again = await reply(probe, reviewId, { reviewId, accountId: accountOf(probe), text });
  if (errorCode(again) === 'not_found') probe.stop('interference', 'the reviews were removed');
}

/** Those that the list of the account showed before. */
function repliedIn(probe: Probe): string[] {
  const listed = probe.shown('listReviews').filter(({ target }) => isHere(probe, target));
  const shown = new Set(listed.flatMap((exchange) => toPage(probe, exchange).ids));
  const paths = new Set(repliesIn(probe).map(({ target }) => target.split('/')[5]));
  return [...shown].filter((id) => paths.has(encodeURIComponent(id)));
}

function repliesIn(probe: Probe): readonly Exchange[] {
  return probe.shown('replyToReview').filter(({ target }) => isHere(probe, target));
}

function isHere(probe: Probe, target: string): boolean {
  return target.split('/')[3] === encodeURIComponent(accountOf(probe));
}

/** One limit only: a reply of one character would be visible under a real review. */
const longest = writtenCheck('replies', {
  id: 'replies/text-edges',
  title: 'POST .../reply accepts a text of 4096 characters',
  cites: ['8.reply-text', '2.reply-review-input.text', '2.review-item.reply-text'],
  mutates: 'one reply',
  cost: { requests: 2, confirms: 1, writes: 2, uses: ['reviews'] },
  async run(probe) {
    const reviewId = await openReview(probe, 1);
    const longestOf = (beginning: string) => `${beginning}${wideText(textMax.reply)}`.slice(0, textMax.reply - 1);
    const texts = [`${longestOf(`${tag(probe)}\r\n${unusualText}\n`)} `, `${longestOf(`${tag(probe)} `)}.`] as const;
    const { exchange, text } = await sendUnusual(texts, (text) =>
      reply(probe, reviewId, { accountId: accountOf(probe), reviewId, text }),
    );
    const proof = { clause: '8.reply-text', proves: ['8.reply-text', '2.reply-review-input.text'] } as const;
    expectNotInvalid(probe, exchange, { ...proof, expected: `200 for a text of ${textMax.reply} characters` });
    if (exchange.status === 200) await expectText(probe, reviewId, text);
  },
});

/** Whether a list shows replies is open (R31); a text that it shows is that of the client, character by character. */
async function expectText(probe: Probe, reviewId: string, text: string): Promise<void> {
  const page = await probe.send({ operation: 'listReviews', params: { accountId: accountOf(probe) } });
  const rows = rowsOf(page, ['data', 'reviews']);
  const index = rows.findIndex((row) => row.reviewId === reviewId);
  const shown = rows[index]?.replyText;
  if (typeof shown !== 'string' || shown === text) return;
  const at = [...text].findIndex((letter, place) => [...shown][place] !== letter);
  const claim = about(page, '2.review-item.reply-text', `/data/reviews/${index}/replyText`);
  const words = { expected: 'the text of the reply', actual: `another text from character ${at + 1} on` };
  if (isCut(text, shown)) probe.holds(false, { ...claim, ...words, actual: `the text up to character ${at}` });
  else probe.warn({ ...claim, ...words });
}

const malformedCopies = writtenCheck('replies', {
  id: 'replies/malformed-copies-written',
  title: 'POST .../reply ignores malformed ids in the body',
  cites: ['4.rules.path-wins'],
  mutates: 'one reply',
  cost: { requests: 1, confirms: 1, writes: 1, uses: ['reviews'] },
  async run(probe) {
    const reviewId = await openReview(probe, 2);
    const text = `${tag(probe)}: malformed copies`;
    const exchange = await reply(probe, reviewId, { accountId: 7, reviewId: 7, text });
    const wanted = { clause: '4.rules.path-wins', expected: '200, because ids in the body are ignored' } as const;
    await expectWritten(probe, exchange, { ...wanted, ...listedReview(probe, reviewId) });
  },
});

const absentCopies = writtenCheck('replies', {
  id: 'replies/absent-body-copies',
  title: 'POST .../reply does not require ids in the body',
  cites: ['2.reply-review-input.account-id', '2.reply-review-input.review-id'],
  level: 'should',
  mutates: 'one reply',
  cost: { requests: 1, confirms: 1, writes: 1, uses: ['reviews'] },
  async run(probe) {
    const reviewId = await openReview(probe, 3);
    const exchange = await reply(probe, reviewId, { text: `${tag(probe)}: no copies` });
    const proves = ['2.reply-review-input.account-id', '2.reply-review-input.review-id'] as const;
    const wanted = { clause: '2.reply-review-input.account-id', proves, expected: '200' } as const;
    await expectWritten(probe, exchange, { ...wanted, ...listedReview(probe, reviewId) });
  },
});

const malformedPath = writtenCheck('replies', {
  id: 'replies/malformed-path',
  title: 'POST .../reply rejects malformed ids in the path',
  cites: [
    '2.reply-review-input.account-id-pattern',
    '2.reply-review-input.review-id-length',
    '4.connect.reply.review-id',
  ],
  cost: { requests: 2, writes: 2, uses: ['reviews'] },
  async run(probe) {
    const reviewId = await openReview(probe, 0);
    const text = `${tag(probe)}: malformed path`;
    const path = `/connect/accounts/${encodeURIComponent(accountOf(probe))}/reviews//reply`;
    const empty = await probe.write({ method: 'POST', path, body: { accountId: accountOf(probe), reviewId, text } });
    probe.holds(empty.status !== 200, {
      ...aboutStatus(empty, '2.reply-review-input.review-id-length'),
      proves: ['2.reply-review-input.review-id-length', '4.connect.reply.review-id'],
      expected: 'a rejection of an empty review id',
    });
    const accountId = malformedFrom(probe, accountOf(probe), 'variant');
    const params = { accountId, reviewId };
    const variant = await probe.write({ operation: 'replyToReview', params, body: { ...params, text } });
    probe.expectRejection(variant, { ...malformedId, clause: '2.reply-review-input.account-id-pattern' });
  },
});

/** Each is wrong in one thing only. */
const invalidReplies: readonly (readonly [what: string, clause: ClauseId, text: unknown])[] = [
  ['no text', '2.reply-review-input.text', undefined],
  ['an empty text', '8.reply-text', ''],
  [`a text of ${textMax.reply + 1} characters`, '8.reply-text', 'x'.repeat(textMax.reply + 1)],
  ['a number as text', '2.reply-review-input.text', 7],
  ['a list as text', '2.reply-review-input.text', ['casa-kit']],
  ['null as text', '2.reply-review-input.text', null],
];

/** Reads the review afterwards: a server can reject and still post. */
const rejectsInvalid = writtenCheck('replies', {
  id: 'replies/refuses-wrong-bodies',
  title: 'POST .../reply rejects invalid bodies with 400 invalid_input',
  cites: ['4.connect.reply.invalid', '4.connect.reply.body', '2.reply-review-input.text', '8.reply-text'],
  cost: { requests: invalidReplies.length + 5, confirms: 1, writes: invalidReplies.length + 4, uses: ['reviews'] },
  async run(probe) {
    const reviewId = await openReview(probe, 0);
    const params = { accountId: accountOf(probe), reviewId };
    for (const [what, clause, text] of invalidReplies) {
      const exchange = await reply(probe, reviewId, { ...params, text });
      await expectFound(probe, exchange, { ...invalidInput, what, clause, ...listedReview(probe, reviewId) });
    }
    const list = ['a list', { body: [{ ...params, text: `${tag(probe)}: in a list` }] }] as const;
    for (const [what, invalid] of [list, ...noInputs]) {
      const exchange = await probe.write({ operation: 'replyToReview', params, ...invalid });
      const wanted = { ...(what === 'a list' ? invalidInput : noInput), what, clause: '4.connect.reply.body' } as const;
      await expectFound(probe, exchange, { ...wanted, ...listedReview(probe, reviewId) });
    }
    const after = await probe.send({ operation: 'listReviews', params: { accountId: accountOf(probe) } });
    const row = rowsOf(after, ['data', 'reviews']).find((other) => other.reviewId === reviewId);
    const shown = typeof row?.replyText === 'string' ? row.replyText : '';
    // A truncated text is still the rejected text.
    const rejected =
      shown !== '' && invalidReplies.some(([, , text]) => typeof text === 'string' && text.startsWith(shown));
    const claim = about(after, '4.connect.reply.invalid', '/data/reviews');
    const expected = 'no text of a rejected reply';
    probe.holds(!rejected, { ...claim, expected, actual: rejected ? 'the text of a rejected reply' : 'none' });
  },
});

const unknownReview = writtenCheck('replies', {
  id: 'replies/unknown-review',
  title: 'POST .../reply returns 404 for an unknown review',
  cites: ['4.connect.reply.unknown-review', '7.code.not-found', '8.reply-text'],
  // A longer text, where the short one is called invalid: the text may be what is wrong, or the review.
  cost: { requests: 2, least: 1, confirms: 1, writes: 3, uses: ['accounts'] },
  async run(probe) {
    const reviewId = `casa-conformance-${probe.settings.runId}`;
    const send = (text: string) => reply(probe, reviewId, { accountId: accountOf(probe), reviewId, text });
    const exchange = await send('x');
    const isInvalid = errorCode(exchange) === 'invalid_input';
    const isShort = isInvalid && errorCode(await send(tag(probe))) !== 'invalid_input';
    probe.expectRejection(exchange, {
      status: 404,
      code: 'not_found',
      clause: isShort ? '8.reply-text' : '4.connect.reply.unknown-review',
      proves: ['4.connect.reply.unknown-review', '7.code.not-found'],
      // The account has just taken a reply, so replies are available there.
      shadows: accountShadows.filter((code) => code !== 'not_found' && code !== 'not_supported'),
    });
    // A locked account may have to be paid first: rule/payment-reason looks for the reason.
    const locked = (await probe.facts.accounts()).find((row) => row.locked === true && row.status === 'connected');
    if (locked === undefined) return;
    const { accountId } = locked;
    const body = { accountId, reviewId, text: tag(probe) };
    expectRejected(probe, await probe.write({ operation: 'replyToReview', params: { accountId, reviewId }, body }));
  },
});

export const repliesWritten = defineChecks({ phase: 'writes' }, [
  pathWins,
  longest,
  malformedCopies,
  absentCopies,
  rejectsInvalid,
  malformedPath,
  unknownReview,
  stay,
]);
