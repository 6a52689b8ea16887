import { Refusal } from '../errors.ts';
import type { Context } from '../seams.ts';
import type { Org } from '../types.ts';
import { type IndependentMutant, recoded } from './mutant.ts';

function everyone({ world }: Context): readonly Org[] {
  return [world.first, world.second];
}

/** The key: who gets in, and what those who do not are told. */
export const keyMutants: readonly IndependentMutant[] = [
  {
    name: 'revoked-key-accepted',
    breaks: '5.revoked-key',
    shows: 'A revoked key is served as if it were good.',
    needs: 'revoked-key',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'key.org': (org, { context, visit }) =>
        org ?? (visit.key !== undefined && context.revoked.has(visit.key) ? 'first' : undefined),
    }),
  },
  {
    name: 'revoked-key-other-code',
    breaks: '5.revoked-key',
    shows: 'A revoked key answers 401 with code "key_revoked" instead of "unauthorized".',
    needs: 'revoked-key',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'error.answer': (answer, { context, refusal, visit }) =>
        refusal.code === 'unauthorized' && context.revoked.has(visit.key ?? '')
          ? recoded(answer, 401, 'key_revoked')
          : answer,
    }),
  },
  {
    name: 'key-compared-to-32-characters',
    breaks: '5.invalid-key',
    shows: 'The good key with its last character changed, or with more behind it, is accepted.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'key.org': (org, { context, visit }) => {
        const same = ([key]: readonly [string, string]): boolean => key.slice(0, 32) === visit.key?.slice(0, 32);
        return org ?? [...context.keys].find(same)?.[1];
      },
    }),
  },
  {
    name: 'unknown-key-forbidden',
    breaks: '5.invalid-key',
    shows: 'A key that nobody has answers 403.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'error.answer': (answer, { context, refusal, visit }) => {
        const { key } = visit;
        const strange = refusal.code === 'unauthorized' && key !== undefined && !context.revoked.has(key);
        return strange ? { ...answer, status: 403 } : answer;
      },
    }),
  },
  {
    name: 'missing-key-other-code',
    breaks: '5.missing-key',
    shows: 'A request without a key answers 401 with code "missing_api_key" instead of "unauthorized".',
    needs: 'nothing',
    variants: ['plain', 'frugal'],
    wrong: () => ({
      'error.answer': (answer, { refusal, visit }) =>
        refusal.code === 'unauthorized' && visit.key === undefined ? recoded(answer, 401, 'missing_api_key') : answer,
    }),
  },
  {
    name: 'parameters-judged-before-key',
    breaks: '5.missing-key',
    shows: 'GET /keywords without siteId and without a key answers 400 instead of 401.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'key.refusal': (refusal, { visit }) => {
        if (visit.segments[0] !== 'keywords' || visit.query.has('siteId')) return refusal;
        const issues = [{ path: 'siteId', message: 'is required' }];
        return new Refusal('invalid_input', { message: 'validation failed', issues });
      },
    }),
  },
  {
    name: 'insights-need-no-key',
    breaks: '4.bearer',
    shows: 'Insights are served without a key: their route is not behind the guard.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'key.org': (org, { visit }) => org ?? (visit.segments[3] === 'insights' ? 'first' : undefined),
    }),
  },
];

/** What one organization sees of another. */
export const scopeMutants: readonly IndependentMutant[] = [
  {
    name: 'article-of-another-organization',
    breaks: '1.foreign-record',
    shows: 'GET /articles/{id} answers the article of another organization.',
    needs: 'second-key',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'article.records': (_records, { context }) => everyone(context).flatMap((org) => org.articles),
    }),
  },
  {
    name: 'site-of-another-organization',
    breaks: '1.foreign-record',
    shows: 'GET /sites/{id} answers the site of another organization.',
    needs: 'second-key',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'site.records': (_records, { context }) => everyone(context).flatMap((org) => org.sites) }),
  },
  {
    name: 'foreign-article-forbidden',
    breaks: '1.foreign-record',
    shows: 'An article of another organization answers 403, and so betrays that it exists.',
    needs: 'second-key',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'article.found': (found, { context, ask }) => {
        const theirs = everyone(context).flatMap((org) => org.articles);
        const hit = theirs.some((article) => article.id === ask.segments[1]?.toLowerCase());
        if (found === undefined && hit) throw new Refusal('forbidden', { message: 'not yours' });
        return found;
      },
    }),
  },
  {
    name: 'articles-of-foreign-site',
    breaks: '1.organization-scope',
    shows: 'GET /articles?siteId= with the site of another organization lists its articles.',
    needs: 'second-key',
    variants: ['plain', 'frugal'],
    wrong: () => ({
      'article.site-known': () => true,
      'article.pool': (pool, { context, siteId }) =>
        siteId === undefined ? pool : everyone(context).flatMap((org) => org.articles),
    }),
  },
  {
    name: 'keywords-of-foreign-site',
    breaks: '1.organization-scope',
    shows: 'GET /keywords?siteId= with the site of another organization lists its keywords.',
    needs: 'second-key',
    variants: ['plain', 'frugal'],
    wrong: () => ({ 'keyword.pool': (_pool, { context }) => everyone(context).flatMap((org) => org.keywords) }),
  },
  {
    name: 'sites-remembered-for-everyone',
    breaks: '4.sites.list',
    shows: 'Within half a minute of a list of sites another organization is answered the same list.',
    needs: 'second-key',
    variants: ['plain', 'lavish'],
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
  {
    name: 'insights-of-another-organization',
    breaks: '1.foreign-record',
    shows: 'Insights of an account of another organization are answered with 200.',
    needs: 'second-key',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'account.found': (found, { context, id, wish }) => {
        if (wish.operation !== 'insights') return found;
        return everyone(context)
          .flatMap((org) => org.accounts)
          .find((account) => account.id === id.toLowerCase());
      },
    }),
  },
  {
    name: 'accounts-of-everyone',
    breaks: '1.organization-scope',
    shows: 'GET /connect/accounts lists the accounts of other organizations too.',
    needs: 'second-key',
    variants: ['plain', 'empty'],
    wrong: () => ({ 'account.pool': (_pool, { context }) => everyone(context).flatMap((org) => org.accounts) }),
  },
  {
    name: 'calls-of-everyone',
    breaks: '1.organization-scope',
    shows: 'The call log shows the calls of other organizations too.',
    needs: 'second-key',
    variants: ['plain', 'lavish'],
    wrong: () => ({ 'calls.pool': (_pool, { context }) => everyone(context).flatMap((org) => org.calls) }),
  },
];
