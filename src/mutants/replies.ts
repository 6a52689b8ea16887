// Replies to reviews: wrongly accepted, refused, sent elsewhere or answered. Cites 2.reply-review-input.*,
// 2.reply-review-output.*, 4.connect.reply.*, 4.rules.path-wins, 8.reply-text.
import { formatInstant } from '../contract/instants.ts';
import { basePath } from '../http/route.ts';
import { add, change, drop, put } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { isKeyed, onBody, onError, onRefusal, onRequest, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, asSuccess, isObject, type Json, readJson, withSegment, withStatus } from './hooks/rewrite.ts';
import { accountOf } from './reviews.ts';

const operation = 'replyToReview';
const bytesOf = (value: Json | undefined) => new TextEncoder().encode(String(value)).length;
const lengthOf = (value: Json | undefined) => (typeof value === 'string' ? [...value].length : -1);
const shortened = (value: Json | undefined) => [...String(value)].slice(0, 4096).join('');
const tooLong = 'x'.repeat(4097);
const accountSegment = 2;
const reviewSegment = 4;

const ids: readonly Mutant[] = [
  {
    name: 'reply-account-id-version-8-refused',
    breaks: '2.reply-review-input.account-id-pattern',
    shows: 'A reply under an account id of UUID version 6, 7 or 8 is refused with 400.',
    wrap: onRequest(operation, ({ request, match }) =>
      /^.{14}[678]/.test(match.path.accountId ?? '') ? withSegment(request, accountSegment, 'malformed') : request,
    ),
  },
  {
    name: 'reply-account-id-variant-c-accepted',
    breaks: '2.reply-review-input.account-id-pattern',
    shows: 'The id of a known account with its variant digit made c is taken for that account, and the reply succeeds.',
    needs: 'writes',
    wrap: onRequest(operation, ({ request, match, organization }) => {
      const asked = (match.path.accountId ?? '').toLowerCase();
      const known = [...(organization?.accounts.keys() ?? [])].find(
        (id) => `${id.slice(0, 19)}c${id.slice(20)}` === asked,
      );
      return known ? withSegment(request, accountSegment, known) : request;
    }),
  },
  {
    name: 'reply-review-id-short-refused',
    breaks: '4.connect.reply.review-id',
    shows: 'A reply to an unknown review whose id has one character is refused with 400 instead of 404.',
    wrap: onRefusal({ which: operation, code: 'not_found' }, (response, _error, { match }) =>
      (match.path.reviewId ?? '').length === 1 ? refuseReviewId(response) : response,
    ),
  },
  {
    name: 'reply-review-id-empty-accepted',
    breaks: '2.reply-review-input.review-id-length',
    shows: 'A reply with an empty review id in the path answers 200, to the newest review.',
    needs: 'writes',
    wrap: (next, context) => (request) => {
      const accountId = emptyReviewPath.exec(request.path)?.[1];
      if (accountId === undefined) return next(request);
      const account = [...context.world.organizations.values()]
        .map(({ accounts }) => accounts.get(accountId.toLowerCase()))
        .find((found) => found !== undefined);
      const newest = account?.reviews.toData()[0]?.reviewId ?? 'none';
      return next({ ...request, path: request.path.replace('//', `/${encodeURIComponent(newest)}/`) });
    },
  },
  {
    name: 'reply-unknown-review-succeeds',
    breaks: '4.connect.reply.unknown-review',
    shows: 'A reply to a review that the account does not have answers 200.',
    needs: 'writes',
    wrap: onRefusal({ which: operation, code: 'not_found' }, (response, _error, exchange) =>
      isKeyed(exchange) && accountOf(exchange)
        ? asSuccess(response, {
            data: { repliedAt: formatInstant(exchange.context.nowMs()) },
            summary: 'Replied to the review.',
          })
        : response,
    ),
  },
  {
    name: 'reply-unknown-review-400',
    breaks: '4.connect.reply.unknown-review',
    shows: 'A reply to a review that the account does not have answers 400 `invalid_input`.',
    needs: 'writes',
    wrap: onRefusal({ which: operation, code: 'not_found' }, (response, _error, exchange) =>
      isKeyed(exchange) && accountOf(exchange) ? refuseReviewId(response) : response,
    ),
  },
];

