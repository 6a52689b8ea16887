import { invalid } from '../errors.ts';
import { writeInstant } from '../time.ts';
import type { MutantsByClause } from './mutant.ts';

const MS = 1_000_000n;
const MINUTE = 60_000;

/** What a client meets that plays section 6 to the letter: since = now, the position kept, full pages, the last one. */
export const clientScriptMutants: MutantsByClause = {
  '4.calls.since': {
    'calls-since-now-refused': {
      shows: 'The first poll is refused: a since of the last four minutes counts as too young.',
      wrong: () => ({
        'calls.pool': (pool, { ask }) => {
          const since = Date.parse(ask.query.get('since') ?? '');
          if (ask.at - since < 4 * MINUTE) throw invalid([{ path: 'since', message: 'must lie in the past' }]);
          return pool;
        },
      }),
    },
    'calls-since-now-is-the-beginning': {
      shows: 'A since of the last two minutes, as in a first poll, delivers the log from its beginning.',
      wrong: () => {
        let at = 0;
        return {
          'calls.pool': (pool, { ask }) => {
            at = ask.at;
            return pool;
          },
          'calls.follows': (follows, since) => (BigInt(at - 2 * MINUTE) * MS < since ? () => true : follows),
        };
      },
    },
  },
  '4.calls.next-cursor-null': {
    'calls-since-now-moves-on': {
      shows: 'A poll that finds nothing answers the time of the answer as nextCursor, not null, if since is recent.',
      wrong: () => ({
        'calls.cursor': (cursor, { context, ask, page }) => {
          const isRecent = ask.at - Date.parse(ask.query.get('since') ?? '') < 10 * MINUTE;
          return page.length > 0 || !isRecent
            ? cursor
            : writeInstant(BigInt(ask.at) * MS, context.variant.timeFormat, 9);
        },
      }),
    },
  },
  '4.calls.exactly-once': {
    'calls-begin-anew-after-null': {
      shows: 'A client that keeps its position over null is answered the whole log again by its next poll.',
      wrong: () => {
        const ended = new Set<bigint>();
        let last: bigint | undefined;
        return {
          'calls.follows': (follows, since) => (ended.has(since) ? () => true : follows),
          'calls.page': (page, { rest }) => {
            if (rest.length === 0 && last !== undefined) ended.add(last);
            return page;
          },
          'calls.since': (since) => {
            last = since;
            return since;
          },
        };
      },
    },
    'calls-missing-at-times': {
      shows: 'Each third answer comes from a replica that lacks five calls before the last five.',
      wrong: () => {
        let asked = 0;
        return {
          'calls.log': (log) => {
            asked += 1;
            return asked % 3 === 0 ? [...log.slice(0, -10), ...log.slice(-5)] : log;
          },
        };
      },
    },
  },
  '4.calls.next-cursor-string': {
    'calls-cursor-null-on-exact-page': {
      shows: 'nextCursor is null after a page that is exactly full when nothing stands behind it.',
      wrong: () => ({
        'calls.cursor': (cursor, { page, rest, size }) =>
          page.length === size && rest.length === size ? null : cursor,
      }),
    },
  },
  '4.articles.list.end': {
    'articles-hundred-are-the-end': {
      shows: 'After a page of a hundred, the largest, the cursor is null whatever follows.',
      variant: 'lavish',
      wrong: () => ({ 'article.next': (next, { page }) => (page.length === 100 ? null : next) }),
    },
    'articles-none-beyond-a-hundred': {
      shows: 'The list ends after its first hundred articles; filters and ids show that there are more.',
      variant: 'lavish',
      wrong: () => ({
        'article.pool': (pool, { siteId }) =>
          siteId === undefined
            ? [...pool].sort((left, right) => (left.createdNs < right.createdNs ? 1 : -1)).slice(0, 100)
            : pool,
      }),
    },
    'articles-site-ends-one-early': {
      shows: 'With siteId the cursor is null when exactly one article remains.',
      wrong: () => ({
        'article.next': (next, { page, rest, siteId }) =>
          siteId !== undefined && rest.length - page.length === 1 ? null : next,
      }),
    },
    'articles-one-left-is-lost': {
      shows:
        'When exactly one article remains after a page the cursor is null: 57 articles by twenties do not show it.',
      wrong: () => ({
        'article.next': (next, { page, rest }) => (rest.length - page.length === 1 ? null : next),
      }),
    },
  },
};
