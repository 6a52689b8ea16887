// The person who runs the mock: calls ring, errors are ordered, accounts and payments change, the clock is moved.
// Everything goes through the admin API.
import type { Account } from '../../../src/domain/accounts.ts';
import {
  between,
  type Client,
  type Context,
  type Draft,
  hourMs,
  minuteMs,
  once,
  pause,
  pick,
  repeat,
  type Session,
} from '../client.ts';
import { type Exchange, hold } from '../exchange.ts';
import type { KnownOrganization } from '../ledger.ts';

const operator = (name: string, session: Client['session']): Client => {
  return { name, key: null, address: '127.0.0.1', polite: false, session };
};

function* admin(ctx: Context, path: string, draft: Partial<Draft> = {}): Session<Exchange> {
  const response = yield* once(ctx, { operation: null, method: 'POST', path: `/__admin${path}`, ...draft });
  const { status } = response.response;
  hold('answers', status === 200 || status === 201, `${path} of the admin API returned ${status}`);
  return response;
}

/** Lets telephones ring; some calls are ended by hand, some are reported long after their end, some tie. */
export function callsOperator(name: string, organizations: readonly KnownOrganization[]): Client {
  const session = repeat(1, 40, function* (ctx) {
    const organization = pick(ctx.chance, organizations);
    if (ctx.chance.below(4) === 0) yield* hangUp(ctx, organization);
    else for (let i = pick(ctx.chance, [1, 1, 1, 2, 60]); i > 0; i -= 1) yield* ring(ctx, organization);
  });
  return operator(name, session);
}

function* ring(ctx: Context, { id, calls }: KnownOrganization): Session {
  const { chance } = ctx;
  const durationS = pick(chance, [0, 1, 60, 60.5, 600, 3600 * 3]);
  const lateMs = pick(chance, [null, null, null, 4 * minuteMs, 26 * hourMs]);
  const startedAtMs = lateMs === null ? null : ctx.nowMs() - lateMs;
  const startedAt = startedAtMs === null ? undefined : new Date(startedAtMs).toISOString();
  const body = { organizationId: id, durationS, startedAt, provisional: 'answered', outcome: 'voicemail' };
  const { json, nowMs } = yield* admin(ctx, '/calls', { body });
  const start = startedAtMs ?? nowMs;
  calls.ring(json.call.id, { startedAtMs: start, endedAtMs: start + durationS * 1000 }, nowMs);
}

function* hangUp(ctx: Context, { id, calls }: KnownOrganization): Session {
  const running = calls.running(ctx.nowMs());
  if (running.length === 0) return;
  const callId = pick(ctx.chance, running);
  const { nowMs } = yield* admin(ctx, `/calls/${callId}/end`, { body: { organizationId: id, outcome: 'missed' } });
  calls.hangUp(callId, nowMs);
}

const errors = 'transient provider_error rate_limited limiter_key limiter_address unauthorized'.split(' ');
const networks = ['reset', 'empty', 'truncated', 'timeout', 'slow'];

/** Orders errors for a while: some at random, some for a number of requests, some of the network. */
export function faultsOperator(name: string): Client {
  const session = repeat(30, 5 * 60, function* (ctx) {
    const { chance, ledger } = ctx;
    const effect = chance.below(3) === 0 ? { network: pick(chance, networks) } : { error: pick(chance, errors) };
    const extent = pick(chance, [{ probability: 0.3 }, { times: 3 }, { times: 20, probability: 0.5 }]);
    const operation = pick(chance, [undefined, 'listCalls', 'createPost', 'replyToReview', 'listArticles']);
    ledger.faultsOrdered = true;
    yield* admin(ctx, '/faults', { body: { match: { operation }, ...effect, ...extent } });
    yield* pause(between(chance, minuteMs, 30 * minuteMs));
    yield* admin(ctx, '/faults', { method: 'DELETE' });
    ledger.faultsOrdered = false;
  });
  return operator(name, session);
}

/** Changes accounts and payments. */
export function recordsOperator(name: string, organizations: readonly KnownOrganization[]): Client {
  const session = repeat(60, 600, function* (ctx) {
    const { chance } = ctx;
    const organization = pick(chance, organizations);
    const path = `/organizations/${organization.id}`;
    const known = organization.accounts.filter(({ accountId }) => accountId !== null);
    if (chance.below(3) === 0 || known.length === 0) {
      const payment = pick(chance, ['ok', 'ok', 'payment_method_required', 'renewal_pending'] as const);
      yield* admin(ctx, path, { method: 'PUT', body: { payment } });
      organization.payment = payment;
      return;
    }
    const account = pick(chance, known);
    const states: readonly Account['status'][] = ['connected', 'connected', 'expired', 'revoked', 'pending_api_access'];
    const [status, locked] = [pick(chance, states), chance.below(5) === 0];
    const trouble = pick(chance, ['none', 'none', 'transient', 'provider_error'] as const);
    const body = { status, locked, trouble };
    yield* admin(ctx, `${path}/accounts/${account.accountId}`, { method: 'PUT', body });
    Object.assign(account, { status, locked, trouble: trouble === 'none' ? null : trouble });
  });
  return operator(name, session);
}

/** Moves the clock on, and stops it for a while. */
export function clockOperator(name: string): Client {
  const session = repeat(180, 1800, function* (ctx) {
    if (ctx.chance.below(3) > 0) {
      const duration = pick(ctx.chance, ['1ms', '9999ms', '10s', '5m', '1h']);
      yield* admin(ctx, '/clock/advance', { body: { duration } });
      return;
    }
    yield* admin(ctx, '/clock/freeze');
    yield* pause(between(ctx.chance, 0, 10 * minuteMs));
    yield* admin(ctx, '/clock/resume');
  });
  return operator(name, session);
}
