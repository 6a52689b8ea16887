import { hexOf } from '../ids.ts';
import type { AccountList, Fields } from '../seams.ts';
import type { Answer } from '../types.ts';
import { bodyOf, type IndependentMutant, without } from './mutant.ts';

function dropNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Changes each account of the list. */
function accounts(change: (account: Fields) => Fields): () => { 'account.list': (list: AccountList) => AccountList } {
  return () => ({ 'account.list': (list) => ({ ...list, accounts: list.accounts.map(change) }) });
}

/** The answer with another summary, or with none. */
function withSummary(answer: Answer, summary: unknown): Answer {
  const { summary: _usual, ...rest } = answer.body as Fields;
  return { ...answer, body: summary === undefined ? rest : { ...rest, summary } };
}

/** Answers to writes that succeeded. */
export const writeOutputMutants: readonly IndependentMutant[] = [
  {
    name: 'link-201',
    breaks: '4.connect.create-link.endpoint',
    shows: 'A new link answers 201 instead of 200.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({
      answer: (answer, { visit }) =>
        visit.method === 'POST' && visit.segments.length === 2 && answer.status === 200
          ? { ...answer, status: 201 }
          : answer,
    }),
  },
  {
    name: 'link-echoes-max-accounts',
    breaks: '2.connect-account-output.closed',
    shows: 'The answer to a link asked for with maxAccounts has a member maxAccounts.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'link.data': (data, { ask }) => {
        const { maxAccounts } = bodyOf(ask);
        return maxAccounts === undefined ? data : { ...data, maxAccounts };
      },
    }),
  },
  {
    name: 'link-expires-number',
    breaks: '2.connect-account-output.expires-at',
    shows: 'expiresAt of a new link is a number.',
    needs: 'writes',
    variants: ['plain', 'mixed'],
    wrong: () => ({ 'link.data': (data, { ask }) => ({ ...data, expiresAt: ask.at + 72 * 3_600_000 }) }),
  },
  {
    name: 'link-label-left-out',
    breaks: '2.connect-account-output.label',
    shows: 'The answer to a new link has no label.',
    needs: 'writes',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'link.data': (data) => without(data, 'label'),
    }),
  },
  {
    name: 'post-permalink-dropped',
    breaks: '2.create-post-output.permalink',
    shows: 'permalink of a post is left out where it should be null.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'post.data': dropNulls }),
  },
  {
    name: 'post-id-number',
    breaks: '2.create-post-output.post-id',
    shows: 'postId is a number.',
    needs: 'writes',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'post.data': (data) => ({ ...data, postId: Number.parseInt(hexOf(String(data.postId)).slice(0, 8), 16) }),
    }),
  },
  {
    name: 'post-with-image-more',
    breaks: '2.create-post-output.closed',
    shows: 'The answer to a post with an image has a member mediaId.',
    needs: 'writes',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'post.data': (data, { ask }) => (bodyOf(ask).media === undefined ? data : { ...data, mediaId: 'm-1' }),
    }),
  },
  {
    name: 'reply-time-dropped',
    breaks: '2.reply-review-output.replied-at',
    shows: 'repliedAt is left out where it should be null.',
    needs: 'writes',
    variants: ['frugal'],
    wrong: () => ({ 'reply.data': dropNulls }),
  },
  {
    name: 'reply-echoes-text',
    breaks: '2.reply-review-output.closed',
    shows: 'The answer to a reply has a member text.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'reply.data': (data, { ask }) => ({ ...data, text: bodyOf(ask).text }) }),
  },
];

