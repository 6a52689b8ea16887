// POST /connect/accounts/{accountId}/posts: incorrectly accepted or rejected bodies, and incorrect outputs. Cites
// 2.create-post-input.*, 2.create-post-output.*, 4.connect.create-post.*, 4.rules.path-wins, 8.post-text.

import { mutantsNeeding, mutantsOf } from './hooks/mutant.ts';
import { type MatchedRequest, onBody, onRejection, onRequest, onSuccess, onSuccessResponse } from './hooks/recipes.ts';
import {
  add,
  asCrash,
  asRejection,
  drop,
  isObject,
  lift,
  readJson,
  withBody,
  withSegment,
  withStatus,
} from './hooks/rewrite.ts';

const operation = 'createPost';
const nil = '00000000-0000-0000-0000-000000000000';
const max = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The mock's own rejection of a malformed account id, for one that is well-formed. */
const rejectAccountId = (rejects: (accountId: string) => boolean) => (exchange: MatchedRequest) =>
  rejects((exchange.match.path.accountId ?? '').toLowerCase())
    ? withSegment(exchange.request, 2, 'malformed')
    : exchange.request;

const accountIds = mutantsOf({
  '2.create-post-input.account-id-pattern': {
    'post-account-id-version-7-refused': [
      'A post to an account id of UUID version 6, 7 or 8 is rejected with 400.',
      onRequest(
        operation,
        rejectAccountId((id) => /^.{14}[678]/.test(id)),
      ),
    ],
    'post-account-id-version-9-accepted': [
      'The id of a known account with its version digit made 9 is taken for that account, and the post succeeds.',
      onRequest(operation, ({ request, match, organization }) => {
        const asked = (match.path.accountId ?? '').toLowerCase();
        const known = [...(organization?.accounts.keys() ?? [])].find(
          (id) => `${id.slice(0, 14)}9${id.slice(15)}` === asked,
        );
        return known ? withSegment(request, 2, known) : request;
      }),
      { needs: 'writes' },
    ],
  },
  '2.create-post-input.account-id-nil-max': {
    'post-nil-account-id-refused': [
      'A post to the all-zero account id is rejected with 400 as malformed.',
      onRequest(
        operation,
        rejectAccountId((id) => id === nil),
      ),
    ],
    'post-max-account-id-refused': [
      'A post to the all-f account id is rejected with 400 as malformed.',
      onRequest(
        operation,
        rejectAccountId((id) => id === max),
      ),
    ],
  },
});

const outputs = mutantsNeeding('writes', {
  '2.create-post-input.media': {
    'post-media-text-accepted': [
      'A post with a string instead of an object as `media` is accepted.',
      onBody(operation, (body) => (typeof body.media === 'string' ? (drop('media')(body) as typeof body) : body)),
    ],
    'post-media-refused': [
      'A post with a right `media` is rejected.',
      onBody(operation, (body) => (isObject(body.media) ? { ...body, media: 'none' } : body)),
    ],
  },
  '2.create-post-input.media.image-url': {
    'post-media-without-image-accepted': [
      'A post with `media` but without `imageUrl` is accepted.',
      onBody(operation, (body) =>
        isObject(body.media) && body.media.imageUrl === undefined ? (drop('media')(body) as typeof body) : body,
      ),
    ],
    'post-image-url-any-text': [
      'A post with an `imageUrl` that is not a URI is accepted.',
      onBody(operation, (body) =>
        isObject(body.media) && typeof body.media.imageUrl === 'string' ? (drop('media')(body) as typeof body) : body,
      ),
    ],
  },
  '2.create-post-input.link': {
    'post-link-any-text': [
      'A post with a `link` that is not a URI is accepted.',
      onBody(operation, (body) => (typeof body.link === 'string' ? (drop('link')(body) as typeof body) : body)),
    ],
    'post-link-any-text-next-to-media': [
      'A post with media and a `link` that is not a URI is accepted.',
      onBody(operation, (body) =>
        isObject(body.media) && typeof body.media.imageUrl === 'string' ? (drop('link')(body) as typeof body) : body,
      ),
      { needs: 'writes' },
    ],
    'post-link-refused': [
      'A post with a right `link` is rejected.',
      onBody(operation, (body) => (typeof body.link === 'string' ? { ...body, link: 'no uri' } : body)),
    ],
  },
  '4.connect.create-post.body': {
    'post-body-plain-text': [
      'A post whose body is plain text instead of JSON is published unchanged.',
      onRequest(operation, ({ request }) =>
        request.body !== null &&
        request.body.length > 0 &&
        request.body.length < 5000 &&
        readJson(request.body) === undefined
          ? withBody(request, { text: new TextDecoder().decode(request.body) })
          : request,
      ),
    ],
    'post-invalid-json-500': [
      'A post whose body is not JSON returns 500.',
      onRejection({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
        readJson(request.body) === undefined ? asCrash(response, 'Unexpected end of JSON input') : response,
      ),
    ],
  },
  '4.connect.create-post.invalid': {
    'post-invalid-says-not-supported': [
      'A body that is not a CreatePostInput returns 400 with `not_supported`, to an account that takes posts.',
      onRejection({ which: operation, code: 'invalid_input' }, (response) =>
        asRejection(response, 400, { code: 'not_supported', message: 'This post is not supported.' }),
      ),
    ],
  },
  '4.rules.path-wins': {
    'post-body-account-wins-lookup': [
      'A post to a known account with an unknown `accountId` in the body returns 404.',
      onRequest(operation, (exchange) => withPathFromBody(exchange)),
    ],
    'post-body-account-refused-when-different': [
      'A post whose body names another account than the path is rejected with 400.',
      onBody(operation, (body, { match }) =>
        typeof body.accountId === 'string' && body.accountId !== match.path.accountId ? { ...body, text: '' } : body,
      ),
    ],
    'post-body-account-validated': [
      'A post is rejected with 400 when the copy of `accountId` in its body is not a UUID.',
      onBody(operation, (body) =>
        body.accountId !== undefined && !/^[0-9a-f-]{36}$/i.test(String(body.accountId)) ? { ...body, text: '' } : body,
      ),
    ],
    'post-body-account-saves-unknown-path': [
      'A post to an unknown account succeeds when its body names a known one.',
      onRequest(operation, (exchange) => {
        const { organization, match } = exchange;
        return organization?.accounts.has((match.path.accountId ?? '').toLowerCase())
          ? exchange.request
          : withPathFromBody(exchange);
      }),
    ],
  },
  '2.create-post-output.closed': {
    'post-output-extra-status': [
      '`data` of a post has a field `status` that is not listed.',
      onSuccess(operation, add('data', { status: 'published' })),
    ],
  },
  '4.connect.create-post.endpoint': {
    'post-answers-202': [
      'A post returns 202 instead of 200.',
      onSuccessResponse(operation, (response) => withStatus(response, 202)),
    ],
    'post-data-is-id': [
      '`data` of a post is the id itself, not an object.',
      onSuccess(operation, lift('data', 'postId')),
    ],
  },
});

function withPathFromBody({ request }: MatchedRequest) {
  const body = readJson(request.body);
  const copy = isObject(body) ? body.accountId : undefined;
  return typeof copy === 'string' && /^[0-9a-f-]{36}$/i.test(copy) ? withSegment(request, 2, copy) : request;
}

// Only a known account distinguishes the rejections, so all but the ids need permission to write.
export const postMutants = [...accountIds, ...outputs];
