// Codes under the wrong status, and without what belongs to them. Cites 7.code.*, 4.connect.unknown-account,
// 4.connect.account-id.
import type { ClauseId } from '../contract/generated/clauses.ts';
import type { ErrorCode } from '../contract/generated/errors.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import { formatTimestamp } from '../contract/timestamps.ts';
import { type Mutant, mutantsNeeding, mutantsOf, type Wrap } from './hooks/mutant.ts';
import {
  accountOf,
  connectOperations,
  crash,
  isKeyed,
  type MatchedRequest,
  onBlock,
  onError,
  onField,
  onRejection,
  onSuccess,
  onSuccessResponse,
  restatus,
  type Which,
} from './hooks/recipes.ts';
import {
  asCrash,
  asSuccess,
  drop,
  isObject,
  type Json,
  lengthOf,
  onJson,
  put,
  readJson,
  withHeader,
  withJson,
} from './hooks/rewrite.ts';

type WrongStatus = readonly [code: ErrorCode, status: number, where?: string, which?: Which];

const wrongStatuses: readonly WrongStatus[] = [
  ['unauthorized', 403, ' on connect operations', connectOperations],
  ['invalid_input', 422, ' on connect operations', connectOperations],
  ['not_found', 400, ' for an unknown article or site', ['getArticle', 'getSite']],
  ['not_supported', 422, ' on insights', 'getInsights'],
  ['payment_required', 403],
  ['provider_auth', 403, ', as for an expired account'],
  ['provider_permission', 401, ', as for an account without API access'],
  ['rate_limited', 503, ' from the platform'],
  ['provider_error', 500],
  ['transient', 500],
];

const statuses = wrongStatuses.map(([code, status, where = '', which = 'every']): Mutant => {
  const kebab = code.replace('_', '-');
  return {
    name: code === 'rate_limited' ? 'platform-limit-503' : `${kebab}-${status}`,
    breaks: `7.code.${kebab}` as ClauseId,
    shows: `\`${code}\` comes with ${status}${where}.`,
    wrap: restatus({ which, code }, status),
    ...(code === 'payment_required' && { needs: 'writes', world: 'unpaid' }),
  };
});

function isInState(exchange: MatchedRequest, state: string): boolean {
  return isKeyed(exchange) && accountOf(exchange)?.status === state;
}

const swapped = mutantsOf({
  '7.code.unauthorized': {
    'unauthorized-says-invalid-key': [
      'An invalid key returns 401 with the code "invalid_api_key".',
      onError({ code: 'unauthorized' }, put('error.code', 'invalid_api_key')),
    ],
  },
  // The status of a row with the code of another one.
  '7.code.status-agrees': {
    'status-400-says-not-found': [
      'A rejected connect link returns 400 with `not_found`.',
      onError({ which: 'createConnectLink', code: 'invalid_input' }, put('error.code', 'not_found')),
    ],
    'status-403-says-provider-auth': [
      'An account without API access returns 403 with `provider_auth`.',
      onError({ code: 'provider_permission' }, put('error.code', 'provider_auth')),
    ],
    'status-401-says-provider-permission': [
      'An expired account returns 401 with `provider_permission`.',
      onError({ code: 'provider_auth' }, put('error.code', 'provider_permission')),
    ],
    'revoked-account-says-account-revoked': [
      'A revoked account is rejected with the code "account_revoked".',
      onRejection({ which: connectOperations }, (response, _error, exchange) =>
        isInState(exchange, 'revoked') ? onJson(response, put('error.code', 'account_revoked')) : response,
      ),
    ],
    'status-400-not-supported-says-not-found': [
      'Reviews of a platform that has none return 400 with `not_found`.',
      onError({ which: 'listReviews', code: 'not_supported' }, put('error.code', 'not_found')),
    ],
  },
});

const reasons = mutantsOf({
  '7.code.payment-required-reason': {
    'payment-reason-empty': [
      '402 has an empty `reason`.',
      onError({ code: 'payment_required' }, put('error.reason', '')),
      { world: 'unpaid' },
    ],
    'payment-reason-missing-for-locked': [
      '402 of a locked account has no `reason`.',
      onError({ code: 'payment_required' }, (body) => drop('reason')(drop('error.reason')(body))),
    ],
  },
});

