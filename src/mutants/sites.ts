// GET /sites and GET /sites/{id} answered wrongly. Cites 4.sites.list, 4.sites.get.*.
import { basePath } from '../http/route.ts';
import { add, change } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { onAnswer, onRefusal, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, asSuccess, isObject, type Json, withHeader, withStatus } from './hooks/rewrite.ts';

const missing = { code: 'not_found', message: 'No such site in this organization.' };

const lists: readonly Mutant[] = [
  {
    name: 'sites-one-missing',
    breaks: '4.sites.list',
    shows: 'GET /sites leaves out a site that articles name and that GET /sites/{id} answers.',
    wrap: onSuccess(
      'listSites',
      change('data', (sites) => (Array.isArray(sites) ? sites.filter((_, i) => i !== 1) : sites)),
    ),
  },
  {
    name: 'sites-by-id-map',
    breaks: '4.sites.list',
    shows: 'GET /sites has an object with the ids as members for `data`, not an array.',
    wrap: onSuccess(
      'listSites',
      change('data', (sites) => Object.fromEntries((sites as { id: string }[]).map((site) => [site.id, site]))),
    ),
  },
  {
    name: 'sites-not-wrapped',
    breaks: '4.sites.list',
    shows: 'GET /sites has its list under `sites`, not under `data`.',
    wrap: onSuccess('listSites', (body) => (isObject(body) ? { sites: body.data ?? [] } : body)),
  },
  {
    name: 'sites-206',
    breaks: '4.sites.list.statuses',
    shows: 'GET /sites answers 206.',
    wrap: onSuccessAnswer('listSites', (response) => withStatus(response, 206)),
  },
  {
    name: 'sites-redirected-off-base',
    breaks: '4.paths-relative',
    shows: 'GET /sites answers 308 with a Location outside the base address.',
    wrap: onSuccessAnswer('listSites', (response) =>
      withHeader({ ...withStatus(response, 308), body: '' }, 'location', '/sites'),
    ),
  },
];

const byId: readonly Mutant[] = [
  {
    name: 'site-by-id-unwrapped',
    breaks: '4.sites.get.endpoint',
    shows: 'GET /sites/{id} answers the site itself, without `data` around it.',
    wrap: onSuccess('getSite', (body) => (isObject(body) ? (body.data ?? null) : body)),
  },
  {
    name: 'site-by-id-last-404',
    breaks: '4.sites.get.endpoint',
    shows: 'GET /sites/{id} answers 404 for the last site of the list.',
    wrap: onSuccessAnswer('getSite', (response, { organization, match }) =>
      organization.sites.list().at(-1)?.id === match.path.id ? asRefusal(response, 404, missing) : response,
    ),
  },
  {
    name: 'site-by-id-first',
    breaks: '4.sites.get.same-id',
    shows: 'GET /sites/{id} of the second site answers the first one.',
    wrap: onSuccess('getSite', (body, { organization, match }) => {
      const sites = organization.sites.list();
      return sites[1]?.id === match.path.id ? { data: sites[0] as unknown as Json } : body;
    }),
  },
  {
    name: 'site-by-id-new-identity',
    breaks: '4.sites.get.same-id',
    shows: 'The site that GET /sites/{id} returns has another, well-formed `id` than the one asked for.',
    wrap: onSuccess('getSite', add('data', { id: '0f0f0f0f-1111-4222-8333-444444444444' })),
  },
  {
    name: 'site-by-domain',
    breaks: '4.sites.get.id',
    shows: 'GET /sites/{id} takes a domain instead of an id and answers 200.',
    wrap: onAnswer('getSite', (response, { organization, match }) => {
      const found = organization?.sites.list().find(({ domain }) => domain === match.path.id);
      return found ? asSuccess(response, { data: found as unknown as Json }) : response;
    }),
  },
  {
    name: 'site-unknown-is-null',
    breaks: '4.sites.get.not-found',
    shows: 'GET /sites/{id} of an unknown site answers 200 with `data` null.',
    wrap: onRefusal({ which: 'getSite', code: 'not_found' }, (response) => asSuccess(response, { data: null })),
  },
  {
    name: 'site-unknown-is-first',
    breaks: '4.sites.get.not-found',
    shows: 'GET /sites/{id} of an unknown site answers 200 with the first site.',
    wrap: onRefusal({ which: 'getSite', code: 'not_found' }, (response, _error, { organization }) =>
      asSuccess(response, { data: (organization?.sites.list()[0] ?? null) as unknown as Json }),
    ),
  },
  {
    name: 'site-unknown-redirects',
    breaks: '4.sites.get.statuses',
    shows: 'GET /sites/{id} of an unknown site answers 302 to the list.',
    wrap: onRefusal({ which: 'getSite', code: 'not_found' }, (response) =>
      withHeader(withStatus(response, 302), 'location', `${basePath}/sites`),
    ),
  },
  {
    name: 'site-malformed-id-500',
    breaks: '4.sites.get.statuses',
    shows: 'GET /sites/{id} with an id that is no UUID answers 500.',
    wrap: onRefusal({ which: 'getSite', code: 'not_found' }, (response, _error, { match }) =>
      /^[0-9a-f-]{36}$/i.test(match.path.id ?? '')
        ? response
        : asRefusal(response, 500, { code: 'internal_error', message: 'invalid input syntax for type uuid' }),
    ),
  },
];

export const siteMutants: readonly Mutant[] = [...lists, ...byId];
