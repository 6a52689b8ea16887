import { isInputUuid, isUuid, sameId } from '../ids.ts';
import type { Wrongness } from '../seams.ts';
import type { Ask, Issue, Review } from '../types.ts';
import { bodyOf, type IndependentMutant } from './mutant.ts';

/** Leaves out the problems at a path, or adds some, for one operation. */
function issuesOf(
  operation: 'post' | 'reply',
  change: (issues: readonly Issue[], ask: Ask) => readonly Issue[],
): () => Wrongness {
  return () => ({
    'schema.issues': (issues, about) => (about.operation === operation ? change(issues, about.ask) : issues),
  });
}

function copyIssue(path: string, bad: boolean): readonly Issue[] {
  return bad ? [{ path, message: 'does not fit' }] : [];
}

function hasImage(ask: Ask): boolean {
  const { media } = bodyOf(ask);
  return media !== null && typeof media === 'object' && Object.hasOwn(media, 'imageUrl');
}

function dashed(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function versionless(id: string): string {
  return `${id.slice(0, 14)}${id.slice(15)}`;
}

function nextTo(reviews: readonly Review[], review: Review | undefined): Review | undefined {
  return review === undefined ? undefined : (reviews[reviews.indexOf(review) + 1] ?? reviews[0]);
}

/** Path values and their copies in the body. */
export const pathMutants: readonly IndependentMutant[] = [
  {
    name: 'post-body-account-wins',
    breaks: '4.rules.path-wins',
    shows: 'A post whose body names another account goes there: an unknown one answers 404, one that cannot post 400.',
    needs: 'writes',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'path.account': (id, { ask, wish }) => {
        const { accountId } = bodyOf(ask);
        return wish.operation === 'post' && typeof accountId === 'string' && isUuid(accountId) ? accountId : id;
      },
    }),
  },
  {
    name: 'reply-body-review-wins',
    breaks: '4.rules.path-wins',
    shows: 'A reply whose body names another review goes there, or answers 404 when there is none.',
    needs: 'writes',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'path.review': (id, ask) => {
        const { reviewId } = bodyOf(ask);
        return typeof reviewId === 'string' && reviewId !== '' ? reviewId : id;
      },
    }),
  },
  {
    name: 'post-copy-must-be-uuid',
    breaks: '4.rules.path-wins',
    shows: 'A post whose body has an accountId that is no UUID is refused, although the copy is to be ignored.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: issuesOf('post', (issues, ask) => {
      const { accountId } = bodyOf(ask);
      const bad = accountId !== undefined && !(typeof accountId === 'string' && isInputUuid(accountId));
      return [...issues, ...copyIssue('accountId', bad)];
    }),
  },
  {
    name: 'reply-account-copy-must-match',
    breaks: '4.rules.path-wins',
    shows: 'A reply whose body names another account than the path is refused.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: issuesOf('reply', (issues, ask) => {
      const { accountId } = bodyOf(ask);
      const other = typeof accountId === 'string' && !sameId(accountId, ask.segments[2] ?? '');
      return [...issues, ...copyIssue('accountId', other)];
    }),
  },
  {
    name: 'reply-review-copy-must-be-text',
    breaks: '4.rules.path-wins',
    shows: 'A reply whose body has a number as reviewId is refused, although the copy is to be ignored.',
    needs: 'writes',
    variants: ['plain', 'mixed'],
    wrong: issuesOf('reply', (issues, ask) => {
      const { reviewId } = bodyOf(ask);
      return [...issues, ...copyIssue('reviewId', reviewId !== undefined && typeof reviewId !== 'string')];
    }),
  },
  {
    name: 'post-nil-account-malformed',
    breaks: '2.create-post-input.account-id-nil-max',
    shows: 'A post to the all-zero UUID answers 400 for a malformed id instead of 404.',
    needs: 'nothing',
    variants: ['strict', 'empty'],
    wrong: () => ({
      'account.pattern': (fits, { id, wish }) => fits && !(wish.operation === 'post' && /^[0-]+$/.test(id)),
    }),
  },
  {
    name: 'reply-max-account-malformed',
    breaks: '2.reply-review-input.account-id-pattern',
    shows: 'A reply for the all-f UUID answers 400 for a malformed id instead of 404.',
    needs: 'nothing',
    variants: ['strict', 'empty'],
    wrong: () => ({
      'account.pattern': (fits, { id, wish }) =>
        fits && !(wish.operation === 'reviews' && wish.writes && /^[f-]+$/i.test(id)),
    }),
  },
  {
    name: 'post-account-without-hyphens',
    breaks: '2.create-post-input.account-id-pattern',
    shows: 'A post to the id of an account without its hyphens is published.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'account.pattern': (fits, { id, wish }) => fits || (wish.operation === 'post' && isInputUuid(dashed(id))),
      'account.found': (found, { ask, id, wish }) =>
        wish.operation === 'post' ? ask.org.accounts.find((one) => sameId(one.id, dashed(id))) : found,
    }),
  },
  {
    name: 'post-account-of-any-version',
    breaks: '2.create-post-input.account-id-pattern',
    shows: 'A post to the id of an account with 9 or 0 as its version is published: versions are not looked at.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'account.pattern': (fits, { id, wish }) => fits || (wish.operation === 'post' && isUuid(id)),
      'account.found': (found, { ask, id, wish }) => {
        const same = (one: { id: string }): boolean => sameId(versionless(one.id), versionless(id));
        return found ?? (wish.operation === 'post' ? ask.org.accounts.find(same) : undefined);
      },
    }),
  },
  {
    name: 'account-known-by-first-half',
    breaks: '4.connect.unknown-account',
    shows: 'The id of an account with its last digit changed is served as that account instead of 404.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'account.found': (found, { ask, id }) => {
        const same = (one: { id: string }): boolean => sameId(one.id.slice(0, 18), id.slice(0, 18));
        return found ?? (isUuid(id) ? ask.org.accounts.find(same) : undefined);
      },
    }),
  },
  {
    name: 'reply-unknown-review-thanked',
    breaks: '4.connect.reply.unknown-review',
    shows: 'A reply to a review that does not exist answers 200.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'review.known': () => true,
      'reply.review': (review, { id }) =>
        review ?? { id, author: '', rating: null, text: '', date: 0, reply: undefined },
    }),
  },
  {
    name: 'reply-lands-next-door',
    breaks: '4.connect.reply.endpoint',
    shows: 'A reply answers 200 and then stands at another review.',
    needs: 'writes',
    variants: ['plain', 'lavish', 'mixed'],
    wrong: () => ({ 'reply.review': (review, { account }) => nextTo(account.reviews, review) }),
  },
  {
    name: 'reply-review-id-decoded-twice',
    breaks: '4.connect.reply.review-id',
    shows: 'A review whose id holds an encoded slash is not found when replied to.',
    needs: 'writes',
    variants: ['lavish', 'mixed'],
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
  {
    name: 'post-image-url-optional',
    breaks: '2.create-post-input.media.image-url',
    shows: 'A post with media but without its imageUrl is published.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: issuesOf('post', (issues, ask) =>
      issues.filter((issue) => issue.path !== 'media.imageUrl' || hasImage(ask)),
    ),
  },
  {
    name: 'post-media-of-any-type',
    breaks: '2.create-post-input.media',
    shows: 'A post with a string as media is published.',
    needs: 'writes',
    variants: ['plain', 'offsets'],
    wrong: issuesOf('post', (issues) => issues.filter((issue) => issue.path !== 'media')),
  },
  {
    name: 'post-link-unchecked',
    breaks: '2.create-post-input.link',
    shows: 'A post with a link that is no URI is published.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: issuesOf('post', (issues) => issues.filter((issue) => issue.path !== 'link')),
  },
];
