// Keys wrongly refused, or wrongly let in. Cites 5.*, 4.bearer.
import type { World } from '../domain/world.ts';
import { bearerKey } from '../http/caller.ts';
import type { CoreRequest } from '../http/message.ts';
import { route } from '../http/route.ts';
import type { Mutant, MutantContext, Wrap } from './hooks/mutant.ts';
import { onRefusal } from './hooks/recipes.ts';
import { asRefusal, asSuccess, withRequestHeader } from './hooks/rewrite.ts';

/** Lets a request in under another Authorization header, when `read` finds one. */
function letIn(read: (request: CoreRequest, context: MutantContext) => string | undefined): Wrap {
  return (next, context) => (request) => {
    const key = read(request, context);
    return next(key === undefined ? request : withRequestHeader(request, 'authorization', `Bearer ${key}`));
  };
}

const goodKeys = ({ keys }: World) => [...keys].flatMap(([key, { revoked }]) => (revoked ? [] : [key]));
const sent = (request: CoreRequest) => bearerKey(request.headers);
const isKnown = (request: CoreRequest, { world }: MutantContext) => world.keys.has(sent(request) ?? '');

/** A good key that differs from the one sent in what the mutant overlooks. */
const letInAs = (same: (good: string, sent: string) => boolean): Wrap =>
  letIn((request, context) => {
    const key = sent(request);
    if (key === null || isKnown(request, context)) return undefined;
    return goodKeys(context.world).find((good) => same(good, key));
  });

/** Operations that forget to ask for a key. */
const unguarded = (...ids: string[]): Wrap =>
  letIn((request, { world }) => {
    const match = route(request.method, request.path);
    const wanted = typeof match !== 'string' && ids.includes(match.operation.id);
    return wanted && sent(request) === null ? goodKeys(world)[0] : undefined;
  });

const missing: readonly Mutant[] = [
  {
    name: 'no-key-403',
    breaks: '5.missing-key',
    shows: 'A request without a key answers 403.',
    wrap: onRefusal({ code: 'unauthorized' }, (response, error, { request }) =>
      sent(request) === null ? asRefusal(response, 403, error) : response,
    ),
  },
  {
    name: 'no-key-400',
    breaks: '5.missing-key',
    shows: 'A request without an Authorization header answers 400 `invalid_input`.',
    wrap: onRefusal({ code: 'unauthorized' }, (response, _error, { request }) =>
      request.headers.authorization === undefined
        ? asRefusal(response, 400, { code: 'invalid_input', message: 'Authorization is required.', issues: [{}] })
        : response,
    ),
  },
  {
    name: 'no-key-empty-list',
    breaks: '5.missing-key',
    shows: 'GET /sites without a key answers 200 with an empty list.',
    wrap: onRefusal({ which: 'listSites', code: 'unauthorized' }, (response, _error, { request }) =>
      sent(request) === null ? asSuccess(response, { data: [] }) : response,
    ),
  },
  {
    name: 'basic-scheme-accepted',
    breaks: '4.bearer',
    shows: 'A good key sent with the scheme Basic as `key:` is let in.',
    verdict: 'warn',
    wrap: letIn(({ headers }, { world }) => {
      const encoded = /^basic +([a-z0-9+/=]+)$/i.exec(headers.authorization ?? '')?.[1];
      return encoded === undefined
        ? undefined
        : goodKeys(world).find((key) => decode(encoded).split(':').includes(key));
    }),
  },
  {
    name: 'scheme-optional',
    breaks: '4.bearer',
    shows: 'A good key sent without the word Bearer is let in.',
    verdict: 'warn',
    wrap: letIn(({ headers }, { world }) => goodKeys(world).find((key) => headers.authorization?.trim() === key)),
  },
  {
    name: 'insights-without-key',
    breaks: '4.bearer',
    shows: 'Insights of an account can be read without a key.',
    wrap: unguarded('getInsights'),
  },
  {
    name: 'article-by-id-without-key',
    breaks: '4.bearer',
    shows: 'GET /articles/{id} needs no key; the list does.',
    wrap: unguarded('getArticle'),
  },
  {
    name: 'calls-without-key',
    breaks: '4.bearer',
    shows: 'The call log can be read without a key.',
    wrap: unguarded('listCalls'),
  },
  {
    name: 'writing-without-key',
    breaks: '4.bearer',
    shows: 'POST /connect/accounts without a key is validated and answered 400 or 200, never 401.',
    wrap: unguarded('createConnectLink'),
  },
];

