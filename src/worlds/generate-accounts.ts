// Connected accounts of a generated world: one for each provider, one for each state, with reviews and metrics; and the
// connect links. Labels say what an account is there for. Assumption C28 says which error each state gives.
import type { Provider, ReviewItem } from '../contract/generated/types.ts';
import { dayMs, formatTimestamp, hourMs } from '../contract/timestamps.ts';
import { providerActions } from '../domain/actions.ts';
import { metricsOf } from '../domain/insights.ts';
import { linkLifetimeMs } from '../domain/links.ts';
import type { AccountData, LinkData, PostData } from '../domain/world-data.ts';
import type { Draw } from './generate-content.ts';
import { foreignNames, reviewSentences, town } from './themes.ts';

/** The purpose of one account; omitted fields have ordinary values: connected, not locked, without records. */
interface AccountPlan {
  readonly provider: Provider;
  readonly label: string;
  readonly status?: AccountData['status'];
  readonly locked?: boolean;
  readonly trouble?: NonNullable<AccountData['trouble']>;
  readonly reviews?: number;
  readonly posts?: number;
}

/** One account of each provider, then one of each state and each kind of trouble. */
export function fullPlan(reviews: number): AccountPlan[] {
  return [
    { provider: 'google_business', label: 'Main shop', reviews, posts: 1 },
    { provider: 'facebook_page', label: 'Fan page', reviews: 4, posts: 2 },
    { provider: 'tiktok', label: 'Short videos' },
    { provider: 'instagram', label: 'Photo feed', posts: 1 },
    { provider: 'google_analytics', label: 'Web analytics' },
    { provider: 'google_search_console', label: 'Search console' },
    { provider: 'google_ads', label: 'Ads' },
    { provider: 'google_calendar', label: 'Bookings' },
    { provider: 'google_contacts', label: 'Address book' },
    { provider: 'facebook_page', label: 'Page without reviews', reviews: 0 },
    { provider: 'facebook_page', label: 'Pending', status: 'pending' },
    { provider: 'google_business', label: 'Expired', status: 'expired' },
    { provider: 'facebook_page', label: 'Revoked', status: 'revoked' },
    { provider: 'google_business', label: 'Pending API access', status: 'pending_api_access' },
    { provider: 'google_business', label: 'Locked', locked: true, reviews: 2 },
    { provider: 'google_business', label: 'Trouble: provider error', trouble: 'provider_error' },
    { provider: 'facebook_page', label: 'Trouble: transient', trouble: 'transient' },
    { provider: 'google_business', label: 'Trouble: rate limited', trouble: 'rate_limited' },
  ];
}

/** The second organization's accounts: enough to see that keys do not reach across organizations. */
export function smallPlan(reviews: number): AccountPlan[] {
  return [
    { provider: 'google_business', label: 'Branch', reviews, posts: 1 },
    { provider: 'instagram', label: 'Photo feed' },
  ];
}

/** In the order of the plan, which is the order of connecting, two days apart. */
export function generateAccounts(draw: Draw, plans: readonly AccountPlan[], company: string): AccountData[] {
  return plans.map((plan, i) => ({
    ...generateAccount(draw, plan, 60 - 2 * i),
    // Assumption C98: an account that was never connected has no name yet.
    name: plan.status === 'pending' ? null : `${company} ${town(draw.faker)}`,
  }));
}

/** An account that is still pending was never connected, so it has no connectedAt. */
function generateAccount(draw: Draw, plan: AccountPlan, ageDays: number): Omit<AccountData, 'name'> {
  const { faker, anchorMs } = draw;
  const status = plan.status ?? 'connected';
  const connectedMs = anchorMs - Math.max(ageDays, 1) * dayMs - faker.number.int(hourMs);
  return {
    accountId: faker.string.uuid(),
    provider: plan.provider,
    label: plan.label,
    status,
    locked: plan.locked ?? false,
    connectedAt: status === 'pending' ? null : formatTimestamp(connectedMs),
    posts: Array.from({ length: plan.posts ?? 0 }, () => generatePost(draw, plan.provider)),
    reviews: generateReviews(draw, plan.reviews ?? 0),
    metrics: providerActions[plan.provider].includes('insights') ? metricsOf(plan.provider) : [],
    ...(plan.trouble === undefined ? {} : { trouble: plan.trouble }),
  };
}

function generatePost({ faker, anchorMs }: Draw, provider: Provider): PostData {
  const id = faker.string.hexadecimal({ length: 16, casing: 'lower', prefix: '' });
  return {
    postId: `post_${id}`,
    permalink: `https://${provider.split('_')[0]}.example/posts/${id}`,
    text: `New today: ${faker.food.dish()}.`,
    postedAt: formatTimestamp(anchorMs - faker.number.int({ min: hourMs, max: 20 * dayMs })),
  };
}

/** Newest first, each with its own date. Ratings are 1 to 5 (assumption C101), some null; replies follow C105. */
function generateReviews({ faker, anchorMs }: Draw, count: number): ReviewItem[] {
  const meanGapMs = (80 * dayMs) / Math.max(count, 1);
  let dateMs = anchorMs;
  return Array.from({ length: count }, (_, i) => {
    dateMs -= 1 + faker.number.int({ min: Math.floor(meanGapMs * 0.1), max: Math.floor(meanGapMs * 1.6) });
    const rating = i % 9 === 5 ? null : faker.helpers.arrayElement([5, 5, 5, 4, 4, 3, 2, 1]);
    const replied = i % 3 === 1;
    const author = foreignNames[(i - 4) / 8] ?? `${faker.person.firstName()} ${faker.person.lastName()}`;
    return {
      reviewId: `rev_${faker.string.alphanumeric(20)}`,
      author,
      rating,
      // Stars without a word are common.
      text: i % 11 === 7 ? '' : faker.helpers.arrayElement(reviewSentences[rating ?? 3] ?? ['']),
      date: formatTimestamp(dateMs),
      replied,
      ...(replied ? { replyText: `Thank you, ${author}.` } : {}),
    };
  });
}

/** An open link, an open one for several accounts, an expired one, and a used one with the account that came of it. */
export function generateLinks({ faker, anchorMs }: Draw, accounts: readonly AccountData[]): LinkData[] {
  const link = (plan: Pick<LinkData, 'label' | 'provider' | 'maxAccounts'> & { createdMs: number }): LinkData => ({
    id: faker.string.uuid(),
    token: faker.string.hexadecimal({ length: 32, casing: 'lower', prefix: '' }),
    label: plan.label,
    provider: plan.provider,
    maxAccounts: plan.maxAccounts,
    expiresAt: formatTimestamp(plan.createdMs + linkLifetimeMs),
    usedAt: null,
    accountIds: [],
  });
  const links = [
    link({ label: 'Second shop', provider: 'google_business', maxAccounts: 1, createdMs: anchorMs - dayMs }),
    link({ label: 'Branch pages', provider: 'facebook_page', maxAccounts: 3, createdMs: anchorMs - 2 * hourMs }),
    link({ label: 'Expired invite', provider: 'instagram', maxAccounts: 1, createdMs: anchorMs - 9 * dayMs }),
  ];
  const first = accounts.find(({ connectedAt }) => connectedAt !== null);
  if (!first?.connectedAt) return links;
  const { provider, label, connectedAt, accountId } = first;
  const createdMs = Date.parse(connectedAt) - 3 * hourMs;
  return [
    ...links,
    { ...link({ label, provider, maxAccounts: 1, createdMs }), usedAt: connectedAt, accountIds: [accountId] },
  ];
}
