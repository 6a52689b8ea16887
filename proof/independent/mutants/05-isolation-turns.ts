import { notFound, Refusal } from '../errors.ts';
import type { Context, Fields } from '../seams.ts';
import type { Account, Article, Org, Review } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';

// What one organization has asked shows in what another is answered.

const KEPT_MS = 20_000;

function everyone({ world }: Context): readonly Org[] {
  return [world.first, world.second];
}

export const isolationTurnMutants: MutantsByClause = {
  '1.foreign-record': {
    'reviews-kept-for-everyone': {
      shows: 'Once its owner has read the reviews of an account, everybody may, for twenty seconds.',
      needs: 'second-key',
      wrong: () => {
        const read = new Map<string, { at: number; account: Account }>();
        return {
          'account.found': (found, { ask, id, wish }) => {
            if (wish.operation !== 'reviews') return found;
            if (found) read.set(id.toLowerCase(), { at: ask.at, account: found });
            const kept = read.get(id.toLowerCase());
            return found ?? (kept && ask.at - kept.at < KEPT_MS ? kept.account : undefined);
          },
        };
      },
    },
    'review-of-anyone-found': {
      shows: 'A reply finds its review by the id alone, of whichever organization that is.',
      needs: 'second-key and writes',
      wrong: () => {
        const known = new Map<string, Review>();
        return {
          'review.page': (page, { account }) => {
            for (const review of account.reviews) known.set(review.id, review);
            return page;
          },
          'review.known': (isKnown, { id }) => isKnown || known.has(id),
          'reply.review': (found, { id }) => found ?? known.get(id),
        };
      },
    },
    'article-kept-for-everyone': {
      shows: 'An article that was read is answered to another organization as well, for twenty seconds.',
      needs: 'second-key',
      wrong: () => {
        const read = new Map<string, { at: number; article: Article }>();
        return {
          'article.found': (found, { ask }) => {
            const id = ask.segments[1] ?? '';
            const known = read.get(id);
            if (found !== undefined) read.set(id, { at: ask.at, article: found });
            return found ?? (known !== undefined && ask.at - known.at < KEPT_MS ? known.article : undefined);
          },
        };
      },
    },
    'article-open-after-its-owner': {
      shows: 'An article that its organization has read is answered to every key from then on.',
      needs: 'second-key',
      wrong: () => {
        const read = new Map<string, Article>();
        return {
          'article.found': (found, { ask }) => {
            const id = ask.segments[1] ?? '';
            if (found !== undefined) read.set(id, found);
            return found ?? read.get(id);
          },
        };
      },
    },
    'site-kept-for-everyone': {
      shows: 'A site that was read is answered to another organization as well, for twenty seconds.',
      needs: 'second-key',
      wrong: () => {
        const read = new Map<string, { at: number; site: Org['sites'][number] }>();
        return {
          'site.found': (found, { ask }) => {
            const id = ask.segments[1] ?? '';
            const known = read.get(id);
            if (found !== undefined) read.set(id, { at: ask.at, site: found });
            return found ?? (known !== undefined && ask.at - known.at < KEPT_MS ? known.site : undefined);
          },
        };
      },
    },
    'expired-account-betrayed': {
      shows: 'Reviews of an expired account of another organization answer 401 provider_auth.',
      needs: 'second-key',
      wrong: () => ({
        'account.found': (found, { context, id, wish }) => {
          const all = everyone(context).flatMap(({ accounts }) => accounts);
          const theirs = all.find((account) => account.id === id.toLowerCase());
          const isTold = found === undefined && wish.operation === 'reviews' && theirs?.status === 'expired';
          if (isTold) throw new Refusal('provider_auth', { message: 'reconnect the account' });
          return found;
        },
      }),
    },
  },
  '5.key-organization': {
    'article-missing-for-everyone': {
      shows: 'An article that one organization asked for in vain is missing for its owner, too, for twenty seconds.',
      needs: 'second-key',
      wrong: () => {
        const missed = new Map<string, { at: number; org: Org }>();
        return {
          'article.found': (found, { ask }) => {
            const id = ask.segments[1] ?? '';
            const known = missed.get(id);
            if (found === undefined) missed.set(id, { at: ask.at, org: ask.org });
            if (known !== undefined && known.org !== ask.org && ask.at - known.at < KEPT_MS) throw notFound('article');
            return found;
          },
        };
      },
    },
  },
  '1.organization-scope': {
    'link-among-all-invites': {
      shows: 'A new link stands among the invites of every organization; those that were there before do not.',
      needs: 'second-key and writes',
      wrong: () => ({
        'link.data': (data, { context, ask }) => {
          const made = ask.org.invites.at(-1);
          for (const org of everyone(context)) if (made !== undefined && org !== ask.org) org.invites.push(made);
          return data;
        },
      }),
    },
    'mcp-door-of-one-organization': {
      shows: 'The tools of the MCP door show the first organization to every key.',
      needs: 'second-key',
      wrong: () => ({ 'key.org': (name, { visit }) => (visit.door && name !== undefined ? 'first' : name) }),
    },
    'reviews-cursor-of-anyone': {
      shows: 'A cursor of reviews leads to the list that it was given out for, whoever sends it to whichever account.',
      needs: 'second-key',
      wrong: () => {
        const behind = new Map<unknown, Account>();
        return {
          'account.found': (found, { ask, wish }) =>
            found && wish.operation === 'reviews' ? (behind.get(ask.query.get('cursor')) ?? found) : found,
          'review.page': (page, { account }) => {
            if (!behind.has(page.nextCursor)) behind.set(page.nextCursor, account);
            return page;
          },
        };
      },
    },
    'reviews-of-the-first-everywhere': {
      shows: 'The reviews of another organization are those that were asked for first.',
      needs: 'second-key',
      wrong: () => {
        let known: { org: Org; page: Fields } | undefined;
        return {
          'review.page': (page, { ask }) => {
            known ??= { org: ask.org, page };
            return known.org === ask.org ? page : { ...page, reviews: known.page.reviews };
          },
        };
      },
    },
  },
};
