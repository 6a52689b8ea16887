// Codes under the wrong status, and without what belongs to them. Cites 7.code.*, 4.connect.unknown-account,
// 4.connect.account-id.
import { formatInstant } from '../contract/instants.ts';
import { drop, put } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { isKeyed, onError, onRefusal } from './hooks/recipes.ts';
import { asRefusal, asSuccess, type Json, withStatus } from './hooks/rewrite.ts';
import { accountOf } from './reviews.ts';

const connect = [
  'listAccounts',
  'createConnectLink',
  'createPost',
  'listReviews',
  'replyToReview',
  'getInsights',
] as const;

/** The code of a row with the status of another one. */
const statuses: readonly Mutant[] = [
  {
    name: 'unauthorized-403',
    breaks: '7.code.unauthorized',
    shows: '`unauthorized` comes with 403 on connect operations.',
    wrap: onRefusal({ which: connect, code: 'unauthorized' }, (response) => withStatus(response, 403)),
  },
  {
    name: 'unauthorized-says-invalid-key',
    breaks: '7.code.unauthorized',
    shows: 'A wrong key answers 401 with the code "invalid_api_key".',
    wrap: onError({ code: 'unauthorized' }, put('error.code', 'invalid_api_key')),
  },
  {
    name: 'invalid-input-422',
    breaks: '7.code.invalid-input',
    shows: '`invalid_input` comes with 422 on connect operations.',
    wrap: onRefusal({ which: connect, code: 'invalid_input' }, (response) => withStatus(response, 422)),
  },
  {
    name: 'not-found-410',
    breaks: '7.code.not-found',
    shows: '`not_found` comes with 410 for an unknown account.',
    wrap: onRefusal({ which: connect, code: 'not_found' }, (response) => withStatus(response, 410)),
  },
  {
    name: 'not-found-400',
    breaks: '7.code.not-found',
    shows: '`not_found` comes with 400 for an unknown article or site.',
    wrap: onRefusal({ which: ['getArticle', 'getSite'], code: 'not_found' }, (response) => withStatus(response, 400)),
  },
  {
    name: 'not-supported-501',
    breaks: '7.code.not-supported',
    shows: '`not_supported` comes with 501, as for reviews of a platform that has none.',
    wrap: onRefusal({ code: 'not_supported' }, (response) => withStatus(response, 501)),
  },
  {
    name: 'not-supported-422',
    breaks: '7.code.not-supported',
    shows: '`not_supported` comes with 422 on insights.',
    wrap: onRefusal({ which: 'getInsights', code: 'not_supported' }, (response) => withStatus(response, 422)),
  },
  {
    name: 'payment-required-403',
    breaks: '7.code.payment-required',
    shows: '`payment_required` comes with 403.',
    needs: 'writes',
    world: 'unpaid',
    wrap: onRefusal({ code: 'payment_required' }, (response) => withStatus(response, 403)),
  },
  {
    name: 'provider-auth-403',
    breaks: '7.code.provider-auth',
    shows: '`provider_auth` comes with 403, as for an expired account.',
    wrap: onRefusal({ code: 'provider_auth' }, (response) => withStatus(response, 403)),
  },
  {
    name: 'provider-permission-401',
    breaks: '7.code.provider-permission',
    shows: '`provider_permission` comes with 401, as for an account without API access.',
    wrap: onRefusal({ code: 'provider_permission' }, (response) => withStatus(response, 401)),
  },
  {
    name: 'platform-limit-503',
    breaks: '7.code.rate-limited',
    shows: '`rate_limited` of the platform comes with 503.',
    wrap: onRefusal({ code: 'rate_limited' }, (response) => withStatus(response, 503)),
  },
  {
    name: 'provider-error-500',
    breaks: '7.code.provider-error',
    shows: '`provider_error` comes with 500.',
    wrap: onRefusal({ code: 'provider_error' }, (response) => withStatus(response, 500)),
  },
  {
    name: 'transient-500',
    breaks: '7.code.transient',
    shows: '`transient` comes with 500.',
    wrap: onRefusal({ code: 'transient' }, (response) => withStatus(response, 500)),
  },
  {
    name: 'transient-504',
    breaks: '7.code.transient',
    shows: '`transient` comes with 504.',
    wrap: onRefusal({ code: 'transient' }, (response) => withStatus(response, 504)),
  },
];