const texts: readonly Mutant[] = [
  {
    name: 'reply-text-optional',
    breaks: '2.reply-review-input.text',
    shows: 'A reply without `text` is accepted.',
    wrap: onBody(operation, (body) => (body.text === undefined ? { ...body, text: ' ' } : body)),
  },
  {
    name: 'reply-text-array-accepted',
    breaks: '2.reply-review-input.text',
    shows: 'A reply with an array of strings as `text` is accepted.',
    wrap: onBody(operation, (body) =>
      Array.isArray(body.text) ? { ...body, text: body.text.join('\n') || ' ' } : body,
    ),
  },
  {
    name: 'reply-text-empty-accepted',
    breaks: '8.reply-text',
    shows: 'A reply with an empty `text` is accepted.',
    wrap: onBody(operation, (body) => (body.text === '' ? { ...body, text: ' ' } : body)),
  },
  {
    name: 'reply-text-4097-accepted',
    breaks: '8.reply-text',
    shows: 'A reply of 4097 characters is accepted.',
    wrap: onBody(operation, (body) => (lengthOf(body.text) === 4097 ? { ...body, text: shortened(body.text) } : body)),
  },
  {
    name: 'reply-text-limited-like-a-post',
    breaks: '8.reply-text',
    shows: 'A reply of up to 5000 characters is accepted, as a post is.',
    wrap: onBody(operation, (body) =>
      lengthOf(body.text) > 4096 && lengthOf(body.text) <= 5000 ? { ...body, text: shortened(body.text) } : body,
    ),
  },
  {
    name: 'reply-text-4096-refused',
    breaks: '8.reply-text',
    shows: 'A reply of 4096 characters is refused.',
    wrap: onBody(operation, (body) => (lengthOf(body.text) === 4096 ? { ...body, text: tooLong } : body)),
  },
  {
    name: 'reply-text-counted-in-bytes',
    breaks: '8.reply-text',
    shows: 'A reply of 4096 characters of two bytes each is refused as too long.',
    wrap: onBody(operation, (body) => (bytesOf(body.text) > 4096 ? { ...body, text: tooLong } : body)),
  },
];

const bodies: readonly Mutant[] = [
  {
    name: 'reply-body-in-array',
    breaks: '4.connect.reply.body',
    shows: 'A reply whose body is an array with one ReplyReviewInput is posted.',
    wrap: onRequest(operation, ({ request }) => {
      const body = readJson(request.body);
      return Array.isArray(body) && isObject(body[0]) ? { ...request, body: encode(body[0]) } : request;
    }),
  },
  {
    name: 'reply-invalid-422',
    breaks: '4.connect.reply.invalid',
    shows: 'A body that is no ReplyReviewInput answers 422.',
    wrap: onRefusal({ which: operation, code: 'invalid_input' }, (response) => withStatus(response, 422)),
  },
  {
    name: 'reply-refused-yet-posted',
    breaks: '4.connect.reply.invalid',
    shows: 'A reply whose text is too long answers 400, and yet the review then shows a shortened reply.',
    wrap: onRefusal({ which: operation, code: 'invalid_input' }, (response, _error, exchange) => {
      const body = readJson(exchange.request.body);
      const account = isKeyed(exchange) ? accountOf(exchange) : undefined;
      if (account && isObject(body) && lengthOf(body.text) > 4096) {
        account.reviews.reply(exchange.match.path.reviewId ?? '', shortened(body.text));
      }
      return response;
    }),
  },
  {
    name: 'reply-issues-missing',
    breaks: '7.code.invalid-input-issues',
    shows: 'A body that is no ReplyReviewInput is refused without `issues`.',
    wrap: onError({ which: operation, code: 'invalid_input' }, drop('error.issues')),
  },
];

