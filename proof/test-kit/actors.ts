// The keys and accounts of the default world, by their purpose.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { AccountData, OrganizationData } from '../../src/domain/world-data.ts';
import { defaultWorld } from '../../src/worlds/load.ts';

const [first, second] = defaultWorld.organizations as [OrganizationData, OrganizationData];

export const home = first;
export const secondOrganization = second;
export const goodKey = keyOf(first, false);
export const secondKey = keyOf(second, false);
export const revokedKey = keyOf(first, true);
/** Well formed, and unknown. */
export const unknownKey = 'casa_00000000000000000000000000000000';

/** Throws if the world has changed, instead of testing with an invalid key. */
function keyOf({ keys }: OrganizationData, revoked: boolean): string {
  const found = keys.find((key) => key.revoked === revoked);
  if (!found) throw new Error('The default world has lost a key.');
  return found.key;
}

/** The first account of an organization that fits. */
export function findAccount(fits: (account: AccountData) => boolean, { accounts } = home): AccountData {
  const found = accounts.find(fits);
  if (!found) throw new Error('The default world has lost an account.');
  return found;
}

/** Connected, unlocked, without trouble. */
export const isPlain = ({ status, locked, trouble }: AccountData): boolean =>
  status === 'connected' && !locked && trouble === undefined;

/** Connected, with three pages of reviews and insights. */
export const shop = findAccount((account) => isPlain(account) && account.reviews.length > 20);

/** A request that succeeds. */
export interface Sample {
  readonly method: 'GET' | 'POST';
  /** Below the base path, with a query if wanted. */
  readonly target: string;
  readonly body?: object;
}

const of = (accountId: string) => `/connect/accounts/${accountId}`;

/** One request of each operation that succeeds in the default world. */
export const samples: Readonly<Record<OperationId, Sample>> = {
  listArticles: { method: 'GET', target: '/articles' },
  getArticle: { method: 'GET', target: `/articles/${home.articles[0]?.id}` },
  listSites: { method: 'GET', target: '/sites' },
  getSite: { method: 'GET', target: `/sites/${home.sites[0]?.id}` },
  listKeywords: { method: 'GET', target: `/keywords?siteId=${home.sites[0]?.id}` },
  createConnectLink: { method: 'POST', target: '/connect/accounts', body: { provider: 'tiktok', label: 'Clips' } },
  listAccounts: { method: 'GET', target: '/connect/accounts' },
  createPost: { method: 'POST', target: `${of(shop.accountId)}/posts`, body: { text: 'Fresh rye.' } },
  listReviews: { method: 'GET', target: `${of(shop.accountId)}/reviews` },
  replyToReview: {
    method: 'POST',
    target: `${of(shop.accountId)}/reviews/${encodeURIComponent(shop.reviews[0]?.reviewId ?? '')}/reply`,
    body: { text: 'Thank you.' },
  },
  getInsights: { method: 'GET', target: `${of(shop.accountId)}/insights` },
  listCalls: { method: 'GET', target: '/connect/calls/log' },
};
