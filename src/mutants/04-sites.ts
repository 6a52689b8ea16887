// Wrong responses to GET /sites and GET /sites/{id}. Cites 4.sites.list, 4.sites.get.*.

import { basePath } from '../http/route.ts';
import { mutantsOf } from './hooks/mutant.ts';
import { onField, onQuery, onRejection, onResponse, onSuccess, onSuccessResponse } from './hooks/recipes.ts';
import {
  add,
  asCrash,
  asRejection,
  asSuccess,
  change,
  isObject,
  type Json,
  lift,
  withHeader,
  withStatus,
} from './hooks/rewrite.ts';

const missing = { code: 'not_found', message: 'No such site in this organization.' };

export const siteMutants = mutantsOf({
  '4.sites.list': {
    'sites-one-missing': [
      'GET /sites leaves out a site that articles name and that GET /sites/{id} returns.',
      onField('listSites', 'data', (sites) => (Array.isArray(sites) ? sites.filter((_, i) => i !== 1) : sites)),
    ],
    'sites-not-wrapped': [
      'GET /sites has its list under `sites`, not under `data`.',
      onSuccess('listSites', (body) => (isObject(body) ? { sites: body.data ?? [] } : body)),
    ],
  },
  '4.sites.list.statuses': {
    'sites-206': ['GET /sites returns 206.', onSuccessResponse('listSites', (response) => withStatus(response, 206))],
  },
  '4.paths-relative': {
    'sites-redirected-off-base': [
      'GET /sites returns 308 with a Location outside the base address.',
      onSuccessResponse('listSites', (response) =>
        withHeader({ ...withStatus(response, 308), body: '' }, 'location', '/sites'),
      ),
    ],
  },
  '4.sites.get.endpoint': {
    'site-by-id-unwrapped': [
      'GET /sites/{id} returns the site itself, without `data` around it.',
      onSuccess('getSite', lift('', 'data')),
    ],
    'site-by-id-last-404': [
      'GET /sites/{id} returns 404 for the last site of the list.',
      onSuccessResponse('getSite', (response, { organization, match }) =>
        organization.sites.list().at(-1)?.id === match.path.id ? asRejection(response, 404, missing) : response,
      ),
    ],
  },
  '4.sites.get.same-id': {
    'site-by-id-first': [
      'GET /sites/{id} of the second site returns the first one.',
      onSuccess('getSite', (body, { organization, match }) => {
        const sites = organization.sites.list();
        return sites[1]?.id === match.path.id ? { data: sites[0] as unknown as Json } : body;
      }),
    ],
    'site-by-id-new-identity': [
      'The site that GET /sites/{id} returns has another, well-formed `id` than the requested one.',
      onSuccess('getSite', add('data', { id: '0f0f0f0f-1111-4222-8333-444444444444' })),
    ],
  },
  '4.sites.get.id': {
    'site-by-domain': [
      'GET /sites/{id} takes a domain instead of an id and returns 200.',
      onResponse('getSite', (response, { organization, match }) => {
        const found = organization?.sites.list().find(({ domain }) => domain === match.path.id);
        return found ? asSuccess(response, { data: found as unknown as Json }) : response;
      }),
    ],
  },
  '4.sites.get.not-found': {
    'site-unknown-is-null': [
      'GET /sites/{id} of an unknown site returns 200 with `data` null.',
      onRejection({ which: 'getSite', code: 'not_found' }, (response) => asSuccess(response, { data: null })),
    ],
    'site-unknown-is-first': [
      'GET /sites/{id} of an unknown site returns 200 with the first site.',
      onRejection({ which: 'getSite', code: 'not_found' }, (response, _error, { organization }) =>
        asSuccess(response, { data: (organization?.sites.list()[0] ?? null) as unknown as Json }),
      ),
    ],
  },
  '4.sites.get.statuses': {
    'site-unknown-redirects': [
      'GET /sites/{id} of an unknown site returns 302 to the list.',
      onRejection({ which: 'getSite', code: 'not_found' }, (response) =>
        withHeader(withStatus(response, 302), 'location', `${basePath}/sites`),
      ),
    ],
    'site-malformed-id-500': [
      'GET /sites/{id} with an id that is not a UUID returns 500.',
      onRejection({ which: 'getSite', code: 'not_found' }, (response, _error, { match }) =>
        /^[0-9a-f-]{36}$/i.test(match.path.id ?? '')
          ? response
          : asCrash(response, 'invalid input syntax for type uuid'),
      ),
    ],
  },
});

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const keywordMutants = mutantsOf({
  '4.keywords.list.of-site': {
    'keywords-of-all-for-nil-uuid': [
      'GET /keywords with a `siteId` of zeros returns the keywords of all sites.',
      onResponse('listKeywords', (response, { organization, query }) => {
        const isNil = organization !== null && /^[0-]{36}$/.test(query.siteId ?? '');
        return isNil ? asSuccess(response, { data: organization.keywords.toData() as unknown as Json }) : response;
      }),
    ],
    'keywords-of-another-site-at-end': [
      'The list of GET /keywords ends with one keyword of another site.',
      onSuccess('listKeywords', (body, { organization, query }) => {
        const stranger = organization.keywords.toData().find(({ siteId }) => siteId !== query.siteId?.toLowerCase());
        return change('data', (rows) => [...(rows as Json[]), stranger as unknown as Json])(body);
      }),
    ],
    'keywords-of-all-sites': [
      'GET /keywords returns the keywords of all sites for every siteId.',
      onSuccess('listKeywords', (_body, { organization }) => ({
        data: organization.keywords.toData() as unknown as Json,
      })),
    ],
  },
  '4.keywords.list.site-id': {
    'keywords-none-for-capitals': [
      'GET /keywords returns 200 without keywords when the id of the site is written in capitals.',
      onSuccess('listKeywords', (body, { query }) => (/[A-F]/.test(query.siteId ?? '') ? { data: [] } : body)),
      { result: 'warn' },
    ],
    'keywords-one-site-refused': [
      'GET /keywords rejects the id of the second site of GET /sites with 400.',
      onQuery('listKeywords', 'siteId', (siteId, { organization }) =>
        organization?.sites.list()[1]?.id === siteId ? 'second' : siteId,
      ),
    ],
  },
  '4.keywords.list.invalid-site-id': {
    'keywords-by-domain': [
      'GET /keywords takes a domain as `siteId` and returns 200.',
      onQuery('listKeywords', 'siteId', (siteId, { organization }) => {
        const site = organization?.sites.list().find(({ domain }) => domain === siteId);
        return site?.id ?? siteId;
      }),
    ],
    'keywords-empty-site-id': [
      'GET /keywords with an empty `siteId` returns 200 with an empty list.',
      onResponse('listKeywords', (response, { organization, query }) =>
        organization && query.siteId === '' ? asSuccess(response, { data: [] }) : response,
      ),
    ],
    'keywords-malformed-site-id-empty': [
      'GET /keywords with a `siteId` that is not a UUID returns 200 with an empty list.',
      onResponse('listKeywords', (response, { organization, query: { siteId } }) =>
        organization && siteId !== undefined && !uuid.test(siteId) ? asSuccess(response, { data: [] }) : response,
      ),
    ],
  },
  '4.keywords.list.missing-site-id': {
    'keywords-without-site-id': [
      'GET /keywords without `siteId` returns 200 with all keywords.',
      onResponse('listKeywords', (response, { organization, query }) =>
        organization && query.siteId === undefined
          ? asSuccess(response, { data: organization.keywords.toData() as unknown as Json })
          : response,
      ),
    ],
    'keywords-without-site-id-422': [
      'GET /keywords without `siteId` returns 422.',
      onRejection({ which: 'listKeywords' }, (response, error, { query }) =>
        query.siteId === undefined && response.status === 400 ? asRejection(response, 422, error) : response,
      ),
    ],
  },
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
      'For a site without keywords GET /keywords returns 204.',
      onSuccessResponse('listKeywords', (response) =>
        response.body === '{"data":[]}' ? { ...withStatus(response, 204), body: '' } : response,
      ),
    ],
  },
  '9.base-path': {
    'keywords-redirected-to-v2': [
      'GET /keywords returns 301 to the same path under `/api/v2`.',
      onSuccessResponse('listKeywords', (response, { request }) =>
        withHeader(
          { ...withStatus(response, 301), body: '' },
          'location',
          `${request.path.replace('/api/v1/', '/api/v2/')}?${request.query}`,
        ),
      ),
    ],
  },
});
