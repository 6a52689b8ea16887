// POST /connect/accounts/{accountId}/posts: bodies wrongly accepted or refused, and outputs told wrongly.
// Cites 2.create-post-input.*, 2.create-post-output.*, 4.connect.create-post.*, 4.rules.path-wins, 8.post-text.
import { add, change, drop, put } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { type Exchange, onBody, onError, onRefusal, onRequest, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, isObject, type Json, readJson, withBody, withSegment, withStatus } from './hooks/rewrite.ts';

const operation = 'createPost';
const nil = '00000000-0000-0000-0000-000000000000';
const max = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const bytesOf = (value: Json | undefined) => new TextEncoder().encode(String(value)).length;
const lengthOf = (value: Json | undefined) => (typeof value === 'string' ? [...value].length : -1);
const shortened = (value: Json | undefined) => [...String(value)].slice(0, 5000).join('');
const tooLong = 'x'.repeat(5001);

/** The mock's own refusal of a malformed account id, for one that is well-formed. */
const refuseAccountId = (refuses: (accountId: string) => boolean) => (exchange: Exchange) =>
  refuses((exchange.match.path.accountId ?? '').toLowerCase())
    ? withSegment(exchange.request, 2, 'malformed')
    : exchange.request;

const accountIds: readonly Mutant[] = [
  {
    name: 'post-account-id-version-7-refused',
    breaks: '2.create-post-input.account-id-pattern',
    shows: 'A post to an account id of UUID version 6, 7 or 8 is refused with 400.',
    wrap: onRequest(
      operation,
      refuseAccountId((id) => /^.{14}[678]/.test(id)),
    ),
  },
  {
    name: 'post-account-id-version-9-accepted',
    breaks: '2.create-post-input.account-id-pattern',
    shows: 'The id of a known account with its version digit made 9 is taken for that account, and the post succeeds.',
    needs: 'writes',
    wrap: onRequest(operation, ({ request, match, organization }) => {
      const asked = (match.path.accountId ?? '').toLowerCase();
      const known = [...(organization?.accounts.keys() ?? [])].find(
        (id) => `${id.slice(0, 14)}9${id.slice(15)}` === asked,
      );
      return known ? withSegment(request, 2, known) : request;
    }),
  },
  {
    name: 'post-nil-account-id-refused',
    breaks: '2.create-post-input.account-id-nil-max',
    shows: 'A post to the all-zero account id is refused with 400 as malformed.',
    wrap: onRequest(
      operation,
      refuseAccountId((id) => id === nil),
    ),
  },
  {
    name: 'post-max-account-id-refused',
    breaks: '2.create-post-input.account-id-nil-max',
    shows: 'A post to the all-f account id is refused with 400 as malformed.',
    wrap: onRequest(
      operation,
      refuseAccountId((id) => id === max),
    ),
  },
];

const texts: readonly Mutant[] = [
  {
    name: 'post-text-optional',
    breaks: '2.create-post-input.text',
    shows: 'A post without `text` is accepted.',
    wrap: onBody(operation, (body) => (body.text === undefined ? { ...body, text: ' ' } : body)),
  },
  {
    name: 'post-text-number-accepted',
    breaks: '2.create-post-input.text',
    shows: 'A post with a number as `text` is accepted.',
    wrap: onBody(operation, (body) => (typeof body.text === 'number' ? { ...body, text: String(body.text) } : body)),
  },
  {
    name: 'post-text-empty-accepted',
    breaks: '8.post-text',
    shows: 'A post with an empty `text` is accepted.',
    wrap: onBody(operation, (body) => (body.text === '' ? { ...body, text: ' ' } : body)),
  },
  {
    name: 'post-text-5001-accepted',
    breaks: '8.post-text',
    shows: 'A post of 5001 characters is accepted.',
    wrap: onBody(operation, (body) => (lengthOf(body.text) === 5001 ? { ...body, text: shortened(body.text) } : body)),
  },
  {
    name: 'post-text-unlimited',
    breaks: '8.post-text',
    shows: 'A post of any length is accepted.',
    wrap: onBody(operation, (body) => (lengthOf(body.text) > 5000 ? { ...body, text: shortened(body.text) } : body)),
  },
  {
    name: 'post-text-5000-refused',
    breaks: '8.post-text',
    shows: 'A post of 5000 characters is refused.',
    wrap: onBody(operation, (body) => (lengthOf(body.text) === 5000 ? { ...body, text: tooLong } : body)),
  },
  {
    name: 'post-text-counted-in-bytes',
    breaks: '8.post-text',
    shows: 'A post of 5000 characters of two bytes each is refused as too long.',
    wrap: onBody(operation, (body) => (bytesOf(body.text) > 5000 ? { ...body, text: tooLong } : body)),
  },
];

