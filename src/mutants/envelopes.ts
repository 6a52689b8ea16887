// Successes and errors of a wrong form. Cites 4.connect.envelope, 7.envelope.*.
import { change, drop, put } from './hooks/json-path.ts';
import type { Mutant, Wrap } from './hooks/mutant.ts';
import { onBlock, onError, onRefusal, onSuccess } from './hooks/recipes.ts';
import { isObject, type Json, withHeader, withJson } from './hooks/rewrite.ts';

const connect = [
  'listAccounts',
  'createConnectLink',
  'createPost',
  'listReviews',
  'replyToReview',
  'getInsights',
] as const;
const simple = ['listArticles', 'getArticle', 'listSites', 'getSite', 'listKeywords'] as const;
const asText = change('error', (error): Json => (isObject(error) ? (error.code ?? '') : error));

const successes: readonly Mutant[] = [
  {
    name: 'accounts-without-summary',
    breaks: '4.connect.envelope',
    shows: 'GET /connect/accounts has no `summary`.',
    wrap: onSuccess('listAccounts', drop('summary')),
  },
  {
    name: 'link-without-summary',
    breaks: '4.connect.envelope',
    shows: 'A new link has no `summary`.',
    needs: 'writes',
    wrap: onSuccess('createConnectLink', drop('summary')),
  },
  {
    name: 'post-summary-null',
    breaks: '4.connect.envelope',
    shows: 'A post has `summary` null.',
    needs: 'writes',
    wrap: onSuccess('createPost', put('summary', null)),
  },
  {
    name: 'reviews-without-summary-on-last-page',
    breaks: '4.connect.envelope',
    shows: 'The last page of reviews has no `summary`.',
    wrap: onSuccess('listReviews', (body) =>
      isObject(body) && isObject(body.data) && typeof body.data.nextCursor !== 'string' ? drop('summary')(body) : body,
    ),
  },
  {
    name: 'reply-without-summary',
    breaks: '4.connect.envelope',
    shows: 'A reply has no `summary`.',
    needs: 'writes',
    wrap: onSuccess('replyToReview', drop('summary')),
  },
  {
    name: 'insights-summary-object',
    breaks: '4.connect.envelope',
    shows: 'Insights have an object for `summary`.',
    wrap: onSuccess(
      'getInsights',
      change('summary', (text) => ({ text })),
    ),
  },
  {
    name: 'accounts-not-wrapped',
    breaks: '4.connect.envelope',
    shows: 'GET /connect/accounts answers its output without `data` around it.',
    wrap: onSuccess('listAccounts', (body) =>
      isObject(body) && isObject(body.data) ? { ...body.data, summary: body.summary ?? '' } : body,
    ),
  },
];

const toolErrors: readonly Mutant[] = [
  {
    name: 'tool-404-error-text',
    breaks: '7.envelope.tool',
    shows: 'An unknown account answers 404 with a plain string for `error`.',
    wrap: onError({ which: connect, code: 'not_found' }, asText),
  },
  {
    name: 'tool-401-error-text',
    breaks: '7.envelope.tool',
    shows: 'On connect operations a missing key answers 401 with a plain string for `error`.',
    wrap: onError({ which: connect, code: 'unauthorized' }, asText),
  },
  {
    name: 'insights-404-without-code',
    breaks: '7.envelope.tool',
    shows: 'Insights of an unknown account answer 404 without `code`; reviews have it.',
    wrap: onError({ which: 'getInsights', code: 'not_found' }, drop('error.code')),
  },
  {
    name: 'tool-404-without-message',
    breaks: '7.envelope.tool',
    shows: 'An unknown account answers 404 without `message`.',
    wrap: onError({ which: connect, code: 'not_found' }, drop('error.message')),
  },
  {
    name: 'tool-400-message-object',
    breaks: '7.envelope.tool',
    shows: 'A refused connect body has an object for `message`.',
    wrap: onError(
      { which: connect, code: 'invalid_input' },
      change('error.message', (en) => ({ en })),
    ),
  },
  {
    name: 'tool-404-errors-list',
    breaks: '7.envelope.tool',
    shows: 'An unknown account answers 404 with a list `errors` in the place of `error`.',
    wrap: onError({ which: connect, code: 'not_found' }, (body) =>
      isObject(body) ? { errors: [body.error ?? null] } : body,
    ),
  },
  {
    name: 'tool-404-flat',
    breaks: '7.envelope.tool',
    shows: 'An unknown account answers 404 with `code` and `message` at the top, without `error`.',
    wrap: onError({ which: connect, code: 'not_found' }, (body) => (isObject(body) ? (body.error ?? null) : body)),
  },
  {
    name: 'tool-problem-json',
    breaks: '7.envelope.tool',
    shows: 'Refused connect bodies answer in the form of RFC 9457 (`type`, `title`, `status`).',
    wrap: onRefusal({ which: connect, code: 'invalid_input' }, (response, { message }) =>
      withHeader(
        withJson(response, { type: 'about:blank', title: 'Bad Request', status: 400, detail: message ?? '' }),
        'content-type',
        'application/problem+json',
      ),
    ),
  },
  {
    name: 'tool-code-account-not-found',
    breaks: '7.envelope.tool-code',
    shows: 'An unknown account answers 404 with the code "account_not_found".',
    wrap: onError({ which: connect, code: 'not_found' }, put('error.code', 'account_not_found')),
  },
  {
    name: 'tool-code-in-capitals',
    breaks: '7.envelope.tool-code',
    shows: 'Refused connect bodies have the code "INVALID_INPUT".',
    wrap: onError({ which: connect, code: 'invalid_input' }, put('error.code', 'INVALID_INPUT')),
  },
  {
    name: 'tool-code-is-status',
    breaks: '7.envelope.tool',
    shows: 'Errors of insights have the status as a number for `code`.',
    wrap: onRefusal({ which: 'getInsights' }, (response, error) =>
      withJson(response, { error: { ...error, code: response.status } }),
    ),
  },
];

