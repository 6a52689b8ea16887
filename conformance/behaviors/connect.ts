// Behaviors of connected accounts, reviews, insights and writes: R1, R7, R9, R12, R14, R23, R28, R32.
import { idForm, plainTimestampForm } from '../../src/contract/forms.ts';
import type { Behaviors } from '../../src/contract/generated/behaviors.ts';
import { dayMs } from '../../src/contract/timestamps.ts';
import { dataOf, type Exchange, errorCode, isObject } from '../exchange/exchange.ts';
import {
  accountOf,
  type Look,
  type Observation,
  queryOf,
  recordsOf,
  responsesTo,
  see,
  seeAll,
  seeIn,
} from '../exchange/look.ts';
import { serverNowMs } from '../exchange/stated-limits.ts';

const reads = ['listReviews', 'getInsights'] as const;

/** Codes that can show a state of an account; others belong to the platform or to its features. */
const codes = ['provider_auth', 'provider_permission', 'payment_required', 'not_found', 'provider_error'] as const;

/** Responses of an unlocked account in one state. */
function stateCode(look: Look, status: string) {
  return see(responsesTo(look, reads), (exchange) => {
    const account = accountOf(look, exchange);
    if (account?.status !== status || account.locked) return null;
    if (exchange.status === 200) return 'served';
    const code = errorCode(exchange);
    // Where the platform offers the action, only the state can be why it is not supported.
    if (code === 'not_supported') return account.provider === 'google_business' ? code : null;
    return codes.find((known) => known === code) ?? null;
  });
}

/** The list shows the account: that it is not there is warned of, and no mock learns it. */
function withoutDenial<Value>(sightings: readonly Observation<Value>[]) {
  return sightings.filter((each): each is Observation<Exclude<Value, 'not_found'>> => each.value !== 'not_found');
}

function reviewPages(look: Look) {
  return responsesTo(look, ['listReviews'], 200).map((exchange) => {
    const data = dataOf(exchange);
    return { exchange, reviews: recordsOf(data.reviews), next: data.nextCursor };
  });
}

/** A deployment that uses both ends has a separate value. */
function reviewEnd(look: Look): Observation<'null' | 'absent' | 'either'>[] {
  const last = reviewPages(look).filter(({ next }) => next === null || next === undefined);
  const isEither = new Set(last.map(({ next }) => next)).size === 2;
  return seeIn(last, ({ next }) => (isEither ? 'either' : next === null ? 'null' : 'absent'));
}

function reviewPageSize(look: Look): Observation<number>[] {
  const pages = reviewPages(look).filter(({ next, reviews }) => typeof next === 'string' && reviews.length > 0);
  const most = Math.max(0, ...pages.map(({ reviews }) => reviews.length));
  const full = pages.filter(({ reviews }) => reviews.length === most);
  // A page that an empty one follows may be the short last one.
  const isIgnored = reviewPages(look).some(
    ({ exchange, reviews }) => reviews.length > 0 && full.some((page) => page.next === queryOf(exchange).get('cursor')),
  );
  return isIgnored ? seeIn(full, () => most) : [];
}

/** Of all reviews together: one without a reply says nothing about those with one. */
function reviewReplied(look: Look): Observation<Behaviors['reviewReplied']>[] {
  const pages = reviewPages(look).filter(({ reviews }) => reviews.length > 0);
  const all = pages.flatMap(({ reviews }) => reviews);
  const [page] = pages;
  if (page === undefined) return [];
  const replied = all.filter(({ replied }) => replied !== undefined).length;
  const hasText = all.some(({ replyText }) => replyText !== undefined);
  const lacksText = !hasText && all.some((review) => review.replied === true);
  const told = replied === all.length ? 'always' : replied > 0 ? 'when-replied' : hasText ? 'text-only' : 'none';
  const value = lacksText && (told === 'always' || told === 'when-replied') ? (`${told}-without-text` as const) : told;
  return [{ value, exchange: page.exchange.id, weight: all.length }];
}