const copies: readonly Mutant[] = [
  {
    name: 'reply-body-account-wins',
    breaks: '4.rules.path-wins',
    shows: 'A reply whose body names an unknown account answers 404, although the path is right.',
    wrap: onRequest(operation, ({ request }) => {
      const copy = copyOf(request.body, 'accountId');
      return copy !== undefined && /^[0-9a-f-]{36}$/i.test(copy) ? withSegment(request, accountSegment, copy) : request;
    }),
  },
  {
    name: 'reply-body-review-wins',
    breaks: '4.rules.path-wins',
    shows: 'A reply whose body names another review than the path lands on that review.',
    wrap: onRequest(operation, ({ request }) => {
      const copy = copyOf(request.body, 'reviewId');
      return copy ? withSegment(request, reviewSegment, copy) : request;
    }),
  },
  {
    name: 'reply-body-review-wins-for-the-write-only',
    breaks: '4.rules.path-wins',
    shows: 'A reply is checked against the review of the path and written to the one that the body names.',
    wrap: onRequest(operation, (exchange) => {
      const { request, match } = exchange;
      const copy = copyOf(request.body, 'reviewId');
      const account = isKeyed(exchange) ? accountOf(exchange) : undefined;
      const both = copy && account?.reviews.get(copy) && account.reviews.get(match.path.reviewId ?? '');
      return both ? withSegment(request, reviewSegment, copy) : request;
    }),
  },
  {
    name: 'reply-body-review-validated',
    breaks: '4.rules.path-wins',
    shows: 'A reply is refused with 400 when the copy of `reviewId` in its body is empty.',
    wrap: onBody(operation, (body) => (body.reviewId === '' ? { ...body, text: '' } : body)),
  },
  {
    name: 'reply-body-account-validated',
    breaks: '4.rules.path-wins',
    shows: 'A reply is refused with 400 when the copy of `accountId` in its body is no string.',
    wrap: onBody(operation, (body) =>
      body.accountId !== undefined && typeof body.accountId !== 'string' ? { ...body, text: '' } : body,
    ),
  },
];

const outputs: readonly Mutant[] = [
  {
    name: 'reply-output-extra-id',
    breaks: '2.reply-review-output.closed',
    shows: '`data` of a reply has a member `replyId` that is not listed.',
    wrap: onSuccess(operation, add('data', { replyId: 'rpl_1' })),
  },
  {
    name: 'reply-output-empty',
    breaks: '2.reply-review-output.replied-at',
    shows: '`data` of a reply has no `repliedAt`.',
    wrap: onSuccess(operation, drop('data.repliedAt')),
  },
  {
    name: 'reply-output-replied-at-true',
    breaks: '2.reply-review-output.replied-at',
    shows: '`repliedAt` of a reply is true.',
    wrap: onSuccess(operation, put('data.repliedAt', true)),
  },
  {
    name: 'reply-answers-201',
    breaks: '4.connect.envelope',
    shows: 'A reply answers 201 instead of 200.',
    wrap: onSuccessAnswer(operation, (response) => withStatus(response, 201)),
  },
  {
    name: 'reply-goes-to-newest',
    breaks: '4.connect.reply.endpoint',
    shows: 'Whichever review is replied to, the reply stands at the newest one.',
    wrap: onRequest(operation, (exchange) => {
      const { request, match } = exchange;
      const reviews = isKeyed(exchange) ? accountOf(exchange)?.reviews : undefined;
      const newest = reviews?.get(match.path.reviewId ?? '') && reviews.toData()[0];
      return newest ? withSegment(request, reviewSegment, newest.reviewId) : request;
    }),
  },
  {
    name: 'reply-data-null',
    breaks: '4.connect.reply.endpoint',
    shows: '`data` of a reply is null.',
    wrap: onSuccess(
      operation,
      change('data', () => null),
    ),
  },
];

const emptyReviewPath = new RegExp(`^${basePath}/connect/accounts/([^/]+)/reviews//reply$`);

function refuseReviewId(response: Parameters<typeof asRefusal>[0]) {
  const issue = { path: '/reviewId', message: 'reviewId is not valid.', rule: 'format' };
  return asRefusal(response, 400, { code: 'invalid_input', message: issue.message, issues: [issue] });
}

function copyOf(body: Uint8Array | null, member: string): string | undefined {
  const value = readJson(body);
  const copy = isObject(value) ? value[member] : undefined;
  return typeof copy === 'string' ? copy : undefined;
}

function encode(value: Json): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

const seenByWriting = [...texts, ...bodies, ...copies, ...outputs].map((mutant) => ({
  ...mutant,
  needs: 'writes' as const,
}));

export const replyMutants: readonly Mutant[] = [...ids, ...seenByWriting];