const unknownAccounts = mutantsOf({
  '4.connect.unknown-account': {
    'unknown-account-no-reviews': [
      'Reviews of an unknown account return 200 with an empty list.',
      onRejection({ which: 'listReviews', code: 'not_found' }, (response) =>
        asSuccess(response, { data: { reviews: [], nextCursor: null }, summary: '0 reviews.' }),
      ),
    ],
    'unknown-account-no-insights': [
      'Insights of an unknown account return 200 without metrics.',
      onRejection({ which: 'getInsights', code: 'not_found' }, (response, _error, { context }) => {
        const today = formatTimestamp(context.nowMs()).slice(0, 10);
        return asSuccess(response, {
          data: { range: { startDate: today, endDate: today }, metrics: [] },
          summary: 'None.',
        });
      }),
    ],
    'unknown-account-post-succeeds': [
      'A post to an unknown account returns 200.',
      onRejection({ which: 'createPost', code: 'not_found' }, (response) =>
        asSuccess(response, { data: { postId: 'post_0', permalink: null }, summary: 'Queued.' }),
      ),
    ],
    'unknown-account-reply-succeeds': [
      'A reply under an unknown account returns 200.',
      onRejection({ which: 'replyToReview', code: 'not_found' }, (response, _error, exchange) =>
        isKeyed(exchange) && accountOf(exchange)
          ? response
          : asSuccess(response, { data: { repliedAt: null } satisfies Json, summary: 'Queued.' }),
      ),
    ],
  },
  '4.connect.statuses': {
    'pending-account-no-reviews-500': [
      'Reviews of a pending account return 500.',
      onRejection({ which: 'listReviews' }, (response, _error, exchange) =>
        isInState(exchange, 'pending') ? asCrash(response) : response,
      ),
    ],
    'unknown-account-500': [
      'Insights of an unknown account return 500.',
      onRejection({ which: 'getInsights', code: 'not_found' }, (response) =>
        asCrash(response, 'Cannot read properties of undefined.'),
      ),
    ],
  },
  '4.connect.account-id': {
    'malformed-account-id-no-reviews': [
      'Reviews of an account id that is not a UUID return 200 with an empty list.',
      onRejection({ which: 'listReviews', code: 'invalid_input' }, (response, _error, { query }) =>
        query.cursor === undefined
          ? asSuccess(response, { data: { reviews: [], nextCursor: null }, summary: '0 reviews.' })
          : response,
      ),
    ],
    'malformed-account-id-500': [
      'Insights of an account id that is not a UUID return 500.',
      onRejection({ which: 'getInsights', code: 'invalid_input' }, (response, _error, { query, match }) =>
        /^[0-9a-f-]{36}$/i.test(match.path.accountId ?? '') || query.range === ''
          ? response
          : asCrash(response, 'invalid input syntax for type uuid'),
      ),
    ],
  },
});

export const codeMutants = [...statuses, ...swapped, ...reasons, ...unknownAccounts];

const body = (which: OperationId, text: string): Wrap =>
  crash(which, ({ request }) => (request.body === null ? '' : new TextDecoder().decode(request.body)) === text);

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
      'Articles with a negative limit return 500.',
      query('listArticles', 'limit', isNegative),
    ],
    'articles-limit-twice-crashes': [
      'Articles with a limit given twice return 500.',
      query('listArticles', 'limit', isTwice),
    ],
  },
  '4.calls.statuses': {
    'calls-empty-since-crashes': [
      'The call log with an empty since returns 500.',
      query('listCalls', 'since', isEmpty),
    ],
  },
  '4.connect.statuses': {
    'reviews-nul-cursor-crashes': [
      'Reviews with a NUL in the cursor return 500.',
      query('listReviews', 'cursor', hasNul),
    ],
    'insights-empty-range-crashes': [
      'Insights with an empty range return 500.',
      query('getInsights', 'range', isEmpty),
    ],
    'insights-range-twice-crashes': [
      'Insights with a range given twice return 500.',
      query('getInsights', 'range', isTwice),
    ],
    'post-null-crashes': ['A post with the body null returns 500.', body('createPost', 'null')],
    'post-surrogate-crashes': [
      'A post with half a surrogate pair in its text returns 500.',
      field('createPost', 'text', (text) => /[\ud800-\udbff](?![\udc00-\udfff])/.test(String(text))),
    ],
    'post-empty-body-crashes': ['A post with an empty body returns 500.', body('createPost', '')],
    'link-long-label-crashes': [
      'A link with a label of more than 80 characters returns 500.',
      field('createConnectLink', 'label', (label) => lengthOf(label) > 80),
    ],
    'post-null-text-crashes': ['A post with a text that is null returns 500.', field('createPost', 'text', isNull)],
    'post-null-media-crashes': ['A post with media that are null returns 500.', field('createPost', 'media', isNull)],
    'reply-null-text-crashes': [
      'A reply with a text that is null returns 500.',
      field('replyToReview', 'text', isNull),
    ],
  },
});

