import { readInstant, writeInstant } from '../time.ts';
import { type IndependentMutant, lastOf } from './mutant.ts';

const USUAL_LIMIT = 20;
const MS = 1_000_000n;

/** What a cursor can do wrong at the edge of a page, and at the end of the walk. */
export const articleWalkMutants: readonly IndependentMutant[] = [
  {
    name: 'articles-edge-loses-one',
    breaks: '4.articles.list.walk',
    shows:
      'Each later page leaves out its first article: the cursor row is dropped from a page that no longer holds it.',
    needs: 'nothing',
    variants: ['plain', 'lavish', 'offsets'],
    wrong: () => ({ 'article.rest': (rest, { cursor }) => (cursor === undefined ? rest : rest.slice(1)) }),
  },
  {
    name: 'articles-edge-repeats-one',
    breaks: '4.articles.list.walk',
    shows: 'The last article of a page comes again as the first of the next: the comparison includes the cursor.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'article.follows':
        (after, { cursor }) =>
        (article) =>
          after(article) || article.createdNs === cursor,
    }),
  },
  {
    name: 'articles-cursor-of-next-row',
    breaks: '4.articles.list.cursor-value',
    shows: 'The cursor is the createdAt of the row read ahead, not of the last article shown, and that row is lost.',
    needs: 'nothing',
    variants: ['plain', 'basic', 'mixed'],
    wrong: () => ({ 'article.next': (next, { rest, size }) => rest[size]?.createdNs ?? next }),
  },
  {
    name: 'articles-cursor-is-updated-at',
    breaks: '4.articles.list.cursor-value',
    shows: 'The cursor is the updatedAt of the last article, which differs from its createdAt in three of four.',
    needs: 'nothing',
    variants: ['plain', 'lavish', 'tied'],
    wrong: () => ({ 'article.next': (next, cut) => (next === null ? null : (lastOf(cut)?.updatedNs ?? next)) }),
  },
  {
    name: 'articles-cursor-to-seconds',
    breaks: '4.articles.list.cursor-value',
    shows: 'The cursor names the last createdAt without its fraction of a second.',
    needs: 'nothing',
    variants: ['offsets', 'strict', 'unpaid'],
    wrong: () => ({
      'article.cursor': (text, next) => (next === null ? text : writeInstant(next, 'seconds')),
    }),
  },
  {
    name: 'articles-cursor-read-to-milliseconds',
    breaks: '4.articles.list.walk',
    shows:
      'The cursor is parsed to milliseconds while createdAt is finer: near neighbours at an edge get lost or repeated.',
    needs: 'nothing',
    variants: ['consuming', 'lavish', 'unpaid'],
    wrong: () => ({
      'article.cursor.instant': (instant) => (instant === undefined ? undefined : (instant / MS) * MS),
    }),
  },
  {
    name: 'articles-cursor-decoded-twice',
    breaks: '4.articles.list.cursor',
    shows: 'The plus sign of a cursor, sent as %2B, is taken for a blank, so the second page cannot be had.',
    needs: 'nothing',
    variants: ['plain', 'offsets'],
    wrong: () => ({ 'article.cursor.text': (text) => text.replaceAll('+', ' ') }),
  },
  {
    name: 'articles-sorted-by-updated-at',
    breaks: '4.articles.list.walk',
    shows:
      'The list is sorted by updatedAt but walked by createdAt, which loses an article where the two orders cross.',
    needs: 'nothing',
    variants: ['plain', 'basic'],
    wrong: () => ({
      'article.order':
        (_order, { newestFirst }) =>
        (left, right) => {
          const step = left.updatedNs < right.updatedNs ? -1 : left.updatedNs > right.updatedNs ? 1 : 0;
          return newestFirst ? -step : step;
        },
    }),
  },
  {
    name: 'articles-end-judged-by-default-limit',
    breaks: '4.articles.list.walk',
    shows: 'With a limit below 20 the cursor is null after the first page, although articles remain.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({ 'article.next': (next, { page }) => (page.length < USUAL_LIMIT ? null : next) }),
  },
  {
    name: 'articles-end-one-early',
    breaks: '4.articles.list.walk',
    shows: 'When exactly one article remains after a page the cursor is null, and that article is never shown.',
    needs: 'nothing',
    variants: ['frugal', 'plain', 'lavish'],
    wrong: () => ({
      'article.next': (next, { page, rest }) => (rest.length - page.length === 1 ? null : next),
    }),
  },
  {
    name: 'articles-end-when-rest-fits',
    breaks: '4.articles.list.end',
    shows: 'The cursor is null as soon as what remains would fit into one more page, and that page is never shown.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'article.next': (next, { page, rest, size }) => (rest.length - page.length <= size ? null : next),
    }),
  },
  {
    name: 'articles-site-page-one-too-long',
    breaks: '4.articles.list.limit-ceiling',
    shows: 'Beside a siteId a page holds the row that was read ahead as well: one more than the limit.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({ 'article.size': (size, { siteId }) => (siteId === undefined ? size : size + 1) }),
  },
  {
    name: 'articles-empty-page-echoes-cursor',
    breaks: '4.articles.list.end',
    shows: 'An empty last page answers the cursor that it was asked with, so the walk never ends.',
    needs: 'nothing',
    variants: ['lavish', 'basic', 'plain'],
    wrong: () => ({
      'article.next': (next, { page, cursor }) => (page.length === 0 && cursor !== undefined ? cursor : next),
    }),
  },
  {
    name: 'articles-last-page-without-cursor',
    breaks: '4.articles.list.endpoint',
    shows: 'cursor is left out of the last page, where it should be null.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'empty'],
    wrong: () => ({ 'article.cursor': (text) => text ?? undefined }),
  },
  {
    name: 'articles-site-filter-dropped-later',
    breaks: '4.articles.list.site-id',
    shows: 'The siteId filter holds on the first page only; pages after a cursor show articles of other sites.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'offsets'],
    wrong: () => ({
      'article.belongs': (belongs, { cursor }) => (cursor === undefined ? belongs : () => true),
    }),
  },
  {
    name: 'articles-filtered-after-paging',
    breaks: '4.articles.list.walk',
    shows: 'A page is cut before the siteId filter: with a small limit it comes out empty and ends the walk too early.',
    needs: 'nothing',
    variants: ['plain', 'lavish', 'frugal'],
    wrong: () => ({
      'article.belongs': () => () => true,
      'article.page': (page, { siteId }) =>
        siteId === undefined ? page : page.filter((one) => one.siteId.toLowerCase() === siteId.toLowerCase()),
    }),
  },
];

