import type { MutantsByClause } from './mutant.ts';
import { without } from './recipes.ts';

/** Sites: the list, the fields, and a site by its id. */
export const siteMutants: MutantsByClause = {
  '2.site.cms': {
    'site-cms-null': {
      shows: 'cms of a site without one is null.',
      wrong: () => ({
        'site.shown': (shown, { cms }) => (cms.startsWith('none') ? { ...shown, cms: null } : shown),
      }),
    },
  },
  '2.fields-present': {
    'site-language-missing': {
      shows: 'language is missing from a site whose language has a script in its tag.',
      wrong: () => ({
        'site.shown': (shown, { language }) => (language.length > 5 ? without(shown, 'language') : shown),
      }),
    },
  },
  '1.read-only': {
    'sites-can-be-deleted': {
      shows: 'DELETE /sites/{id} answers 200, also for an id that no site has.',
      wrong: () => ({
        answer: (answer, { visit: { method, segments } }) =>
          method === 'DELETE' && segments[0] === 'sites' ? { ...answer, status: 200, body: { data: {} } } : answer,
      }),
    },
  },
  '4.sites.get.same-id': {
    'site-get-other-name': {
      shows: 'GET /sites/{id} puts the domain behind the name, which the list does not.',
      wrong: () => ({ 'site.found': (found) => found && { ...found, name: `${found.name} (${found.domain})` } }),
    },
    'site-get-first-of-organization': {
      shows: 'GET /sites/{id} answers the first site of the organization for the id of any of its sites.',
      wrong: () => ({ 'site.found': (found, { ask }) => found && ask.org.sites[0] }),
    },
  },
  '4.sites.list': {
    'sites-lack-one-at-times': {
      shows: 'Every fifth answer of GET /sites comes from a replica that does not have the last site.',
      needs: 'addresses',
      wrong: () => {
        let asked = 0;
        return {
          'site.list': (sites) => {
            asked += 1;
            return asked % 5 === 0 ? sites.slice(0, -1) : sites;
          },
        };
      },
    },
    'sites-first-listed-twice': {
      shows: 'GET /sites shows the first site again at the end.',
      wrong: () => ({ 'site.list': (sites) => [...sites, ...sites.slice(0, 1)] }),
    },
  },
};
