// The person who runs the mock: calls ring, errors are ordered, accounts and payments change, the clock is moved.
// Everything goes through the control plane.
import type { Account } from '../../../src/domain/accounts.ts';
import {
  between,
  type Client,
  type Draft,
  hourMs,
  type Life,
  minuteMs,
  once,
  pause,
  pick,
  type Stage,
} from '../client.ts';
import type { Exchange } from '../exchange.ts';
import type { KnownOrganization } from '../ledger.ts';
import { hold } from '../violation.ts';

const operatorsOwn = { key: null, address: '127.0.0.1', polite: false } as const;

function* admin(stage: Stage, path: string, draft: Partial<Draft> = {}): Life<Exchange> {
  const answer = yield* once(stage, { operation: null, method: 'POST', path: `/__admin${path}`, ...draft });
  const { status } = answer.response;
  hold('answers', status === 200 || status === 201, () => `${path} of the control plane answered ${status}`);
  return answer;
}

/** Lets telephones ring; some calls are ended by hand, some are told of long after their end, some tie. */
export function switchboard(name: string, organizations: readonly KnownOrganization[]): Client {
  return {
    ...operatorsOwn,
    name,
    *life(stage) {
      for (;;) {
        yield* pause(between(stage.chance, minuteMs, 40 * minuteMs));
        const organization = pick(stage.chance, organizations);
        if (stage.chance.below(4) === 0) yield* hangUp(stage, organization);
        else for (let i = pick(stage.chance, [1, 1, 1, 2, 60]); i > 0; i -= 1) yield* ring(stage, organization);
      }
    },
  };
}

function* ring(stage: Stage, { id, calls }: KnownOrganization): Life {
  const { chance } = stage;
  const durationS = pick(chance, [0, 1, 60, 60.5, 600, 3600 * 3]);
  const lateMs = pick(chance, [null, null, null, 4 * minuteMs, 26 * hourMs]);
  const startedAtMs = lateMs === null ? null : stage.nowMs() - lateMs;
  const startedAt = startedAtMs === null ? undefined : new Date(startedAtMs).toISOString();
  const body = { organizationId: id, durationS, startedAt, provisional: 'answered', outcome: 'voicemail' };
  const { json, nowMs } = yield* admin(stage, '/calls', { body });
  const start = startedAtMs ?? nowMs;
  calls.ring(json.call.id, { startedAtMs: start, endedAtMs: start + durationS * 1000 }, nowMs);
}

function* hangUp(stage: Stage, { id, calls }: KnownOrganization): Life {
  const running = calls.running(stage.nowMs());
  if (running.length === 0) return;
  const callId = pick(stage.chance, running);
  const { nowMs } = yield* admin(stage, `/calls/${callId}/end`, { body: { organizationId: id, outcome: 'missed' } });
  calls.hangUp(callId, nowMs);
}

const errors = [
  'transient',
  'provider_error',
  'rate_limited',
  'limiter_key',
  'limiter_address',
  'unauthorized',
] as const;
const networks = ['reset', 'empty', 'truncated', 'timeout', 'slow'] as const;

/** Orders errors for a while: some by chance, some for a number of requests, some of the network. */
export function saboteur(name: string): Client {
  return {
    ...operatorsOwn,
    name,
    *life(stage) {
      const { chance, ledger } = stage;
      for (;;) {
        yield* pause(between(chance, 30 * minuteMs, 5 * hourMs));
        const effect = chance.below(3) === 0 ? { network: pick(chance, networks) } : { error: pick(chance, errors) };
        const extent = pick(chance, [{ probability: 0.3 }, { times: 3 }, { times: 20, probability: 0.5 }]);
        const operation = pick(chance, [undefined, 'listCalls', 'createPost', 'replyToReview', 'listArticles']);
        ledger.faultsOrdered = true;
        yield* admin(stage, '/faults', { body: { match: { operation }, ...effect, ...extent } });
        yield* pause(between(chance, minuteMs, 30 * minuteMs));
        yield* admin(stage, '/faults', { method: 'DELETE' });
        ledger.faultsOrdered = false;
      }
    },
  };
}

/** Changes accounts and payments. */
export function clerk(name: string, organizations: readonly KnownOrganization[]): Client {
  return {
    ...operatorsOwn,
    name,
    *life(stage) {
      const { chance } = stage;
      for (;;) {
        yield* pause(between(chance, hourMs, 10 * hourMs));
        const organization = pick(chance, organizations);
        const known = organization.accounts.filter(({ accountId }) => accountId !== null);
        if (chance.below(3) > 0 && known.length > 0) yield* changeAccount(stage, organization.id, pick(chance, known));
        else yield* changePayment(stage, organization);
      }
    },
  };
}

function* changeAccount(stage: Stage, id: string, account: KnownOrganization['accounts'][number]): Life {
  const { chance } = stage;
  const states: readonly Account['status'][] = ['connected', 'connected', 'expired', 'revoked', 'pending_api_access'];
  const status = pick(chance, states);
  const locked = chance.below(5) === 0;
  const trouble = pick(chance, ['none', 'none', 'transient', 'provider_error'] as const);
  const body = { status, locked, trouble };
  yield* admin(stage, `/organizations/${id}/accounts/${account.accountId}`, { method: 'PUT', body });
  Object.assign(account, { status, locked, trouble: trouble === 'none' ? null : trouble });
}

function* changePayment(stage: Stage, organization: KnownOrganization): Life {
  const payment = pick(stage.chance, ['ok', 'ok', 'payment_method_required', 'renewal_pending'] as const);
  yield* admin(stage, `/organizations/${organization.id}`, { method: 'PUT', body: { payment } });
  organization.payment = payment;
}

/** Moves the clock on, and stops it for a while. */
export function timekeeper(name: string): Client {
  return {
    ...operatorsOwn,
    name,
    *life(stage) {
      const { chance } = stage;
      for (;;) {
        yield* pause(between(chance, 3 * hourMs, 30 * hourMs));
        if (chance.below(3) > 0) {
          const duration = pick(chance, ['1ms', '9999ms', '10s', '5m', '1h']);
          yield* admin(stage, '/clock/advance', { body: { duration } });
          continue;
        }
        yield* admin(stage, '/clock/freeze');
        yield* pause(between(chance, 0, 10 * minuteMs));
        yield* admin(stage, '/clock/resume');
      }
    },
  };
}
