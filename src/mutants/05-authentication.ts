// Incorrectly rejected or accepted keys. Cites 5.*, 4.bearer.

import { operations } from '../contract/generated/operations.ts';
import { kebab } from '../contract/words.ts';
import type { World } from '../domain/world.ts';
import { bearerKey } from '../http/caller.ts';
import type { CoreRequest } from '../http/message.ts';
import { route } from '../http/route.ts';
import { type MutantContext, mutantsNeeding, mutantsOf, type Wrap } from './hooks/mutant.ts';
import { onRejection } from './hooks/recipes.ts';
import { asRejection, asSuccess, withRequestHeader } from './hooks/rewrite.ts';

/** Lets a request in under another Authorization header, when `read` finds one. */
function accepting(read: (request: CoreRequest, context: MutantContext) => string | undefined): Wrap {
  return (next, context) => (request) => {
    const key = read(request, context);
    return next(key === undefined ? request : withRequestHeader(request, 'authorization', `Bearer ${key}`));
  };
}

const validKeys = ({ keys }: World) => [...keys].flatMap(([key, { revoked }]) => (revoked ? [] : [key]));
const sent = (request: CoreRequest) => bearerKey(request.headers);
const isKnown = (request: CoreRequest, { world }: MutantContext) => world.keys.has(sent(request) ?? '');

/** Accepts a key that differs from a valid one only in the part that the mutant ignores. */
const acceptedAs = (same: (valid: string, sent: string) => boolean): Wrap =>
  accepting((request, context) => {
    const key = sent(request);
    if (key === null || isKnown(request, context)) return undefined;
    return validKeys(context.world).find((valid) => same(valid, key));
  });

const unguarded = (...ids: string[]): Wrap =>
  accepting((request, { world }) => {
    const match = route(request.method, request.path);
    const wanted = typeof match !== 'string' && ids.includes(match.operation.id);
    return wanted && sent(request) === null ? validKeys(world)[0] : undefined;
  });

const missing = mutantsOf({
  '5.missing-key': {
    'basic-credentials-accepted': [
      'Any credentials of the scheme Basic are accepted.',
      accepting(({ headers }, { world }) =>
        /^basic /i.test(headers.authorization ?? '') ? validKeys(world)[0] : undefined,
      ),
    ],
    'no-key-403': [
      'A request without a key returns 403.',
      onRejection({ code: 'unauthorized' }, (response, error, { request }) =>
        sent(request) === null ? asRejection(response, 403, error) : response,
      ),
    ],
    'other-scheme-400': [
      'A request with another scheme than Bearer returns 400 `invalid_input`.',
      onRejection({ code: 'unauthorized' }, (response, _error, { request: { headers } }) =>
        /^(?!bearer ).+/i.test(headers.authorization ?? '')
          ? asRejection(response, 400, { code: 'invalid_input', message: 'The scheme must be Bearer.', issues: [{}] })
          : response,
      ),
    ],
    'no-key-empty-list': [
      'GET /sites without a key returns 200 with an empty list.',
      onRejection({ which: 'listSites', code: 'unauthorized' }, (response, _error, { request }) =>
        sent(request) === null ? asSuccess(response, { data: [] }) : response,
      ),
    ],
  },
  '4.bearer': {
    'basic-scheme-accepted': [
      'A valid key sent with the scheme Basic as `key:` is accepted.',
      accepting(({ headers }, { world }) => {
        const encoded = /^basic +([a-z0-9+/=]+)$/i.exec(headers.authorization ?? '')?.[1];
        return encoded === undefined
          ? undefined
          : validKeys(world).find((key) => decode(encoded).split(':').includes(key));
      }),
    ],
    'any-scheme-accepted': [
      'A valid key is accepted with any scheme.',
      accepting(({ headers }, { world }) =>
        validKeys(world).find((key) => key === headers.authorization?.split(' ')[1]),
      ),
    ],
    'scheme-optional': [
      'A valid key sent without the word Bearer is accepted.',
      accepting(({ headers }, { world }) => validKeys(world).find((key) => headers.authorization?.trim() === key)),
      { result: 'warn' },
    ],
    'article-by-id-without-key': ['GET /articles/{id} needs no key; the list does.', unguarded('getArticle')],
  },
});

