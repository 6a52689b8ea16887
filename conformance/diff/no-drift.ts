// Causes of differences other than drift: the key, the plan, the data, other clients, a page in front, or a clock.

import { type Behavior, type BehaviorId, behaviors } from '../../src/contract/generated/behaviors.ts';
import { count } from '../../src/terminal/count.ts';
import { type Exchange, errorCode, isLimiterRejection } from '../exchange/exchange.ts';
import { accountOf, lookAt } from '../observe/look.ts';
import { emptySentence } from '../report/outcome.ts';
import type { ExitCode } from '../report/report.ts';
import { inFront, maintenance, pageTitle } from '../run/preflight.ts';
import type { Repetition } from './drift.ts';

/** The names of the causes, which the output and the action use. */
export type NoDriftCause =
  | 'key-revoked'
  | 'plan-lapsed'
  | 'data-emptied'
  | 'limits-used'
  | 'maintenance'
  | 'login'
  | 'clock'
  | 'unreachable';

/** A cause with the sentence about it. */
export interface NoDrift {
  readonly cause: NoDriftCause;
  readonly sentence: string;
  readonly exitCode: ExitCode;
  /** Whether the rest of the run can still show changes. */
  readonly isPartial: boolean;
}

interface Row {
  readonly cause: NoDriftCause;
  readonly exitCode: ExitCode;
  readonly is: (exchange: Exchange) => boolean;
  readonly sentence: (host: string) => string;
}

/** Causes that responses show. One explains a run if half of the responses have it, or the last three. */
const rows: readonly Row[] = [
  {
    cause: 'login',
    exitCode: 2,
    is: (exchange) => inFront(exchange)?.exitCode === 2,
    sentence: (host) => `A login in front of ${host} rejects requests: let the API key pass it.`,
  },
  {
    cause: 'maintenance',
    exitCode: 4,
    is: (exchange) => maintenance.test(pageTitle(exchange)),
    sentence: (host) => `${host} shows a maintenance page: the next run checks it again.`,
  },
  {
    cause: 'key-revoked',
    exitCode: 2,
    is: (exchange) => exchange.status === 401 && errorCode(exchange) === 'unauthorized',
    sentence: (host) =>
      `${host} rejects the API key, which was valid before: it was revoked or replaced. Store the new key.`,
  },
  {
    cause: 'limits-used',
    exitCode: 3,
    is: isLimiterRejection,
    sentence: (host) =>
      `Other clients use up the rate limit of the API key on ${host}: run at another time, or use a separate key.`,
  },
];
const lastMin = 3;

/** Returns the cause, or null if the run can show drift. */
export function whyNoDrift({ report, exchanges }: Repetition): NoDrift | null {
  const { host } = new URL(report.target);
  // A burst and a test of the limits are rejected on purpose.
  const plain = exchanges.filter(
    ({ key, burst, mcpEndpoint }) => key === 'good' && !burst && mcpEndpoint === undefined,
  );
  for (const { cause, exitCode, is, sentence } of rows) {
    const found = plain.filter(is).length;
    const isAtEnd = plain.length >= lastMin && plain.slice(-lastMin).every(is);
    if (found > 0 && (found >= plain.length / 2 || isAtEnd))
      return { cause, exitCode, sentence: sentence(host), isPartial: false };
  }
  if (isUnpaid(plain)) {
    const sentence = `${host} returns 402 for connected accounts: the plan lapsed. Pay it, or use a key of another organization.`;
    return { cause: 'plan-lapsed', exitCode: 3, sentence, isPartial: true };
  }
  if (report.abort !== null) return { cause: 'unreachable', ...report.abort, isPartial: false };
  if (report.isEmpty) return { cause: 'data-emptied', exitCode: 3, sentence: emptySentence(report), isPartial: true };
  return null;
}

/** A locked account returns 402 legally, and one 402 can be a trouble of a platform (R2). */
function isUnpaid(exchanges: readonly Exchange[]): boolean {
  const look = lookAt(exchanges, null);
  const responses = exchanges.filter(({ target, status }) => target.startsWith('/connect/') && paidOrNot.has(status));
  const reads = responses.filter((exchange) => {
    const account = accountOf(look, exchange);
    return account?.status === 'connected' && !account.locked;
  });
  // Without a list of accounts, the lists themselves are unpaid.
  const usable = reads.length > 0 ? reads : responses;
  const unpaid = usable.filter(({ status }) => status === 402);
  return unpaid.length >= lastMin && unpaid.length >= usable.length / 2;
}

const paidOrNot: ReadonlySet<number> = new Set([200, 402]);

/** Whether a cause alone can change what a run sees of a behavior. */
export function isHiddenBy(cause: NoDriftCause | undefined, id: BehaviorId): boolean {
  const { aspect, interpretation, operations, input, kind }: Behavior = behaviors[id];
  if (cause === 'data-emptied') return kind === 'shape';
  if (cause === 'clock') return aspect === 'time' || interpretation === 'R43' || interpretation === 'R44';
  const own = Array.isArray(operations) ? operations : (input?.operations ?? []);
  return cause === 'plan-lapsed' && own.some((each) => each === 'getInsights' || each === 'listReviews');
}

const skewMinMs = 300_000;

/** Returns the difference between the clock of the service and that of this machine, if it is above five minutes. */
export function clockCause({ report, exchanges }: Repetition): NoDrift | null {
  const skews = exchanges
    .map(({ headers, receivedAt }) => Date.parse(headers.date ?? '') - receivedAt)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const skew = skews[Math.floor(skews.length / 2)] ?? 0;
  if (Math.abs(skew) < skewMinMs) return null;
  const { host } = new URL(report.target);
  const words = `${count(Math.round(Math.abs(skew) / 60_000), 'minute')} ${skew > 0 ? 'ahead of' : 'behind'}`;
  const sentence = `The clock of ${host} is ${words} the clock of this machine: set the one that is wrong.`;
  return { cause: 'clock', exitCode: 3, sentence, isPartial: true };
}
