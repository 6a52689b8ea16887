// The freedom that the contract leaves in a body, operation by operation. Each line names the ruling that leaves it
// open.
import type { OperationId } from '../../contract/generated/operations.ts';
import type {
  Article,
  CreatePostResponse,
  ListArticlesResponse,
  ListCallsResponse,
  ListReviewsResponse,
  ReplyToReviewResponse,
  ReviewItem,
} from '../../contract/generated/types.ts';
import { hashToUnit, type Random } from '../../domain/random.ts';
import type { AnyOperation } from '../route.ts';
import { varyError } from './error.ts';
import { restyleInstants } from './instants.ts';
import { writeReviewId } from './review-id.ts';

/**
 * What may decide on a variation: chance for what may differ each time, the seed for what must stay the same for a
 * record.
 */
export interface BodyContext {
  readonly status: number;
  readonly operation: AnyOperation | null;
  readonly seed: number;
  readonly random: Random;
}

/** Instants come last, because a variation may have put a cursor in place. */
export function varyBody(body: unknown, context: BodyContext): unknown {
  const { status, operation, random, seed } = context;
  if (status !== 200) return varyError(body, operation?.envelope ?? 'simple', random);
  const vary = operation && variations[operation.id as OperationId];
  const varied = vary ? vary(body, context) : body;
  return restyleInstants(reword(varied, random), operation?.id ?? null, seed);
}

/** Gives back another legal body and leaves the given one alone. */
type Vary = (body: unknown, context: BodyContext) => unknown;

const variations: { readonly [Id in OperationId]?: Vary } = {
  listArticles: (body, { random }) => varyArticlePage(body as ListArticlesResponse, random),
  listReviews: (body, context) => varyReviewPage(body as ListReviewsResponse, context),
  // 2.create-post-output.permalink: nullable (choice C107).
  createPost: (body, { random }) => {
    const { data, ...rest } = body as CreatePostResponse;
    return { ...rest, data: random.below(3) === 0 ? { ...data, permalink: null } : data };
  },
  // 2.reply-review-output.replied-at: nullable (choice C106).
  replyToReview: (body, { random }) => {
    const { data, ...rest } = body as ReplyToReviewResponse;
    return { ...rest, data: random.below(3) === 0 ? { ...data, repliedAt: null } : data };
  },
  // Rulings R33: `summary` is neither required nor forbidden here.
  listCalls: (body, { random }) => {
    const { summary, ...rest } = body as ListCallsResponse;
    return random.below(2) === 0 || summary === undefined ? rest : { ...rest, summary };
  },
};

// Rulings R17 and R18: a page may be short and still have a cursor, and the last cursor may lead to an empty page.
function varyArticlePage({ data, cursor, ...rest }: ListArticlesResponse, random: Random): ListArticlesResponse {
  const kept = random.below(4) === 0 ? shorten(data, random) : data;
  const last = kept.at(-1);
  const goesOn = cursor !== null || kept.length < data.length || (last !== undefined && random.below(3) === 0);
  return { ...rest, data: kept, cursor: goesOn && last ? last.createdAt : null };
}

// Never between two articles of one instant: the cursor would lose the second (choice C17).
function shorten(articles: Article[], random: Random): Article[] {
  const length = articles.length - random.below(Math.ceil(articles.length / 2));
  return articles[length - 1]?.createdAt === articles[length]?.createdAt ? articles : articles.slice(0, length);
}

/** A legal page of reviews in one of its forms; the reviews on it stay in order. */
function varyReviewPage({ data, ...rest }: ListReviewsResponse, { random, seed }: BodyContext): ListReviewsResponse {
  const { nextCursor, aggregate, reviews } = data;
  // Rulings R14: null and absent both end the pages. 2.list-reviews-output.aggregate: optional.
  const end = nextCursor === null && random.below(2) === 0 ? {} : { nextCursor: nextCursor ?? null };
  const sum = aggregate === undefined || random.below(3) === 0 ? {} : { aggregate };
  return { ...rest, data: { reviews: reviews.map((review) => varyReview(review, seed)), ...end, ...sum } };
}

// A review looks the same on every page that shows it, so its form follows from its id and not from chance.
function varyReview({ reviewId, replied, ...review }: ReviewItem, seed: number): ReviewItem {
  const silent = replied !== true && hashToUnit(`replied ${reviewId} ${seed}`) < 0.5;
  const told = silent || replied === undefined ? {} : { replied };
  return { ...review, reviewId: writeReviewId(reviewId, seed), ...told };
}

// Choice C112: the wording of `summary` is free.
function reword(body: unknown, random: Random): unknown {
  if (body === null || typeof body !== 'object' || !('summary' in body)) return body;
  const summary = String(body.summary);
  return { ...body, summary: [summary, `OK: ${summary}`, 'Done.', `${summary} — see data.`][random.below(4)] };
}
