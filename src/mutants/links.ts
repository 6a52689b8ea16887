// POST /connect/accounts: bodies wrongly accepted or refused, and outputs told wrongly.
// Cites 2.connect-account-input.*, 2.connect-account-output.*, 4.connect.create-link.*, 8.label, 8.max-accounts.
import { createLink } from '../domain/links.ts';
import { providerActions } from '../domain/providers.ts';
import { add, change, drop, put } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { onBody, onError, onRefusal, onRequest, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, isObject, type Json, readJson, withBody, withStatus } from './hooks/rewrite.ts';

const operation = 'createConnectLink';
const bytesOf = (value: Json | undefined) => new TextEncoder().encode(String(value)).length;
const lengthOf = (value: Json | undefined) => (typeof value === 'string' ? [...value].length : -1);
const isMissing = (value: Json | undefined): value is undefined => value === undefined;

const providers: readonly Mutant[] = [
  {
    name: 'link-provider-youtube-accepted',
    breaks: '2.connect-account-input.provider',
    shows: 'A link for a provider outside the list, such as "youtube", is created.',
    wrap: onBody(operation, (body) =>
      typeof body.provider === 'string' && !Object.hasOwn(providerActions, body.provider)
        ? { ...body, provider: 'facebook_page' }
        : body,
    ),
  },
  {
    name: 'link-provider-case-ignored',
    breaks: '2.connect-account-input.provider',
    shows: 'A link for a provider in capitals, such as "FACEBOOK_PAGE", is created.',
    wrap: onBody(operation, (body) =>
      typeof body.provider === 'string' ? { ...body, provider: body.provider.toLowerCase() } : body,
    ),
  },
  {
    name: 'link-provider-optional',
    breaks: '2.connect-account-input.provider',
    shows: 'POST /connect/accounts without `provider` creates a link.',
    wrap: onBody(operation, (body) => (isMissing(body.provider) ? { ...body, provider: 'google_business' } : body)),
  },
];

const labels: readonly Mutant[] = [
  {
    name: 'link-label-optional',
    breaks: '2.connect-account-input.label',
    shows: 'POST /connect/accounts without `label` creates a link.',
    wrap: onBody(operation, (body) => (isMissing(body.label) ? { ...body, label: 'Account' } : body)),
  },
  {
    name: 'link-label-number-accepted',
    breaks: '2.connect-account-input.label',
    shows: 'A link with a number as `label` is created.',
    wrap: onBody(operation, (body) => (typeof body.label === 'number' ? { ...body, label: String(body.label) } : body)),
  },
  {
    name: 'link-label-null-accepted',
    breaks: '2.connect-account-input.label',
    shows: 'A link with `label` null is created.',
    wrap: onBody(operation, (body) => (body.label === null ? { ...body, label: 'Account' } : body)),
  },
  {
    name: 'link-label-empty-accepted',
    breaks: '8.label',
    shows: 'A link with an empty `label` is created.',
    wrap: onBody(operation, (body) => (body.label === '' ? { ...body, label: 'Account' } : body)),
  },
  {
    name: 'link-label-81-accepted',
    breaks: '8.label',
    shows: 'A link with a `label` of 81 characters is created.',
    wrap: onBody(operation, (body) => (lengthOf(body.label) === 81 ? { ...body, label: cut(body.label) } : body)),
  },
  {
    name: 'link-label-unlimited',
    breaks: '8.label',
    shows: 'A link with a `label` of any length is created.',
    wrap: onBody(operation, (body) => (lengthOf(body.label) > 80 ? { ...body, label: cut(body.label) } : body)),
  },
  {
    name: 'link-label-80-refused',
    breaks: '8.label',
    shows: 'A link with a `label` of 80 characters is refused.',
    needs: 'writes',
    wrap: onBody(operation, (body) => (lengthOf(body.label) === 80 ? { ...body, label: 'x'.repeat(81) } : body)),
  },
  {
    name: 'link-label-counted-in-bytes',
    breaks: '8.label',
    shows: 'A link with a `label` of 80 characters of two bytes each is refused as too long.',
    needs: 'writes',
    wrap: onBody(operation, (body) => (bytesOf(body.label) > 80 ? { ...body, label: 'x'.repeat(81) } : body)),
  },
];