/** One id that needs encoding decides; otherwise different forms are opaque. */
function formOfIds(ids: readonly { id: unknown; exchange: string }[]): Observation<string>[] {
  const texts = ids.filter((each): each is { id: string; exchange: string } => typeof each.id === 'string');
  const forms = new Set(texts.map(({ id }) => idForm(id)));
  const [only = 'opaque'] = forms;
  const needsEncoding = 'opaque, to be encoded';
  // A hexadecimal id can consist of digits only.
  if (forms.has('hex')) forms.delete('digits');
  const value = forms.has(needsEncoding) ? needsEncoding : forms.size === 1 ? ([...forms][0] ?? only) : 'opaque';
  return texts.map(({ exchange }) => ({
    value: value === 'empty' || value === 'telephone' ? 'opaque' : value,
    exchange,
  }));
}

function cursorForm(text: string): 'digits' | 'base64' | 'text' {
  if (/^\d+$/.test(text)) return 'digits';
  const isBase64 = /^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(text) && text.length % 4 !== 1;
  const inside = isBase64 ? Buffer.from(text, 'base64').toString('latin1') : '';
  return /^[\s!-~]{4,}$/.test(inside) ? 'base64' : 'text';
}

function dayOf(text: unknown): number | null {
  const digits = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(String(text));
  if (digits === null) return null;
  const ms = Date.UTC(Number(digits[1]), Number(digits[2]) - 1, Number(digits[3]));
  return Number.isNaN(ms) ? null : Math.round(ms / dayMs);
}

function insights(look: Look) {
  return responsesTo(look, ['getInsights'], 200).map((exchange) => {
    const { range, metrics } = dataOf(exchange);
    return {
      exchange,
      range: isObject(range) ? range : {},
      metrics: Array.isArray(metrics) ? recordsOf(metrics) : null,
    };
  });
}

const pointsOf = (metric: Record<string, unknown>): readonly Record<string, unknown>[] => recordsOf(metric.points);

/** Steps that are neither days nor weeks have no name here, and stay unknown. */
function insightPoints(metrics: readonly Record<string, unknown>[]): 'daily' | 'weekly' | 'none' | 'no-metrics' | null {
  if (metrics.length === 0) return 'no-metrics';
  const lists = metrics.map(pointsOf);
  if (lists.every((points) => points.length === 0)) return 'none';
  const steps = lists.flatMap((points) => {
    const days = points.map(({ date }) => dayOf(date)).filter((day) => day !== null);
    return days.slice(1).map((day, index) => Math.abs(day - (days[index] ?? 0)));
  });
  if (steps.length > 0 && steps.every((step) => step === 1)) return 'daily';
  return steps.length > 0 && steps.every((step) => step === 7) ? 'weekly' : null;
}

function lagDays(exchange: Exchange, end: unknown): number | null {
  const day = dayOf(end);
  if (day === null) return null;
  const lag = Math.floor((serverNowMs(exchange) ?? exchange.receivedAt) / dayMs) - day;
  return lag >= 0 && lag <= 30 ? lag : null;
}

function numbers(metrics: readonly Record<string, unknown>[]): 'whole' | 'fractions' | null {
  const values = metrics.flatMap((metric) => [metric.total, ...pointsOf(metric).map(({ value }) => value)]);
  const counts = values.filter((value): value is number => typeof value === 'number');
  if (counts.length === 0) return null;
  return counts.every(Number.isInteger) ? 'whole' : 'fractions';
}

const forms = (texts: readonly unknown[]) =>
  texts.map((text) => (typeof text === 'string' ? plainTimestampForm(text) : null));

const stringOrNull = (look: Look, operation: 'createPost' | 'replyToReview', name: string) =>
  see(responsesTo(look, [operation], 200), (exchange) => (dataOf(exchange)[name] === null ? 'null' : 'string'));

