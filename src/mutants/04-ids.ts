// Ids and inputs at the far end of their range: the nil UUID, unknown accounts, limits below 1, nulls, bytes.
import type { Organization } from '../domain/world.ts';
import { mutantsOf, type Wrap } from './hooks/mutant.ts';
import { onQuery, onRejection, onRequest, onResponse, onSuccess, type Which } from './hooks/recipes.ts';
import { asRejection, asSuccess, isObject, type Json } from './hooks/rewrite.ts';

const isNil = (id: string | undefined) => /^[0-]{36}$/.test(id ?? '');
const isUuid = (id: string | undefined) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id ?? '');

/** The nil UUID stands for the first record of a list. */
const nilIsFirst = (which: Which, listOf: (organization: Organization) => readonly object[]): Wrap =>
  onRejection({ which }, (response, _error, { organization, match }) =>
    organization && isNil(match.path.id)
      ? asSuccess(response, { data: (listOf(organization)[0] ?? null) as unknown as Json })
      : response,
  );

const lenient: Wrap = onRequest(['createPost', 'replyToReview', 'createConnectLink'], ({ request }) =>
  request.body === null
    ? request
    : { ...request, body: new TextEncoder().encode(new TextDecoder().decode(request.body)) },
);

export const idMutants = mutantsOf({
  '4.articles.get.not-found': {
    'article-nil-is-newest': [
      'GET /articles/{id} of the nil UUID returns 200 with the newest article.',
      nilIsFirst('getArticle', ({ articles }) => articles.toData()),
    ],
  },
  '4.sites.get.not-found': {
    'site-nil-is-first': [
      'GET /sites/{id} of the nil UUID returns 200 with the first site.',
      nilIsFirst('getSite', ({ sites }) => sites.list()),
    ],
  },
  '7.code.unauthorized': {
    'malformed-id-401': [
      'An article or site id that is not a UUID returns 401, although the key is valid.',
      onResponse(['getArticle', 'getSite'], (response, { organization, match }) =>
        organization && !isUuid(match.path.id)
          ? asRejection(response, 401, { code: 'unauthorized', message: 'Not allowed.' })
          : response,
      ),
    ],
  },
  '4.connect.unknown-account': {
    'unknown-account-502': [
      'Every unknown account returns 502, as if its platform had a problem.',
      onRejection({ which: ['listReviews', 'getInsights'], code: 'not_found' }, (response) =>
        asRejection(response, 502, { code: 'provider_error', message: 'The platform returned an error.' }),
      ),
    ],
  },
  '4.articles.list.site-id': {
    'articles-of-all-for-capitals': [
      'GET /articles returns the articles of all sites if `siteId` is in uppercase.',
      onQuery('listArticles', 'siteId', (siteId) => (siteId === siteId?.toLowerCase() ? siteId : null)),
    ],
    'articles-of-all-for-unknown-site': [
      'GET /articles with a `siteId` that no site has returns the articles of all sites.',
      onQuery('listArticles', 'siteId', (siteId, { organization }) =>
        organization && isUuid(siteId) && !organization.sites.list().some(({ id }) => id === siteId?.toLowerCase())
          ? null
          : siteId,
      ),
    ],
  },
  '4.articles.list.limit': {
    'articles-limit-zero-is-100': [
      'GET /articles with `limit=0` returns up to 100 articles.',
      onQuery('listArticles', 'limit', (limit) => (limit === '0' ? '100' : limit)),
      { result: 'warn' },
    ],
  },
  '8.articles-limit': {
    'articles-limit-capped-at-50': [
      'GET /articles returns at most 50 articles for every `limit`.',
      onQuery('listArticles', 'limit', (limit) => (Number(limit) > 50 && Number(limit) <= 100 ? '50' : limit)),
      { result: 'warn' },
    ],
  },
  '4.articles.get.same-id': {
    'article-by-id-null-is-empty': [
      'GET /articles/{id} shows an empty `targetKeyword` where the list shows null.',
      onSuccess('getArticle', (body) =>
        isObject(body) && isObject(body.data)
          ? { ...body, data: { ...body.data, targetKeyword: body.data.targetKeyword ?? '' } }
          : body,
      ),
    ],
  },
  '4.json': {
    'bodies-without-utf-8-accepted': [
      'A body with bytes that are not UTF-8 is read as if it were JSON.',
      lenient,
      { result: 'warn' },
    ],
  },
});