// Successes and errors of a wrong form. Cites 4.connect.envelope, 7.envelope.*.

const simpleErrors = mutantsOf({
  '4.connect.envelope': {
    'accounts-without-summary': ['GET /connect/accounts has no `summary`.', onSuccess('listAccounts', drop('summary'))],
    'link-without-summary': [
      'A new link has no `summary`.',
      onSuccess('createConnectLink', drop('summary')),
      { needs: 'writes' },
    ],
    'post-summary-null': [
      'A post has `summary` null.',
      onSuccess('createPost', put('summary', null)),
      { needs: 'writes' },
    ],
    'reviews-without-summary-on-last-page': [
      'The last page of reviews has no `summary`.',
      onSuccess('listReviews', (body) =>
        isObject(body) && isObject(body.data) && typeof body.data.nextCursor !== 'string'
          ? drop('summary')(body)
          : body,
      ),
    ],
    'reply-without-summary': [
      'A reply has no `summary`.',
      onSuccess('replyToReview', drop('summary')),
      { needs: 'writes' },
    ],
    'insights-summary-object': [
      'Insights have an object for `summary`.',
      onField('getInsights', 'summary', (text) => ({ text })),
    ],
  },
  '7.envelope.tool-code': {
    'tool-code-account-not-found': [
      'An unknown account returns 404 with the code "account_not_found".',
      onError({ which: connectOperations, code: 'not_found' }, put('error.code', 'account_not_found')),
    ],
  },
  '7.envelope.simple': {
    'keywords-400-without-message': [
      'GET /keywords without `siteId` returns 400 without `message`.',
      onError({ which: 'listKeywords', code: 'invalid_input' }, drop('error.message')),
    ],
  },
});

const block = (body: Json): Wrap => onBlock((response) => withJson(response, body));

const limiterErrors = mutantsNeeding('bursts', {
  '7.envelope.limiter': {
    'limiter-body-like-a-tool': [
      'The limiter returns 429 with an `error` object of code and message.',
      block({ error: { code: 'rate_limited', message: 'Too many requests.' } }),
    ],
    'limiter-body-of-key-like-a-tool': [
      'The key limiter returns 429 with an `error` object of code and message.',
      onBlock((response) =>
        response.headers['x-ratelimit-limit'] === '60'
          ? withJson(response, { error: { code: 'rate_limited', message: 'Too many requests.' } })
          : response,
      ),
      { needs: 'addresses' },
    ],
    'limiter-body-empty': [
      'The limiter returns 429 without a body.',
      onBlock((response) => ({ ...response, body: '' })),
    ],
  },
});

export const envelopeMutants = [...simpleErrors, ...limiterErrors];

const type = 'content-type';

export const jsonMutants = mutantsOf({
  '1.http-json': {
    'sites-with-guard-prefix': [
      'The body of GET /sites begins with a guard such as ")]}\'," and so is not JSON.',
      onSuccessResponse('listSites', (response) => ({ ...response, body: `)]}',\n${String(response.body)}` })),
    ],
  },
  '4.json': {
    'accounts-as-html': [
      'GET /connect/accounts calls its JSON `text/html`.',
      onSuccessResponse('listAccounts', (response) => withHeader(response, type, 'text/html; charset=utf-8')),
    ],
  },
});
