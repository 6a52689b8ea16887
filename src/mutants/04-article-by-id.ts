// GET /articles/{id} answered wrongly. Cites 4.articles.get.*, 1.unknown-record.
import { add } from './hooks/json-path.ts';
import { mutantsOf } from './hooks/mutants-of.ts';
import { onAnswer, onRefusal, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asCrash, asRefusal, asSuccess, isObject, type Json } from './hooks/rewrite.ts';

export const articleByIdMutants = mutantsOf({
  '4.articles.get.endpoint': {
    'article-by-id-unwrapped': [
      'GET /articles/{id} answers the article itself, without `data` around it.',
      onSuccess('getArticle', (body) => (isObject(body) ? (body.data ?? null) : body)),
    ],
    'article-by-id-unless-published-404': [
      'GET /articles/{id} answers 404 for an article of the list that is not published.',
      onSuccessAnswer('getArticle', (response, { organization, match }) =>
        organization.articles.get(match.path.id ?? '')?.status === 'published'
          ? response
          : asRefusal(response, 404, { code: 'not_found', message: 'No such article in this organization.' }),
      ),
    ],
  },
  '4.articles.get.same-id': {
    'article-by-id-neighbour': [
      'The id of the fifth article of a page of the list answers the sixth one.',
      onSuccess('getArticle', (body, { organization, match }) => {
        const rows = organization.articles.toData();
        const rank = rows.findIndex(({ id }) => id === match.path.id?.toLowerCase());
        return rank % 20 === 4 ? { data: (rows[rank + 1] ?? rows[rank]) as unknown as Json } : body;
      }),
    ],
    'article-by-id-always-newest': [
      'GET /articles/{id} answers the newest article, whichever is asked for.',
      onSuccess('getArticle', (_body, { organization }) => ({
        data: organization.articles.toData()[0] as unknown as Json,
      })),
    ],
    'article-by-id-new-identity': [
      'The article that GET /articles/{id} returns has another, well-formed `id` than the one asked for.',
      onSuccess('getArticle', add('data', { id: '0f0f0f0f-1111-4222-8333-444444444444' })),
    ],
  },
  '4.articles.get.id': {
    'article-by-slug': [
      'GET /articles/{id} takes a slug instead of an id and answers 200.',
      onAnswer('getArticle', (response, { organization, match }) => {
        const found = organization?.articles.toData().find(({ slug }) => slug === match.path.id);
        return found ? asSuccess(response, { data: found as unknown as Json }) : response;
      }),
    ],
  },
  '4.articles.get.not-found': {
    'article-unknown-is-null': [
      'GET /articles/{id} of an unknown article answers 200 with `data` null.',
      onRefusal({ which: 'getArticle', code: 'not_found' }, (response) => asSuccess(response, { data: null })),
    ],
    'article-unknown-says-article-not-found': [
      'GET /articles/{id} of an unknown article answers 404 with the code "article_not_found".',
      onRefusal({ which: 'getArticle', code: 'not_found' }, (response, { message }) =>
        asRefusal(response, 404, { code: 'article_not_found', message: message ?? '' }),
      ),
    ],
  },
  '1.unknown-record': {
    'article-unknown-forbidden': [
      'GET /articles/{id} of an unknown article answers 403 "forbidden".',
      onRefusal({ which: 'getArticle', code: 'not_found' }, (response) =>
        asRefusal(response, 403, { code: 'forbidden', message: 'You may not see this article.' }),
      ),
    ],
  },
  '4.articles.get.statuses': {
    'article-unknown-500': [
      'GET /articles/{id} of an unknown article answers 500.',
      onRefusal({ which: 'getArticle', code: 'not_found' }, (response) =>
        asCrash(response, 'Cannot read properties of null.'),
      ),
    ],
  },
});
