// The rejections of an operation on an account, in the order that the variant chooses. R1 leaves the order open, so
// a kit has to accept each of them.
import { type Code, invalid, notFound, Rejection } from './errors.ts';
import { isInputUuid, isUuid, sameId } from './ids.ts';
import type { Account, ApiRequest, Context, Issue, Operation, Org, Provider, Wish } from './types.ts';
import type { Stage } from './variants.ts';

/** The contract has no table of this (R28); it differs on purpose from the one of the mock. */
const ableProviders: Readonly<Record<Operation, readonly Provider[]>> = {
  post: ['google_business', 'facebook_page'],
  reviews: ['google_business', 'facebook_page'],
  insights: ['google_business', 'facebook_page', 'tiktok', 'google_analytics', 'google_search_console', 'google_ads'],
};

/** A 402 with its reason. Cites 7.code.payment-required-reason. */
function payment(reason: string): Rejection {
  return new Rejection('payment_required', { message: 'payment is needed', reason });
}

/** 402 for a whole organization stops what writes. */
export function checkPayment(org: Org, writes: boolean): void {
  if (org.paymentStopped && writes) throw payment('paid_accounts_paused');
}

/** The same state has another code in the other variant: R28 requires only a documented one. */
function statusCode(context: Context, account: Account): Code | undefined {
  const first = context.variant.stateCodes === 'first';
  if (account.status === 'expired') return 'provider_auth';
  if (account.status === 'revoked') return first ? 'provider_auth' : 'provider_permission';
  if (account.status === 'pending_api_access') return first ? 'provider_permission' : 'not_supported';
  if (account.status === 'pending') return first ? 'provider_auth' : 'not_supported';
  return account.trouble;
}

/** Rejections of the account itself, or of its platform. */
function checkState(context: Context, account: Account, wish: Wish): void {
  const code = statusCode(context, account);
  if (code !== undefined) throw new Rejection(code, { message: `the platform said ${code}` });
  if (!ableProviders[wish.operation].includes(account.provider)) {
    throw new Rejection('not_supported', { message: `${account.provider} has no ${wish.operation}` });
  }
  if (account.locked && (wish.writes || !context.variant.lockedReads)) throw payment('no payment method');
}

/** Empty if the variant returns 404: then the id is only unknown. */
function pathIssues(context: Context, id: string, wish: Wish): Issue[] {
  if (context.variant.malformedAccount === 404) return [];
  const loose = context.variant.looseGetIds && !wish.writes;
  const fits = loose ? isUuid(id) : isInputUuid(id);
  return fits ? [] : [{ path: 'accountId', message: 'must be a UUID' }];
}

/** Ids are compared without case, since a UUID has none. */
function findAccount(req: ApiRequest, wish: Wish, id: string): Account | undefined {
  const isWellFormed = wish.writes ? isInputUuid(id) : isUuid(id);
  return isWellFormed ? req.org.accounts.find((one) => sameId(one.id, id)) : undefined;
}

/** Runs the rejections in the variant's order and hands the account over when none applies. */
export function admit(context: Context, req: ApiRequest, wish: Wish): Account {
  const id = req.segments[2] ?? '';
  const account = findAccount(req, wish, id);
  const issues = [...pathIssues(context, id, wish), ...wish.issues];
  const stages: Record<Stage, () => void> = {
    schema: () => {
      if (issues.length > 0) throw invalid(issues);
    },
    existence: () => {
      if (account === undefined) throw notFound('account');
    },
    payment: () => checkPayment(req.org, wish.writes),
    state: () => {
      if (account !== undefined) checkState(context, account, wish);
    },
    item: () => {
      if (account !== undefined && wish.hasItem?.(account) === false) throw notFound('review');
    },
  };
  for (const stage of context.variant.precedence) stages[stage]();
  if (account === undefined) throw notFound('account');
  return account;
}
