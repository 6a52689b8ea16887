// A writer: publishes posts, walks the reviews of an account and replies to them, reads insights. Each response has to
// be what the state of account and payment allows, and a reply has to be there afterwards.
// Cites 4.connect.create-post.*, 4.rules.reviews-walk, 4.connect.reply.*, 4.connect.insights.*.
import type { GetInsightsOutput, ListReviewsOutput, ReviewItem } from '../../../src/contract/generated/types.ts';
import { type Action, providerActions } from '../../../src/domain/actions.ts';
import { type Client, type Context, hourMs, type Identity, pick, politely, repeat, type Session } from '../client.ts';
import { codeOf, type Exchange, hold } from '../exchange.ts';
import { type KnownAccount, type KnownOrganization, rejectionsOf } from '../ledger.ts';

const works = [publish, publish, attendReviews, attendReviews, readInsights] as const;

/** Only accounts whose id a list has shown: one that was just connected waits for it. */
export function writer(name: string, identity: Identity): Client {
  const { organization } = identity;
  const session = repeat(1, 30, function* (ctx) {
    const known = organization.accounts.filter(({ accountId }) => accountId !== null);
    const work = pick(ctx.chance, works);
    // Few accounts have reviews; most of the others would only say so.
    const reviewed = known.filter(
      ({ provider, status }) => status === 'connected' && providerActions[provider].includes('reviews'),
    );
    const behavior = work === attendReviews && reviewed.length > 0 ? reviewed : known;
    if (behavior.length > 0) yield* work(ctx, organization, pick(ctx.chance, behavior));
  });
  return { ...identity, name, polite: true, session };
}

/** The work to do on an account, and whether it costs. */
interface Wish {
  readonly organization: KnownOrganization;
  readonly account: KnownAccount;
  readonly action: Action;
  readonly paid: boolean;
}

/** Compares a response with the state of the account; returns whether it is a success. */
function isAllowed(response: Exchange, { organization, account, action, paid }: Wish): boolean {
  const rejections = rejectionsOf(organization, account, { action, paid });
  const isSuccess = response.response.status === 200;
  const isRight = isSuccess ? rejections.length === 0 : rejections.includes(codeOf(response) ?? 'no code');
  const got = isSuccess ? 'success' : codeOf(response);
  hold(
    'rejections',
    isRight,
    `${action} on the ${account.status} account ${account.accountId}: ${got}, not ${rejections}`,
  );
  return isSuccess;
}

/** Ids for a body copy, which the path overrides. Cites 4.rules.path-wins. */
function copies({ chance }: Context, { accounts }: KnownOrganization): object {
  const other = pick(
    chance,
    accounts.flatMap(({ accountId }) => accountId ?? []),
  );
  return pick(chance, [{}, { accountId: other, reviewId: 'another' }, { accountId: 'no id', reviewId: '' }]);
}

const unknownId = '00000000-0000-4000-8000-000000000000';

/** Texts of 1, 80 and the greatest 5000 characters; sometimes to an account that does not exist. */
function* publish(ctx: Context, organization: KnownOrganization, account: KnownAccount): Session {
  const text = 'x'.repeat(pick(ctx.chance, [1, 80, 5000]));
  const media = ctx.chance.below(3) === 0 ? { media: { imageUrl: 'https://cdn.example/a.jpg' } } : {};
  const body = { ...copies(ctx, organization), text, ...media };
  const accountId = ctx.chance.below(20) === 0 ? unknownId : account.accountId;
  const path = `/connect/accounts/${accountId}/posts`;
  const response = yield* politely(ctx, { operation: 'createPost', method: 'POST', path, body });
  if (response && accountId === unknownId)
    hold('rejections', codeOf(response) === 'not_found', `a post to an unknown account got ${codeOf(response)}`);
  else if (response) isAllowed(response, { organization, account, action: 'posts', paid: true });
}

