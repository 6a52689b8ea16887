// Replies to reviews: wrongly accepted, rejected, sent elsewhere or reported. Cites 2.reply-review-input.*,
// 2.reply-review-output.*, 4.connect.reply.*, 4.rules.path-wins, 8.reply-text.
import { formatTimestamp } from '../contract/timestamps.ts';
import { basePath } from '../http/route.ts';
import { mutantsNeeding, mutantsOf } from './hooks/mutant.ts';
import { accountOf, isKeyed, onBody, onField, onRejection, onRequest, onSuccess, restatus } from './hooks/recipes.ts';
import {
  add,
  asRejection,
  asSuccess,
  drop,
  isObject,
  type Json,
  lengthOf,
  readJson,
  withBody,
  withSegment,
} from './hooks/rewrite.ts';

const operation = 'replyToReview';
const shortened = (value: Json | undefined) => [...String(value)].slice(0, 4096).join('');
const accountSegment = 2;
const reviewSegment = 4;

const ids = mutantsOf({
  '2.reply-review-input.account-id-pattern': {
    'reply-account-id-version-8-refused': [
      'A reply under an account id of UUID version 6, 7 or 8 is rejected with 400.',
      onRequest(operation, ({ request, match }) =>
        /^.{14}[678]/.test(match.path.accountId ?? '') ? withSegment(request, accountSegment, 'malformed') : request,
      ),
    ],
    'reply-account-id-variant-c-accepted': [
      'The id of a known account with its variant digit made c is taken for that account, and the reply succeeds.',
      onRequest(operation, ({ request, match, organization }) => {
        const asked = (match.path.accountId ?? '').toLowerCase();
        const known = [...(organization?.accounts.keys() ?? [])].find(
          (id) => `${id.slice(0, 19)}c${id.slice(20)}` === asked,
        );
        return known ? withSegment(request, accountSegment, known) : request;
      }),
      { needs: 'writes' },
    ],
  },
  '4.connect.reply.review-id': {
    'reply-review-id-short-refused': [
      'A reply to an unknown review whose id has one character is rejected with 400 instead of 404.',
      onRejection({ which: operation, code: 'not_found' }, (response, _error, { match }) =>
        (match.path.reviewId ?? '').length === 1 ? rejectReviewId(response) : response,
      ),
    ],
  },
  '2.reply-review-input.review-id-length': {
    'reply-review-id-empty-accepted': [
      'A reply with an empty review id in the path returns 200, to the newest review.',
      (next, context) => (request) => {
        const accountId = emptyReviewPath.exec(request.path)?.[1];
        if (accountId === undefined) return next(request);
        const account = [...context.world.organizations.values()]
          .map(({ accounts }) => accounts.get(accountId.toLowerCase()))
          .find((found) => found !== undefined);
        const newest = account?.reviews.toData()[0]?.reviewId ?? 'none';
        return next({ ...request, path: request.path.replace('//', `/${encodeURIComponent(newest)}/`) });
      },
      { needs: 'writes' },
    ],
  },
  '4.connect.reply.unknown-review': {
    'reply-unknown-review-succeeds': [
      'A reply to a review that the account does not have returns 200.',
      onRejection({ which: operation, code: 'not_found' }, (response, _error, exchange) =>
        isKeyed(exchange) && accountOf(exchange)
          ? asSuccess(response, {
              data: { repliedAt: formatTimestamp(exchange.context.nowMs()) },
              summary: 'Replied to the review.',
            })
          : response,
      ),
      { needs: 'writes' },
    ],
    'reply-unknown-review-400': [
      'A reply to a review that the account does not have returns 400 `invalid_input`.',
      onRejection({ which: operation, code: 'not_found' }, (response, _error, exchange) =>
        isKeyed(exchange) && accountOf(exchange) ? rejectReviewId(response) : response,
      ),
      { needs: 'writes' },
    ],
  },
});

