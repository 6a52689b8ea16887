import { hexOf, isInputUuid, isUuid, sameId } from '../ids.ts';
import type { Ask } from '../types.ts';
import { copyIssue, issuesOf, textMutants } from './inputs.ts';
import type { MutantsByClause } from './mutant.ts';
import { bodyOf, dropNulls } from './recipes.ts';

function dashed(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function versionless(id: string): string {
  return `${id.slice(0, 14)}${id.slice(15)}`;
}

function imageUrlOf(ask: Ask): string {
  const { media } = bodyOf(ask);
  return String(media !== null && typeof media === 'object' ? Reflect.get(media, 'imageUrl') : undefined);
}

function hasImage(ask: Ask): boolean {
  const { media } = bodyOf(ask);
  return media !== null && typeof media === 'object' && Object.hasOwn(media, 'imageUrl');
}

/** Posts: inputs, path values with their copies in the body, and the answer. */
export const postMutants: MutantsByClause = {
  '2.create-post-output.permalink': {
    'post-permalink-dropped': {
      shows: 'permalink of a post is left out where it should be null.',
      needs: 'writes',
      wrong: () => ({ 'post.data': dropNulls }),
    },
  },
  '2.create-post-output.post-id': {
    'post-id-number': {
      shows: 'postId is a number.',
      needs: 'writes',
      wrong: () => ({
        'post.data': (data) => ({ ...data, postId: Number.parseInt(hexOf(String(data.postId)).slice(0, 8), 16) }),
      }),
    },
  },
  '2.create-post-output.closed': {
    'post-with-image-more': {
      shows: 'The answer to a post with an image has a member mediaId.',
      needs: 'writes',
      wrong: () => ({
        'post.data': (data, { ask }) => (bodyOf(ask).media === undefined ? data : { ...data, mediaId: 'm-1' }),
      }),
    },
  },
  '4.rules.path-wins': {
    'post-body-account-wins': {
      shows:
        'A post whose body names another account goes there: an unknown one answers 404, one that cannot post 400.',
      needs: 'writes',
      wrong: () => ({
        'path.account': (id, { ask, wish }) => {
          const { accountId } = bodyOf(ask);
          return wish.operation === 'post' && typeof accountId === 'string' && isUuid(accountId) ? accountId : id;
        },
      }),
    },
    'post-copy-must-be-uuid': {
      shows: 'A post whose body has an accountId that is not a UUID is refused, although the copy is to be ignored.',
      needs: 'writes',
      wrong: issuesOf('post', (issues, ask) => {
        const { accountId } = bodyOf(ask);
        const bad = accountId !== undefined && !(typeof accountId === 'string' && isInputUuid(accountId));
        return [...issues, ...copyIssue('accountId', bad)];
      }),
    },
  },
  '2.create-post-input.account-id-nil-max': {
    'post-nil-account-malformed': {
      shows: 'A post to the all-zero UUID answers 400 for a malformed id instead of 404.',
      variant: 'strict',
      wrong: () => ({
        'account.pattern': (fits, { id, wish }) => fits && !(wish.operation === 'post' && /^[0-]+$/.test(id)),
      }),
    },
  },
  '2.create-post-input.account-id-pattern': {
    'post-account-without-hyphens': {
      shows: 'A post to the id of an account without its hyphens is published.',
      needs: 'writes',
      wrong: () => ({
        'account.pattern': (fits, { id, wish }) => fits || (wish.operation === 'post' && isInputUuid(dashed(id))),
        'account.found': (found, { ask, id, wish }) =>
          wish.operation === 'post' ? ask.org.accounts.find((one) => sameId(one.id, dashed(id))) : found,
      }),
    },
    'post-account-of-any-version': {
      shows: 'A post to the id of an account with 9 or 0 as its version is published: versions are not looked at.',
      needs: 'writes',
      wrong: () => ({
        'account.pattern': (fits, { id, wish }) => fits || (wish.operation === 'post' && isUuid(id)),
        'account.found': (found, { ask, id, wish }) => {
          const same = (one: { id: string }): boolean => sameId(versionless(one.id), versionless(id));
          return found ?? (wish.operation === 'post' ? ask.org.accounts.find(same) : undefined);
        },
      }),
    },
  },
  '2.create-post-input.media.image-url': {
    'post-image-url-optional': {
      shows: 'A post with media but without its imageUrl is published.',
      needs: 'writes',
      wrong: issuesOf('post', (issues, ask) =>
        issues.filter((issue) => issue.path !== 'media.imageUrl' || hasImage(ask)),
      ),
    },
    'post-image-url-relative': {
      shows: 'A post whose imageUrl is a path, and so no URI, is published.',
      needs: 'writes',
      wrong: issuesOf('post', (issues, ask) =>
        issues.filter((issue) => issue.path !== 'media.imageUrl' || !imageUrlOf(ask).startsWith('/')),
      ),
    },
    'post-image-url-https-only': {
      shows: 'A post whose imageUrl is a URI with the scheme http answers 400.',
      variant: 'strict',
      wrong: issuesOf('post', (issues, ask) =>
        imageUrlOf(ask).startsWith('http:') ? [...issues, { path: 'media.imageUrl', message: 'is https' }] : issues,
      ),
    },
    'post-image-url-called-url': {
      shows: 'A post whose media holds `imageUrl` answers 400: the server asks for `media.url`.',
      variant: 'strict',
      wrong: issuesOf('post', (issues, ask) =>
        hasImage(ask) ? [...issues, { path: 'media.url', message: 'is required' }] : issues,
      ),
    },
  },
  '2.create-post-input.media': {
    'post-media-of-any-type': {
      shows: 'A post with a string as media is published.',
      needs: 'writes',
      wrong: issuesOf('post', (issues) => issues.filter((issue) => issue.path !== 'media')),
    },
  },
  '2.create-post-input.link': {
    'post-link-without-scheme': {
      shows: 'A post whose link begins with www. in place of a scheme is published.',
      needs: 'writes',
      wrong: issuesOf('post', (issues, ask) =>
        issues.filter((issue) => issue.path !== 'link' || !String(bodyOf(ask).link).startsWith('www.')),
      ),
    },
    'post-link-unchecked': {
      shows: 'A post with a link that is not a URI is published.',
      needs: 'writes',
      wrong: issuesOf('post', (issues) => issues.filter((issue) => issue.path !== 'link')),
    },
  },
};

export const postTextMutants = textMutants({
  called: 'post-text',
  member: 'text',
  max: 5000,
  lengthClause: '8.post-text',
  memberClause: '2.create-post-input.text',
  subject: 'The text of a post',
});
