import type { Fields } from '../seams.ts';
import type { Article, Ask } from '../types.ts';
import { type IndependentMutant, without } from './mutant.ts';

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function bare(id: unknown): string {
  return String(id).replaceAll('-', '');
}

/** Remembers the first article an organization asked for and hands it out for each of its later ones. */
function firstForever(): (found: Article | undefined, about: { ask: Ask }) => Article | undefined {
  const kept = new Map<string, Article>();
  return (found, { ask }) => {
    if (found === undefined) return undefined;
    const first = kept.get(ask.org.name) ?? found;
    kept.set(ask.org.name, first);
    return first;
  };
}

/** Fields of articles, sites and keywords written wrongly, most of them in some rows only. */
export const fieldMutants: readonly IndependentMutant[] = [
  {
    name: 'article-word-count-fraction',
    breaks: '2.article.word-count',
    shows: 'wordCount of articles that are being generated is an estimate with a fraction.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'article.shown': (shown, article) =>
        article.status === 'generating' ? { ...shown, wordCount: article.wordCount + 0.5 } : shown,
    }),
  },
  {
    name: 'article-published-day-only',
    breaks: '2.article.published-at',
    shows: 'publishedAt is a date without a time.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'article.shown': (shown, { published }) =>
        published === null ? shown : { ...shown, publishedAt: day(published) },
    }),
  },
  {
    name: 'article-updated-with-blank',
    breaks: '2.article.updated-at',
    shows: 'updatedAt of an article that was changed has a blank where ISO 8601 wants a T.',
    needs: 'nothing',
    variants: ['plain', 'offsets'],
    wrong: () => ({
      'article.shown': (shown, { createdNs, updatedNs }) =>
        createdNs === updatedNs ? shown : { ...shown, updatedAt: String(shown.updatedAt).replace('T', ' ') },
    }),
  },
  {
    name: 'article-slug-null-while-planned',
    breaks: '2.nullable-unmarked',
    shows: 'slug of a planned article is null.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'article.shown': (shown, { status }) => (status === 'planned' ? { ...shown, slug: null } : shown),
    }),
  },
  {
    name: 'article-late-status-archived',
    breaks: '2.article.status',
    shows: 'A few long failed articles, far down the list, have the status "archived".',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'article.shown': (shown, { status, wordCount }) =>
        status === 'failed' && wordCount > 2000 ? { ...shown, status: 'archived' } : shown,
    }),
  },
  {
    name: 'article-small-score-text',
    breaks: '2.article.seo-score',
    shows: 'seoScore below 10 is a string such as "07".',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'article.shown': (shown, { seoScore }) =>
        seoScore !== null && seoScore < 10 ? { ...shown, seoScore: `0${seoScore}` } : shown,
    }),
  },
  {
    name: 'empty-values-dropped',
    breaks: '2.fields-present',
    shows: 'With the nulls, zeros and empty strings are left out too: wordCount or title is missing in some articles.',
    needs: 'nothing',
    variants: ['frugal'],
    wrong: () => ({ 'article.thin': () => Boolean }),
  },
  {
    name: 'site-cms-null',
    breaks: '2.site.cms',
    shows: 'cms of a site without one is null.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'site.shown': (shown, { cms }) => (cms.startsWith('none') ? { ...shown, cms: null } : shown),
    }),
  },
  {
    name: 'site-language-missing',
    breaks: '2.fields-present',
    shows: 'language is missing from a site whose language has a script in its tag.',
    needs: 'nothing',
    variants: ['plain', 'mixed'],
    wrong: () => ({
      'site.shown': (shown, { language }) => (language.length > 5 ? without(shown, 'language') : shown),
    }),
  },
  {
    name: 'keyword-large-volume-text',
    breaks: '2.keyword.search-volume',
    shows: 'searchVolume from 1,000 on is a string with a comma.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'keyword.shown': (shown, { searchVolume }) =>
        searchVolume !== null && searchVolume >= 1000
          ? { ...shown, searchVolume: searchVolume.toLocaleString('en-US') }
          : shown,
    }),
  },
  {
    name: 'keyword-difficulty-share',
    breaks: '2.keyword.difficulty',
    shows: 'difficulty is a share between 0 and 1 instead of an integer.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'keyword.shown': (shown, { difficulty }) =>
        difficulty === null ? shown : { ...shown, difficulty: (difficulty + 1) / 101 },
    }),
  },
  {
    name: 'keyword-created-day-only',
    breaks: '2.keyword.created-at',
    shows: 'createdAt of a keyword is a date without a time.',
    needs: 'nothing',
    variants: ['plain', 'basic'],
    wrong: () => ({ 'keyword.shown': (shown, { created }) => ({ ...shown, createdAt: day(created) }) }),
  },
  {
    name: 'keyword-id-without-hyphens',
    breaks: '2.keyword.id',
    shows: 'id of a keyword is 32 hexadecimal digits without hyphens.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({ 'keyword.shown': (shown) => ({ ...shown, id: bare(shown.id) }) }),
  },
  {
    name: 'article-site-id-without-hyphens',
    breaks: '2.article.site-id',
    shows: 'siteId of an article that failed is 32 hexadecimal digits without hyphens.',
    needs: 'nothing',
    variants: ['plain', 'mixed'],
    wrong: () => ({
      'article.shown': (shown, { status }) => (status === 'failed' ? { ...shown, siteId: bare(shown.siteId) } : shown),
    }),
  },
];

