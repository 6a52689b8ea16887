import type { Context, Fields, Visit } from '../seams.ts';
import type { Answer, Article } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';

/** The first organization's record that a path names; undefined for another path. */
function recordAt({ world }: Context, { method, segments: [kind, id = ''] }: Visit): object | undefined {
  if (method !== 'GET' || (kind !== 'articles' && kind !== 'sites')) return undefined;
  return world.first[kind].find((record) => record.id === id.toLowerCase());
}

const isList = ({ method, segments: [kind, id] }: Visit, name: string): boolean =>
  method === 'GET' && kind === name && id === undefined;

function mapRows(answer: Answer, change: (row: Fields) => Fields): Answer {
  const body = answer.body as { data: Fields[] };
  return answer.status === 200 ? { ...answer, body: { ...body, data: body.data.map(change) } } : answer;
}

const TTL_MS = 30_000;

/** Answers that contradict each other, and answers that something else than this request has earned. */
export const oneTruthMutants: MutantsByClause = {
  '5.missing-key': {
    'record-by-id-needs-no-key': {
      shows: 'GET /articles/{id} and GET /sites/{id} of a record that exists answer 200 without any key.',
      wrong: () => ({
        'key.org': (name, { context, visit }) =>
          visit.key === undefined && recordAt(context, visit) !== undefined ? 'first' : name,
      }),
    },
    'reviews-need-no-key': {
      shows: 'Reviews of an account that exists are answered without any key.',
      wrong: () => ({
        'key.org': (name, { context, visit: { method, segments, key } }) => {
          const isKnown = context.world.first.accounts.some(({ id }) => id === segments[2]?.toLowerCase());
          return key === undefined && method === 'GET' && segments[3] === 'reviews' && isKnown ? 'first' : name;
        },
      }),
    },
    'lists-remembered-for-anyone': {
      shows: 'For half a minute a list is answered from a cache that knows the address of a request and not its key.',
      wrong: () => {
        const kept = new Map<string, { at: number; answer: Answer }>();
        return {
          answer: (answer, { context, visit }) => {
            const name = [...visit.segments, visit.query.toString()].join(' ');
            if (visit.method !== 'GET' || visit.door) return answer;
            const before = kept.get(name);
            if (answer.status === 200) kept.set(name, { at: context.now(), answer });
            const isFresh = before !== undefined && context.now() - before.at < TTL_MS;
            return answer.status === 401 && isFresh ? before.answer : answer;
          },
        };
      },
    },
  },
  '5.invalid-key': {
    'record-by-id-takes-any-key': {
      shows: 'GET /articles/{id} and GET /sites/{id} of a record that exists answer 200 to any key at all.',
      wrong: () => ({
        'key.org': (name, { context, visit }) =>
          visit.key !== undefined && recordAt(context, visit) !== undefined ? (name ?? 'first') : name,
      }),
    },
  },
  '4.articles.list.endpoint': {
    'articles-later-pages-without-words': {
      shows: 'On pages behind a cursor every article has zero words; elsewhere it has as many as it has.',
      wrong: () => ({
        answer: (answer, { visit }) =>
          isList(visit, 'articles') && visit.query.has('cursor')
            ? mapRows(answer, (row) => ({ ...row, wordCount: 0 }))
            : answer,
      }),
    },
    'articles-of-a-site-other-score': {
      shows: 'With siteId an article has another seoScore than without.',
      wrong: () => ({
        answer: (answer, { visit }) =>
          isList(visit, 'articles') && visit.query.has('siteId')
            ? mapRows(answer, (row) => (row.seoScore === null ? row : { ...row, seoScore: 101 - Number(row.seoScore) }))
            : answer,
      }),
    },
    'articles-of-a-site-newly-created': {
      shows: 'With siteId the createdAt of an article is that of its last change.',
      wrong: () => ({
        answer: (answer, { visit }) =>
          isList(visit, 'articles') && visit.query.has('siteId')
            ? mapRows(answer, (row) => ({ ...row, createdAt: row.updatedAt }))
            : answer,
      }),
    },
  },
  '4.articles.get.same-id': {
    'article-updated-when-read': {
      shows: 'updatedAt of GET /articles/{id} is the time of the reading; the list shows that of the last change.',
      wrong: () => ({
        answer: (answer, { context, visit }) => {
          if (recordAt(context, visit) === undefined || visit.segments[0] !== 'articles' || answer.status !== 200)
            return answer;
          const { data } = answer.body as { data: Fields };
          return { ...answer, body: { data: { ...data, updatedAt: new Date(context.now()).toISOString() } } };
        },
      }),
    },
  },
  '4.connect.list-accounts.content': {
    'account-listed-in-two-states': {
      shows: 'The last account stands in the list a second time, expired.',
      wrong: () => ({
        'account.list': (list) => {
          const last = list.accounts.at(-1);
          return last === undefined ? list : { ...list, accounts: [...list.accounts, { ...last, status: 'expired' }] };
        },
      }),
    },
  },
  '4.connect.insights.range': {
    'insights-cached-by-path': {
      shows: 'The insights of an account are those of the range that was asked for first, from a cache by path.',
      wrong: () => {
        const kept = new Map<string, Answer>();
        return {
          answer: (answer, { visit: { method, segments, key } }) => {
            if (method !== 'GET' || segments[3] !== 'insights' || answer.status !== 200) return answer;
            const name = `${key} ${segments.join('/')}`;
            const first = kept.get(name) ?? answer;
            kept.set(name, first);
            return first;
          },
        };
      },
    },
  },
  '4.articles.list.walk': {
    'articles-missing-at-times': {
      shows: 'Each third list comes from a replica that lacks three articles out of the middle.',
      wrong: () => {
        let asked = 0;
        return {
          'article.pool': (pool) => {
            asked += 1;
            const half = Math.floor(pool.length / 2);
            return asked % 3 === 0 ? pool.filter((_: Article, at) => at < half || at > half + 2) : pool;
          },
        };
      },
    },
  },
  '4.keywords.list.of-site': {
    'keywords-of-one-site-for-all': {
      shows: 'Every site has the keywords of the first one, under its own siteId.',
      wrong: () => ({
        'keyword.pool': (pool, { ask }) => {
          const first = pool[0]?.siteId;
          const siteId = ask.query.get('siteId')?.toLowerCase() ?? '';
          const isKnown = ask.org.sites.some(({ id }) => id === siteId);
          return isKnown ? pool.filter((one) => one.siteId === first).map((one) => ({ ...one, siteId })) : pool;
        },
      }),
    },
  },
  '4.connect.list-reviews.endpoint': {
    'reviews-of-one-account-for-all': {
      shows: 'Every account that can show reviews shows those of the first one.',
      wrong: () => ({
        'account.found': (found, { context, wish }) => {
          if (found === undefined || wish.operation !== 'reviews' || wish.writes) return found;
          const rich = context.world.first.accounts.find(({ reviews }) => reviews.length > 5);
          return { ...found, reviews: rich?.reviews ?? [] };
        },
      }),
    },
  },
};
