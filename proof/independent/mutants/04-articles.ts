import { readInstant } from '../time.ts';
import type { Article, Ask } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';
import { bare, day, USUAL_LIMIT } from './recipes.ts';

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

/** Articles: the parameters of the list, the fields, and an article by its id. */
export const articleMutants: MutantsByClause = {
  '4.articles.list.limit': {
    'articles-default-limit-fifty': {
      shows: 'Without a limit a page holds more than 20 articles.',
      wrong: () => ({ 'article.limit': (bounds) => ({ ...bounds, fallback: 50 }) }),
    },
    'articles-limit-hundred-refused': {
      shows: 'limit=100, the largest allowed, is refused.',
      variant: 'strict',
      wrong: () => ({ 'article.limit': (bounds) => ({ ...bounds, max: 99 }) }),
    },
  },
  '4.articles.list.limit-ceiling': {
    'articles-limit-dropped-later': {
      shows: 'The limit holds on the first page; a page after a cursor has up to 20 articles again.',
      wrong: () => ({ 'article.size': (size, { cursor }) => (cursor === undefined ? size : USUAL_LIMIT) }),
    },
    'articles-hundred-and-one': {
      shows: 'With limit=100 a page holds 101 articles: the row read ahead is taken off every page but the largest.',
      variant: 'lavish',
      wrong: () => ({ 'article.size': (size, { limit }) => (limit === 100 ? size + 1 : size) }),
    },
  },
  '8.articles-limit': {
    'articles-limit-one-out-of-range': {
      shows: 'limit=1, the smallest allowed, counts as out of range: refused, or answered with more than one article.',
      wrong: () => ({ 'article.limit': (bounds) => ({ ...bounds, min: 2 }) }),
    },
    'articles-limit-without-ceiling': {
      shows: 'limit=1000 is answered with more than 100 articles.',
      variant: 'lavish',
      wrong: () => ({
        'article.limit': (bounds) => ({ ...bounds, max: Number.POSITIVE_INFINITY }),
        'article.size': (_size, { limit }) => limit,
      }),
    },
    'articles-negative-limit-counts-from-the-end': {
      shows: 'limit=-1 is answered with all articles but one, more than 100 of them.',
      variant: 'lavish',
      wrong: () => ({ 'article.limit': (bounds) => ({ ...bounds, min: Number.NEGATIVE_INFINITY }) }),
    },
  },
  '4.articles.list.statuses': {
    'articles-odd-cursor-crashes': {
      shows: 'A cursor that is not a date-time is answered with 500.',
      wrong: () => ({
        'article.cursor.instant': (_instant, text) => {
          const instant = readInstant(text);
          if (instant === undefined) throw new RangeError('Invalid time value');
          return instant;
        },
        'crash.answer': () => ({
          status: 500,
          body: { error: { code: 'internal_error', message: 'Invalid time value' } },
        }),
      }),
    },
  },
  '2.article.word-count': {
    'article-word-count-fraction': {
      shows: 'wordCount of articles that are being generated is an estimate with a fraction.',
      wrong: () => ({
        'article.shown': (shown, article) =>
          article.status === 'generating' ? { ...shown, wordCount: article.wordCount + 0.5 } : shown,
      }),
    },
  },
  '2.article.published-at': {
    'article-published-day-only': {
      shows: 'publishedAt is a date without a time.',
      wrong: () => ({
        'article.shown': (shown, { published }) =>
          published === null ? shown : { ...shown, publishedAt: day(published) },
      }),
    },
  },
  '2.article.updated-at': {
    'article-updated-with-blank': {
      shows: 'updatedAt of an article that was changed has a blank where ISO 8601 wants a T.',
      wrong: () => ({
        'article.shown': (shown, { createdNs, updatedNs }) =>
          createdNs === updatedNs ? shown : { ...shown, updatedAt: String(shown.updatedAt).replace('T', ' ') },
      }),
    },
  },
  '2.nullable-unmarked': {
    'article-slug-null-while-planned': {
      shows: 'slug of a planned article is null.',
      wrong: () => ({
        'article.shown': (shown, { status }) => (status === 'planned' ? { ...shown, slug: null } : shown),
      }),
    },
  },
  '2.article.status': {
    'article-late-status-archived': {
      shows: 'A few long failed articles, far down the list, have the status "archived".',
      wrong: () => ({
        'article.shown': (shown, { status, wordCount }) =>
          status === 'failed' && wordCount > 2000 ? { ...shown, status: 'archived' } : shown,
      }),
    },
  },
  '2.article.seo-score': {
    'article-small-score-text': {
      shows: 'seoScore below 10 is a string such as "07".',
      wrong: () => ({
        'article.shown': (shown, { seoScore }) =>
          seoScore !== null && seoScore < 10 ? { ...shown, seoScore: `0${seoScore}` } : shown,
      }),
    },
  },
  '2.fields-present': {
    'empty-values-dropped': {
      shows:
        'With the nulls, zeros and empty strings are left out too: wordCount or title is missing in some articles.',
      variant: 'frugal',
      wrong: () => ({ 'article.thin': () => Boolean }),
    },
  },
  '2.article.site-id': {
    'article-site-id-without-hyphens': {
      shows: 'siteId of an article that failed is 32 hexadecimal digits without hyphens.',
      wrong: () => ({
        'article.shown': (shown, { status }) =>
          status === 'failed' ? { ...shown, siteId: bare(shown.siteId) } : shown,
      }),
    },
  },
  '4.articles.get.same-id': {
    'article-get-remembers-first': {
      shows: 'GET /articles/{id} answers the first article ever asked for in place of every other.',
      wrong: () => ({ 'article.found': firstForever() }),
    },
    'article-get-other-count': {
      shows: 'GET /articles/{id} counts the words of the title as well: wordCount is another than in the list.',
      wrong: () => ({
        'article.found': (found) => found && { ...found, wordCount: found.wordCount + found.title.split(' ').length },
      }),
    },
  },
  '4.articles.get.not-found': {
    'article-unknown-is-null': {
      shows: 'An unknown article answers 200 with data: null.',
      wrong: () => ({
        'error.answer': (answer, { refusal, visit }) =>
          refusal.code === 'not_found' && visit.segments[0] === 'articles' && visit.segments.length === 2
            ? { status: 200, body: { data: null } }
            : answer,
      }),
    },
  },
};
