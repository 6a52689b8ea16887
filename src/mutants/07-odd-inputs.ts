// Inputs that no client of good will sends, each of which breaks one operation down with 500. Cites 4.connect.statuses,
// 4.articles.list.statuses, 4.calls.statuses.
import type { OperationId } from '../contract/generated/operations.ts';
import type { Wrap } from './hooks/mutant.ts';
import { mutantsOf } from './hooks/mutants-of.ts';
import { type Exchange, isKeyed, onAnswer } from './hooks/recipes.ts';
import { asCrash, isObject, type Json, lengthOf, readJson } from './hooks/rewrite.ts';

const crash = (which: OperationId, when: (exchange: Exchange) => boolean): Wrap =>
  onAnswer(which, (response, exchange) => (isKeyed(exchange) && when(exchange) ? asCrash(response) : response));

/** A body by its text. */
const body = (which: OperationId, text: string): Wrap =>
  crash(which, ({ request }) => (request.body === null ? '' : new TextDecoder().decode(request.body)) === text);

/** A field of a body that is an object. */
const field = (which: OperationId, name: string, when: (value: Json) => boolean): Wrap =>
  crash(which, ({ request }) => {
    const value = readJson(request.body);
    return isObject(value) && value[name] !== undefined && when(value[name]);
  });

/** A parameter of the query; `values` has one that is given twice both times. */
const query = (which: OperationId, name: string, when: (values: readonly string[]) => boolean): Wrap =>
  crash(which, ({ request }) => when(new URLSearchParams(request.query).getAll(name)));

const isNull = (value: Json) => value === null;
const isEmpty = ([value]: readonly string[]) => value === '';
const isTwice = (values: readonly string[]) => values.length > 1;
const isNegative = ([value]: readonly string[]) => value?.startsWith('-') ?? false;
const hasNul = ([value]: readonly string[]) => value?.includes('\0') ?? false;

export const oddInputMutants = mutantsOf({
  '4.articles.list.statuses': {
    'articles-negative-limit-crashes': [
      'Articles with a negative limit answer 500.',
      query('listArticles', 'limit', isNegative),
    ],
    'articles-limit-twice-crashes': [
      'Articles with a limit given twice answer 500.',
      query('listArticles', 'limit', isTwice),
    ],
  },
  '4.calls.statuses': {
    'calls-empty-since-crashes': [
      'The call log with an empty since answers 500.',
      query('listCalls', 'since', isEmpty),
    ],
  },
  '4.connect.statuses': {
    'reviews-nul-cursor-crashes': [
      'Reviews with a NUL in the cursor answer 500.',
      query('listReviews', 'cursor', hasNul),
    ],
    'insights-empty-range-crashes': [
      'Insights with an empty range answer 500.',
      query('getInsights', 'range', isEmpty),
    ],
    'insights-range-twice-crashes': [
      'Insights with a range given twice answer 500.',
      query('getInsights', 'range', isTwice),
    ],
    'post-null-crashes': ['A post with the body null answers 500.', body('createPost', 'null')],
    'post-empty-body-crashes': ['A post with an empty body answers 500.', body('createPost', '')],
    'link-long-label-crashes': [
      'A link with a label of more than 80 characters answers 500.',
      field('createConnectLink', 'label', (label) => lengthOf(label) > 80),
    ],
    'post-null-text-crashes': ['A post with a text that is null answers 500.', field('createPost', 'text', isNull)],
    'post-null-media-crashes': ['A post with media that are null answers 500.', field('createPost', 'media', isNull)],
    'reply-null-text-crashes': [
      'A reply with a text that is null answers 500.',
      field('replyToReview', 'text', isNull),
    ],
  },
});
