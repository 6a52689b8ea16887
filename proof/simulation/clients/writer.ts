// A writer: publishes posts, walks the reviews of an account and replies to them, reads insights. Each answer has to be
// what the state of account and payment allows, and a reply has to be there afterwards. Cites 4.connect.create-post.*,
// 4.rules.reviews-walk, 4.connect.reply.*, 4.connect.insights.*.
import type { GetInsightsOutput, ListReviewsOutput, ReviewItem } from '../../../src/contract/generated/types.ts';
import { type Action, providerActions } from '../../../src/domain/providers.ts';
import { between, type Cast, type Client, type Life, minuteMs, pause, pick, politely, type Stage } from '../client.ts';
import { codeOf, type Exchange } from '../exchange.ts';
import { type KnownAccount, type KnownOrganization, refusalsOf } from '../ledger.ts';
import { hold } from '../violation.ts';

/** Only accounts whose id a list has shown: one that was just connected waits for it. */
export function writer(name: string, cast: Cast): Client {
  const { organization } = cast;
  return {
    ...cast,
    name,
    polite: true,
    *life(stage) {
      const works = [publish, publish, attendReviews, attendReviews, readInsights] as const;
      for (;;) {
        yield* pause(between(stage.chance, minuteMs, 30 * minuteMs));
        const known = organization.accounts.filter(({ accountId }) => accountId !== null);
        const work = pick(stage.chance, works);
        // Few accounts have reviews; most of the others would only say so.
        const reviewed = known.filter(({ provider, status }) => status === 'connected' && hasReviews(provider));
        const choice = work === attendReviews && reviewed.length > 0 ? reviewed : known;
        if (choice.length > 0) yield* work(stage, organization, pick(stage.chance, choice));
      }
    },
  };
}

const hasReviews = (provider: KnownAccount['provider']) => providerActions[provider].includes('reviews');

/** What is to be done to which account, and whether it costs. */
interface Wish {
  readonly organization: KnownOrganization;
  readonly account: KnownAccount;
  readonly action: Action;
  readonly paid: boolean;
}

/** Holds an answer against the state of the account; says whether it is a success. */
function isAllowed(answer: Exchange, { organization, account, action, paid }: Wish): boolean {
  const refusals = refusalsOf(organization, account, { action, paid });
  const seen = answer.response.status === 200 ? [] : [codeOf(answer) ?? 'no code'];
  const told = () => `${action} on the ${account.status} account ${account.accountId}: ${seen}, allowed: ${refusals}`;
  hold('refusals', seen.length === 0 ? refusals.length === 0 : refusals.includes(seen[0] as string), told);
  return seen.length === 0;
}

/** Texts of 1, 80 and the greatest 5000 characters. */
function* publish(stage: Stage, organization: KnownOrganization, account: KnownAccount): Life {
  const { chance } = stage;
  // The path wins: a body copy may be anything. Cites 4.rules.path-wins.
  const others = organization.accounts.flatMap(({ accountId }) => accountId ?? []);
  const copy = pick(chance, [
    {},
    { accountId: account.accountId },
    { accountId: pick(chance, others) },
    { accountId: 'no id' },
  ]);
  const text = 'x'.repeat(pick(chance, [1, 80, 5000]));
  const body = {
    ...copy,
    text,
    ...(chance.below(3) === 0 ? { media: { imageUrl: 'https://cdn.example/a.jpg' } } : {}),
  };
  const path = `/connect/accounts/${account.accountId}/posts`;
  const answer = yield* politely(stage, { operation: 'createPost', method: 'POST', path, body });
  if (answer) isAllowed(answer, { organization, account, action: 'posts', paid: true });
}