/** What `limit` and the other parameters can do wrong. */
export const articleParameterMutants: readonly IndependentMutant[] = [
  {
    name: 'articles-default-limit-fifty',
    breaks: '4.articles.list.limit',
    shows: 'Without a limit a page holds more than 20 articles.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({ 'article.limit': (bounds) => ({ ...bounds, fallback: 50 }) }),
  },
  {
    name: 'articles-limit-dropped-later',
    breaks: '4.articles.list.limit-ceiling',
    shows: 'The limit holds on the first page; a page after a cursor has up to 20 articles again.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'mixed'],
    wrong: () => ({ 'article.size': (size, { cursor }) => (cursor === undefined ? size : USUAL_LIMIT) }),
  },
  {
    name: 'articles-hundred-and-one',
    breaks: '4.articles.list.limit-ceiling',
    shows: 'With limit=100 a page holds 101 articles: the row read ahead is taken off every page but the largest.',
    needs: 'nothing',
    variants: ['lavish'],
    wrong: () => ({ 'article.size': (size, { limit }) => (limit === 100 ? size + 1 : size) }),
  },
  {
    name: 'articles-limit-hundred-refused',
    breaks: '4.articles.list.limit',
    shows: 'limit=100, the largest allowed, is refused.',
    needs: 'nothing',
    variants: ['strict', 'offsets'],
    wrong: () => ({ 'article.limit': (bounds) => ({ ...bounds, max: 99 }) }),
  },
  {
    name: 'articles-limit-one-out-of-range',
    breaks: '8.articles-limit',
    shows: 'limit=1, the smallest allowed, counts as out of range: refused, or answered with more than one article.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'mixed'],
    wrong: () => ({ 'article.limit': (bounds) => ({ ...bounds, min: 2 }) }),
  },
  {
    name: 'articles-limit-without-ceiling',
    breaks: '8.articles-limit',
    shows: 'limit=1000 is answered with more than 100 articles.',
    needs: 'nothing',
    variants: ['lavish'],
    wrong: () => ({
      'article.limit': (bounds) => ({ ...bounds, max: Number.POSITIVE_INFINITY }),
      'article.size': (_size, { limit }) => limit,
    }),
  },
  {
    name: 'articles-negative-limit-counts-from-the-end',
    breaks: '8.articles-limit',
    shows: 'limit=-1 is answered with all articles but one, more than 100 of them.',
    needs: 'nothing',
    variants: ['lavish'],
    wrong: () => ({ 'article.limit': (bounds) => ({ ...bounds, min: Number.NEGATIVE_INFINITY }) }),
  },
  {
    name: 'articles-odd-cursor-crashes',
    breaks: '4.articles.list.statuses',
    shows: 'A cursor that is no date-time is answered with 500.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'offsets'],
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
];
