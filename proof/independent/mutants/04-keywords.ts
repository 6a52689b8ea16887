import type { Fields } from '../seams.ts';
import type { MutantsByClause } from './mutant.ts';
import { bare, day } from './recipes.ts';

function emptyIsNull(body: unknown): unknown {
  const { data, ...rest } = body as Fields;
  return { data: Array.isArray(data) && data.length === 0 ? null : data, ...rest };
}

/** Keywords: the list and the fields. */
export const keywordMutants: MutantsByClause = {
  '2.keyword.search-volume': {
    'keyword-large-volume-text': {
      shows: 'searchVolume from 1,000 on is a string with a comma.',
      wrong: () => ({
        'keyword.shown': (shown, { searchVolume }) =>
          searchVolume !== null && searchVolume >= 1000
            ? { ...shown, searchVolume: searchVolume.toLocaleString('en-US') }
            : shown,
      }),
    },
  },
  '2.keyword.difficulty': {
    'keyword-difficulty-share': {
      shows: 'difficulty is a share between 0 and 1 instead of an integer.',
      wrong: () => ({
        'keyword.shown': (shown, { difficulty }) =>
          difficulty === null ? shown : { ...shown, difficulty: (difficulty + 1) / 101 },
      }),
    },
  },
  '2.keyword.created-at': {
    'keyword-created-day-only': {
      shows: 'createdAt of a keyword is a date without a time.',
      wrong: () => ({ 'keyword.shown': (shown, { created }) => ({ ...shown, createdAt: day(created) }) }),
    },
  },
  '2.keyword.id': {
    'keyword-id-without-hyphens': {
      shows: 'id of a keyword is 32 hexadecimal digits without hyphens.',
      wrong: () => ({ 'keyword.shown': (shown) => ({ ...shown, id: bare(shown.id) }) }),
    },
  },
  '4.keywords.list.endpoint': {
    'keywords-listed-twice': {
      shows: 'GET /keywords shows every keyword twice, as a join does.',
      wrong: () => ({ 'keyword.pool': (pool) => pool.flatMap((keyword) => [keyword, keyword]) }),
    },
    'keywords-null-when-none': {
      shows: 'data is null instead of an empty array for a site without keywords.',
      wrong: () => ({
        answer: (answer, { visit }) =>
          visit.segments[0] === 'keywords' && answer.status === 200
            ? { ...answer, body: emptyIsNull(answer.body) }
            : answer,
      }),
    },
  },
  '4.keywords.list.missing-site-id': {
    'keywords-without-site-all': {
      shows: 'GET /keywords without siteId answers 200 with the keywords of all sites.',
      wrong: () => ({
        'keyword.bad-site': (bad, text) => bad && text !== null,
        'keyword.belongs': (belongs, { siteId }) => (siteId === '' ? () => true : belongs),
      }),
    },
  },
  '4.keywords.list.invalid-site-id': {
    'keywords-malformed-site-empty': {
      shows: 'GET /keywords with a siteId that is not a UUID answers 200 with an empty list.',
      wrong: () => ({ 'keyword.bad-site': (_bad, text) => text === null }),
    },
  },
  '4.keywords.list.of-site': {
    'keywords-of-unknown-site-all': {
      shows: 'A siteId that nobody has answers every keyword of the organization.',
      wrong: () => ({ 'keyword.belongs': (belongs, { known }) => (known ? belongs : () => true) }),
    },
  },
};