/** `listSites-without-key` and the like: one endpoint is open, and the others are not. */
const openEndpoints = mutantsOf({
  '4.bearer': Object.fromEntries(
    Object.values(operations)
      .filter(({ id }) => id !== 'getArticle')
      .map(({ id }) => [`${kebab(id)}-without-key`, [`The operation ${id} needs no key.`, unguarded(id)]]),
  ),
  '5.invalid-key': Object.fromEntries(
    Object.values(operations).map(({ id }) => [
      `${kebab(id)}-with-any-key`,
      [`The operation ${id} takes any key that has the form of one.`, openToAnyKey(id)],
    ]),
  ),
});

function openToAnyKey(id: string): Wrap {
  return accepting((request, context) => {
    const match = route(request.method, request.path);
    const isOpen = typeof match !== 'string' && match.operation.id === id && !isKnown(request, context);
    return isOpen && /^[a-z]+_[0-9a-f]{32}$/i.test(sent(request) ?? '') ? validKeys(context.world)[0] : undefined;
  });
}

const invalid = mutantsOf({
  '5.invalid-key': {
    'any-key-accepted': [
      'Any well-formed key is accepted, as if it were the first organization’s.',
      acceptedAs((_valid, key) => /^[a-z]+_[0-9a-f]{32}$/i.test(key)),
    ],
    'key-without-prefix-accepted': [
      'The 32 hexadecimal characters of a valid key are accepted without the prefix.',
      acceptedAs((valid, key) => valid.slice(valid.indexOf('_') + 1) === key),
    ],
    'key-with-other-prefix-accepted': [
      'A valid key is accepted with another prefix.',
      acceptedAs((valid, key) => key.includes('_') && valid.slice(valid.indexOf('_')) === key.slice(key.indexOf('_'))),
    ],
    'key-end-ignored': [
      'A valid key is accepted with a different last character.',
      acceptedAs((valid, key) => valid.length === key.length && valid.slice(0, -1) === key.slice(0, -1)),
    ],
  },
  '5.missing-key': {
    'account-before-key': [
      'Reviews of an unknown account without a key return 404 instead of 401.',
      onRejection({ which: ['listReviews', 'getInsights'], code: 'unauthorized' }, (response, _error, exchange) => {
        const { match, context, request } = exchange;
        const id = (match.path.accountId ?? '').toLowerCase();
        const known = [...context.world.organizations.values()].some(({ accounts }) => accounts.has(id));
        const first = sent(request) === null && !known;
        return first ? asRejection(response, 404, { code: 'not_found', message: 'No such account.' }) : response;
      }),
    ],
  },
});

const revoked = mutantsNeeding('revoked-key', {
  '5.revoked-key': {
    'revoked-key-accepted': [
      'A revoked key is still accepted.',
      accepting((request, { world }) => {
        const entry = world.keys.get(sent(request) ?? '');
        return entry?.revoked ? entry.organization.keys.find((key) => !key.revoked)?.key : undefined;
      }),
    ],
    'revoked-key-403': [
      'A revoked key returns 403.',
      onRejection({ code: 'unauthorized' }, (response, error, { request, context }) =>
        isKnown(request, context) ? asRejection(response, 403, error) : response,
      ),
    ],
  },
});

const meanings = mutantsOf({
  '5.provider-auth': {
    'bad-key-says-provider-auth': [
      'On a connected account an invalid key returns 401 with `provider_auth`, which is not about the key.',
      onRejection(
        { which: ['listReviews', 'getInsights', 'createPost', 'replyToReview'], code: 'unauthorized' },
        (response) => asRejection(response, 401, { code: 'provider_auth', message: 'Reconnect the account.' }),
      ),
    ],
  },
});

function decode(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '';
  }
}

export const authenticationMutants = [...missing, ...openEndpoints, ...invalid, ...revoked, ...meanings];