const counts: readonly Mutant[] = [
  {
    name: 'link-max-accounts-0-accepted',
    breaks: '8.max-accounts',
    shows: 'A link with `maxAccounts` 0 is created.',
    wrap: onBody(operation, (body) => (body.maxAccounts === 0 ? { ...body, maxAccounts: 1 } : body)),
  },
  {
    name: 'link-max-accounts-21-accepted',
    breaks: '8.max-accounts',
    shows: 'A link with `maxAccounts` 21 is created.',
    wrap: onBody(operation, (body) => (body.maxAccounts === 21 ? { ...body, maxAccounts: 20 } : body)),
  },
  {
    name: 'link-provider-calendar-refused',
    breaks: '2.connect-account-input.provider',
    shows: 'A link for `google_calendar` is refused as if the list had no such provider.',
    needs: 'writes',
    wrap: onBody(operation, (body) => (body.provider === 'google_calendar' ? { ...body, provider: 'calendar' } : body)),
  },
  {
    name: 'link-max-accounts-20-refused',
    breaks: '8.max-accounts',
    shows: 'A link with `maxAccounts` 20 is refused.',
    needs: 'writes',
    wrap: onBody(operation, (body) => (body.maxAccounts === 20 ? { ...body, maxAccounts: 21 } : body)),
  },
  {
    name: 'link-max-accounts-text-accepted',
    breaks: '2.connect-account-input.max-accounts',
    shows: 'A link with `maxAccounts` "3", a string, is created.',
    wrap: onBody(operation, (body) =>
      typeof body.maxAccounts === 'string'
        ? { ...body, maxAccounts: Number.parseInt(body.maxAccounts, 10) || 1 }
        : body,
    ),
  },
  {
    name: 'link-max-accounts-fraction-accepted',
    breaks: '2.connect-account-input.max-accounts',
    shows: 'A link with `maxAccounts` 1.5 is created.',
    wrap: onBody(operation, (body) =>
      typeof body.maxAccounts === 'number' && body.maxAccounts > 1
        ? { ...body, maxAccounts: Math.floor(body.maxAccounts) }
        : body,
    ),
  },
  {
    name: 'link-max-accounts-required',
    breaks: '2.connect-account-input.max-accounts',
    shows: 'A link without `maxAccounts` is refused.',
    needs: 'writes',
    wrap: onBody(operation, (body) => (isMissing(body.maxAccounts) ? { ...body, maxAccounts: 'none' } : body)),
  },
  {
    name: 'link-max-accounts-defaults-to-20',
    breaks: '2.connect-account-input.max-accounts-default',
    shows: 'A link made without `maxAccounts` stands among the pending invites with `maxAccounts` 20.',
    needs: 'writes',
    wrap: onBody(operation, (body) => (isMissing(body.maxAccounts) ? { ...body, maxAccounts: 20 } : body)),
  },
];

