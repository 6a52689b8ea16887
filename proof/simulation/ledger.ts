// The state that the mock must have, kept by the simulation from its own requests and answers. The invariants compare
// both.
import type { Article, Keyword, ReviewItem, Site } from '../../src/contract/generated/types.ts';
import { parseInstantMs } from '../../src/contract/instants.ts';
import type { Account, Payment } from '../../src/domain/accounts.ts';
import { type Action, providerActions } from '../../src/domain/actions.ts';
import { type Choices, defaultChoices } from '../../src/domain/choices.ts';
import type { AccountData, LinkData, OrganizationData, WorldData } from '../../src/domain/world-data.ts';
import { CallBook } from './call-book.ts';

/** An account as its organization's clients know it. */
export interface KnownAccount {
  /** Null until a list of accounts has shown what a consent session connected. */
  accountId: string | null;
  readonly provider: Account['provider'];
  readonly label: string;
  readonly name: string | null;
  readonly connectedAtMs: number | null;
  status: Account['status'];
  locked: boolean;
  trouble: Account['trouble'];
  posts: number;
  /** By review id, as the client sees it; null until a client has walked all pages. */
  reviews: Map<string, ReviewItem> | null;
}

/** A connect link, by its token in the organization's map. */
export interface KnownLink {
  readonly label: string;
  readonly provider: Account['provider'];
  readonly maxAccounts: number;
  readonly expiresAtMs: number;
  used: boolean;
}

/** All that clients of one organization can come to know. */
export interface KnownOrganization {
  readonly id: string;
  readonly key: string;
  readonly articles: ReadonlyMap<string, Article>;
  readonly sites: ReadonlyMap<string, Site>;
  readonly keywords: readonly Keyword[];
  readonly accounts: KnownAccount[];
  readonly links: Map<string, KnownLink>;
  readonly calls: CallBook;
  payment: Payment;
}

/** The knowledge of a whole run, shared by its clients and invariants. */
export interface Ledger {
  readonly organizations: readonly KnownOrganization[];
  readonly byKey: ReadonlyMap<string, KnownOrganization>;
  readonly revokedKeys: readonly string[];
  readonly choices: Choices;
  readonly greased: boolean;
  /** Whether somebody has ordered errors for the time being. */
  faultsOrdered: boolean;
}

/** Readings of the contract that change what an answer has to be. */
export interface LedgerOptions {
  readonly choices: Partial<Choices>;
  readonly greased: boolean;
}

/** Begins with the world as it was given to the mock, from when on both go their own ways. */
export function openLedger(data: WorldData, { choices, greased }: LedgerOptions): Ledger {
  const organizations = data.organizations.map(openOrganization);
  return {
    organizations,
    byKey: new Map(organizations.map((organization) => [organization.key, organization])),
    revokedKeys: data.organizations.flatMap(({ keys }) => keys.filter(({ revoked }) => revoked).map(({ key }) => key)),
    choices: { ...defaultChoices, ...choices },
    greased,
    faultsOrdered: false,
  };
}

function openOrganization(data: OrganizationData): KnownOrganization {
  return {
    id: data.id,
    key: data.keys.find(({ revoked }) => !revoked)?.key ?? '',
    articles: new Map(data.articles.map((article) => [article.id, article])),
    sites: new Map(data.sites.map((site) => [site.id, site])),
    keywords: data.keywords,
    accounts: data.accounts.map(toKnown),
    links: new Map(data.links.map((link) => [link.token, toKnownLink(link)])),
    calls: new CallBook(data.calls),
    payment: data.payment,
  };
}

/** Reviews are left out: a client sees them first, and from then on they are known. */
function toKnown({
  posts,
  reviews: _seen,
  connectedAt,
  metrics: _metrics,
  trouble,
  ...account
}: AccountData): KnownAccount {
  const connectedAtMs = connectedAt === null ? null : parseInstantMs(connectedAt);
  return { ...account, connectedAtMs, trouble: trouble ?? null, posts: posts.length, reviews: null };
}

function toKnownLink({ label, provider, maxAccounts, expiresAt, usedAt }: LinkData): KnownLink {
  return { label, provider, maxAccounts, expiresAtMs: parseInstantMs(expiresAt) ?? 0, used: usedAt !== null };
}

export function findAccount({ accounts }: KnownOrganization, accountId: string): KnownAccount | undefined {
  return accounts.find((account) => account.accountId === accountId);
}

/** Every code that the action may be refused with; none when it has to succeed. Choices C28 and C30. */
export function refusalsOf(
  { payment }: KnownOrganization,
  account: KnownAccount | undefined,
  { action, paid }: { action: Action; paid: boolean },
): readonly string[] {
  if (!account) return ['not_found'];
  const { status, locked, provider, trouble } = account;
  const unreachable = status === 'pending_api_access' ? 'provider_permission' : 'provider_auth';
  return [
    ...(status === 'connected' ? [] : [unreachable]),
    ...(paid && (payment !== 'ok' || locked) ? ['payment_required'] : []),
    ...(providerActions[provider].includes(action) ? [] : ['not_supported']),
    ...(trouble === null ? [] : [trouble]),
  ];
}