export const connectObservers = {
  pendingCode: (look: Look) => stateCode(look, 'pending'),
  expiredCode: (look: Look) => withoutDenial(stateCode(look, 'expired')),
  revokedCode: (look: Look) => withoutDenial(stateCode(look, 'revoked')),
  pendingApiCode: (look: Look) => withoutDenial(stateCode(look, 'pending_api_access')),
  lockedReads: (look: Look) =>
    see(responsesTo(look, reads), (exchange) => {
      const account = accountOf(look, exchange);
      if (account?.status !== 'connected' || !account.locked) return null;
      return exchange.status === 200 ? 'served' : exchange.status === 402 ? 'rejected' : null;
    }),
  reviewEnd,
  reviewLastPage: (look: Look) => {
    const last = reviewPages(look).filter(({ next }) => typeof next !== 'string');
    const cursors = new Set(reviewPages(look).map(({ next }) => next));
    return last.flatMap(({ exchange, reviews }): Observation<'exact' | 'empty'>[] => {
      // A cursor that no page had shows the first page, where the service ignores it.
      const cursor = queryOf(exchange).get('cursor');
      const isNext = cursor !== null && cursors.has(cursor);
      if (reviews.length === 0) return isNext ? [{ value: 'empty' as const, exchange: exchange.id }] : [];
      return [{ value: 'exact' as const, exchange: exchange.id }];
    });
  },
  reviewPageSize,
  reviewAggregate: (look: Look) =>
    seeIn(
      reviewPages(look).filter(({ reviews }) => reviews.length > 0),
      ({ exchange }) => (dataOf(exchange).aggregate === undefined ? 'absent' : 'present'),
    ),
  reviewReplied,
  reviewIdForm: (look: Look) =>
    formOfIds(
      reviewPages(look).flatMap(({ exchange, reviews }) =>
        reviews.map(({ reviewId: id }) => ({ id, exchange: exchange.id })),
      ),
    ),
  inviteIdForm: (look: Look) =>
    formOfIds(
      responsesTo(look, ['listAccounts'], 200).flatMap((exchange) =>
        recordsOf(dataOf(exchange).pendingInvites).map(({ id }) => ({ id, exchange: exchange.id })),
      ),
    ),
  reviewCursor: (look: Look) =>
    seeIn(reviewPages(look), ({ next }) => (typeof next === 'string' && next !== '' ? cursorForm(next) : null)),
  plainTimestampForm: (look: Look) => [
    ...responsesTo(look, ['listAccounts'], 200).flatMap((exchange) => {
      const { accounts, pendingInvites } = dataOf(exchange);
      const texts = [
        ...recordsOf(accounts).map(({ connectedAt }) => connectedAt),
        ...recordsOf(pendingInvites).map(({ expiresAt }) => expiresAt),
      ];
      return seeAll([{ exchange }], () => forms(texts));
    }),
    ...seeAll(reviewPages(look), ({ reviews }) => forms(reviews.map(({ date }) => date))),
  ],
  insightDateForm: (look: Look) =>
    seeAll(insights(look), ({ range, metrics }) => {
      const points = (metrics ?? []).flatMap(pointsOf);
      return forms([range.startDate, range.endDate, ...points.map(({ date }) => date)]);
    }),
  insightPoints: (look: Look) =>
    seeIn(insights(look), ({ metrics }) => (metrics === null ? null : insightPoints(metrics))),
  insightLagDays: (look: Look) => seeIn(insights(look), ({ exchange, range }) => lagDays(exchange, range.endDate)),
  numbers: (look: Look) => seeIn(insights(look), ({ metrics }) => numbers(metrics ?? [])),
  permalink: (look: Look) => stringOrNull(look, 'createPost', 'permalink'),
  repliedAt: (look: Look) => stringOrNull(look, 'replyToReview', 'repliedAt'),
};
