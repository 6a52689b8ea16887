import { writeInstant } from '../time.ts';
import type { MutantsByClause } from './mutant.ts';
import { lastOf, USUAL_LIMIT } from './recipes.ts';

const MS = 1_000_000n;

/** From page to page of the articles: what is lost, repeated or out of order, and what the cursor says. */
export const articlePageMutants: MutantsByClause = {
  '4.articles.list.walk': {
    'articles-edge-loses-one': {
      shows:
        'Each later page leaves out its first article: the cursor row is dropped from a page that no longer holds it.',
      wrong: () => ({ 'article.rest': (rest, { cursor }) => (cursor === undefined ? rest : rest.slice(1)) }),
    },
    'articles-row-lost-in-small-pages': {
      shows: 'Behind a cursor a page of fewer than ten articles leaves out its first one; longer pages do not.',
      wrong: () => ({
        'article.rest': (rest, { cursor, limit }) => (cursor === undefined || limit >= 10 ? rest : rest.slice(1)),
      }),
    },
    'articles-edge-repeats-one': {
      shows: 'The last article of a page comes again as the first of the next: the comparison includes the cursor.',
      wrong: () => ({
        'article.follows':
          (after, { cursor }) =>
          (article) =>
            after(article) || article.createdNs === cursor,
      }),
    },
    'articles-cursor-read-to-milliseconds': {
      shows:
        'The cursor is parsed to milliseconds while createdAt is finer: near neighbours at an edge get lost or repeated.',
      variant: 'consuming',
      wrong: () => ({
        'article.cursor.instant': (instant) => (instant === undefined ? undefined : (instant / MS) * MS),
      }),
    },
    'articles-sorted-by-updated-at': {
      shows:
        'The list is sorted by updatedAt but walked by createdAt, which loses an article where the two orders cross.',
      wrong: () => ({
        'article.order':
          (_order, { newestFirst }) =>
          (left, right) => {
            const step = left.updatedNs < right.updatedNs ? -1 : left.updatedNs > right.updatedNs ? 1 : 0;
            return newestFirst ? -step : step;
          },
      }),
    },
    'articles-end-judged-by-default-limit': {
      shows: 'With a limit below 20 the cursor is null after the first page, although articles remain.',
      wrong: () => ({ 'article.next': (next, { page }) => (page.length < USUAL_LIMIT ? null : next) }),
    },
    'articles-end-one-early': {
      shows: 'When exactly one article remains after a page the cursor is null, and that article is never shown.',
      variant: 'frugal',
      wrong: () => ({
        'article.next': (next, { page, rest }) => (rest.length - page.length === 1 ? null : next),
      }),
    },
    'articles-filtered-after-paging': {
      shows:
        'A page is cut before the siteId filter: with a small limit it comes out empty and ends the walk too early.',
      wrong: () => ({
        'article.belongs': () => () => true,
        'article.page': (page, { siteId }) =>
          siteId === undefined ? page : page.filter((one) => one.siteId.toLowerCase() === siteId.toLowerCase()),
      }),
    },
  },
  '4.articles.list.cursor-value': {
    'articles-cursor-of-next-row': {
      shows: 'The cursor is the createdAt of the row read ahead, not of the last article shown, and that row is lost.',
      wrong: () => ({ 'article.next': (next, { rest, size }) => rest[size]?.createdNs ?? next }),
    },
    'articles-cursor-is-updated-at': {
      shows: 'The cursor is the updatedAt of the last article, which differs from its createdAt in three of four.',
      wrong: () => ({ 'article.next': (next, cut) => (next === null ? null : (lastOf(cut)?.updatedNs ?? next)) }),
    },
    'articles-cursor-to-seconds': {
      shows: 'The cursor names the last createdAt without its fraction of a second.',
      variant: 'offsets',
      wrong: () => ({
        'article.cursor': (text, next) => (next === null ? text : writeInstant(next, 'seconds')),
      }),
    },
  },
  '4.articles.list.cursor': {
    'articles-cursor-decoded-twice': {
      shows: 'The plus sign of a cursor, sent as %2B, is taken for a blank, so nobody can read the second page.',
      wrong: () => ({ 'article.cursor.text': (text) => text.replaceAll('+', ' ') }),
    },
  },
  '4.articles.list.end': {
    'articles-end-when-rest-fits': {
      shows: 'The cursor is null as soon as what remains would fit into one more page, and that page is never shown.',
      wrong: () => ({
        'article.next': (next, { page, rest, size }) => (rest.length - page.length <= size ? null : next),
      }),
    },
    'articles-empty-page-echoes-cursor': {
      shows: 'An empty last page answers the cursor that it was asked with, so the walk never ends.',
      variant: 'lavish',
      wrong: () => ({
        'article.next': (next, { page, cursor }) => (page.length === 0 && cursor !== undefined ? cursor : next),
      }),
    },
  },
  '4.articles.list.limit-ceiling': {
    'articles-site-page-one-too-long': {
      shows: 'Beside a siteId a page holds the row that was read ahead as well: one more than the limit.',
      wrong: () => ({ 'article.size': (size, { siteId }) => (siteId === undefined ? size : size + 1) }),
    },
  },
  '4.articles.list.endpoint': {
    'articles-last-page-without-cursor': {
      shows: 'cursor is left out of the last page, where it should be null.',
      wrong: () => ({ 'article.cursor': (text) => text ?? undefined }),
    },
  },
  '4.articles.list.site-id': {
    'articles-site-filter-dropped-later': {
      shows: 'The siteId filter holds on the first page only; pages after a cursor show articles of other sites.',
      wrong: () => ({
        'article.belongs': (belongs, { cursor }) => (cursor === undefined ? belongs : () => true),
      }),
    },
  },
};
