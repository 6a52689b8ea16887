import { sameId } from '../ids.ts';
import type { Review } from '../types.ts';
import { copyIssue, issuesOf, textMutants } from './inputs.ts';
import type { MutantsByClause } from './mutant.ts';
import { bodyOf, dropNulls } from './recipes.ts';

function nextTo(reviews: readonly Review[], review: Review | undefined): Review | undefined {
  return review === undefined ? undefined : (reviews[reviews.indexOf(review) + 1] ?? reviews[0]);
}

const SHORTEST = 10;

/** Replies: inputs, path values with their copies in the body, and the answer. */
export const replyMutants: MutantsByClause = {
  '2.reply-review-output.replied-at': {
    'reply-time-dropped': {
      shows: 'repliedAt is left out where it should be null.',
      needs: 'writes',
      variant: 'frugal',
      wrong: () => ({ 'reply.data': dropNulls }),
    },
  },
  '2.reply-review-output.closed': {
    'reply-echoes-text': {
      shows: 'The answer to a reply has a member text.',
      needs: 'writes',
      wrong: () => ({ 'reply.data': (data, { ask }) => ({ ...data, text: bodyOf(ask).text }) }),
    },
  },
  '4.rules.path-wins': {
    'reply-body-review-wins': {
      shows: 'A reply whose body names another review goes there, or answers 404 when there is none.',
      needs: 'writes',
      wrong: () => ({
        'path.review': (id, ask) => {
          const { reviewId } = bodyOf(ask);
          return typeof reviewId === 'string' && reviewId !== '' ? reviewId : id;
        },
      }),
    },
    'reply-account-copy-must-match': {
      shows: 'A reply whose body names another account than the path is refused.',
      needs: 'writes',
      wrong: issuesOf('reply', (issues, ask) => {
        const { accountId } = bodyOf(ask);
        const other = typeof accountId === 'string' && !sameId(accountId, ask.segments[2] ?? '');
        return [...issues, ...copyIssue('accountId', other)];
      }),
    },
    'reply-review-copy-must-be-text': {
      shows: 'A reply whose body has a number as reviewId is refused, although the copy is to be ignored.',
      needs: 'writes',
      wrong: issuesOf('reply', (issues, ask) => {
        const { reviewId } = bodyOf(ask);
        return [...issues, ...copyIssue('reviewId', reviewId !== undefined && typeof reviewId !== 'string')];
      }),
    },
  },
  '2.reply-review-input.account-id-pattern': {
    'reply-max-account-malformed': {
      shows: 'A reply for the all-f UUID answers 400 for a malformed id instead of 404.',
      variant: 'strict',
      wrong: () => ({
        'account.pattern': (fits, { id, wish }) =>
          fits && !(wish.operation === 'reviews' && wish.writes && /^[f-]+$/i.test(id)),
      }),
    },
  },
  '4.connect.reply.unknown-review': {
    'reply-unknown-review-thanked': {
      shows: 'A reply to a review that does not exist answers 200.',
      needs: 'writes',
      wrong: () => ({
        'review.known': () => true,
        'reply.review': (review, { id }) =>
          review ?? { id, author: '', rating: null, text: '', date: 0, reply: undefined },
      }),
    },
  },
  '4.connect.reply.endpoint': {
    'reply-lands-next-door': {
      shows: 'A reply answers 200 and then stands at another review.',
      needs: 'writes',
      wrong: () => ({ 'reply.review': (review, { account }) => nextTo(account.reviews, review) }),
    },
  },
  '2.reply-review-input.review-id-length': {
    'reply-review-id-of-ten-characters': {
      shows: 'A reply to a review whose id has fewer than ten characters answers 400 for its id.',
      variant: 'strict',
      wrong: issuesOf('reply', (issues, { segments }) => {
        const isShort = (segments[4] ?? '').length < SHORTEST;
        return isShort ? [...issues, { path: 'reviewId', message: 'too short' }] : issues;
      }),
    },
  },
  '4.connect.reply.review-id': {
    'reply-review-id-decoded-twice': {
      shows: 'A review whose id holds an encoded slash is not found when replied to.',
      needs: 'writes',
      variant: 'lavish',
      wrong: () => ({
        'path.review': (id) => {
          try {
            return decodeURIComponent(id);
          } catch {
            return id;
          }
        },
      }),
    },
  },
};

export const replyTextMutants = textMutants({
  called: 'reply-text',
  member: 'text',
  max: 4096,
  lengthClause: '8.reply-text',
  memberClause: '2.reply-review-input.text',
  subject: 'The text of a reply',
});
