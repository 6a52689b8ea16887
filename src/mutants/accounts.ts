// GET /connect/accounts told wrongly. Cites 2.list-accounts-output.*, 4.connect.list-accounts.*.
import { add, change, drop, put } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, isObject, type Json } from './hooks/rewrite.ts';

const epochMs = (value: Json): Json => Date.parse(String(value));

const members: readonly Mutant[] = [
  {
    name: 'accounts-extra-member',
    breaks: '2.list-accounts-output.closed',
    shows: '`data` of GET /connect/accounts has a member `nextCursor` that is not listed.',
    wrap: onSuccess('listAccounts', add('data', { nextCursor: null })),
  },
  {
    name: 'accounts-by-id-map',
    breaks: '2.list-accounts-output.accounts',
    shows: '`accounts` of GET /connect/accounts is an object with the account ids as members, not an array.',
    wrap: onSuccess(
      'listAccounts',
      change('data.accounts', (accounts) =>
        Object.fromEntries((accounts as { accountId: string }[]).map((account) => [account.accountId, account])),
      ),
    ),
  },
  {
    name: 'accounts-last-without-locked',
    breaks: '2.list-accounts-output.accounts',
    shows: 'The last account has no `locked`.',
    wrap: onSuccess('listAccounts', drop('data.accounts.-1.locked')),
  },
  {
    name: 'accounts-connected-at-left-out',
    breaks: '2.list-accounts-output.accounts',
    shows: 'An account that was never connected has no `connectedAt` instead of null.',
    wrap: onSuccess(
      'listAccounts',
      change('data.accounts.*', (account) =>
        isObject(account) && account.connectedAt === null ? drop('connectedAt')(account) : account,
      ),
    ),
  },
  {
    name: 'accounts-invites-missing',
    breaks: '2.list-accounts-output.pending-invites',
    shows: 'GET /connect/accounts has no `pendingInvites`.',
    wrap: onSuccess('listAccounts', drop('data.pendingInvites')),
  },
  {
    name: 'accounts-invites-null',
    breaks: '2.list-accounts-output.pending-invites',
    shows: '`pendingInvites` of GET /connect/accounts is null.',
    wrap: onSuccess('listAccounts', put('data.pendingInvites', null)),
  },
  {
    name: 'accounts-last-invite-without-expiry',
    breaks: '2.list-accounts-output.pending-invites',
    shows: 'The last pending invite has no `expiresAt`.',
    wrap: onSuccess('listAccounts', drop('data.pendingInvites.-1.expiresAt')),
  },
  {
    name: 'accounts-billing-missing',
    breaks: '2.list-accounts-output.billing',
    shows: 'GET /connect/accounts has no `billing`.',
    wrap: onSuccess('listAccounts', drop('data.billing')),
  },
  {
    name: 'accounts-billing-without-free',
    breaks: '2.list-accounts-output.billing',
    shows: '`billing` has no `free`.',
    wrap: onSuccess('listAccounts', drop('data.billing.free')),
  },
];

const accounts: readonly Mutant[] = [
  {
    name: 'accounts-id-number',
    breaks: '2.list-accounts-output.accounts.account-id',
    shows: 'The last account has a number for its `accountId`.',
    wrap: onSuccess('listAccounts', put('data.accounts.-1.accountId', 1042)),
  },
  {
    name: 'accounts-provider-youtube',
    breaks: '2.provider',
    shows: 'The last account has the provider "youtube".',
    wrap: onSuccess('listAccounts', put('data.accounts.-1.provider', 'youtube')),
  },
  {
    name: 'accounts-provider-upper-case',
    breaks: '2.list-accounts-output.accounts.provider',
    shows: 'The third account has its provider in capitals.',
    wrap: onSuccess(
      'listAccounts',
      change('data.accounts.2.provider', (value) => String(value).toUpperCase()),
    ),
  },
  {
    name: 'accounts-label-null',
    breaks: '2.list-accounts-output.accounts.label',
    shows: 'The second account has `label` null.',
    wrap: onSuccess('listAccounts', put('data.accounts.1.label', null)),
  },
  {
    name: 'accounts-name-object',
    breaks: '2.list-accounts-output.accounts.name',
    shows: 'The last account has an object for its `name`.',
    wrap: onSuccess(
      'listAccounts',
      change('data.accounts.-1.name', (text) => ({ text })),
    ),
  },
  {
    name: 'accounts-name-false',
    breaks: '2.list-accounts-output.accounts.name',
    shows: 'Where `name` of an account should be null it is false.',
    wrap: onSuccess(
      'listAccounts',
      change('data.accounts.*.name', (value) => value ?? false),
    ),
  },
  {
    name: 'accounts-status-disconnected',
    breaks: '2.list-accounts-output.accounts.status',
    shows: 'A revoked account has the status "disconnected".',
    wrap: onSuccess(
      'listAccounts',
      change('data.accounts.*.status', (status) => (status === 'revoked' ? 'disconnected' : status)),
    ),
  },
  {
    name: 'accounts-status-camel-case',
    breaks: '2.list-accounts-output.accounts.status',
    shows: 'An account without API access has the status "pendingApiAccess".',
    wrap: onSuccess(
      'listAccounts',
      change('data.accounts.*.status', (status) => (status === 'pending_api_access' ? 'pendingApiAccess' : status)),
    ),
  },
  {
    name: 'accounts-locked-text',
    breaks: '2.list-accounts-output.accounts.locked',
    shows: 'The last account has its `locked` as a string.',
    wrap: onSuccess('listAccounts', change('data.accounts.-1.locked', String)),
  },
  {
    name: 'accounts-locked-number',
    breaks: '2.list-accounts-output.accounts.locked',
    shows: 'A locked account has 1 for its `locked`.',
    wrap: onSuccess(
      'listAccounts',
      change('data.accounts.*.locked', (locked) => (locked === true ? 1 : locked)),
    ),
  },
  {
    name: 'accounts-connected-at-number',
    breaks: '2.list-accounts-output.accounts.connected-at',
    shows: 'The fifth account has epoch milliseconds for its `connectedAt`.',
    wrap: onSuccess('listAccounts', change('data.accounts.4.connectedAt', epochMs)),
  },
];

