// POST /connect/accounts: bodies wrongly accepted or refused, and outputs told wrongly.
// Cites 2.connect-account-input.*, 2.connect-account-output.*, 4.connect.create-link.*, 8.label, 8.max-accounts.
import { createLink } from '../domain/links.ts';
import { providerActions } from '../domain/providers.ts';
import { add, change, drop, put } from './hooks/json-path.ts';
import { mutantsNeeding, mutantsOf } from './hooks/mutants-of.ts';
import { onBody, onError, onRefusal, onRequest, onSuccess, onSuccessAnswer, restatus } from './hooks/recipes.ts';
import {
  asCrash,
  bytesOf,
  epochMs,
  isObject,
  type Json,
  lengthOf,
  readJson,
  withBody,
  withStatus,
} from './hooks/rewrite.ts';

const operation = 'createConnectLink';
const isMissing = (value: Json | undefined): value is undefined => value === undefined;

const providers = mutantsOf({
  '2.connect-account-input.provider': {
    'link-provider-youtube-accepted': [
      'A link for a provider outside the list, such as "youtube", is created.',
      onBody(operation, (body) =>
        typeof body.provider === 'string' && !Object.hasOwn(providerActions, body.provider)
          ? { ...body, provider: 'facebook_page' }
          : body,
      ),
      { needs: 'writes' },
    ],
    'link-provider-case-ignored': [
      'A link for a provider in capitals, such as "FACEBOOK_PAGE", is created.',
      onBody(operation, (body) =>
        typeof body.provider === 'string' ? { ...body, provider: body.provider.toLowerCase() } : body,
      ),
      { needs: 'writes' },
    ],
    'link-provider-optional': [
      'POST /connect/accounts without `provider` creates a link.',
      onBody(operation, (body) => (isMissing(body.provider) ? { ...body, provider: 'google_business' } : body)),
      { needs: 'writes' },
    ],
  },
});

const labels = mutantsOf({
  '2.connect-account-input.label': {
    'link-label-optional': [
      'POST /connect/accounts without `label` creates a link.',
      onBody(operation, (body) => (isMissing(body.label) ? { ...body, label: 'Account' } : body)),
      { needs: 'writes' },
    ],
    'link-label-number-accepted': [
      'A link with a number as `label` is created.',
      onBody(operation, (body) => (typeof body.label === 'number' ? { ...body, label: String(body.label) } : body)),
      { needs: 'writes' },
    ],
    'link-label-null-accepted': [
      'A link with `label` null is created.',
      onBody(operation, (body) => (body.label === null ? { ...body, label: 'Account' } : body)),
      { needs: 'writes' },
    ],
  },
  '8.label': {
    'link-label-empty-accepted': [
      'A link with an empty `label` is created.',
      onBody(operation, (body) => (body.label === '' ? { ...body, label: 'Account' } : body)),
      { needs: 'writes' },
    ],
    'link-label-81-accepted': [
      'A link with a `label` of 81 characters is created.',
      onBody(operation, (body) => (lengthOf(body.label) === 81 ? { ...body, label: cut(body.label) } : body)),
      { needs: 'writes' },
    ],
    'link-label-unlimited': [
      'A link with a `label` of any length is created.',
      onBody(operation, (body) => (lengthOf(body.label) > 80 ? { ...body, label: cut(body.label) } : body)),
      { needs: 'writes' },
    ],
    'link-label-80-refused': [
      'A link with a `label` of 80 characters is refused.',
      onBody(operation, (body) => (lengthOf(body.label) === 80 ? { ...body, label: 'x'.repeat(81) } : body)),
      { needs: 'writes' },
    ],
    'link-label-counted-in-bytes': [
      'A link with a `label` of 80 characters of two bytes each is refused as too long.',
      onBody(operation, (body) => (bytesOf(body.label) > 80 ? { ...body, label: 'x'.repeat(81) } : body)),
      { needs: 'writes' },
    ],
  },
});

