// Incorrect responses of GET /connect/accounts. Cites 2.list-accounts-output.*, 4.connect.list-accounts.*.

import { mutantsOf } from './hooks/mutant.ts';
import { onSuccess, onSuccessResponse } from './hooks/recipes.ts';
import { add, asRejection, change, drop, type Json, lift, put } from './hooks/rewrite.ts';

const fields = mutantsOf({
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
});

const accounts = mutantsOf({
  '2.provider': {
    'accounts-provider-youtube': [
      'The last account has the provider "youtube".',
      onSuccess('listAccounts', put('data.accounts.-1.provider', 'youtube')),
    ],
  },
});

const contents = mutantsOf({
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

export const accountMutants = [...fields, ...accounts, ...contents];
