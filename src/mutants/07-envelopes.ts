// Successes and errors of a wrong form. Cites 4.connect.envelope, 7.envelope.*.
import { change, drop, put } from './hooks/json-path.ts';
import type { Wrap } from './hooks/mutant.ts';
import { mutantsNeeding, mutantsOf } from './hooks/mutants-of.ts';
import { connectOperations, onBlock, onError, onRefusal, onSuccess } from './hooks/recipes.ts';
import { isObject, type Json, withHeader, withJson } from './hooks/rewrite.ts';

const simple = ['listArticles', 'getArticle', 'listSites', 'getSite', 'listKeywords'] as const;
const asText = change('error', (error): Json => (isObject(error) ? (error.code ?? '') : error));

const successes = mutantsOf({
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
      onSuccess(
        'getInsights',
        change('summary', (text) => ({ text })),
      ),
    ],
    'accounts-not-wrapped': [
      'GET /connect/accounts answers its output without `data` around it.',
      onSuccess('listAccounts', (body) =>
        isObject(body) && isObject(body.data) ? { ...body.data, summary: body.summary ?? '' } : body,
      ),
    ],
  },
});

const toolErrors = mutantsOf({
  '7.envelope.tool': {
    'tool-404-error-text': [
      'An unknown account answers 404 with a plain string for `error`.',
      onError({ which: connectOperations, code: 'not_found' }, asText),
    ],
    'tool-401-error-text': [
      'On connect operations a missing key answers 401 with a plain string for `error`.',
      onError({ which: connectOperations, code: 'unauthorized' }, asText),
    ],
    'insights-404-without-code': [
      'Insights of an unknown account answer 404 without `code`; reviews have it.',
      onError({ which: 'getInsights', code: 'not_found' }, drop('error.code')),
    ],
    'tool-404-without-message': [
      'An unknown account answers 404 without `message`.',
      onError({ which: connectOperations, code: 'not_found' }, drop('error.message')),
      { needs: 'second-key' },
    ],
    'tool-400-message-object': [
      'A refused connect body has an object for `message`.',
      onError(
        { which: connectOperations, code: 'invalid_input' },
        change('error.message', (en) => ({ en })),
      ),
    ],
    'tool-404-errors-list': [
      'An unknown account answers 404 with a list `errors` in the place of `error`.',
      onError({ which: connectOperations, code: 'not_found' }, (body) =>
        isObject(body) ? { errors: [body.error ?? null] } : body,
      ),
    ],
    'tool-404-flat': [
      'An unknown account answers 404 with `code` and `message` at the top, without `error`.',
      onError({ which: connectOperations, code: 'not_found' }, (body) =>
        isObject(body) ? (body.error ?? null) : body,
      ),
    ],
    'tool-problem-json': [
      'Refused connect bodies answer in the form of RFC 9457 (`type`, `title`, `status`).',
      onRefusal({ which: connectOperations, code: 'invalid_input' }, (response, { message }) =>
        withHeader(
          withJson(response, { type: 'about:blank', title: 'Bad Request', status: 400, detail: message ?? '' }),
          'content-type',
          'application/problem+json',
        ),
      ),
    ],
    'tool-code-is-status': [
      'Errors of insights have the status as a number for `code`.',
      onRefusal({ which: 'getInsights' }, (response, error) =>
        withJson(response, { error: { ...error, code: response.status } }),
      ),
    ],
  },
  '7.envelope.tool-code': {
    'tool-code-account-not-found': [
      'An unknown account answers 404 with the code "account_not_found".',
      onError({ which: connectOperations, code: 'not_found' }, put('error.code', 'account_not_found')),
    ],
    'tool-code-in-capitals': [
      'Refused connect bodies have the code "INVALID_INPUT".',
      onError({ which: connectOperations, code: 'invalid_input' }, put('error.code', 'INVALID_INPUT')),
    ],
  },
});

const simpleErrors = mutantsOf({
  '7.envelope.simple': {
    'simple-404-error-text': [
      'An unknown article or site answers 404 with a plain string for `error`.',
      onError({ which: simple, code: 'not_found' }, asText),
    ],
    'simple-401-error-text': [
      'On articles, sites and keywords a missing key answers 401 with a plain string for `error`.',
      onError({ which: simple, code: 'unauthorized' }, asText),
    ],
    'site-404-without-code': [
      'An unknown site answers 404 without `code`; an unknown article has it.',
      onError({ which: 'getSite', code: 'not_found' }, drop('error.code')),
    ],
    'keywords-400-without-message': [
      'GET /keywords without `siteId` answers 400 without `message`.',
      onError({ which: 'listKeywords', code: 'invalid_input' }, drop('error.message')),
    ],
    'simple-404-message-null': [
      'An unknown article answers 404 with `message` null.',
      onError({ which: 'getArticle', code: 'not_found' }, put('error.message', null)),
      { needs: 'second-key' },
    ],
    'simple-404-empty-object': [
      'An unknown site answers 404 with an empty object.',
      onRefusal({ which: 'getSite', code: 'not_found' }, (response) => withJson(response, {})),
    ],
  },
});

const block = (body: Json): Wrap => onBlock((response) => withJson(response, body));

const limiterErrors = mutantsNeeding('bursts', {
  '7.envelope.limiter': {
    'limiter-body-like-a-tool': [
      'The limiter answers 429 with an `error` object of code and message.',
      block({ error: { code: 'rate_limited', message: 'Too many requests.' } }),
    ],
    'limiter-body-other-text': [
      'The limiter answers 429 with `error` "rate_limited".',
      block({ error: 'rate_limited' }),
    ],
    'limiter-body-message': [
      'The limiter answers 429 with a `message` and no `error`.',
      block({ message: 'rate_limit_exceeded' }),
    ],
    'limiter-body-not-json': [
      'The limiter answers 429 with the plain text "Too Many Requests".',
      onBlock((response) => ({ ...withHeader(response, 'content-type', 'text/plain'), body: 'Too Many Requests' })),
    ],
    'limiter-body-empty': [
      'The limiter answers 429 without a body.',
      onBlock((response) => ({ ...response, body: '' })),
    ],
  },
});

export const envelopeMutants = [...successes, ...toolErrors, ...simpleErrors, ...limiterErrors];
