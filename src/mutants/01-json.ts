// Answers that are not JSON, not the whole of it, or not called so.
import { change } from './hooks/json-path.ts';
import { mutantsOf } from './hooks/mutants-of.ts';
import { onRefusal, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { withHeader, withoutHeader } from './hooks/rewrite.ts';

const type = 'content-type';

export const jsonMutants = mutantsOf({
  '1.http-json': {
    'sites-with-guard-prefix': [
      'The body of GET /sites begins with a guard such as ")]}\'," and so is not JSON.',
      onSuccessAnswer('listSites', (response) => ({ ...response, body: `)]}',\n${String(response.body)}` })),
    ],
    'articles-empty-body-when-empty': [
      'An empty page of GET /articles answers 200 with an empty body.',
      onSuccessAnswer('listArticles', (response) =>
        String(response.body).startsWith('{"data":[]') ? { ...response, body: '' } : response,
      ),
      { needs: 'second-key' },
    ],
  },
  '4.json': {
    'insights-not-a-number': [
      'Insights have NaN for the total of their last metric, which is not JSON.',
      onSuccessAnswer('getInsights', (response) => ({
        ...response,
        body: String(response.body).replace(/"total":\d+(?!.*"total":)/s, '"total":NaN'),
      })),
    ],
    'accounts-as-html': [
      'GET /connect/accounts calls its JSON `text/html`.',
      onSuccessAnswer('listAccounts', (response) => withHeader(response, type, 'text/html; charset=utf-8')),
    ],
    'keywords-without-content-type': [
      'GET /keywords has no `Content-Type`.',
      onSuccessAnswer('listKeywords', (response) => withoutHeader(response, type)),
    ],
    'not-found-as-html': [
      'An unknown article answers 404 with an HTML page.',
      onRefusal({ which: 'getArticle', code: 'not_found' }, (response) => ({
        ...withHeader(response, type, 'text/html'),
        body: '<html><head><title>404 Not Found</title></head><body><h1>404 Not Found</h1></body></html>',
      })),
      { needs: 'second-key' },
    ],
    'unknown-account-empty-body': [
      'Reviews of an unknown account answer 404 with an empty body.',
      onRefusal({ which: 'listReviews', code: 'not_found' }, (response) => ({ ...response, body: '' })),
    ],
    'unauthorized-plain-text': [
      'A bad key answers 401 with the plain text "Unauthorized".',
      onRefusal({ code: 'unauthorized' }, (response) => ({
        ...withHeader(response, type, 'text/plain'),
        body: 'Unauthorized',
      })),
    ],
    'review-text-cut-inside-a-string': [
      'A page of reviews whose texts have line breaks sends them unescaped, which is not JSON.',
      onSuccessAnswer('listReviews', (response) => ({
        ...response,
        body: String(response.body).replaceAll('\\n', '\n'),
      })),
    ],
    'call-log-twice-encoded': [
      'The call log answers a JSON string that holds JSON.',
      onSuccess(
        'listCalls',
        change('', (body) => JSON.stringify(body)),
      ),
    ],
  },
});