const counts = mutantsOf({
  '8.max-accounts': {
    'link-max-accounts-0-accepted': [
      'A link with `maxAccounts` 0 is created.',
      onBody(operation, (body) => (body.maxAccounts === 0 ? { ...body, maxAccounts: 1 } : body)),
      { needs: 'writes' },
    ],
    'link-max-accounts-21-accepted': [
      'A link with `maxAccounts` 21 is created.',
      onBody(operation, (body) => (body.maxAccounts === 21 ? { ...body, maxAccounts: 20 } : body)),
      { needs: 'writes' },
    ],
    'link-max-accounts-20-refused': [
      'A link with `maxAccounts` 20 is refused.',
      onBody(operation, (body) => (body.maxAccounts === 20 ? { ...body, maxAccounts: 21 } : body)),
      { needs: 'writes' },
    ],
  },
  '2.connect-account-input.provider': {
    'link-provider-calendar-refused': [
      'A link for `google_calendar` is refused as if the list had no such provider.',
      onBody(operation, (body) => (body.provider === 'google_calendar' ? { ...body, provider: 'calendar' } : body)),
      { needs: 'writes' },
    ],
  },
  '2.connect-account-input.max-accounts': {
    'link-max-accounts-text-accepted': [
      'A link with `maxAccounts` "3", a string, is created.',
      onBody(operation, (body) =>
        typeof body.maxAccounts === 'string'
          ? { ...body, maxAccounts: Number.parseInt(body.maxAccounts, 10) || 1 }
          : body,
      ),
      { needs: 'writes' },
    ],
    'link-max-accounts-fraction-accepted': [
      'A link with `maxAccounts` 1.5 is created.',
      onBody(operation, (body) =>
        typeof body.maxAccounts === 'number' && body.maxAccounts > 1
          ? { ...body, maxAccounts: Math.floor(body.maxAccounts) }
          : body,
      ),
      { needs: 'writes' },
    ],
    'link-max-accounts-required': [
      'A link without `maxAccounts` is refused.',
      onBody(operation, (body) => (isMissing(body.maxAccounts) ? { ...body, maxAccounts: 'none' } : body)),
      { needs: 'writes' },
    ],
  },
  '2.connect-account-input.max-accounts-default': {
    'link-max-accounts-defaults-to-20': [
      'A link made without `maxAccounts` stands among the pending invites with `maxAccounts` 20.',
      onBody(operation, (body) => (isMissing(body.maxAccounts) ? { ...body, maxAccounts: 20 } : body)),
      { needs: 'writes' },
    ],
  },
});