/** Reviews that it saw last time have to be there still, with its own replies; then it writes one more. */
function* attendReviews(stage: Stage, organization: KnownOrganization, account: KnownAccount): Life {
  const seen = yield* walkReviews(stage, organization, account);
  if (!seen) return;
  holdReviews(account, seen);
  account.reviews = seen;
  const reviewId = pick(stage.chance, ['no such review', ...seen.keys()]);
  const text = `Thank you. ${stage.chance.hex(8)}`;
  const path = `/connect/accounts/${account.accountId}/reviews/${encodeURIComponent(reviewId)}/reply`;
  const others = organization.accounts.flatMap(({ accountId }) => accountId ?? []);
  const copies = [
    {},
    { accountId: pick(stage.chance, others), reviewId: 'another' },
    { accountId: 'no id', reviewId: '' },
  ];
  const body = { ...pick(stage.chance, copies), text };
  const answer = yield* politely(stage, { operation: 'replyToReview', method: 'POST', path, body });
  const review = seen.get(reviewId);
  // An answer that was lost may have had its effect: what is there now is seen with the next walk.
  if (!answer) account.reviews = null;
  else if (review && isAllowed(answer, { organization, account, action: 'reviews', paid: true })) {
    account.reviews?.set(reviewId, { ...review, replied: true, replyText: text });
  } else if (!review) {
    hold('refusals', answer.response.status !== 200, () => 'a reply to a review that does not exist succeeded');
  }
}

/** null when the account refuses, as its state may demand, or an answer was lost. */
function* walkReviews(
  stage: Stage,
  organization: KnownOrganization,
  account: KnownAccount,
): Life<Map<string, ReviewItem> | null> {
  const seen = new Map<string, ReviewItem>();
  let cursor: string | undefined;
  for (let page = 0; page < 100; page += 1) {
    const path = `/connect/accounts/${account.accountId}/reviews`;
    const answer = yield* politely(stage, { operation: 'listReviews', path, query: { cursor } });
    if (!answer || !isAllowed(answer, { organization, account, action: 'reviews', paid: false })) return null;
    const { reviews, nextCursor, aggregate } = answer.json.data as ListReviewsOutput;
    for (const review of reviews) {
      hold('records', !seen.has(review.reviewId), () => `the review ${review.reviewId} came twice in one walk`);
      seen.set(review.reviewId, review);
    }
    if (typeof nextCursor === 'string') {
      cursor = nextCursor;
      continue;
    }
    const told = () => `${seen.size} reviews were walked, the aggregate counts ${aggregate?.reviewCount}`;
    hold('records', aggregate === undefined || aggregate.reviewCount === seen.size, told);
    return seen;
  }
  hold('records', false, () => `the reviews of ${account.accountId} do not end`);
  return null;
}

/** Nobody else writes to this account's reviews, so that any difference is the mock's. */
function holdReviews({ reviews, accountId }: KnownAccount, seen: ReadonlyMap<string, ReviewItem>): void {
  if (reviews === null) return;
  hold(
    'records',
    reviews.size === seen.size,
    () => `${accountId} had ${reviews.size} reviews and now has ${seen.size}`,
  );
  for (const [id, known] of reviews) {
    const now = seen.get(id);
    const told = () => `the review ${id} was ${JSON.stringify(known)} and now is ${JSON.stringify(now)}`;
    for (const name of ['author', 'rating', 'text', 'date', 'replyText'] as const) {
      hold('records', now?.[name] === known[name], told);
    }
  }
}

const dayMs = 24 * 60 * minuteMs;

/** The last day is the clock's own day in UTC; totals are the sums of their points. */
function* readInsights(stage: Stage, organization: KnownOrganization, account: KnownAccount): Life {
  const range = pick(stage.chance, [undefined, '7d', '28d', '90d'] as const);
  const path = `/connect/accounts/${account.accountId}/insights`;
  const answer = yield* politely(stage, { operation: 'getInsights', path, query: { range } });
  if (!answer || !isAllowed(answer, { organization, account, action: 'insights', paid: false })) return;
  const { range: shown, metrics } = answer.json.data as GetInsightsOutput;
  const days = Number.parseInt(range ?? '28d', 10);
  const startMs = Date.parse(String(shown.startDate));
  const endMs = Date.parse(String(shown.endDate));
  const told = () => `the range ${range} is ${JSON.stringify(shown)} at ${answer.nowMs}`;
  hold('time', endMs === Math.floor(answer.nowMs / dayMs) * dayMs && endMs - startMs === (days - 1) * dayMs, told);
  for (const { key, total, points = [] } of metrics) {
    const sum = points.reduce((before, { value = 0 }) => before + value, 0);
    const dates = points.map(({ date }) => Date.parse(String(date)));
    const isWhole = dates.every((ms, i) => ms === startMs + i * dayMs) && dates.length === days;
    hold(
      'records',
      total === sum && isWhole,
      () => `${key} has ${points.length} points of the sum ${sum}, total ${total}`,
    );
  }
}