/** The list of accounts, invites and billing, and the summaries. */
export const accountListMutants: readonly IndependentMutant[] = [
  {
    name: 'account-null-members-dropped',
    breaks: '2.list-accounts-output.accounts',
    shows: 'name and connectedAt of an account that was never connected are left out instead of null.',
    needs: 'nothing',
    variants: ['plain', 'offsets'],
    wrong: accounts(dropNulls),
  },
  {
    name: 'account-locked-number',
    breaks: '2.list-accounts-output.accounts.locked',
    shows: 'locked is 0 or 1.',
    needs: 'nothing',
    variants: ['plain', 'single'],
    wrong: accounts((account) => ({ ...account, locked: Number(account.locked) })),
  },
  {
    name: 'account-status-disconnected',
    breaks: '2.list-accounts-output.accounts.status',
    shows: 'An account whose authorization expired has the status "disconnected".',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: accounts((account) => (account.status === 'expired' ? { ...account, status: 'disconnected' } : account)),
  },
  {
    name: 'account-provider-with-hyphen',
    breaks: '2.list-accounts-output.accounts.provider',
    shows: 'The one account of google_contacts has the provider "google-contacts".',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: accounts((account) =>
      account.provider === 'google_contacts' ? { ...account, provider: 'google-contacts' } : account,
    ),
  },
  {
    name: 'accounts-dropped-when-none',
    breaks: '2.list-accounts-output.accounts',
    shows: 'accounts is left out while there is no account.',
    needs: 'nothing',
    variants: ['empty'],
    wrong: () => ({
      'account.list': (list) => {
        const { accounts: all, ...rest } = list;
        return all.length === 0 ? (rest as unknown as AccountList) : list;
      },
    }),
  },
  {
    name: 'invites-dropped-when-none',
    breaks: '2.list-accounts-output.pending-invites',
    shows: 'pendingInvites is left out while there is no open invite.',
    needs: 'nothing',
    variants: ['empty'],
    wrong: () => ({
      'account.list': (list) => {
        const { pendingInvites, ...rest } = list;
        return pendingInvites.length === 0 ? (rest as unknown as AccountList) : list;
      },
    }),
  },
  {
    name: 'invite-expires-number',
    breaks: '2.list-accounts-output.pending-invites.expires-at',
    shows: 'expiresAt of a pending invite is a number.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'account.list': (list, { ask }) => {
        const pendingInvites = list.pendingInvites.map((invite) => ({ ...invite, expiresAt: ask.at + 1000 }));
        return { ...list, pendingInvites };
      },
    }),
  },
  {
    name: 'billing-null-when-none',
    breaks: '2.list-accounts-output.billing',
    shows: 'billing is null while no account is connected.',
    needs: 'nothing',
    variants: ['empty'],
    wrong: () => ({
      'account.list': (list) => (list.billing.connected === 0 ? { ...list, billing: null as unknown as Fields } : list),
    }),
  },
  {
    name: 'billing-billable-text',
    breaks: '2.list-accounts-output.billing.billable',
    shows: 'billing.billable is a string with two decimals.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'account.list': (list) => ({
        ...list,
        billing: { ...list.billing, billable: Number(list.billing.billable).toFixed(2) },
      }),
    }),
  },
  {
    name: 'accounts-count-more',
    breaks: '2.list-accounts-output.closed',
    shows: 'The list of accounts has a member total beside accounts, pendingInvites and billing.',
    needs: 'nothing',
    variants: ['plain', 'empty'],
    wrong: () => ({ 'account.list': (list) => ({ ...list, total: list.accounts.length }) }),
  },
  {
    name: 'summary-missing-on-later-reviews',
    breaks: '4.connect.envelope',
    shows: 'Pages of reviews after the first have no summary.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      answer: (answer, { visit }) =>
        visit.segments[3] === 'reviews' && visit.query.has('cursor') && answer.status === 200
          ? withSummary(answer, undefined)
          : answer,
    }),
  },
  {
    name: 'summary-null-on-insights',
    breaks: '4.connect.envelope',
    shows: 'summary of insights is null.',
    needs: 'nothing',
    variants: ['plain', 'frugal'],
    wrong: () => ({
      answer: (answer, { visit }) =>
        visit.segments[3] === 'insights' && answer.status === 200 ? withSummary(answer, null) : answer,
    }),
  },
];