const invites: readonly Mutant[] = [
  {
    name: 'accounts-invite-id-number',
    breaks: '2.list-accounts-output.pending-invites.id',
    shows: 'The last pending invite has a number for its `id`.',
    wrap: onSuccess('listAccounts', put('data.pendingInvites.-1.id', 7)),
  },
  {
    name: 'accounts-invite-label-null',
    breaks: '2.list-accounts-output.pending-invites.label',
    shows: 'The last pending invite has `label` null.',
    wrap: onSuccess('listAccounts', put('data.pendingInvites.-1.label', null)),
  },
  {
    name: 'accounts-invite-provider-name',
    breaks: '2.list-accounts-output.pending-invites.provider',
    shows: 'Pending invites have the display name of the provider.',
    wrap: onSuccess(
      'listAccounts',
      change('data.pendingInvites.*.provider', (value) => String(value).replaceAll('_', ' ')),
    ),
  },
  {
    name: 'accounts-invite-max-accounts-text',
    breaks: '2.list-accounts-output.pending-invites.max-accounts',
    shows: 'Pending invites have `maxAccounts` as a string.',
    wrap: onSuccess('listAccounts', change('data.pendingInvites.*.maxAccounts', String)),
  },
  {
    name: 'accounts-invite-max-accounts-fraction',
    breaks: '2.list-accounts-output.pending-invites.max-accounts',
    shows: 'The last pending invite has a `maxAccounts` with a fraction.',
    wrap: onSuccess('listAccounts', put('data.pendingInvites.-1.maxAccounts', 1.5)),
  },
  {
    name: 'accounts-invite-expires-at-number',
    breaks: '2.list-accounts-output.pending-invites.expires-at',
    shows: 'Pending invites have epoch milliseconds for `expiresAt`.',
    wrap: onSuccess('listAccounts', change('data.pendingInvites.*.expiresAt', epochMs)),
  },
];

const billing: readonly Mutant[] = [
  {
    name: 'accounts-billing-connected-text',
    breaks: '2.list-accounts-output.billing.connected',
    shows: '`billing.connected` is a string.',
    wrap: onSuccess('listAccounts', change('data.billing.connected', String)),
  },
  {
    name: 'accounts-billing-free-null',
    breaks: '2.list-accounts-output.billing.free',
    shows: '`billing.free` is null.',
    wrap: onSuccess('listAccounts', put('data.billing.free', null)),
  },
  {
    name: 'accounts-billing-billable-object',
    breaks: '2.list-accounts-output.billing.billable',
    shows: '`billing.billable` is an object with a count.',
    wrap: onSuccess(
      'listAccounts',
      change('data.billing.billable', (count) => ({ count })),
    ),
  },
  {
    name: 'accounts-billing-needs-payment-number',
    breaks: '2.list-accounts-output.billing.needs-payment',
    shows: '`billing.needsPayment` is 0 or 1.',
    wrap: onSuccess('listAccounts', change('data.billing.needsPayment', Number)),
  },
];

const contents: readonly Mutant[] = [
  {
    name: 'accounts-as-data',
    breaks: '4.connect.list-accounts.endpoint',
    shows: '`data` of GET /connect/accounts is the array of accounts itself.',
    wrap: onSuccess(
      'listAccounts',
      change('data', (data) => (isObject(data) ? (data.accounts ?? null) : data)),
    ),
  },
  {
    name: 'accounts-none-says-not-found',
    breaks: '4.connect.list-accounts.endpoint',
    shows:
      'GET /connect/accounts of an organization without accounts answers 404 `not_found` instead of an empty list.',
    world: 'empty',
    wrap: onSuccessAnswer('listAccounts', (response, { organization }) =>
      organization.accounts.size === 0
        ? asRefusal(response, 404, { code: 'not_found', message: 'No account is connected.' })
        : response,
    ),
  },
  {
    name: 'accounts-flicker',
    breaks: '4.connect.list-accounts.content',
    shows: 'Every second answer of GET /connect/accounts lacks the last account, although nothing has changed.',
    wrap: (next, context) => {
      let count = 0;
      const edit = (accounts: Json): Json => {
        count += 1;
        return Array.isArray(accounts) && count % 2 === 0 ? accounts.slice(0, -1) : accounts;
      };
      return onSuccess('listAccounts', change('data.accounts', edit))(next, context);
    },
  },
  {
    name: 'accounts-with-reviews-unlisted',
    breaks: '4.connect.list-accounts.content',
    shows: 'GET /connect/accounts lists no account with reviews, although its reviews can be read by its id.',
    wrap: onSuccess('listAccounts', (body, { organization }) =>
      change('data.accounts', (listed) =>
        (listed as { accountId: string }[]).filter(
          ({ accountId }) => (organization.accounts.get(accountId.toLowerCase())?.reviews.toData().length ?? 0) === 0,
        ),
      )(body),
    ),
  },
];

export const accountMutants: readonly Mutant[] = [...members, ...accounts, ...invites, ...billing, ...contents];
