// GET /connect/accounts told wrongly. Cites 2.list-accounts-output.*, 4.connect.list-accounts.*.
import { add, change, drop, put } from './hooks/json-path.ts';
import { mutantsOf } from './hooks/mutants-of.ts';
import { onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, epochMs, isObject, type Json } from './hooks/rewrite.ts';

const members = mutantsOf({
  '2.list-accounts-output.closed': {
    'accounts-extra-member': [
      '`data` of GET /connect/accounts has a member `nextCursor` that is not listed.',
      onSuccess('listAccounts', add('data', { nextCursor: null })),
    ],
  },
  '2.list-accounts-output.accounts': {
    'accounts-by-id-map': [
      '`accounts` of GET /connect/accounts is an object with the account ids as members, not an array.',
      onSuccess(
        'listAccounts',
        change('data.accounts', (accounts) =>
          Object.fromEntries((accounts as { accountId: string }[]).map((account) => [account.accountId, account])),
        ),
      ),
    ],
    'accounts-last-without-locked': [
      'The last account has no `locked`.',
      onSuccess('listAccounts', drop('data.accounts.-1.locked')),
    ],
    'accounts-connected-at-left-out': [
      'An account that was never connected has no `connectedAt` instead of null.',
      onSuccess(
        'listAccounts',
        change('data.accounts.*', (account) =>
          isObject(account) && account.connectedAt === null ? drop('connectedAt')(account) : account,
        ),
      ),
    ],
  },
  '2.list-accounts-output.pending-invites': {
    'accounts-invites-missing': [
      'GET /connect/accounts has no `pendingInvites`.',
      onSuccess('listAccounts', drop('data.pendingInvites')),
    ],
    'accounts-invites-null': [
      '`pendingInvites` of GET /connect/accounts is null.',
      onSuccess('listAccounts', put('data.pendingInvites', null)),
    ],
    'accounts-last-invite-without-expiry': [
      'The last pending invite has no `expiresAt`.',
      onSuccess('listAccounts', drop('data.pendingInvites.-1.expiresAt')),
    ],
  },
  '2.list-accounts-output.billing': {
    'accounts-billing-missing': [
      'GET /connect/accounts has no `billing`.',
      onSuccess('listAccounts', drop('data.billing')),
    ],
    'accounts-billing-without-free': ['`billing` has no `free`.', onSuccess('listAccounts', drop('data.billing.free'))],
  },
});

const accounts = mutantsOf({
  '2.list-accounts-output.accounts.account-id': {
    'accounts-id-number': [
      'The last account has a number for its `accountId`.',
      onSuccess('listAccounts', put('data.accounts.-1.accountId', 1042)),
    ],
  },
  '2.provider': {
    'accounts-provider-youtube': [
      'The last account has the provider "youtube".',
      onSuccess('listAccounts', put('data.accounts.-1.provider', 'youtube')),
    ],
  },
  '2.list-accounts-output.accounts.provider': {
    'accounts-provider-upper-case': [
      'The third account has its provider in capitals.',
      onSuccess(
        'listAccounts',
        change('data.accounts.2.provider', (value) => String(value).toUpperCase()),
      ),
    ],
  },
  '2.list-accounts-output.accounts.label': {
    'accounts-label-null': [
      'The second account has `label` null.',
      onSuccess('listAccounts', put('data.accounts.1.label', null)),
    ],
  },
  '2.list-accounts-output.accounts.name': {
    'accounts-name-object': [
      'The last account has an object for its `name`.',
      onSuccess(
        'listAccounts',
        change('data.accounts.-1.name', (text) => ({ text })),
      ),
    ],
    'accounts-name-false': [
      'Where `name` of an account should be null it is false.',
      onSuccess(
        'listAccounts',
        change('data.accounts.*.name', (value) => value ?? false),
      ),
    ],
  },
  '2.list-accounts-output.accounts.status': {
    'accounts-status-disconnected': [
      'A revoked account has the status "disconnected".',
      onSuccess(
        'listAccounts',
        change('data.accounts.*.status', (status) => (status === 'revoked' ? 'disconnected' : status)),
      ),
    ],
    'accounts-status-camel-case': [
      'An account without API access has the status "pendingApiAccess".',
      onSuccess(
        'listAccounts',
        change('data.accounts.*.status', (status) => (status === 'pending_api_access' ? 'pendingApiAccess' : status)),
      ),
    ],
  },
  '2.list-accounts-output.accounts.locked': {
    'accounts-locked-text': [
      'The last account has its `locked` as a string.',
      onSuccess('listAccounts', change('data.accounts.-1.locked', String)),
    ],
    'accounts-locked-number': [
      'A locked account has 1 for its `locked`.',
      onSuccess(
        'listAccounts',
        change('data.accounts.*.locked', (locked) => (locked === true ? 1 : locked)),
      ),
    ],
  },
  '2.list-accounts-output.accounts.connected-at': {
    'accounts-connected-at-number': [
      'The fifth account has epoch milliseconds for its `connectedAt`.',
      onSuccess('listAccounts', change('data.accounts.4.connectedAt', epochMs)),
    ],
  },
});