const bodies = mutantsOf({
  '4.connect.create-link.body': {
    'link-without-body': [
      'POST /connect/accounts without a body creates a link.',
      onRequest(operation, ({ request }) =>
        (request.body?.length ?? 0) === 0
          ? withBody(request, { provider: 'google_business', label: 'Account' })
          : request,
      ),
      { needs: 'writes' },
    ],
    'link-of-any-object': [
      'POST /connect/accounts creates a link from any object, whatever its members are.',
      onBody(operation, () => ({ provider: 'google_business', label: 'Account' })),
    ],
    'link-body-in-array': [
      'POST /connect/accounts with an array of one ConnectAccountInput creates a link.',
      onRequest(operation, ({ request }) => {
        const body = readJson(request.body);
        return Array.isArray(body) && body[0] !== undefined ? withBody(request, body[0]) : request;
      }),
      { needs: 'writes' },
    ],
  },
  '4.connect.create-link.invalid': {
    'link-invalid-json-500': [
      'POST /connect/accounts with a body that is not JSON answers 500.',
      onRefusal({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
        readJson(request.body) === undefined ? asCrash(response, 'Unexpected token') : response,
      ),
    ],
    'link-invalid-utf-8-500': [
      'POST /connect/accounts with bytes that are not UTF-8 answers 500.',
      onRefusal({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
        request.body !== null && new TextDecoder().decode(request.body).includes('�')
          ? asCrash(response, 'invalid byte sequence for encoding "UTF8"')
          : response,
      ),
    ],
    'link-deep-body-500': [
      'POST /connect/accounts with a thousand nested arrays answers 500.',
      onRefusal({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
        request.body !== null && new TextDecoder().decode(request.body).includes('['.repeat(500))
          ? asCrash(response, 'Maximum call stack size exceeded')
          : response,
      ),
    ],
    'link-invalid-422': [
      'A body that is not a ConnectAccountInput answers 422.',
      restatus({ which: operation, code: 'invalid_input' }, 422),
    ],
    'link-refused-yet-created': [
      'A body that is not a ConnectAccountInput answers 400, and yet a pending invite appears.',
      onRefusal({ which: operation, code: 'invalid_input' }, (response, _error, { request, organization, context }) => {
        const { world } = context;
        const input = { provider: 'google_business', label: 'Untitled' } as const;
        const wish = { random: world.random, nowMs: context.nowMs() };
        const link = createLink(input, wish);
        if (organization && isObject(readJson(request.body))) organization.links.set(link.token, link);
        return response;
      }),
      { needs: 'writes' },
    ],
  },
});

const outputs = mutantsNeeding('writes', {
  '2.connect-account-output.closed': {
    'link-output-extra-id': [
      '`data` of a new link has a member `id` that is not listed.',
      onSuccess(operation, add('data', { id: 'lnk_1' })),
    ],
    'link-output-extra-max-accounts': [
      '`data` of a new link has a member `maxAccounts` that is not listed.',
      onSuccess(operation, add('data', { maxAccounts: 1 })),
    ],
  },
  '2.connect-account-output.connect-url': {
    'link-output-without-url': [
      '`data` of a new link has no `connectUrl`.',
      onSuccess(operation, drop('data.connectUrl')),
    ],
    'link-output-url-object': [
      '`connectUrl` of a new link is an object with an `href`.',
      onSuccess(
        operation,
        change('data.connectUrl', (href) => ({ href })),
      ),
    ],
  },
  '2.connect-account-output.expires-at': {
    'link-output-expires-at-number': [
      '`expiresAt` of a new link is epoch milliseconds.',
      onSuccess(operation, change('data.expiresAt', epochMs)),
    ],
    'link-output-expires-at-missing': [
      '`data` of a new link has no `expiresAt`.',
      onSuccess(operation, drop('data.expiresAt')),
    ],
  },
  '2.connect-account-output.provider': {
    'link-output-provider-name': [
      '`provider` of a new link is a display name, such as "facebook page".',
      onSuccess(
        operation,
        change('data.provider', (value) => String(value).replaceAll('_', ' ')),
      ),
    ],
  },
  '2.connect-account-output.label': {
    'link-output-label-missing': ['`data` of a new link has no `label`.', onSuccess(operation, drop('data.label'))],
    'link-output-label-null': ['`label` of a new link is null.', onSuccess(operation, put('data.label', null))],
  },
  '4.connect.create-link.endpoint': {
    'link-data-in-array': [
      '`data` of a new link is an array with one ConnectAccountOutput.',
      onSuccess(
        operation,
        change('data', (data) => [data]),
      ),
    ],
  },
});

const effects = mutantsNeeding('writes', {
  '4.connect.envelope': {
    'link-created-201': [
      'A new link answers 201 instead of 200.',
      onSuccessAnswer(operation, (response) => withStatus(response, 201)),
    ],
  },
  '3.link.single-use': {
    'link-shared-by-all': [
      'Two links, made for two labels, have one and the same `connectUrl`.',
      (next, context) => {
        let first: Json | null = null;
        return onSuccess(
          operation,
          change('data.connectUrl', (url) => {
            first ??= url;
            return first;
          }),
        )(next, context);
      },
      { verdict: 'warn' },
    ],
  },
});

/** Only a client that may create links sees a success. */
const issues = mutantsOf({
  '7.code.invalid-input-issues': {
    'link-issues-missing': [
      'A body that is not a ConnectAccountInput is refused without `issues`.',
      onError({ which: operation, code: 'invalid_input' }, drop('error.issues')),
    ],
    'link-issues-empty': [
      'A body that is not a ConnectAccountInput is refused with empty `issues`.',
      onError({ which: operation, code: 'invalid_input' }, put('error.issues', [])),
    ],
  },
});

function cut(label: Json | undefined): string {
  return [...String(label)].slice(0, 80).join('');
}

export const linkMutants = [...providers, ...labels, ...counts, ...bodies, ...outputs, ...effects, ...issues];
