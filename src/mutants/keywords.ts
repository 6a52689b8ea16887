// GET /keywords answered wrongly. Cites 4.keywords.list.*.
import { change } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { onAnswer, onRefusal, onRequest, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, asSuccess, isObject, type Json, withHeader, withQuery, withStatus } from './hooks/rewrite.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const sites: readonly Mutant[] = [
  {
    name: 'keywords-of-another-site-at-end',
    breaks: '4.keywords.list.of-site',
    shows: 'The list of GET /keywords ends with one keyword of another site.',
    wrap: onSuccess('listKeywords', (body, { organization, query }) => {
      const stranger = organization.keywords.toData().find(({ siteId }) => siteId !== query.siteId?.toLowerCase());
      return change('data', (rows) => [...(rows as Json[]), stranger as unknown as Json])(body);
    }),
  },
  {
    name: 'keywords-of-all-sites',
    breaks: '4.keywords.list.of-site',
    shows: 'GET /keywords answers the keywords of all sites, whichever is asked for.',
    wrap: onSuccess('listKeywords', (_body, { organization }) => ({
      data: organization.keywords.toData() as unknown as Json,
    })),
  },
  {
    name: 'keywords-one-site-refused',
    breaks: '4.keywords.list.site-id',
    shows: 'GET /keywords refuses the id of the second site of GET /sites with 400.',
    wrap: onRequest('listKeywords', ({ request, organization, query }) =>
      organization?.sites.list()[1]?.id === query.siteId ? withQuery(request, { siteId: 'second' }) : request,
    ),
  },
  {
    name: 'keywords-by-domain',
    breaks: '4.keywords.list.invalid-site-id',
    shows: 'GET /keywords takes a domain as `siteId` and answers 200.',
    wrap: onRequest('listKeywords', ({ request, organization, query }) => {
      const site = organization?.sites.list().find(({ domain }) => domain === query.siteId);
      return site ? withQuery(request, { siteId: site.id }) : request;
    }),
  },
];

const refusals: readonly Mutant[] = [
  {
    name: 'keywords-without-site-id',
    breaks: '4.keywords.list.missing-site-id',
    shows: 'GET /keywords without `siteId` answers 200 with all keywords.',
    wrap: onAnswer('listKeywords', (response, { organization, query }) =>
      organization && query.siteId === undefined
        ? asSuccess(response, { data: organization.keywords.toData() as unknown as Json })
        : response,
    ),
  },
  {
    name: 'keywords-without-site-id-422',
    breaks: '4.keywords.list.missing-site-id',
    shows: 'GET /keywords without `siteId` answers 422.',
    wrap: onRefusal({ which: 'listKeywords' }, (response, error, { query }) =>
      query.siteId === undefined && response.status === 400 ? asRefusal(response, 422, error) : response,
    ),
  },
  {
    name: 'keywords-empty-site-id',
    breaks: '4.keywords.list.invalid-site-id',
    shows: 'GET /keywords with an empty `siteId` answers 200 with an empty list.',
    wrap: onAnswer('listKeywords', (response, { organization, query }) =>
      organization && query.siteId === '' ? asSuccess(response, { data: [] }) : response,
    ),
  },
  {
    name: 'keywords-malformed-site-id-empty',
    breaks: '4.keywords.list.invalid-site-id',
    shows: 'GET /keywords with a `siteId` that is no UUID answers 200 with an empty list.',
    wrap: onAnswer('listKeywords', (response, { organization, query: { siteId } }) =>
      organization && siteId !== undefined && !uuid.test(siteId) ? asSuccess(response, { data: [] }) : response,
    ),
  },
  {
    name: 'keywords-malformed-site-id-500',
    breaks: '4.keywords.list.statuses',
    shows: 'GET /keywords with a `siteId` that is no UUID answers 500.',
    wrap: onRefusal({ which: 'listKeywords' }, (response, _error, { query: { siteId } }) =>
      siteId !== undefined && !uuid.test(siteId) && response.status === 400
        ? asRefusal(response, 500, { code: 'internal_error', message: 'invalid input syntax for type uuid' })
        : response,
    ),
  },
];

const answers: readonly Mutant[] = [
  {
    name: 'keywords-nested',
    breaks: '4.keywords.list.endpoint',
    shows: 'GET /keywords has its list one level deeper, under `data.keywords`.',
    wrap: onSuccess('listKeywords', (body) => (isObject(body) ? { data: { keywords: body.data ?? [] } } : body)),
  },
  {
    name: 'keywords-null-when-empty',
    breaks: '4.keywords.list.endpoint',
    shows: 'For a site without keywords GET /keywords has `data` null instead of an empty array.',
    wrap: onSuccess('listKeywords', (body) =>
      isObject(body) && Array.isArray(body.data) && body.data.length === 0 ? { data: null } : body,
    ),
  },
  {
    name: 'keywords-204-when-empty',
    breaks: '4.keywords.list.statuses',
    shows: 'For a site without keywords GET /keywords answers 204.',
    wrap: onSuccessAnswer('listKeywords', (response) =>
      response.body === '{"data":[]}' ? { ...withStatus(response, 204), body: '' } : response,
    ),
  },
  {
    name: 'keywords-redirected-to-v2',
    breaks: '9.base-path',
    shows: 'GET /keywords answers 301 to the same path under `/api/v2`.',
    wrap: onSuccessAnswer('listKeywords', (response, { request }) =>
      withHeader(
        { ...withStatus(response, 301), body: '' },
        'location',
        `${request.path.replace('/api/v1/', '/api/v2/')}?${request.query}`,
      ),
    ),
  },
];

export const keywordMutants: readonly Mutant[] = [...sites, ...refusals, ...answers];