const bodies: readonly Mutant[] = [
  {
    name: 'link-without-body',
    breaks: '4.connect.create-link.body',
    shows: 'POST /connect/accounts without a body creates a link.',
    wrap: onRequest(operation, ({ request }) =>
      (request.body?.length ?? 0) === 0
        ? withBody(request, { provider: 'google_business', label: 'Account' })
        : request,
    ),
  },
  {
    name: 'link-body-in-array',
    breaks: '4.connect.create-link.body',
    shows: 'POST /connect/accounts with an array of one ConnectAccountInput creates a link.',
    wrap: onRequest(operation, ({ request }) => {
      const body = readJson(request.body);
      return Array.isArray(body) && body[0] !== undefined ? withBody(request, body[0]) : request;
    }),
  },
  {
    name: 'link-invalid-json-500',
    breaks: '4.connect.create-link.invalid',
    shows: 'POST /connect/accounts with a body that is no JSON answers 500.',
    wrap: onRefusal({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
      readJson(request.body) === undefined
        ? asRefusal(response, 500, { code: 'internal_error', message: 'Unexpected token' })
        : response,
    ),
  },
  {
    name: 'link-invalid-utf-8-500',
    breaks: '4.connect.create-link.invalid',
    shows: 'POST /connect/accounts with bytes that are no UTF-8 answers 500.',
    wrap: onRefusal({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
      request.body !== null && new TextDecoder().decode(request.body).includes('�')
        ? asRefusal(response, 500, { code: 'internal_error', message: 'invalid byte sequence for encoding "UTF8"' })
        : response,
    ),
  },
  {
    name: 'link-deep-body-500',
    breaks: '4.connect.create-link.invalid',
    shows: 'POST /connect/accounts with a thousand nested arrays answers 500.',
    wrap: onRefusal({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
      request.body !== null && new TextDecoder().decode(request.body).includes('['.repeat(500))
        ? asRefusal(response, 500, { code: 'internal_error', message: 'Maximum call stack size exceeded' })
        : response,
    ),
  },
  {
    name: 'link-invalid-422',
    breaks: '4.connect.create-link.invalid',
    shows: 'A body that is no ConnectAccountInput answers 422.',
    wrap: onRefusal({ which: operation, code: 'invalid_input' }, (response) => withStatus(response, 422)),
  },
  {
    name: 'link-refused-yet-created',
    breaks: '4.connect.create-link.invalid',
    shows: 'A body that is no ConnectAccountInput answers 400, and yet a pending invite appears.',
    wrap: onRefusal(
      { which: operation, code: 'invalid_input' },
      (response, _error, { request, organization, context }) => {
        const { world } = context;
        const input = { provider: 'google_business', label: 'Untitled' } as const;
        const wish = { random: world.random, nowMs: context.nowMs() };
        const link = createLink(input, wish);
        if (organization && isObject(readJson(request.body))) organization.links.set(link.token, link);
        return response;
      },
    ),
  },
];

const outputs: readonly Mutant[] = [
  {
    name: 'link-output-extra-id',
    breaks: '2.connect-account-output.closed',
    shows: '`data` of a new link has a member `id` that is not listed.',
    wrap: onSuccess(operation, add('data', { id: 'lnk_1' })),
  },
  {
    name: 'link-output-extra-max-accounts',
    breaks: '2.connect-account-output.closed',
    shows: '`data` of a new link has a member `maxAccounts` that is not listed.',
    wrap: onSuccess(operation, add('data', { maxAccounts: 1 })),
  },
  {
    name: 'link-output-without-url',
    breaks: '2.connect-account-output.connect-url',
    shows: '`data` of a new link has no `connectUrl`.',
    wrap: onSuccess(operation, drop('data.connectUrl')),
  },
  {
    name: 'link-output-url-object',
    breaks: '2.connect-account-output.connect-url',
    shows: '`connectUrl` of a new link is an object with an `href`.',
    wrap: onSuccess(
      operation,
      change('data.connectUrl', (href) => ({ href })),
    ),
  },
  {
    name: 'link-output-expires-at-number',
    breaks: '2.connect-account-output.expires-at',
    shows: '`expiresAt` of a new link is epoch milliseconds.',
    wrap: onSuccess(
      operation,
      change('data.expiresAt', (value) => Date.parse(String(value))),
    ),
  },
  {
    name: 'link-output-expires-at-missing',
    breaks: '2.connect-account-output.expires-at',
    shows: '`data` of a new link has no `expiresAt`.',
    wrap: onSuccess(operation, drop('data.expiresAt')),
  },
  {
    name: 'link-output-provider-name',
    breaks: '2.connect-account-output.provider',
    shows: '`provider` of a new link is a display name, such as "facebook page".',
    wrap: onSuccess(
      operation,
      change('data.provider', (value) => String(value).replaceAll('_', ' ')),
    ),
  },
  {
    name: 'link-output-label-missing',
    breaks: '2.connect-account-output.label',
    shows: '`data` of a new link has no `label`.',
    wrap: onSuccess(operation, drop('data.label')),
  },
  {
    name: 'link-output-label-null',
    breaks: '2.connect-account-output.label',
    shows: '`label` of a new link is null.',
    wrap: onSuccess(operation, put('data.label', null)),
  },
  {
    name: 'link-data-in-array',
    breaks: '4.connect.create-link.endpoint',
    shows: '`data` of a new link is an array with one ConnectAccountOutput.',
    wrap: onSuccess(
      operation,
      change('data', (data) => [data]),
    ),
  },
];

const effects: readonly Mutant[] = [
  {
    name: 'link-created-201',
    breaks: '4.connect.envelope',
    shows: 'A new link answers 201 instead of 200.',
    wrap: onSuccessAnswer(operation, (response) => withStatus(response, 201)),
  },
  {
    name: 'link-shared-by-all',
    breaks: '3.link.single-use',
    shows: 'Two links, made for two labels, have one and the same `connectUrl`.',
    verdict: 'warn',
    wrap: (next, context) => {
      let first: Json | null = null;
      return onSuccess(
        operation,
        change('data.connectUrl', (url) => {
          first ??= url;
          return first;
        }),
      )(next, context);
    },
  },
];

/** What a success shows is only seen by those who may create links. */
const seenByWriting = [...outputs, ...effects].map((mutant) => ({ ...mutant, needs: 'writes' as const }));

const issues: readonly Mutant[] = [
  {
    name: 'link-issues-missing',
    breaks: '7.code.invalid-input-issues',
    shows: 'A body that is no ConnectAccountInput is refused without `issues`.',
    wrap: onError({ which: operation, code: 'invalid_input' }, drop('error.issues')),
  },
  {
    name: 'link-issues-empty',
    breaks: '7.code.invalid-input-issues',
    shows: 'A body that is no ConnectAccountInput is refused with empty `issues`.',
    wrap: onError({ which: operation, code: 'invalid_input' }, put('error.issues', [])),
  },
];

function cut(label: Json | undefined): string {
  return [...String(label)].slice(0, 80).join('');
}

export const linkMutants: readonly Mutant[] = [
  ...providers,
  ...labels,
  ...counts,
  ...bodies,
  ...seenByWriting,
  ...issues,
];
