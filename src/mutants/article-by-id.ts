// GET /articles/{id} answered wrongly. Cites 4.articles.get.*, 1.unknown-record.
import { add, change } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { onAnswer, onRefusal, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, asSuccess, isObject, type Json, withStatus } from './hooks/rewrite.ts';

export const articleByIdMutants: readonly Mutant[] = [
  {
    name: 'article-by-id-unwrapped',
    breaks: '4.articles.get.endpoint',
    shows: 'GET /articles/{id} answers the article itself, without `data` around it.',
    wrap: onSuccess('getArticle', (body) => (isObject(body) ? (body.data ?? null) : body)),
  },
  {
    name: 'article-by-id-in-array',
    breaks: '4.articles.get.endpoint',
    shows: 'GET /articles/{id} has an array with one article as `data`.',
    wrap: onSuccess(
      'getArticle',
      change('data', (article) => [article]),
    ),
  },
  {
    name: 'article-by-id-unless-published-404',
    breaks: '4.articles.get.endpoint',
    shows: 'GET /articles/{id} answers 404 for an article of the list that is not published.',
    wrap: onSuccessAnswer('getArticle', (response, { organization, match }) =>
      organization.articles.get(match.path.id ?? '')?.status === 'published'
        ? response
        : asRefusal(response, 404, { code: 'not_found', message: 'No such article in this organization.' }),
    ),
  },
  {
    name: 'article-by-id-neighbour',
    breaks: '4.articles.get.same-id',
    shows: 'The id of the fifth article of a page of the list answers the sixth one.',
    wrap: onSuccess('getArticle', (body, { organization, match }) => {
      const rows = organization.articles.toData();
      const rank = rows.findIndex(({ id }) => id === match.path.id?.toLowerCase());
      return rank % 20 === 4 ? { data: (rows[rank + 1] ?? rows[rank]) as unknown as Json } : body;
    }),
  },
  {
    name: 'article-by-id-always-newest',
    breaks: '4.articles.get.same-id',
    shows: 'GET /articles/{id} answers the newest article, whichever is asked for.',
    wrap: onSuccess('getArticle', (_body, { organization }) => ({
      data: organization.articles.toData()[0] as unknown as Json,
    })),
  },
  {
    name: 'article-by-id-new-identity',
    breaks: '4.articles.get.same-id',
    shows: 'The article that GET /articles/{id} returns has another, well-formed `id` than the one asked for.',
    wrap: onSuccess('getArticle', add('data', { id: '0f0f0f0f-1111-4222-8333-444444444444' })),
  },
  {
    name: 'article-by-slug',
    breaks: '4.articles.get.id',
    shows: 'GET /articles/{id} takes a slug instead of an id and answers 200.',
    wrap: onAnswer('getArticle', (response, { organization, match }) => {
      const found = organization?.articles.toData().find(({ slug }) => slug === match.path.id);
      return found ? asSuccess(response, { data: found as unknown as Json }) : response;
    }),
  },
  {
    name: 'article-unknown-is-null',
    breaks: '4.articles.get.not-found',
    shows: 'GET /articles/{id} of an unknown article answers 200 with `data` null.',
    wrap: onRefusal({ which: 'getArticle', code: 'not_found' }, (response) => asSuccess(response, { data: null })),
  },
  {
    name: 'article-unknown-is-empty-204',
    breaks: '4.articles.get.not-found',
    shows: 'GET /articles/{id} of an unknown article answers 204.',
    wrap: onRefusal({ which: 'getArticle', code: 'not_found' }, (response) => ({
      ...withStatus(response, 204),
      body: '',
    })),
  },
  {
    name: 'article-unknown-says-article-not-found',
    breaks: '4.articles.get.not-found',
    shows: 'GET /articles/{id} of an unknown article answers 404 with the code "article_not_found".',
    wrap: onRefusal({ which: 'getArticle', code: 'not_found' }, (response, { message }) =>
      asRefusal(response, 404, { code: 'article_not_found', message: message ?? '' }),
    ),
  },
  {
    name: 'article-unknown-forbidden',
    breaks: '1.unknown-record',
    shows: 'GET /articles/{id} of an unknown article answers 403 "forbidden".',
    wrap: onRefusal({ which: 'getArticle', code: 'not_found' }, (response) =>
      asRefusal(response, 403, { code: 'forbidden', message: 'You may not see this article.' }),
    ),
  },
  {
    name: 'article-unknown-500',
    breaks: '4.articles.get.statuses',
    shows: 'GET /articles/{id} of an unknown article answers 500.',
    wrap: onRefusal({ which: 'getArticle', code: 'not_found' }, (response) =>
      asRefusal(response, 500, { code: 'internal_error', message: 'Cannot read properties of null.' }),
    ),
  },
];
