import { sameId } from '../ids.ts';
import type { Context, Fields, Visit, Wrongness } from '../seams.ts';
import type { Account, Answer, Ask } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';

// Wrong with the second of several only: a test that looks at the first one never sees it.

const REVIEWED = ['google_business', 'facebook_page'];

/** Accounts that can be used; the kit likely looks at the first of them. */
function usable(accounts: readonly Account[]): readonly Account[] {
  return accounts.filter(
    ({ status, locked, provider }) => status === 'connected' && !locked && REVIEWED.includes(provider),
  );
}

/** The first in the place of each other one, on reads of one operation. */
function firstForAll(operation: 'reviews' | 'insights') {
  return () => ({
    'account.found': (
      found: Account | undefined,
      { ask, wish }: { ask: Ask; wish: { operation: string; writes: boolean } },
    ) =>
      found !== undefined && wish.operation === operation && !wish.writes && usable(ask.org.accounts).includes(found)
        ? usable(ask.org.accounts)[0]
        : found,
  });
}

function isSecond({ id }: Account, accounts: readonly Account[]): boolean {
  return usable(accounts).findIndex((one) => sameId(one.id, id)) > 0;
}

/** The answer to the third of equal requests. */
function onThird(isMeant: (visit: Visit) => boolean, change: (answer: Answer) => Answer) {
  return () => {
    const counts = new Map<string, number>();
    return {
      answer: (answer: Answer, { visit }: { context: Context; visit: Visit }) => {
        if (visit.method !== 'GET' || visit.door || answer.status !== 200 || !isMeant(visit)) return answer;
        const name = `${visit.key} ${visit.segments.join('/')}?${visit.query}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
        return counts.get(name) === 3 ? change(answer) : answer;
      },
    };
  };
}

const without = (answer: Answer, rows: unknown): Answer => ({
  ...answer,
  body: { ...(answer.body as Fields), data: rows },
});
const missing: Answer = { status: 404, body: { error: { code: 'not_found', message: 'gone' } } };

/** As if the key were bad, for some accounts. */
function unauthorized(kind: 'reviews' | 'insights', isMeantFor = isSecond): () => Wrongness {
  return () => ({
    answer: (answer, { context, visit: { method, segments, known } }) => {
      const { accounts } = context.world.first;
      const account = accounts.find(({ id }) => sameId(id, segments[2] ?? ''));
      const isMeant = known && method === 'GET' && segments[3] === kind && answer.status === 200;
      if (!isMeant || account === undefined || !isMeantFor(account, accounts)) return answer;
      return { status: 401, body: { error: { code: 'unauthorized', message: 'no' } } };
    },
  });
}

export const secondOnesMutants: MutantsByClause = {
  '5.provider-auth': {
    'reviews-of-second-account-unauthorized': {
      shows: 'Reviews of each account but the first that has some answer 401 unauthorized, although the key is good.',
      wrong: unauthorized('reviews'),
    },
    'insights-of-second-account-unauthorized': {
      shows: 'Insights answer 401 unauthorized, although the key is good, for each account but the first asked for.',
      wrong: () => {
        let first: string | undefined;
        return unauthorized('insights', ({ id }) => {
          first ??= id;
          return first !== id;
        })();
      },
    },
  },
  '4.connect.list-reviews.endpoint': {
    'reviews-of-first-account-for-all': {
      shows: 'Every account that has reviews shows those of the first one.',
      wrong: firstForAll('reviews'),
    },
  },
  '4.articles.list.site-id': {
    'articles-of-second-site-unfiltered': {
      shows: 'GET /articles with the id of the second site shows articles of all sites.',
      wrong: () => ({
        'article.belongs': (belongs, { context, siteId }) => {
          const second = context.world.first.sites[1];
          return second !== undefined && sameId(second.id, siteId ?? '') ? () => true : belongs;
        },
      }),
    },
  },
  '2.review-item.rating': {
    'review-rating-text-of-second-account': {
      shows: 'Reviews of each account but the first that has some have their rating as a string.',
      wrong: () => ({
        'review.page': (page, { ask, account }) => {
          if (!isSecond(account, ask.org.accounts)) return page;
          const reviews = (page.reviews as Fields[]).map((row) => ({ ...row, rating: String(row.rating) }));
          return { ...page, reviews };
        },
      }),
    },
  },
  '4.sites.get.same-id': {
    'site-missing-the-third-time': {
      shows: 'The third of equal requests for a site answers 404, and the fourth 200 again.',
      wrong: onThird(
        ({ segments: [kind, id] }) => kind === 'sites' && id !== undefined,
        () => missing,
      ),
    },
  },
  '4.keywords.list.of-site': {
    'keywords-empty-the-third-time': {
      shows: 'The third of equal requests for keywords shows none, and the fourth all of them again.',
      wrong: onThird(
        ({ segments: [kind] }) => kind === 'keywords',
        (answer) => without(answer, []),
      ),
    },
  },
  '4.connect.insights.endpoint': {
    'insights-without-metrics-the-third-time': {
      shows: 'The third of equal requests for insights shows no metrics, and the fourth all of them again.',
      wrong: onThird(
        ({ segments }) => segments[3] === 'insights',
        (answer) => {
          const { data } = answer.body as { data: Fields };
          return without(answer, { ...data, metrics: [] });
        },
      ),
    },
  },
};
