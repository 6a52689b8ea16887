// GET /sites and GET /sites/{id} answered wrongly. Cites 4.sites.list, 4.sites.get.*.
import { basePath } from '../http/route.ts';
import { add, change } from './hooks/json-path.ts';
import { mutantsOf } from './hooks/mutants-of.ts';
import { onAnswer, onRefusal, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asCrash, asRefusal, asSuccess, isObject, type Json, withHeader, withStatus } from './hooks/rewrite.ts';

const missing = { code: 'not_found', message: 'No such site in this organization.' };

const lists = mutantsOf({
  '4.sites.list': {
    'sites-one-missing': [
      'GET /sites leaves out a site that articles name and that GET /sites/{id} answers.',
      onSuccess(
        'listSites',
        change('data', (sites) => (Array.isArray(sites) ? sites.filter((_, i) => i !== 1) : sites)),
      ),
    ],
    'sites-not-wrapped': [
      'GET /sites has its list under `sites`, not under `data`.',
      onSuccess('listSites', (body) => (isObject(body) ? { sites: body.data ?? [] } : body)),
    ],
  },
  '4.sites.list.statuses': {
    'sites-206': ['GET /sites answers 206.', onSuccessAnswer('listSites', (response) => withStatus(response, 206))],
  },
  '4.paths-relative': {
    'sites-redirected-off-base': [
      'GET /sites answers 308 with a Location outside the base address.',
      onSuccessAnswer('listSites', (response) =>
        withHeader({ ...withStatus(response, 308), body: '' }, 'location', '/sites'),
      ),
    ],
  },
});

const byId = mutantsOf({
  '4.sites.get.endpoint': {
    'site-by-id-unwrapped': [
      'GET /sites/{id} answers the site itself, without `data` around it.',
      onSuccess('getSite', (body) => (isObject(body) ? (body.data ?? null) : body)),
    ],
    'site-by-id-last-404': [
      'GET /sites/{id} answers 404 for the last site of the list.',
      onSuccessAnswer('getSite', (response, { organization, match }) =>
        organization.sites.list().at(-1)?.id === match.path.id ? asRefusal(response, 404, missing) : response,
      ),
    ],
  },
  '4.sites.get.same-id': {
    'site-by-id-first': [
      'GET /sites/{id} of the second site answers the first one.',
      onSuccess('getSite', (body, { organization, match }) => {
        const sites = organization.sites.list();
        return sites[1]?.id === match.path.id ? { data: sites[0] as unknown as Json } : body;
      }),
    ],
    'site-by-id-new-identity': [
      'The site that GET /sites/{id} returns has another, well-formed `id` than the one asked for.',
      onSuccess('getSite', add('data', { id: '0f0f0f0f-1111-4222-8333-444444444444' })),
    ],
  },
  '4.sites.get.id': {
    'site-by-domain': [
      'GET /sites/{id} takes a domain instead of an id and answers 200.',
      onAnswer('getSite', (response, { organization, match }) => {
        const found = organization?.sites.list().find(({ domain }) => domain === match.path.id);
        return found ? asSuccess(response, { data: found as unknown as Json }) : response;
      }),
    ],
  },
  '4.sites.get.not-found': {
    'site-unknown-is-null': [
      'GET /sites/{id} of an unknown site answers 200 with `data` null.',
      onRefusal({ which: 'getSite', code: 'not_found' }, (response) => asSuccess(response, { data: null })),
    ],
    'site-unknown-is-first': [
      'GET /sites/{id} of an unknown site answers 200 with the first site.',
      onRefusal({ which: 'getSite', code: 'not_found' }, (response, _error, { organization }) =>
        asSuccess(response, { data: (organization?.sites.list()[0] ?? null) as unknown as Json }),
      ),
    ],
  },
  '4.sites.get.statuses': {
    'site-unknown-redirects': [
      'GET /sites/{id} of an unknown site answers 302 to the list.',
      onRefusal({ which: 'getSite', code: 'not_found' }, (response) =>
        withHeader(withStatus(response, 302), 'location', `${basePath}/sites`),
      ),
    ],
    'site-malformed-id-500': [
      'GET /sites/{id} with an id that is not a UUID answers 500.',
      onRefusal({ which: 'getSite', code: 'not_found' }, (response, _error, { match }) =>
        /^[0-9a-f-]{36}$/i.test(match.path.id ?? '')
          ? response
          : asCrash(response, 'invalid input syntax for type uuid'),
      ),
    ],
  },
});

export const siteMutants = [...lists, ...byId];
