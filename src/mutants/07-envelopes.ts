// Successes and errors of a wrong form. Cites 4.connect.envelope, 7.envelope.*.
import { mutantsNeeding, mutantsOf, type Wrap } from './hooks/mutant.ts';
import { connectOperations, onBlock, onError, onSuccess, onSuccessResponse } from './hooks/recipes.ts';
import { change, drop, isObject, type Json, put, withHeader, withJson } from './hooks/rewrite.ts';

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
  },
});

const toolErrors = mutantsOf({
  '7.envelope.tool-code': {
    'tool-code-account-not-found': [
      'An unknown account returns 404 with the code "account_not_found".',
      onError({ which: connectOperations, code: 'not_found' }, put('error.code', 'account_not_found')),
    ],
  },
});

const simpleErrors = mutantsOf({
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
    'limiter-body-empty': [
      'The limiter returns 429 without a body.',
      onBlock((response) => ({ ...response, body: '' })),
    ],
  },
});

export const envelopeMutants = [...successes, ...toolErrors, ...simpleErrors, ...limiterErrors];

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
