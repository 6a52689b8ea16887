import { isUuid, sameId } from '../ids.ts';
import type { AccountList, Fields } from '../seams.ts';
import type { Answer } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';
import { dropNulls } from './recipes.ts';

/** Changes each account of the list. */
function accounts(change: (account: Fields) => Fields): () => { 'account.list': (list: AccountList) => AccountList } {
  return () => ({ 'account.list': (list) => ({ ...list, accounts: list.accounts.map(change) }) });
}

/** The answer with another summary, or with none. */
function withSummary(answer: Answer, summary: unknown): Answer {
  const { summary: _usual, ...rest } = answer.body as Fields;
  return { ...answer, body: summary === undefined ? rest : { ...rest, summary } };
}

/** The list of accounts, invites and billing, and the summaries. */
export const accountMutants: MutantsByClause = {
  '2.list-accounts-output.accounts': {
    'account-null-members-dropped': {
      shows: 'name and connectedAt of an account that was never connected are left out instead of null.',
      wrong: accounts(dropNulls),
    },
    'accounts-dropped-when-none': {
      shows: 'accounts is left out while there is no account.',
      variant: 'empty',
      wrong: () => ({
        'account.list': (list) => {
          const { accounts: all, ...rest } = list;
          return all.length === 0 ? (rest as unknown as AccountList) : list;
        },
      }),
    },
  },
  '2.list-accounts-output.accounts.locked': {
    'account-locked-number': {
      shows: 'locked is 0 or 1.',
      wrong: accounts((account) => ({ ...account, locked: Number(account.locked) })),
    },
  },
  '2.list-accounts-output.accounts.status': {
    'account-status-disconnected': {
      shows: 'An account whose authorization expired has the status "disconnected".',
      wrong: accounts((account) => (account.status === 'expired' ? { ...account, status: 'disconnected' } : account)),
    },
  },
  '2.list-accounts-output.accounts.provider': {
    'account-provider-with-hyphen': {
      shows: 'The one account of google_contacts has the provider "google-contacts".',
      wrong: accounts((account) =>
        account.provider === 'google_contacts' ? { ...account, provider: 'google-contacts' } : account,
      ),
    },
  },
  '2.list-accounts-output.pending-invites': {
    'invites-dropped-when-none': {
      shows: 'pendingInvites is left out while there is no open invite.',
      variant: 'empty',
      wrong: () => ({
        'account.list': (list) => {
          const { pendingInvites, ...rest } = list;
          return pendingInvites.length === 0 ? (rest as unknown as AccountList) : list;
        },
      }),
    },
  },
  '2.list-accounts-output.pending-invites.expires-at': {
    'invite-expires-number': {
      shows: 'expiresAt of a pending invite is a number.',
      wrong: () => ({
        'account.list': (list, { ask }) => {
          const pendingInvites = list.pendingInvites.map((invite) => ({ ...invite, expiresAt: ask.at + 1000 }));
          return { ...list, pendingInvites };
        },
      }),
    },
  },
  '2.list-accounts-output.billing': {
    'billing-null-when-none': {
      shows: 'billing is null while no account is connected.',
      variant: 'empty',
      wrong: () => ({
        'account.list': (list) =>
          list.billing.connected === 0 ? { ...list, billing: null as unknown as Fields } : list,
      }),
    },
  },
  '2.list-accounts-output.billing.billable': {
    'billing-billable-text': {
      shows: 'billing.billable is a string with two decimals.',
      wrong: () => ({
        'account.list': (list) => ({
          ...list,
          billing: { ...list.billing, billable: Number(list.billing.billable).toFixed(2) },
        }),
      }),
    },
  },
  '2.list-accounts-output.closed': {
    'accounts-count-more': {
      shows: 'The list of accounts has a member total beside accounts, pendingInvites and billing.',
      wrong: () => ({ 'account.list': (list) => ({ ...list, total: list.accounts.length }) }),
    },
  },
  '4.connect.envelope': {
    'summary-missing-on-later-reviews': {
      shows: 'Pages of reviews after the first have no summary.',
      wrong: () => ({
        answer: (answer, { visit }) =>
          visit.segments[3] === 'reviews' && visit.query.has('cursor') && answer.status === 200
            ? withSummary(answer, undefined)
            : answer,
      }),
    },
    'summary-null-on-insights': {
      shows: 'summary of insights is null.',
      wrong: () => ({
        answer: (answer, { visit }) =>
          visit.segments[3] === 'insights' && answer.status === 200 ? withSummary(answer, null) : answer,
      }),
    },
  },
  '4.connect.unknown-account': {
    'account-known-by-first-half': {
      shows: 'The id of an account with its last digit changed is served as that account instead of 404.',
      wrong: () => ({
        'account.found': (found, { ask, id }) => {
          const same = (one: { id: string }): boolean => sameId(one.id.slice(0, 18), id.slice(0, 18));
          return found ?? (isUuid(id) ? ask.org.accounts.find(same) : undefined);
        },
      }),
    },
  },
};