const mediaAndLinks: readonly Mutant[] = [
  {
    name: 'post-media-text-accepted',
    breaks: '2.create-post-input.media',
    shows: 'A post with a string instead of an object as `media` is accepted.',
    wrap: onBody(operation, (body) => (typeof body.media === 'string' ? (drop('media')(body) as typeof body) : body)),
  },
  {
    name: 'post-media-refused',
    breaks: '2.create-post-input.media',
    shows: 'A post with a right `media` is refused.',
    wrap: onBody(operation, (body) => (isObject(body.media) ? { ...body, media: 'none' } : body)),
  },
  {
    name: 'post-media-without-image-accepted',
    breaks: '2.create-post-input.media.image-url',
    shows: 'A post with `media` but without `imageUrl` is accepted.',
    wrap: onBody(operation, (body) =>
      isObject(body.media) && body.media.imageUrl === undefined ? (drop('media')(body) as typeof body) : body,
    ),
  },
  {
    name: 'post-image-url-any-text',
    breaks: '2.create-post-input.media.image-url',
    shows: 'A post with an `imageUrl` that is no URI is accepted.',
    wrap: onBody(operation, (body) =>
      isObject(body.media) && typeof body.media.imageUrl === 'string' ? (drop('media')(body) as typeof body) : body,
    ),
  },
  {
    name: 'post-link-any-text',
    breaks: '2.create-post-input.link',
    shows: 'A post with a `link` that is no URI is accepted.',
    wrap: onBody(operation, (body) => (typeof body.link === 'string' ? (drop('link')(body) as typeof body) : body)),
  },
  {
    name: 'post-link-null-accepted',
    breaks: '2.create-post-input.link',
    shows: 'A post with `link` null is accepted, although the field is not nullable.',
    wrap: onBody(operation, (body) => (body.link === null ? (drop('link')(body) as typeof body) : body)),
  },
  {
    name: 'post-link-refused',
    breaks: '2.create-post-input.link',
    shows: 'A post with a right `link` is refused.',
    wrap: onBody(operation, (body) => (typeof body.link === 'string' ? { ...body, link: 'no uri' } : body)),
  },
];

