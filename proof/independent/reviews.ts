// Reviews and replies. A cursor is a place in the order (time, then id), so a review that is added in front moves
// nothing.
import { admit } from './admit.ts';
import { copy, readBody, text } from './checks.ts';
import { success } from './connect.ts';
import { notFound, Rejection } from './errors.ts';
import {
  type Account,
  type ApiRequest,
  type Context,
  extra,
  type HttpResponse,
  type Issue,
  type Marked,
  type Review,
  showPlain,
} from './types.ts';
import type { Variant } from './variants.ts';

/** "Newest information" may mean the review or its reply (R23). */
function timeOf(review: Review, variant: Variant): number {
  return variant.reviewOrder === 'date' ? review.date : Math.max(review.date, review.reply?.at ?? 0);
}

/** A total order: equal times are distinguished by id. */
function before(left: Marked, right: Marked): boolean {
  return left.time !== right.time ? left.time > right.time : left.id < right.id;
}

function writeMark(mark: Marked, variant: Variant): string {
  const text = `${mark.time}|${mark.id}`;
  return variant.reviewCursor === 'raw' ? text : Buffer.from(text, 'utf8').toString('base64');
}

/** Undefined for a text that no page gave out. */
function readMark(text: string, variant: Variant): Marked | undefined {
  const plain = variant.reviewCursor === 'raw' ? text : Buffer.from(text, 'base64').toString('utf8');
  const found = /^(\d{1,16})\|(.+)$/s.exec(plain);
  return found === null ? undefined : { time: Number(found[1]), id: found[2] ?? '' };
}

function showReview(context: Context, review: Review): Record<string, unknown> {
  const { replyFields } = context.variant;
  const reply = review.reply;
  const flag = replyFields === 'always' || (replyFields === 'when-replied' && reply !== undefined);
  return {
    reviewId: review.id,
    author: review.author,
    rating: review.rating,
    text: review.text,
    date: showPlain(context, review.date),
    ...(flag ? { replied: reply !== undefined } : {}),
    ...(reply !== undefined && replyFields !== 'none' ? { replyText: reply.text } : {}),
  };
}

function cursorIssues(text: string | null, variant: Variant): Issue[] {
  if (text === null || variant.badReviewCursor === 'ignore' || readMark(text, variant) !== undefined) return [];
  return [{ path: 'cursor', message: 'was not given out here' }];
}

/** The end of the pages: null, no field, both alternately, or a cursor that links to an empty page. */
function endOfPages(context: Context, last: Marked | undefined): { nextCursor?: string | null } {
  const { reviewEnd } = context.variant;
  if (reviewEnd === 'empty-page' && last !== undefined) return { nextCursor: writeMark(last, context.variant) };
  if (reviewEnd === 'alternate') context.turns += 1;
  return reviewEnd === 'absent' || (reviewEnd === 'alternate' && context.turns % 2 === 1) ? {} : { nextCursor: null };
}

/** Over all reviews of the account; 0 where none has a rating. */
function aggregateOf(context: Context, { provider, reviews }: Account): Record<string, unknown> {
  const { aggregate } = context.variant;
  if (aggregate === false || (aggregate === 'by-platform' && provider !== 'google_business')) return {};
  const ratings = reviews.flatMap((review) => (review.rating === null ? [] : [review.rating]));
  const sum = ratings.reduce((total, rating) => total + rating, 0);
  const ratingValue = ratings.length === 0 ? 0 : Math.round((100 * sum) / ratings.length) / 100;
  return { aggregate: { ratingValue, reviewCount: reviews.length, ...extra(context, 'deep') } };
}

export function listReviews(context: Context, req: ApiRequest): HttpResponse {
  const { variant } = context;
  const cursor = req.query.get('cursor');
  const issues = cursorIssues(cursor, variant);
  const account = admit(context, req, { operation: 'reviews', writes: false, issues });
  const marked = account.reviews.map((review) => ({ time: timeOf(review, variant), id: review.id, review }));
  marked.sort((left, right) => (before(left, right) ? -1 : 1));
  const mark = cursor === null ? undefined : readMark(cursor, variant);
  const rest = mark === undefined ? marked : marked.filter((item) => before(mark, item));
  const page = rest.slice(0, variant.reviewPage);
  const last = page.at(-1);
  const more = rest.length > page.length && last !== undefined;
  const data = {
    reviews: page.map(({ review }) => showReview(context, review)),
    ...(more ? { nextCursor: writeMark(last, variant) } : endOfPages(context, last)),
    ...aggregateOf(context, account),
  };
  return success(context, data, `${page.length} reviews`);
}

const replyRules = { accountId: copy, reviewId: copy, text: text(4096) };

export function replyToReview(context: Context, req: ApiRequest): HttpResponse {
  const { variant } = context;
  const { body, issues } = readBody(req, context, replyRules);
  const id = req.segments[4] ?? '';
  if (id === '') issues.unshift({ path: 'reviewId', message: 'must not be empty' });
  const account = admit(context, req, {
    operation: 'reviews',
    writes: true,
    issues,
    hasItem: (owner) => owner.reviews.some((review) => review.id === id),
  });
  const review = account.reviews.find((one) => one.id === id);
  if (review === undefined) throw notFound('review');
  if (review.reply !== undefined && variant.secondReply === 'reject') {
    throw new Rejection('not_supported', { message: 'the review has a reply already' });
  }
  review.reply = { text: String(body.text), at: req.at };
  const data = { repliedAt: variant.repliedAt === 'null' ? null : showPlain(context, req.at) };
  return success(context, data, 'Replied');
}