/** Reviews that it saw last time have to be there still, with its own replies; then it writes one more. */
function* attendReviews(ctx: Context, organization: KnownOrganization, account: KnownAccount): Session {
  const seen = yield* walkReviews(ctx, organization, account);
  if (!seen) return;
  holdReviews(account, seen);
  account.reviews = seen;
  const reviewId = pick(ctx.chance, ['no such review', ...seen.keys()]);
  const text = `Thank you. ${ctx.chance.hex(8)}`;
  const path = `/connect/accounts/${account.accountId}/reviews/${encodeURIComponent(reviewId)}/reply`;
  const body = { ...copies(ctx, organization), text };
  const response = yield* politely(ctx, { operation: 'replyToReview', method: 'POST', path, body });
  const review = seen.get(reviewId);
  // A response that was lost can have had its effect: the next walk shows it.
  if (!response) account.reviews = null;
  else if (!review) hold('rejections', response.response.status !== 200, 'a reply to an unknown review succeeded');
  else if (isAllowed(response, { organization, account, action: 'reviews', paid: true }))
    seen.set(reviewId, { ...review, replied: true, replyText: text });
}

/** Returns null when the account rejects it, as its state can demand, or a response was lost. */
function* walkReviews(ctx: Context, organization: KnownOrganization, account: KnownAccount) {
  const seen = new Map<string, ReviewItem>();
  const path = `/connect/accounts/${account.accountId}/reviews`;
  let cursor: string | undefined;
  for (let page = 0; page < 100; page += 1) {
    const response: Exchange | null = yield* politely(ctx, { operation: 'listReviews', path, query: { cursor } });
    if (!response || !isAllowed(response, { organization, account, action: 'reviews', paid: false })) return null;
    const { reviews, nextCursor, aggregate } = response.json.data as ListReviewsOutput;
    for (const review of reviews) {
      hold('records', !seen.has(review.reviewId), `the review ${review.reviewId} came twice in one walk`);
      seen.set(review.reviewId, review);
    }
    if (typeof nextCursor !== 'string') {
      const count = aggregate?.reviewCount ?? seen.size;
      hold('records', count === seen.size, `${seen.size} reviews were walked, the aggregate counts ${count}`);
      return seen;
    }
    cursor = nextCursor;
  }
  hold('records', false, `the reviews of ${account.accountId} do not end`);
  return null;
}

/** No other client writes to this account's reviews, so any difference is the mock's. */
function holdReviews({ reviews, accountId }: KnownAccount, seen: ReadonlyMap<string, ReviewItem>): void {
  if (reviews === null) return;
  hold('records', reviews.size === seen.size, `${accountId} had ${reviews.size} reviews and now has ${seen.size}`);
  const names = ['author', 'rating', 'text', 'date', 'replyText'] as const;
  for (const [id, known] of reviews) {
    const now = seen.get(id);
    const isSame = names.every((name) => now?.[name] === known[name]);
    hold('records', isSame, () => `the review ${id} was ${JSON.stringify(known)} and now is ${JSON.stringify(now)}`);
  }
}

const dayMs = 24 * hourMs;

/** The last day is the clock's own day in UTC; totals are the sums of their points. */
function* readInsights(ctx: Context, organization: KnownOrganization, account: KnownAccount): Session {
  const range = pick(ctx.chance, [undefined, '7d', '28d', '90d'] as const);
  const path = `/connect/accounts/${account.accountId}/insights`;
  const response = yield* politely(ctx, { operation: 'getInsights', path, query: { range } });
  if (!response || !isAllowed(response, { organization, account, action: 'insights', paid: false })) return;
  const { range: shown, metrics } = response.json.data as GetInsightsOutput;
  const days = Number.parseInt(range ?? '28d', 10);
  const [startMs, endMs] = [shown.startDate, shown.endDate].map((date) => Date.parse(String(date))) as [number, number];
  const isRight = endMs === Math.floor(response.nowMs / dayMs) * dayMs && endMs - startMs === (days - 1) * dayMs;
  hold('time', isRight, () => `the range ${range} is ${JSON.stringify(shown)} at ${response.nowMs}`);
  for (const { key, total, points = [] } of metrics) {
    const sum = points.reduce((before, { value = 0 }) => before + value, 0);
    const dates = points.map(({ date }) => Date.parse(String(date)));
    const isWhole = dates.every((ms, i) => ms === startMs + i * dayMs) && dates.length === days;
    hold('records', total === sum && isWhole, `${key} has ${points.length} points of the sum ${sum}, total ${total}`);
  }
}