const invites = mutantsOf({
  '2.list-accounts-output.pending-invites.id': {
    'accounts-invite-id-number': [
      'The last pending invite has a number for its `id`.',
      onSuccess('listAccounts', put('data.pendingInvites.-1.id', 7)),
    ],
  },
  '2.list-accounts-output.pending-invites.label': {
    'accounts-invite-label-null': [
      'The last pending invite has `label` null.',
      onSuccess('listAccounts', put('data.pendingInvites.-1.label', null)),
    ],
  },
  '2.list-accounts-output.pending-invites.provider': {
    'accounts-invite-provider-name': [
      'Pending invites have the display name of the provider.',
      onSuccess(
        'listAccounts',
        change('data.pendingInvites.*.provider', (value) => String(value).replaceAll('_', ' ')),
      ),
    ],
  },
  '2.list-accounts-output.pending-invites.max-accounts': {
    'accounts-invite-max-accounts-text': [
      'Pending invites have `maxAccounts` as a string.',
      onSuccess('listAccounts', change('data.pendingInvites.*.maxAccounts', String)),
    ],
    'accounts-invite-max-accounts-fraction': [
      'The last pending invite has a `maxAccounts` with a fraction.',
      onSuccess('listAccounts', put('data.pendingInvites.-1.maxAccounts', 1.5)),
    ],
  },
  '2.list-accounts-output.pending-invites.expires-at': {
    'accounts-invite-expires-at-number': [
      'Pending invites have epoch milliseconds for `expiresAt`.',
      onSuccess('listAccounts', change('data.pendingInvites.*.expiresAt', epochMs)),
    ],
  },
});

const billing = mutantsOf({
  '2.list-accounts-output.billing.connected': {
    'accounts-billing-connected-text': [
      '`billing.connected` is a string.',
      onSuccess('listAccounts', change('data.billing.connected', String)),
    ],
  },
  '2.list-accounts-output.billing.free': {
    'accounts-billing-free-null': [
      '`billing.free` is null.',
      onSuccess('listAccounts', put('data.billing.free', null)),
    ],
  },
  '2.list-accounts-output.billing.billable': {
    'accounts-billing-billable-object': [
      '`billing.billable` is an object with a count.',
      onSuccess(
        'listAccounts',
        change('data.billing.billable', (count) => ({ count })),
      ),
    ],
  },
  '2.list-accounts-output.billing.needs-payment': {
    'accounts-billing-needs-payment-number': [
      '`billing.needsPayment` is 0 or 1.',
      onSuccess('listAccounts', change('data.billing.needsPayment', Number)),
    ],
  },
});

const contents = mutantsOf({
  '4.connect.list-accounts.endpoint': {
    'accounts-as-data': [
      '`data` of GET /connect/accounts is the array of accounts itself.',
      onSuccess(
        'listAccounts',
        change('data', (data) => (isObject(data) ? (data.accounts ?? null) : data)),
      ),
    ],
    'accounts-none-says-not-found': [
      'GET /connect/accounts of an organization without accounts answers 404 `not_found` instead of an empty list.',
      onSuccessAnswer('listAccounts', (response, { organization }) =>
        organization.accounts.size === 0
          ? asRefusal(response, 404, { code: 'not_found', message: 'No account is connected.' })
          : response,
      ),
      { world: 'empty' },
    ],
  },
  '4.connect.list-accounts.content': {
    'accounts-flicker': [
      'Every second answer of GET /connect/accounts lacks the last account, although nothing has changed.',
      (next, context) => {
        let count = 0;
        const edit = (accounts: Json): Json => {
          count += 1;
          return Array.isArray(accounts) && count % 2 === 0 ? accounts.slice(0, -1) : accounts;
        };
        return onSuccess('listAccounts', change('data.accounts', edit))(next, context);
      },
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

export const accountMutants = [...members, ...accounts, ...invites, ...billing, ...contents];