const bodies: readonly Mutant[] = [
  {
    name: 'post-body-plain-text',
    breaks: '4.connect.create-post.body',
    shows: 'A post whose body is plain text and no JSON is published as it is.',
    wrap: onRequest(operation, ({ request }) =>
      request.body !== null &&
      request.body.length > 0 &&
      request.body.length < 5000 &&
      readJson(request.body) === undefined
        ? withBody(request, { text: new TextDecoder().decode(request.body) })
        : request,
    ),
  },
  {
    name: 'post-invalid-json-500',
    breaks: '4.connect.create-post.body',
    shows: 'A post whose body is no JSON answers 500.',
    wrap: onRefusal({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
      readJson(request.body) === undefined
        ? asRefusal(response, 500, { code: 'internal_error', message: 'Unexpected end of JSON input' })
        : response,
    ),
  },
  {
    name: 'post-invalid-says-not-supported',
    breaks: '4.connect.create-post.invalid',
    shows: 'A body that is no CreatePostInput answers 400 with `not_supported`, to an account that takes posts.',
    wrap: onRefusal({ which: operation, code: 'invalid_input' }, (response) =>
      asRefusal(response, 400, { code: 'not_supported', message: 'This post is not supported.' }),
    ),
  },
  {
    name: 'post-issues-missing',
    breaks: '7.code.invalid-input-issues',
    shows: 'A body that is no CreatePostInput is refused without `issues`.',
    wrap: onError({ which: operation, code: 'invalid_input' }, drop('error.issues')),
  },
  {
    name: 'post-issues-text',
    breaks: '7.code.invalid-input-issues',
    shows: '`issues` of a refused post is one sentence instead of a list.',
    wrap: onError({ which: operation, code: 'invalid_input' }, put('error.issues', 'text is too long')),
  },
];

const copies: readonly Mutant[] = [
  {
    name: 'post-body-account-wins-lookup',
    breaks: '4.rules.path-wins',
    shows: 'A post to a known account with an unknown `accountId` in the body answers 404.',
    wrap: onRequest(operation, (exchange) => withPathFromBody(exchange)),
  },
  {
    name: 'post-body-account-refused-when-different',
    breaks: '4.rules.path-wins',
    shows: 'A post whose body names another account than the path is refused with 400.',
    wrap: onBody(operation, (body, { match }) =>
      typeof body.accountId === 'string' && body.accountId !== match.path.accountId ? { ...body, text: '' } : body,
    ),
  },
  {
    name: 'post-body-account-validated',
    breaks: '4.rules.path-wins',
    shows: 'A post is refused with 400 when the copy of `accountId` in its body is no UUID.',
    wrap: onBody(operation, (body) =>
      body.accountId !== undefined && !/^[0-9a-f-]{36}$/i.test(String(body.accountId)) ? { ...body, text: '' } : body,
    ),
  },
  {
    name: 'post-body-account-saves-unknown-path',
    breaks: '4.rules.path-wins',
    shows: 'A post to an unknown account succeeds when its body names a known one.',
    wrap: onRequest(operation, (exchange) => {
      const { organization, match } = exchange;
      return organization?.accounts.has((match.path.accountId ?? '').toLowerCase())
        ? exchange.request
        : withPathFromBody(exchange);
    }),
  },
];

const outputs: readonly Mutant[] = [
  {
    name: 'post-output-extra-status',
    breaks: '2.create-post-output.closed',
    shows: '`data` of a post has a member `status` that is not listed.',
    wrap: onSuccess(operation, add('data', { status: 'published' })),
  },
  {
    name: 'post-output-id-number',
    breaks: '2.create-post-output.post-id',
    shows: '`postId` of a post is a number.',
    wrap: onSuccess(operation, put('data.postId', 90017)),
  },
  {
    name: 'post-output-id-left-out',
    breaks: '2.create-post-output.post-id',
    shows: '`data` of a post has no `postId`.',
    wrap: onSuccess(operation, drop('data.postId')),
  },
  {
    name: 'post-output-permalink-left-out',
    breaks: '2.create-post-output.permalink',
    shows: '`data` of a post has no `permalink`.',
    wrap: onSuccess(operation, drop('data.permalink')),
  },
  {
    name: 'post-output-permalink-false',
    breaks: '2.create-post-output.permalink',
    shows: '`permalink` of a post is false.',
    wrap: onSuccess(operation, put('data.permalink', false)),
  },
  {
    name: 'post-answers-202',
    breaks: '4.connect.create-post.endpoint',
    shows: 'A post answers 202 instead of 200.',
    wrap: onSuccessAnswer(operation, (response) => withStatus(response, 202)),
  },
  {
    name: 'post-data-is-id',
    breaks: '4.connect.create-post.endpoint',
    shows: '`data` of a post is the id itself, not an object.',
    wrap: onSuccess(
      operation,
      change('data', (data) => (isObject(data) ? (data.postId ?? null) : data)),
    ),
  },
];

function withPathFromBody({ request }: Exchange) {
  const body = readJson(request.body);
  const copy = isObject(body) ? body.accountId : undefined;
  return typeof copy === 'string' && /^[0-9a-f-]{36}$/i.test(copy) ? withSegment(request, 2, copy) : request;
}

// A refusal can only be told from others at an account that is known, so all but the ids need leave to write.
const seenByWriting = [...texts, ...mediaAndLinks, ...bodies, ...copies, ...outputs].map((mutant) => ({
  ...mutant,
  needs: 'writes' as const,
}));

export const postMutants: readonly Mutant[] = [...accountIds, ...seenByWriting];
