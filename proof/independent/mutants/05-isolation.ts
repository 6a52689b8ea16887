import { Refusal } from '../errors.ts';
import type { Context } from '../seams.ts';
import type { Org } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';

function everyone({ world }: Context): readonly Org[] {
  return [world.first, world.second];
}

/** Records of one organization that another one sees. */
export const isolationMutants: MutantsByClause = {
  '1.foreign-record': {
    'article-of-another-organization': {
      shows: 'GET /articles/{id} answers the article of another organization.',
      needs: 'second-key',
      wrong: () => ({
        'article.records': (_records, { context }) => everyone(context).flatMap((org) => org.articles),
      }),
    },
    'site-of-another-organization': {
      shows: 'GET /sites/{id} answers the site of another organization.',
      needs: 'second-key',
      wrong: () => ({ 'site.records': (_records, { context }) => everyone(context).flatMap((org) => org.sites) }),
    },
    'foreign-article-forbidden': {
      shows: 'An article of another organization answers 403, and so betrays that it exists.',
      needs: 'second-key',
      wrong: () => ({
        'article.found': (found, { context, ask }) => {
          const theirs = everyone(context).flatMap((org) => org.articles);
          const hit = theirs.some((article) => article.id === ask.segments[1]?.toLowerCase());
          if (found === undefined && hit) throw new Refusal('forbidden', { message: 'not yours' });
          return found;
        },
      }),
    },
    'reviews-cursor-opens-any-account': {
      shows:
        'Behind a cursor the reviews of an account of another organization are shown: the cursor is taken for proof.',
      needs: 'second-key',
      wrong: () => ({
        'account.found': (found, { context, ask, id, wish }) => {
          if (wish.operation !== 'reviews' || !ask.query.has('cursor')) return found;
          return everyone(context)
            .flatMap((org) => org.accounts)
            .find((account) => account.id === id.toLowerCase());
        },
      }),
    },
    'insights-of-another-organization': {
      shows: 'Insights of an account of another organization are answered with 200.',
      needs: 'second-key',
      wrong: () => ({
        'account.found': (found, { context, id, wish }) => {
          if (wish.operation !== 'insights') return found;
          return everyone(context)
            .flatMap((org) => org.accounts)
            .find((account) => account.id === id.toLowerCase());
        },
      }),
    },
  },
  '1.organization-scope': {
    'articles-of-foreign-site': {
      shows: 'GET /articles?siteId= with the site of another organization lists its articles.',
      needs: 'second-key',
      wrong: () => ({
        'article.site-known': () => true,
        'article.pool': (pool, { context, siteId }) =>
          siteId === undefined ? pool : everyone(context).flatMap((org) => org.articles),
      }),
    },
    'keywords-of-foreign-site': {
      shows: 'GET /keywords?siteId= with the site of another organization lists its keywords.',
      needs: 'second-key',
      wrong: () => ({ 'keyword.pool': (_pool, { context }) => everyone(context).flatMap((org) => org.keywords) }),
    },
    'accounts-of-everyone': {
      shows: 'GET /connect/accounts lists the accounts of other organizations too.',
      needs: 'second-key',
      wrong: () => ({ 'account.pool': (_pool, { context }) => everyone(context).flatMap((org) => org.accounts) }),
    },
    'calls-three-of-the-first-organization': {
      shows: 'The call log of the second organization holds three calls of the first one among its own.',
      needs: 'second-key',
      wrong: () => ({
        'calls.pool': (pool, { context, ask }) => {
          const { first, second } = context.world;
          const settled = first.calls.filter(({ ended }) => ended !== null).slice(-3);
          return ask.org === second ? [...pool, ...settled] : pool;
        },
      }),
    },
    'calls-of-everyone-with-since': {
      shows: 'With since the call log shows the calls of other organizations too; without it, only the own ones.',
      needs: 'second-key',
      wrong: () => ({
        'calls.pool': (pool, { context, ask }) =>
          ask.query.has('since') ? everyone(context).flatMap((org) => org.calls) : pool,
      }),
    },
    'calls-of-whom-the-cursor-was-for': {
      shows:
        'A nextCursor of the call log, sent with the key of another organization, goes on with the calls of the first.',
      needs: 'second-key',
      wrong: () => {
        const given = new Map<string, Org>();
        return {
          'calls.pool': (pool, { ask }) => given.get(ask.query.get('since') ?? '')?.calls ?? pool,
          'calls.cursor': (cursor, { ask }) => {
            if (cursor && !given.has(cursor)) given.set(cursor, ask.org);
            return cursor;
          },
        };
      },
    },
    'articles-of-whom-the-cursor-was-for': {
      shows: 'A cursor of GET /articles, sent with the key of another organization, shows the articles of the first.',
      needs: 'second-key',
      wrong: () => {
        const given = new Map<string, Org>();
        let last: Org | undefined;
        return {
          'article.pool': (pool, { ask, siteId }) => {
            last = ask.org;
            const owner = siteId === undefined ? given.get(ask.query.get('cursor') ?? '') : undefined;
            return owner?.articles ?? pool;
          },
          'article.cursor': (text) => {
            if (text && last && !given.has(text)) given.set(text, last);
            return text;
          },
        };
      },
    },
    'calls-of-everyone': {
      shows: 'The call log shows the calls of other organizations too.',
      needs: 'second-key',
      wrong: () => ({ 'calls.pool': (_pool, { context }) => everyone(context).flatMap((org) => org.calls) }),
    },
  },
  '4.sites.list': {
    'sites-remembered-for-everyone': {
      shows: 'Within half a minute of a list of sites another organization is answered the same list.',
      needs: 'second-key',
      wrong: () => {
        let kept: { at: number; sites: Org['sites'] } | undefined;
        return {
          'site.list': (sites, { ask }) => {
            if (kept === undefined || ask.at - kept.at > 30_000) kept = { at: ask.at, sites: [...sites] };
            return kept.sites;
          },
        };
      },
    },
  },
};
