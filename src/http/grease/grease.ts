// `--grease`: a random profile. The seed draws the behaviors of a deployment, and each response some further ones, to
// keep clients from relying on coincidences. The same seed and the same requests give the same responses. All
// variations are legal: the strict check (strict.ts) runs after it.
import type { Behaviors, ChanceId } from '../../contract/generated/behaviors.ts';
import type { Article, ListArticlesResponse, ListReviewsResponse } from '../../contract/generated/types.ts';
import { isObject } from '../../contract/json.ts';
import { createRandom, hashToUnit, type Random } from '../../domain/random.ts';
import { shownOf, type Writer, writeResponse } from '../calibrated/writer.ts';
import type { AnyOperation } from '../route.ts';
import { drawResponse } from './draws.ts';

export interface Settled {
  /** All behaviors of the mock, those of `drawDeployment` among them. */
  readonly behaviors: Behaviors;
  /** Those that were chosen by hand, which no draw changes. */
  readonly chosen: Partial<Behaviors>;
}

/** The writer with behaviors that vary between responses. */
export function createGrease(seed: number, { behaviors, chosen }: Settled): Writer {
  const random = createRandom(seed);
  return {
    write: (response, routing) =>
      writeResponse(response, routing, {
        behaviors: { ...behaviors, ...drawResponse(random, chosen) },
        turn: () => random.below(2),
        edit: (body, status, operation) => varyByChance(body, { status, operation, seed, random }),
      }),
    readReviewId: (text) => readReviewId(text, seed),
    shownGrant: (address, key) => shownOf(behaviors, address, key),
    position: () => random.position(),
    restore: (position) => random.restore(position),
  };
}

// The variations of grease that are not behaviors: spec/behaviors.yaml lists each with its reason. The mapped type
// rejects an unlisted one.

/** Random values for variations per response, the seed for those that must be constant for a record. */
export interface ChanceContext {
  readonly status: number;
  readonly operation: AnyOperation | null;
  readonly seed: number;
  readonly random: Random;
}

/** Gives back another legal body and leaves the given one alone. */
type Vary = (body: unknown, context: ChanceContext) => unknown;

const variations: { readonly [Id in ChanceId]: Vary } = {
  summary: (body, { status, random }) => {
    if (status !== 200 || !isObject(body) || !('summary' in body)) return body;
    const summary = String(body.summary);
    return { ...body, summary: [summary, `OK: ${summary}`, 'Done.', `${summary} — see data.`][random.below(4)] };
  },
  message: (body, { random }) => {
    // The limiter's body is stated to the letter: its error is a text.
    if (!isObject(body) || !isObject(body.error)) return body;
    return { ...body, error: { ...body.error, message: reword(String(body.error.message), random) } };
  },
  shortPages: (body, { status, operation, random }) =>
    status === 200 && operation?.id === 'listArticles' ? shorten(body as ListArticlesResponse, random) : body,
  reviewIds: (body, { status, operation, seed }) => {
    if (status !== 200 || operation?.id !== 'listReviews') return body;
    const { data, ...rest } = body as ListReviewsResponse;
    const reviews = data.reviews.map((review) => ({ ...review, reviewId: writeReviewId(review.reviewId, seed) }));
    return { ...rest, data: { ...data, reviews } };
  },
};

/** All of them, one after the other. */
export function varyByChance(body: unknown, context: ChanceContext): unknown {
  return Object.values(variations).reduce((varied, vary) => vary(varied, context), body);
}

/** Another language among them, for clients that search the message for a word. */
function reword(message: string, random: Random): string {
  const wordings = [
    message,
    `Sorry. ${message}`,
    message.toUpperCase(),
    'Das ging nicht.',
    `${message} (E${random.below(900) + 100})`,
  ];
  return wordings[random.below(wordings.length)] as string;
}

// Never between two articles of one timestamp: the cursor would lose the second (assumption C17).
function shorten(page: ListArticlesResponse, random: Random): ListArticlesResponse {
  const { data, cursor, ...rest } = page;
  const length = data.length - random.below(Math.ceil(data.length / 2));
  const kept: Article[] = data.slice(0, length);
  const last = kept.at(-1);
  if (random.below(4) !== 0 || last === undefined || last.createdAt === data[length]?.createdAt) return page;
  return { ...rest, data: kept, cursor: length < data.length ? last.createdAt : cursor };
}

// Review ids that are legal and awkward: a review id is a string and no more (interpretation R9), so in a path each of
// these must be percent-encoded. None is the beginning of another, so an id can be read back.
const decorations = ['a/b:', '100% ', 'Café ', '?x=1&y#', '%2F', '+1 ', '評/', "it's;"] as const;

/** The id under which a greased mock shows a review; always the same one for the same seed. */
export function writeReviewId(reviewId: string, seed: number): string {
  return `${decorations[Math.floor(hashToUnit(`${reviewId} ${seed}`) * decorations.length)]}${reviewId}`;
}

/** The review that a greased id means; an id that was never greased means itself. */
export function readReviewId(text: string, seed: number): string {
  for (const decoration of decorations) {
    if (!text.startsWith(decoration)) continue;
    const reviewId = text.slice(decoration.length);
    if (writeReviewId(reviewId, seed) === text) return reviewId;
  }
  return text;
}
