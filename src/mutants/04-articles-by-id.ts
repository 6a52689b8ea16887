// GET /articles/{id} found and rejected wrongly. Cites 4.articles.get.*.

import { percentDecoded } from '../contract/percent.ts';
import { mutantsOf } from './hooks/mutant.ts';
import { onRejection, onRequest, onResponse, onSuccess, onSuccessResponse } from './hooks/recipes.ts';
import { add, asCrash, asRejection, asSuccess, type Json, lift, withSegment } from './hooks/rewrite.ts';

export const articleByIdMutants = mutantsOf({
  '4.articles.get.endpoint': {
    'article-by-id-unwrapped': [
      'GET /articles/{id} returns the article itself, without `data` around it.',
      onSuccess('getArticle', lift('', 'data')),
    ],
    'article-by-id-old-404': [
      'GET /articles/{id} returns 404 for an article of the list if 30 or more are newer.',
      onSuccessResponse('getArticle', (response, { organization, match }) =>
        organization.articles.toData().findIndex(({ id }) => id === match.path.id?.toLowerCase()) < 30
          ? response
          : asRejection(response, 404, { code: 'not_found', message: 'No such article in this organization.' }),
      ),
    ],
    'article-by-id-unless-published-404': [
      'GET /articles/{id} returns 404 for an article of the list that is not published.',
      onSuccessResponse('getArticle', (response, { organization, match }) =>
        organization.articles.get(match.path.id ?? '')?.status === 'published'
          ? response
          : asRejection(response, 404, { code: 'not_found', message: 'No such article in this organization.' }),
      ),
    ],
  },
  '4.articles.get.same-id': {
    'article-by-id-neighbour': [
      'GET /articles/{id} returns the sixth article of a page for the id of the fifth one.',
      onSuccess('getArticle', (body, { organization, match }) => {
        const rows = organization.articles.toData();
        const rank = rows.findIndex(({ id }) => id === match.path.id?.toLowerCase());
        return rank % 20 === 4 ? { data: (rows[rank + 1] ?? rows[rank]) as unknown as Json } : body;
      }),
    ],
    'article-by-id-always-newest': [
      'GET /articles/{id} returns the newest article for every id.',
      onSuccess('getArticle', (_body, { organization }) => ({
        data: organization.articles.toData()[0] as unknown as Json,
      })),
    ],
    'article-by-id-new-identity': [
      'The article that GET /articles/{id} returns has another, well-formed `id` than the requested one.',
      onSuccess('getArticle', add('data', { id: '0f0f0f0f-1111-4222-8333-444444444444' })),
    ],
  },
  '4.articles.get.id': {
    'article-by-slug': [
      'GET /articles/{id} takes a slug instead of an id and returns 200.',
      onResponse('getArticle', (response, { organization, match }) => {
        const found = organization?.articles.toData().find(({ slug }) => slug === match.path.id);
        return found ? asSuccess(response, { data: found as unknown as Json }) : response;
      }),
    ],
  },
  '4.articles.get.not-found': {
    'article-id-decoded-twice': [
      'GET /articles/{id} decodes the id twice.',
      onRequest('getArticle', ({ request, match }) => withSegment(request, 1, percentDecoded(match.path.id ?? ''))),
    ],
    'article-unknown-is-null': [
      'GET /articles/{id} of an unknown article returns 200 with `data` null.',
      onRejection({ which: 'getArticle', code: 'not_found' }, (response) => asSuccess(response, { data: null })),
    ],
    'article-unknown-says-article-not-found': [
      'GET /articles/{id} of an unknown article returns 404 with the code "article_not_found".',
      onRejection({ which: 'getArticle', code: 'not_found' }, (response, { message }) =>
        asRejection(response, 404, { code: 'article_not_found', message: message ?? '' }),
      ),
    ],
  },
  '1.unknown-record': {
    'article-unknown-forbidden': [
      'GET /articles/{id} of an unknown article returns 403 "forbidden".',
      onRejection({ which: 'getArticle', code: 'not_found' }, (response) =>
        asRejection(response, 403, { code: 'forbidden', message: 'You may not see this article.' }),
      ),
    ],
  },
  '4.articles.get.statuses': {
    'article-unknown-500': [
      'GET /articles/{id} of an unknown article returns 500.',
      onRejection({ which: 'getArticle', code: 'not_found' }, (response) =>
        asCrash(response, 'Cannot read properties of null.'),
      ),
    ],
  },
});