const simpleErrors: readonly Mutant[] = [
  {
    name: 'simple-404-error-text',
    breaks: '7.envelope.simple',
    shows: 'An unknown article or site answers 404 with a plain string for `error`.',
    wrap: onError({ which: simple, code: 'not_found' }, asText),
  },
  {
    name: 'simple-401-error-text',
    breaks: '7.envelope.simple',
    shows: 'On articles, sites and keywords a missing key answers 401 with a plain string for `error`.',
    wrap: onError({ which: simple, code: 'unauthorized' }, asText),
  },
  {
    name: 'site-404-without-code',
    breaks: '7.envelope.simple',
    shows: 'An unknown site answers 404 without `code`; an unknown article has it.',
    wrap: onError({ which: 'getSite', code: 'not_found' }, drop('error.code')),
  },
  {
    name: 'keywords-400-without-message',
    breaks: '7.envelope.simple',
    shows: 'GET /keywords without `siteId` answers 400 without `message`.',
    wrap: onError({ which: 'listKeywords', code: 'invalid_input' }, drop('error.message')),
  },
  {
    name: 'simple-404-message-null',
    breaks: '7.envelope.simple',
    shows: 'An unknown article answers 404 with `message` null.',
    wrap: onError({ which: 'getArticle', code: 'not_found' }, put('error.message', null)),
  },
  {
    name: 'simple-404-empty-object',
    breaks: '7.envelope.simple',
    shows: 'An unknown site answers 404 with an empty object.',
    wrap: onRefusal({ which: 'getSite', code: 'not_found' }, (response) => withJson(response, {})),
  },
];

const block = (body: Json): Wrap => onBlock((response) => withJson(response, body));

const limiterErrors: readonly Mutant[] = [
  {
    name: 'limiter-body-like-a-tool',
    breaks: '7.envelope.limiter',
    shows: 'The limiter answers 429 with an `error` object of code and message.',
    wrap: block({ error: { code: 'rate_limited', message: 'Too many requests.' } }),
  },
  {
    name: 'limiter-body-other-text',
    breaks: '7.envelope.limiter',
    shows: 'The limiter answers 429 with `error` "rate_limited".',
    wrap: block({ error: 'rate_limited' }),
  },
  {
    name: 'limiter-body-message',
    breaks: '7.envelope.limiter',
    shows: 'The limiter answers 429 with a `message` and no `error`.',
    wrap: block({ message: 'rate_limit_exceeded' }),
  },
  {
    name: 'limiter-body-not-json',
    breaks: '7.envelope.limiter',
    shows: 'The limiter answers 429 with the plain text "Too Many Requests".',
    wrap: onBlock((response) => ({ ...withHeader(response, 'content-type', 'text/plain'), body: 'Too Many Requests' })),
  },
  {
    name: 'limiter-body-empty',
    breaks: '7.envelope.limiter',
    shows: 'The limiter answers 429 without a body.',
    wrap: onBlock((response) => ({ ...response, body: '' })),
  },
];

const seenInBursts = limiterErrors.map((mutant) => ({ ...mutant, needs: 'bursts' as const }));

export const envelopeMutants: readonly Mutant[] = [...successes, ...toolErrors, ...simpleErrors, ...seenInBursts];