const invalid: readonly Mutant[] = [
  {
    name: 'wrong-key-403',
    breaks: '5.invalid-key',
    shows: 'A wrong key answers 403.',
    wrap: onRefusal({ code: 'unauthorized' }, (response, error, { request, context }) =>
      sent(request) !== null && !isKnown(request, context) ? asRefusal(response, 403, error) : response,
    ),
  },
  {
    name: 'any-key-accepted',
    breaks: '5.invalid-key',
    shows: 'Any well-formed key is let in, as if it were the first organization’s.',
    wrap: letInAs((_good, key) => /^[a-z]+_[0-9a-f]{32}$/i.test(key)),
  },
  {
    name: 'key-without-prefix-accepted',
    breaks: '5.invalid-key',
    shows: 'The 32 hexadecimal characters of a good key are let in without the prefix.',
    wrap: letInAs((good, key) => good.slice(good.indexOf('_') + 1) === key),
  },
  {
    name: 'key-with-other-prefix-accepted',
    breaks: '5.invalid-key',
    shows: 'A good key is let in with another prefix.',
    wrap: letInAs((good, key) => key.includes('_') && good.slice(good.indexOf('_')) === key.slice(key.indexOf('_'))),
  },
  {
    name: 'key-case-ignored',
    breaks: '5.invalid-key',
    shows: 'A good key is let in when it is written in capitals.',
    wrap: letInAs((good, key) => good.toLowerCase() === key.toLowerCase()),
  },
  {
    name: 'key-end-ignored',
    breaks: '5.invalid-key',
    shows: 'A good key is let in when its last character is another one.',
    wrap: letInAs((good, key) => good.length === key.length && good.slice(0, -1) === key.slice(0, -1)),
  },
  {
    name: 'key-with-tail-accepted',
    breaks: '5.invalid-key',
    shows: 'A good key is let in when something follows it.',
    wrap: letInAs((good, key) => key.length > good.length && key.startsWith(good)),
  },
  {
    name: 'existence-before-key',
    breaks: '5.invalid-key',
    shows: 'An unknown article under a wrong key answers 404 instead of 401.',
    wrap: onRefusal({ which: ['getArticle', 'getSite'], code: 'unauthorized' }, (response, _error, exchange) => {
      const { match, context } = exchange;
      const id = match.path.id ?? '';
      const known = [...context.world.organizations.values()].some(
        ({ articles, sites }) => articles.get(id) ?? sites.get(id),
      );
      return known ? response : asRefusal(response, 404, { code: 'not_found', message: 'No such record.' });
    }),
  },
  {
    name: 'validation-before-key',
    breaks: '5.invalid-key',
    shows: 'GET /keywords without `siteId` under a wrong key answers 400 instead of 401.',
    wrap: onRefusal({ which: 'listKeywords', code: 'unauthorized' }, (response, _error, { query }) =>
      query.siteId === undefined
        ? asRefusal(response, 400, {
            code: 'invalid_input',
            message: 'siteId is required.',
            issues: [{ path: '/siteId' }],
          })
        : response,
    ),
  },
  {
    name: 'account-before-key',
    breaks: '5.missing-key',
    shows: 'Reviews of an unknown account without a key answer 404 instead of 401.',
    wrap: onRefusal({ which: ['listReviews', 'getInsights'], code: 'unauthorized' }, (response, _error, exchange) => {
      const { match, context, request } = exchange;
      const id = (match.path.accountId ?? '').toLowerCase();
      const known = [...context.world.organizations.values()].some(({ accounts }) => accounts.has(id));
      const first = sent(request) === null && !known;
      return first ? asRefusal(response, 404, { code: 'not_found', message: 'No such account.' }) : response;
    }),
  },
];

const revoked: readonly Mutant[] = [
  {
    name: 'revoked-key-accepted',
    breaks: '5.revoked-key',
    shows: 'A revoked key is let in as before.',
    wrap: letIn((request, { world }) => {
      const entry = world.keys.get(sent(request) ?? '');
      return entry?.revoked ? entry.organization.keys.find((key) => !key.revoked)?.key : undefined;
    }),
  },
  {
    name: 'revoked-key-403',
    breaks: '5.revoked-key',
    shows: 'A revoked key answers 403.',
    wrap: onRefusal({ code: 'unauthorized' }, (response, error, { request, context }) =>
      isKnown(request, context) ? asRefusal(response, 403, error) : response,
    ),
  },
  {
    name: 'revoked-key-says-key-revoked',
    breaks: '5.revoked-key',
    shows: 'A revoked key answers 401 with the code "key_revoked".',
    wrap: onRefusal({ code: 'unauthorized' }, (response, _error, { request, context }) =>
      isKnown(request, context)
        ? asRefusal(response, 401, { code: 'key_revoked', message: 'The API key was revoked.' })
        : response,
    ),
  },
];

const seenByRevokedKey = revoked.map((mutant) => ({ ...mutant, needs: 'revoked-key' as const }));

const meanings: readonly Mutant[] = [
  {
    name: 'bad-key-says-provider-auth',
    breaks: '5.provider-auth',
    shows: 'On a connected account a wrong key answers 401 with `provider_auth`, which is not about the key.',
    wrap: onRefusal(
      { which: ['listReviews', 'getInsights', 'createPost', 'replyToReview'], code: 'unauthorized' },
      (response) => asRefusal(response, 401, { code: 'provider_auth', message: 'Reconnect the account.' }),
    ),
  },
];

function decode(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '';
  }
}

export const authenticationMutants: readonly Mutant[] = [...missing, ...invalid, ...seenByRevokedKey, ...meanings];
