// The list of accounts, pending invites and billing is always what the clients' own doings add up to.
// Cites 4.connect.list-accounts.*, 3.link.single-use; choices C29 and C30.
import type { ListAccountsOutput } from '../../../src/contract/generated/types.ts';
import { parseInstantMs } from '../../../src/contract/instants.ts';
import type { Exchange } from '../exchange.ts';
import { findAccount, type KnownAccount, type KnownOrganization, type Ledger } from '../ledger.ts';
import { hold } from '../violation.ts';

type Shown = ListAccountsOutput['accounts'][number];

/** Looks at each list of accounts and holds all of it against the ledger. */
export function watchAccounts({ byKey }: Ledger): (exchange: Exchange) => void {
  return ({ operation, request, response, json, nowMs }) => {
    if (operation !== 'listAccounts' || response.status !== 200) return;
    const organization = byKey.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
    if (!organization) return;
    const { accounts, pendingInvites, billing } = json.data as ListAccountsOutput;
    for (const shown of accounts) holdAccount(shown, recognize(organization, shown));
    const length = new Set(accounts.map(({ accountId }) => accountId)).size;
    const counts = () =>
      `${accounts.length} accounts are listed, ${length} different, of ${organization.accounts.length}`;
    hold('accounts', length === accounts.length && length === organization.accounts.length, counts);
    holdInvites(organization, pendingInvites, nowMs);
    holdBilling(organization, billing);
  };
}

/** The known account; one that a consent session made gets its id here. */
function recognize(organization: KnownOrganization, { accountId, label, name }: Shown): KnownAccount {
  const known = findAccount(organization, accountId);
  if (known) return known;
  const fresh = organization.accounts.find(
    (other) => other.accountId === null && other.label === label && other.name === name,
  );
  hold(
    'accounts',
    fresh !== undefined,
    () => `the account ${accountId} (${label}, ${name}) is listed, and nobody connected it`,
  );
  const account = fresh as KnownAccount;
  account.accountId = accountId;
  return account;
}

function holdAccount(shown: Shown, known: KnownAccount): void {
  const told = () =>
    `the account ${shown.accountId} is shown as ${JSON.stringify(shown)}, known as ${JSON.stringify(known)}`;
  for (const name of ['provider', 'label', 'name', 'status', 'locked'] as const) {
    hold('accounts', shown[name] === known[name], told);
  }
  const connectedAtMs = shown.connectedAt === null ? null : parseInstantMs(shown.connectedAt);
  hold('accounts', connectedAtMs === known.connectedAtMs, told);
}

/** By what they show: tokens are not in the list. Order is not promised. */
function holdInvites({ links }: KnownOrganization, shown: ListAccountsOutput['pendingInvites'], nowMs: number): void {
  const open = [...links.values()].filter(({ used, expiresAtMs }) => !used && nowMs < expiresAtMs);
  const describe = (label: string, provider: string, rest: readonly unknown[]) =>
    [label, provider, ...rest].join(' | ');
  const expected = open.map(({ label, provider, maxAccounts, expiresAtMs }) =>
    describe(label, provider, [maxAccounts, expiresAtMs]),
  );
  const seen = shown.map(({ label, provider, maxAccounts, expiresAt }) =>
    describe(label, provider, [maxAccounts, parseInstantMs(expiresAt)]),
  );
  const told = () => `open invites are ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`;
  hold('accounts', JSON.stringify(seen.sort()) === JSON.stringify(expected.sort()), told);
}

/** The first connected account is free (choice C30). */
function holdBilling({ accounts, payment }: KnownOrganization, billing: ListAccountsOutput['billing']): void {
  const connected = accounts.filter(({ status }) => status === 'connected').length;
  const free = Math.min(1, connected);
  // Every reason to refuse a paid action also sets `needsPayment`.
  const needsPayment = payment !== 'ok' || accounts.some(({ locked }) => locked);
  const expected = { connected, free, billable: connected - free, needsPayment };
  for (const name of ['connected', 'free', 'billable', 'needsPayment'] as const) {
    const told = () => `billing is ${JSON.stringify(billing)}, not ${JSON.stringify(expected)}`;
    hold('accounts', billing[name] === expected[name], told);
  }
}