/** The status of a row with the code of another one. */
const swapped: readonly Mutant[] = [
  {
    name: 'status-404-says-invalid-input',
    breaks: '7.code.status-agrees',
    shows: 'An unknown article answers 404 with `invalid_input`.',
    wrap: onError({ which: 'getArticle', code: 'not_found' }, put('error.code', 'invalid_input')),
  },
  {
    name: 'status-404-says-provider-error',
    breaks: '7.code.status-agrees',
    shows: 'Reviews of an unknown account answer 404 with `provider_error`.',
    wrap: onError({ which: 'listReviews', code: 'not_found' }, put('error.code', 'provider_error')),
  },
  {
    name: 'status-400-says-not-found',
    breaks: '7.code.status-agrees',
    shows: 'A refused connect link answers 400 with `not_found`.',
    wrap: onError({ which: 'createConnectLink', code: 'invalid_input' }, put('error.code', 'not_found')),
  },
  {
    name: 'status-402-says-not-found',
    breaks: '7.code.status-agrees',
    shows: 'A missing payment answers 402 with `not_found`.',
    needs: 'writes',
    world: 'unpaid',
    wrap: onError({ code: 'payment_required' }, put('error.code', 'not_found')),
  },
  {
    name: 'status-403-says-provider-auth',
    breaks: '7.code.status-agrees',
    shows: 'An account without API access answers 403 with `provider_auth`.',
    wrap: onError({ code: 'provider_permission' }, put('error.code', 'provider_auth')),
  },
  {
    name: 'status-401-says-provider-permission',
    breaks: '7.code.status-agrees',
    shows: 'An expired account answers 401 with `provider_permission`.',
    wrap: onError({ code: 'provider_auth' }, put('error.code', 'provider_permission')),
  },
  {
    name: 'status-502-says-transient',
    breaks: '7.code.status-agrees',
    shows: 'An error of the platform answers 502 with `transient`.',
    wrap: onError({ code: 'provider_error' }, put('error.code', 'transient')),
  },
  {
    name: 'status-503-says-provider-error',
    breaks: '7.code.status-agrees',
    shows: 'A temporary failure of the platform answers 503 with `provider_error`.',
    wrap: onError({ code: 'transient' }, put('error.code', 'provider_error')),
  },
  {
    name: 'status-429-says-transient',
    breaks: '7.code.status-agrees',
    shows: 'A limit of the platform answers 429 with `transient`.',
    wrap: onError({ code: 'rate_limited' }, put('error.code', 'transient')),
  },
  {
    name: 'status-400-not-supported-says-not-found',
    breaks: '7.code.status-agrees',
    shows: 'Reviews of a platform that has none answer 400 with `not_found`.',
    wrap: onError({ which: 'listReviews', code: 'not_supported' }, put('error.code', 'not_found')),
  },
];

const reasons = [
  {
    name: 'payment-reason-missing',
    shows: '402 has no `reason`.',
    wrap: onError({ code: 'payment_required' }, drop('error.reason')),
  },
  {
    name: 'payment-reason-empty',
    shows: '402 has an empty `reason`.',
    wrap: onError({ code: 'payment_required' }, put('error.reason', '')),
  },
  {
    name: 'payment-reason-number',
    shows: '402 has a number for `reason`.',
    wrap: onError({ code: 'payment_required' }, put('error.reason', 1)),
  },
].map((mutant): Mutant => ({ ...mutant, breaks: '7.code.payment-required-reason', needs: 'writes', world: 'unpaid' }));

const unknownAccounts: readonly Mutant[] = [
  {
    name: 'unknown-account-no-reviews',
    breaks: '4.connect.unknown-account',
    shows: 'Reviews of an unknown account answer 200 with an empty list.',
    wrap: onRefusal({ which: 'listReviews', code: 'not_found' }, (response) =>
      asSuccess(response, { data: { reviews: [], nextCursor: null }, summary: '0 reviews.' }),
    ),
  },
  {
    name: 'unknown-account-no-insights',
    breaks: '4.connect.unknown-account',
    shows: 'Insights of an unknown account answer 200 without metrics.',
    wrap: onRefusal({ which: 'getInsights', code: 'not_found' }, (response, _error, { context }) => {
      const today = formatInstant(context.nowMs()).slice(0, 10);
      return asSuccess(response, {
        data: { range: { startDate: today, endDate: today }, metrics: [] },
        summary: 'None.',
      });
    }),
  },
  {
    name: 'unknown-account-post-succeeds',
    breaks: '4.connect.unknown-account',
    shows: 'A post to an unknown account answers 200.',
    wrap: onRefusal({ which: 'createPost', code: 'not_found' }, (response) =>
      asSuccess(response, { data: { postId: 'post_0', permalink: null }, summary: 'Queued.' }),
    ),
  },
  {
    name: 'unknown-account-reply-succeeds',
    breaks: '4.connect.unknown-account',
    shows: 'A reply under an unknown account answers 200.',
    wrap: onRefusal({ which: 'replyToReview', code: 'not_found' }, (response, _error, exchange) =>
      isKeyed(exchange) && accountOf(exchange)
        ? response
        : asSuccess(response, { data: { repliedAt: null } satisfies Json, summary: 'Queued.' }),
    ),
  },
  {
    name: 'unknown-account-500',
    breaks: '4.connect.statuses',
    shows: 'Insights of an unknown account answer 500.',
    wrap: onRefusal({ which: 'getInsights', code: 'not_found' }, (response) =>
      asRefusal(response, 500, { code: 'internal_error', message: 'Cannot read properties of undefined.' }),
    ),
  },
  {
    name: 'malformed-account-id-no-reviews',
    breaks: '4.connect.account-id',
    shows: 'Reviews of an account id that is no UUID answer 200 with an empty list.',
    wrap: onRefusal({ which: 'listReviews', code: 'invalid_input' }, (response, _error, { query }) =>
      query.cursor === undefined
        ? asSuccess(response, { data: { reviews: [], nextCursor: null }, summary: '0 reviews.' })
        : response,
    ),
  },
  {
    name: 'malformed-account-id-500',
    breaks: '4.connect.account-id',
    shows: 'Insights of an account id that is no UUID answer 500.',
    wrap: onRefusal({ which: 'getInsights', code: 'invalid_input' }, (response, _error, { query, match }) =>
      /^[0-9a-f-]{36}$/i.test(match.path.accountId ?? '') || query.range === ''
        ? response
        : asRefusal(response, 500, { code: 'internal_error', message: 'invalid input syntax for type uuid' }),
    ),
  },
];

export const codeMutants: readonly Mutant[] = [...statuses, ...swapped, ...reasons, ...unknownAccounts];
