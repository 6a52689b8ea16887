// GET /keywords answered wrongly. Cites 4.keywords.list.*.
import { change } from './hooks/json-path.ts';
import { mutantsOf } from './hooks/mutants-of.ts';
import { onAnswer, onRefusal, onRequest, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, asSuccess, isObject, type Json, withHeader, withQuery, withStatus } from './hooks/rewrite.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const sites = mutantsOf({
  '4.keywords.list.of-site': {
    'keywords-of-another-site-at-end': [
      'The list of GET /keywords ends with one keyword of another site.',
      onSuccess('listKeywords', (body, { organization, query }) => {
        const stranger = organization.keywords.toData().find(({ siteId }) => siteId !== query.siteId?.toLowerCase());
        return change('data', (rows) => [...(rows as Json[]), stranger as unknown as Json])(body);
      }),
    ],
    'keywords-of-all-sites': [
      'GET /keywords answers the keywords of all sites, whichever is asked for.',
      onSuccess('listKeywords', (_body, { organization }) => ({
        data: organization.keywords.toData() as unknown as Json,
      })),
    ],
  },
  '4.keywords.list.site-id': {
    'keywords-none-for-capitals': [
      'GET /keywords answers 200 without keywords when the id of the site is written in capitals.',
      onSuccess('listKeywords', (body, { query }) => (/[A-F]/.test(query.siteId ?? '') ? { data: [] } : body)),
      { verdict: 'warn' },
    ],
    'keywords-one-site-refused': [
      'GET /keywords refuses the id of the second site of GET /sites with 400.',
      onRequest('listKeywords', ({ request, organization, query }) =>
        organization?.sites.list()[1]?.id === query.siteId ? withQuery(request, { siteId: 'second' }) : request,
      ),
    ],
  },
  '4.keywords.list.invalid-site-id': {
    'keywords-by-domain': [
      'GET /keywords takes a domain as `siteId` and answers 200.',
      onRequest('listKeywords', ({ request, organization, query }) => {
        const site = organization?.sites.list().find(({ domain }) => domain === query.siteId);
        return site ? withQuery(request, { siteId: site.id }) : request;
      }),
    ],
  },
});

const refusals = mutantsOf({
  '4.keywords.list.missing-site-id': {
    'keywords-without-site-id': [
      'GET /keywords without `siteId` answers 200 with all keywords.',
      onAnswer('listKeywords', (response, { organization, query }) =>
        organization && query.siteId === undefined
          ? asSuccess(response, { data: organization.keywords.toData() as unknown as Json })
          : response,
      ),
    ],
    'keywords-without-site-id-422': [
      'GET /keywords without `siteId` answers 422.',
      onRefusal({ which: 'listKeywords' }, (response, error, { query }) =>
        query.siteId === undefined && response.status === 400 ? asRefusal(response, 422, error) : response,
      ),
    ],
  },
  '4.keywords.list.invalid-site-id': {
    'keywords-empty-site-id': [
      'GET /keywords with an empty `siteId` answers 200 with an empty list.',
      onAnswer('listKeywords', (response, { organization, query }) =>
        organization && query.siteId === '' ? asSuccess(response, { data: [] }) : response,
      ),
    ],
    'keywords-malformed-site-id-empty': [
      'GET /keywords with a `siteId` that is not a UUID answers 200 with an empty list.',
      onAnswer('listKeywords', (response, { organization, query: { siteId } }) =>
        organization && siteId !== undefined && !uuid.test(siteId) ? asSuccess(response, { data: [] }) : response,
      ),
    ],
  },
});

const answers = mutantsOf({
  '4.keywords.list.endpoint': {
    'keywords-nested': [
      'GET /keywords has its list one level deeper, under `data.keywords`.',
      onSuccess('listKeywords', (body) => (isObject(body) ? { data: { keywords: body.data ?? [] } } : body)),
    ],
    'keywords-null-when-empty': [
      'For a site without keywords GET /keywords has `data` null instead of an empty array.',
      onSuccess('listKeywords', (body) =>
        isObject(body) && Array.isArray(body.data) && body.data.length === 0 ? { data: null } : body,
      ),
    ],
  },
  '4.keywords.list.statuses': {
    'keywords-204-when-empty': [
      'For a site without keywords GET /keywords answers 204.',
      onSuccessAnswer('listKeywords', (response) =>
        response.body === '{"data":[]}' ? { ...withStatus(response, 204), body: '' } : response,
      ),
    ],
  },
  '9.base-path': {
    'keywords-redirected-to-v2': [
      'GET /keywords answers 301 to the same path under `/api/v2`.',
      onSuccessAnswer('listKeywords', (response, { request }) =>
        withHeader(
          { ...withStatus(response, 301), body: '' },
          'location',
          `${request.path.replace('/api/v1/', '/api/v2/')}?${request.query}`,
        ),
      ),
    ],
  },
});

export const keywordMutants = [...sites, ...refusals, ...answers];
