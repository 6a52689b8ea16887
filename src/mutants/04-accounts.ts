// Incorrect responses of GET /connect/accounts. Cites 2.list-accounts-output.*, 4.connect.list-accounts.*.

import { mutantsNeeding, mutantsOf } from './hooks/mutant.ts';
import {
  onBody,
  onEach,
  onField,
  onRejection,
  onRequest,
  onSuccess,
  onSuccessResponse,
  restatus,
} from './hooks/recipes.ts';
import {
  add,
  asCrash,
  asRejection,
  change,
  drop,
  isObject,
  type Json,
  lift,
  put,
  readJson,
  withBody,
  withStatus,
} from './hooks/rewrite.ts';

export const accountMutants = mutantsOf({
  '2.list-accounts-output.closed': {
    'accounts-extra-member': [
      '`data` of GET /connect/accounts has a field `nextCursor` that is not listed.',
      onSuccess('listAccounts', add('data', { nextCursor: null })),
    ],
  },
  '2.list-accounts-output.accounts': {
    'accounts-by-id-map': [
      '`accounts` of GET /connect/accounts is an object with the account ids as fields, not an array.',
      onSuccess(
        'listAccounts',
        change('data.accounts', (accounts) =>
          Object.fromEntries((accounts as { accountId: string }[]).map((account) => [account.accountId, account])),
        ),
      ),
    ],
  },
  '2.list-accounts-output.pending-invites': {
    'accounts-invites-missing': [
      'GET /connect/accounts has no `pendingInvites`.',
      onSuccess('listAccounts', drop('data.pendingInvites')),
    ],
  },
  '2.list-accounts-output.billing': {
    'accounts-billing-missing': [
      'GET /connect/accounts has no `billing`.',
      onSuccess('listAccounts', drop('data.billing')),
    ],
  },
  '2.provider': {
    'accounts-provider-youtube': [
      'The last account has the provider "youtube".',
      onSuccess('listAccounts', put('data.accounts.-1.provider', 'youtube')),
    ],
  },
  '4.connect.list-accounts.endpoint': {
    'accounts-as-data': [
      '`data` of GET /connect/accounts is the array of accounts itself.',
      onSuccess('listAccounts', lift('data', 'accounts')),
    ],
    'accounts-none-says-not-found': [
      'GET /connect/accounts of an organization without accounts returns 404 `not_found` instead of an empty list.',
      onSuccessResponse('listAccounts', (response, { organization }) =>
        organization.accounts.size === 0
          ? asRejection(response, 404, { code: 'not_found', message: 'No account is connected.' })
          : response,
      ),
      { world: 'empty' },
    ],
  },
  '4.connect.list-accounts.content': {
    'accounts-flicker': [
      'Every second response of GET /connect/accounts lacks the last account, although nothing has changed.',
      onEach(2, 'listAccounts', drop('data.accounts.-1')),
    ],
    'accounts-with-reviews-unlisted': [
      'GET /connect/accounts lists no account with reviews, although its reviews can be read by its id.',
      onSuccess('listAccounts', (body, { organization }) =>
        change('data.accounts', (listed) =>
          (listed as { accountId: string }[]).filter(
            ({ accountId }) => (organization.accounts.get(accountId.toLowerCase())?.reviews.toData().length ?? 0) === 0,
          ),
        )(body),
      ),
    ],
  },
});

const operation = 'createConnectLink';
const isMissing = (value: Json | undefined): value is undefined => value === undefined;

const bodies = mutantsOf({
  '2.connect-account-input.provider': {
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
    'link-provider-calendar-refused': [
      'A link for `google_calendar` is rejected as if the list had no such provider.',
      onBody(operation, (body) => (body.provider === 'google_calendar' ? { ...body, provider: 'calendar' } : body)),
      { needs: 'writes' },
    ],
  },
  '2.connect-account-input.max-accounts': {
    'link-max-accounts-listed-as-1': [
      'A pending invite has `maxAccounts` 1 instead of the requested number.',
      onSuccess('listAccounts', put('data.pendingInvites.*.maxAccounts', 1)),
      { needs: 'writes' },
    ],
  },
  '2.list-accounts-output.pending-invites.provider': {
    'accounts-invite-of-contacts-as-calendar': [
      'A pending invite for `google_contacts` is listed with `google_calendar`.',
      onField('listAccounts', 'data.pendingInvites.*.provider', (name) =>
        name === 'google_contacts' ? 'google_calendar' : name,
      ),
      { needs: 'writes' },
    ],
  },
  '2.connect-account-input.max-accounts-default': {
    'link-max-accounts-defaults-to-20': [
      'A link made without `maxAccounts` is in the pending invites with `maxAccounts` 20.',
      onBody(operation, (body) => (isMissing(body.maxAccounts) ? { ...body, maxAccounts: 20 } : body)),
      { needs: 'writes' },
    ],
  },
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
      'POST /connect/accounts creates a link from any object, with any fields.',
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
      'POST /connect/accounts with a body that is not JSON returns 500.',
      onRejection({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
        readJson(request.body) === undefined ? asCrash(response, 'Unexpected token') : response,
      ),
    ],
    'link-invalid-utf-8-500': [
      'POST /connect/accounts with bytes that are not UTF-8 returns 500.',
      onRejection({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
        request.body !== null && new TextDecoder().decode(request.body).includes('�')
          ? asCrash(response, 'invalid byte sequence for encoding "UTF8"')
          : response,
      ),
    ],
    'link-deep-body-500': [
      'POST /connect/accounts with a thousand nested arrays returns 500.',
      onRejection({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
        request.body !== null && new TextDecoder().decode(request.body).includes('['.repeat(500))
          ? asCrash(response, 'Maximum call stack size exceeded')
          : response,
      ),
    ],
    'link-invalid-422': [
      'A body that is not a ConnectAccountInput returns 422.',
      restatus({ which: operation, code: 'invalid_input' }, 422),
    ],
    'link-refused-yet-created': [
      'A body that is not a ConnectAccountInput returns 400, and yet a pending invite appears.',
      onRejection(
        { which: operation, code: 'invalid_input' },
        (response, _error, { request, organization, context }) => {
          const body = { provider: 'google_business', label: 'Untitled' };
          if (organization && isObject(readJson(request.body)))
            context.responseAs(organization, withBody(request, body));
          return response;
        },
      ),
      { needs: 'writes' },
    ],
  },
});

const effects = mutantsNeeding('writes', {
  '2.connect-account-output.closed': {
    'link-output-extra-id': [
      '`data` of a new link has a field `id` that is not listed.',
      onSuccess(operation, add('data', { id: 'lnk_1' })),
    ],
  },
  '4.connect.create-link.endpoint': {
    'link-data-in-array': [
      '`data` of a new link is an array with one ConnectAccountOutput.',
      onField(operation, 'data', (data) => [data]),
    ],
  },
  '4.connect.envelope': {
    'link-created-201': [
      'A new link returns 201 instead of 200.',
      onSuccessResponse(operation, (response) => withStatus(response, 201)),
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
      { result: 'warn' },
    ],
  },
});

export const linkMutants = [...bodies, ...effects];