const outputs = mutantsNeeding('writes', {
  '2.reply-review-output.replied-at': {
    'reply-to-unrated-without-time': [
      'The response to a reply has no `repliedAt` if the review has no rating.',
      onSuccess(operation, (body, exchange) => {
        const reviews = accountOf(exchange)?.reviews.toData() ?? [];
        const review = reviews.find(({ reviewId }) => reviewId === exchange.match.path.reviewId);
        return review?.rating === null ? drop('data.repliedAt')(body) : body;
      }),
    ],
  },
  '4.connect.reply.body': {
    'reply-body-in-array': [
      'A reply whose body is an array with one ReplyReviewInput is posted.',
      onRequest(operation, ({ request }) => {
        const body = readJson(request.body);
        return Array.isArray(body) && isObject(body[0]) ? { ...request, body: encode(body[0]) } : request;
      }),
    ],
  },
  '4.connect.reply.invalid': {
    'reply-invalid-422': [
      'A body that is not a ReplyReviewInput returns 422.',
      restatus({ which: operation, code: 'invalid_input' }, 422),
    ],
    'reply-refused-yet-posted': [
      'A reply whose text is too long returns 400, and yet the review then shows a shortened reply.',
      onRejection({ which: operation, code: 'invalid_input' }, (response, _error, exchange) => {
        const body = readJson(exchange.request.body);
        if (isKeyed(exchange) && isObject(body) && lengthOf(body.text) > 4096) {
          const { context, organization, request } = exchange;
          context.responseAs(organization, withBody(request, { ...body, text: shortened(body.text) }));
        }
        return response;
      }),
    ],
  },
  '4.rules.path-wins': {
    'reply-body-account-wins': [
      'A reply whose body names an unknown account returns 404, although the path is right.',
      onRequest(operation, ({ request }) => {
        const copy = copyOf(request.body, 'accountId');
        return copy !== undefined && /^[0-9a-f-]{36}$/i.test(copy)
          ? withSegment(request, accountSegment, copy)
          : request;
      }),
    ],
    'reply-body-review-wins': [
      'A reply whose body names another review than the path lands on that review.',
      onRequest(operation, ({ request }) => {
        const copy = copyOf(request.body, 'reviewId');
        return copy ? withSegment(request, reviewSegment, copy) : request;
      }),
    ],
    'reply-body-review-validated': [
      'A reply is rejected with 400 when the copy of `reviewId` in its body is empty.',
      onBody(operation, (body) => (body.reviewId === '' ? { ...body, text: '' } : body)),
    ],
    'reply-body-account-validated': [
      'A reply is rejected with 400 when the copy of `accountId` in its body is not a string.',
      onBody(operation, (body) =>
        body.accountId !== undefined && typeof body.accountId !== 'string' ? { ...body, text: '' } : body,
      ),
    ],
  },
  '2.reply-review-output.closed': {
    'reply-output-extra-id': [
      '`data` of a reply has a field `replyId` that is not listed.',
      onSuccess(operation, add('data', { replyId: 'rpl_1' })),
    ],
  },
  '4.connect.reply.endpoint': {
    'reply-goes-to-newest': [
      'A reply to any review is stored at the newest one.',
      onRequest(operation, (exchange) => {
        const { request, match } = exchange;
        const reviews = isKeyed(exchange) ? accountOf(exchange)?.reviews : undefined;
        const newest = reviews?.get(match.path.reviewId ?? '') && reviews.toData()[0];
        return newest ? withSegment(request, reviewSegment, newest.reviewId) : request;
      }),
    ],
    'reply-data-null': ['`data` of a reply is null.', onField(operation, 'data', () => null)],
  },
});

const emptyReviewPath = new RegExp(`^${basePath}/connect/accounts/([^/]+)/reviews//reply$`);

function rejectReviewId(response: Parameters<typeof asRejection>[0]) {
  const issue = { path: '/reviewId', message: 'reviewId is not valid.', rule: 'format' };
  return asRejection(response, 400, { code: 'invalid_input', message: issue.message, issues: [issue] });
}

function copyOf(body: Uint8Array | null, field: string): string | undefined {
  const value = readJson(body);
  const copy = isObject(value) ? value[field] : undefined;
  return typeof copy === 'string' ? copy : undefined;
}

function encode(value: Json): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export const replyMutants = [...ids, ...outputs];