function emptyIsNull(body: unknown): unknown {
  const { data, ...rest } = body as Fields;
  return { data: Array.isArray(data) && data.length === 0 ? null : data, ...rest };
}

/** Single records and keyword lists: the wrong one, one that is not there, or the wrong answer for it. */
export const lookupMutants: readonly IndependentMutant[] = [
  {
    name: 'article-get-remembers-first',
    breaks: '4.articles.get.same-id',
    shows: 'GET /articles/{id} answers the first article ever asked for in place of every other.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({ 'article.found': firstForever() }),
  },
  {
    name: 'article-get-other-count',
    breaks: '4.articles.get.same-id',
    shows: 'GET /articles/{id} counts the words of the title as well: wordCount is another than in the list.',
    needs: 'nothing',
    variants: ['plain', 'mixed'],
    wrong: () => ({
      'article.found': (found) => found && { ...found, wordCount: found.wordCount + found.title.split(' ').length },
    }),
  },
  {
    name: 'site-get-other-name',
    breaks: '4.sites.get.same-id',
    shows: 'GET /sites/{id} puts the domain behind the name, which the list does not.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'site.found': (found) => found && { ...found, name: `${found.name} (${found.domain})` } }),
  },
  {
    name: 'sites-first-listed-twice',
    breaks: '4.sites.list',
    shows: 'GET /sites shows the first site again at the end.',
    needs: 'nothing',
    variants: ['plain', 'mixed'],
    wrong: () => ({ 'site.list': (sites) => [...sites, ...sites.slice(0, 1)] }),
  },
  {
    name: 'keywords-listed-twice',
    breaks: '4.keywords.list.endpoint',
    shows: 'GET /keywords shows every keyword twice, as a join does.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'keyword.pool': (pool) => pool.flatMap((keyword) => [keyword, keyword]) }),
  },
  {
    name: 'site-get-first-of-organization',
    breaks: '4.sites.get.same-id',
    shows: 'GET /sites/{id} answers the first site of the organization for the id of any of its sites.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'site.found': (found, { ask }) => found && ask.org.sites[0] }),
  },
  {
    name: 'article-unknown-is-null',
    breaks: '4.articles.get.not-found',
    shows: 'An unknown article answers 200 with data: null.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'error.answer': (answer, { refusal, visit }) =>
        refusal.code === 'not_found' && visit.segments[0] === 'articles' && visit.segments.length === 2
          ? { status: 200, body: { data: null } }
          : answer,
    }),
  },
  {
    name: 'keywords-without-site-all',
    breaks: '4.keywords.list.missing-site-id',
    shows: 'GET /keywords without siteId answers 200 with the keywords of all sites.',
    needs: 'nothing',
    variants: ['plain', 'frugal'],
    wrong: () => ({
      'keyword.bad-site': (bad, text) => bad && text !== null,
      'keyword.belongs': (belongs, { siteId }) => (siteId === '' ? () => true : belongs),
    }),
  },
  {
    name: 'keywords-malformed-site-empty',
    breaks: '4.keywords.list.invalid-site-id',
    shows: 'GET /keywords with a siteId that is no UUID answers 200 with an empty list.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({ 'keyword.bad-site': (_bad, text) => text === null }),
  },
  {
    name: 'keywords-of-unknown-site-all',
    breaks: '4.keywords.list.of-site',
    shows: 'A siteId that nobody has answers every keyword of the organization.',
    needs: 'nothing',
    variants: ['plain', 'mixed'],
    wrong: () => ({ 'keyword.belongs': (belongs, { known }) => (known ? belongs : () => true) }),
  },
  {
    name: 'keywords-null-when-none',
    breaks: '4.keywords.list.endpoint',
    shows: 'data is null instead of an empty array for a site without keywords.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      answer: (answer, { visit }) =>
        visit.segments[0] === 'keywords' && answer.status === 200
          ? { ...answer, body: emptyIsNull(answer.body) }
          : answer,
    }),
  },
];
