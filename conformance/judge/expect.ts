// Expectations of a single response, as judgments.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { ErrorCode } from '../../src/contract/generated/errors.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import {
  type Exchange,
  errorCode,
  isGatewayPage,
  isLimiterRejection,
  isPlatformTrouble,
  isRejectedUrl,
  isUnusable,
  isWebPage,
  nameOfResponse,
} from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { rowsAt } from '../exchange/records.ts';
import type { Doubt, Judgment } from './judge.ts';
import type { Claim } from './ledger.ts';

export interface Rejection extends Pick<Claim, 'clause' | 'proves'> {
  readonly status: number;
  /** Names what is wrong with the request, for the words of a finding. */
  readonly what?: string;
  /** The code that goes with it; any when absent. */
  readonly code?: ErrorCode;
  /** Other documented codes that may come first (interpretation R1); they leave the check inconclusive. */
  readonly shadows?: readonly ErrorCode[];
}

/** A claim about one response that was tested. */
export type Tested = Claim & { readonly exchange: Exchange; readonly isTrue: boolean };

/** Null for an error that may have come from in front of the service; rule/status warns of a breakdown. */
export function hasStatus(
  exchange: Exchange,
  statuses: number | readonly number[],
  about: ClauseId | Pick<Claim, 'clause' | 'proves'>,
): Tested | null {
  const expected = [statuses].flat();
  const usual = typeof about === 'string' ? { clause: about } : about;
  const isTrue = expected.includes(exchange.status);
  if (!isTrue && isRejectedUrl(exchange)) return null;
  return {
    ...(isValidKeyRejected(exchange, expected) ? validKeyRejected : usual),
    pointer: '#status',
    expected: expected.join(', ').replace(/, (?=\d+$)/, ' or '),
    actual: nameOfResponse(exchange),
    exchange,
    isTrue,
  };
}

/** If a valid key is rejected as invalid, that is the root cause of a failure. */
const validKeyRejected = { clause: '7.code.unauthorized', proves: [], message: 'the key is valid' } as const;

function isValidKeyRejected(exchange: Exchange, expected: readonly number[]): boolean {
  const isMainKey = exchange.key === 'good' && exchange.mcpEndpoint === undefined;
  return isMainKey && errorCode(exchange) === 'unauthorized' && !expected.includes(401);
}

/** A negative must fail for its own reason: a documented rejection of another kind proves nothing about this one. */
export function isRejected(exchange: Exchange, rejection: Rejection): Tested | Doubt {
  const isKey = isValidKeyRejected(exchange, [rejection.status]);
  const { clause, proves = [rejection.clause] } = isKey ? validKeyRejected : rejection;
  const code = errorCode(exchange);
  const actual = nameOfResponse(exchange);
  const named = rejection.code === undefined ? String(rejection.status) : `${rejection.status} ${rejection.code}`;
  const expected = rejection.what === undefined ? named : `${named} for ${rejection.what}`;
  if (code !== null && rejection.shadows?.some((shadow) => shadow === code))
    return { doubt: 'precondition', message: `${actual} instead of ${expected}` };
  const isTrue = exchange.status === rejection.status && (rejection.code === undefined || code === rejection.code);
  return { clause, proves, pointer: '#status', expected, actual, exchange, isTrue };
}

/**
 * Whether a response can be judged. Yields why not; and, for an input that breaks the service twice although another
 * request worked in between, the finding: trouble of a platform does not depend on an input (interpretation R2).
 *
 * @example if (yield* judgeable(history, exchange)) yield isRejected(exchange, ...);
 */
export function* judgeable({ exchanges }: History, exchange: Exchange): Generator<Judgment, boolean> {
  if (isRejectedUrl(exchange) && exchange.status < 500 && !isLimiterRejection(exchange)) return true;
  if (isUnusable(exchange)) return yield* open('platform', `no response: ${exchange.problem}`);
  // A firewall that does not like the input: rule/json has reported its page.
  if (isWebPage(exchange) && exchange.status < 500) return yield* open('platform', 'a web page instead of a response');
  // A limiter that comes between is not a fault of the response (R3).
  if (isLimiterRejection(exchange))
    return yield* open('interference', 'a rate limit rejected it after the stated wait time');
  if (!isPlatformTrouble(exchange)) return true;
  const place = exchanges.indexOf(exchange);
  const after = exchanges.slice(place + 1);
  const isAgain = ({ method, target, requestBody, key }: Exchange) =>
    [method, target, key, requestBody.text].join() ===
    [exchange.method, exchange.target, exchange.key, exchange.requestBody.text].join();
  const again = after.find(isAgain);
  if (again === undefined) return yield* open('platform', `returned ${nameOfResponse(exchange)}`);
  const between = after.slice(0, after.indexOf(again));
  const isSound = between.some(({ operation, status }) => operation === 'listSites' && status === 200);
  // The other one is judged.
  if (!isSound || again.status !== exchange.status || isGatewayPage(again)) return false;
  const clause = statusClause(again.operation ?? 'listSites');
  const actual = `${nameOfResponse(again)} twice`;
  const claim = { clause, pointer: '#status', expected: 'a documented response', actual, exchange: again } as const;
  const message = 'GET /sites worked in between';
  // Trouble of a platform may strike the operations of accounts at any time (interpretation R2).
  const isOfAccount = again.operation !== null && clause === '4.connect.statuses';
  if (isOfAccount || isRejectedUrl(again)) yield { ...claim, severity: 'warn', message };
  else yield { ...claim, isTrue: false, message };
  return yield* open('platform', actual);
}

/** The judgments of each of these that can be judged. */
export function* judgeEach(
  history: History,
  exchanges: readonly Exchange[],
  judge: (exchange: Exchange) => Iterable<Judgment | null>,
): Iterable<Judgment> {
  for (const exchange of exchanges) {
    if (!(yield* judgeable(history, exchange))) continue;
    for (const judgment of judge(exchange)) if (judgment !== null) yield judgment;
  }
}

/** The clause whose row lists the statuses of an operation. */
export function statusClause(operation: OperationId): ClauseId {
  return operations[operation].cites.find((id) => id.endsWith('.statuses')) as ClauseId;
}

/** The rows of a list in a success. Yields why they cannot be read. */
export function* readRows<Name extends string = never>(
  exchange: Exchange,
  pointer: string,
  texts: readonly Name[] = [],
): Generator<Judgment, ReturnType<typeof rowsAt<Name>>> {
  const rows = rowsAt(exchange, pointer, texts);
  if (rows === null) {
    const name = `${exchange.method} ${exchange.target}`;
    const what = exchange.status === 200 ? `has no list at ${pointer}, or rows without ${texts.join(', ')}` : null;
    yield { doubt: 'precondition', message: `${name} ${what ?? `returned ${exchange.status}`}` };
  }
  return rows;
}

function* open(doubt: Doubt['doubt'], message: string): Generator<Judgment, boolean> {
  yield { doubt, message };
  return false;
}

// The wording of a claim: the response, the place in it, and the clause.

type Place<Of> = Required<Pick<Claim, 'clause' | 'pointer'>> & {
  readonly exchange: Of extends Exchange ? Exchange : Exchange | null;
};

/** The result adds the expected and the actual value. */
export function about<Of extends Exchange | null | undefined>(exchange: Of, clause: ClauseId, pointer = ''): Place<Of> {
  return { clause, pointer, exchange: (exchange ?? null) as Place<Of>['exchange'] };
}

/** A claim about the status and the code of a response, with the actual value. */
export function aboutStatus(exchange: Exchange, clause: ClauseId): Place<Exchange> & Pick<Claim, 'actual'> {
  return { ...about(exchange, clause, '#status'), actual: nameOfResponse(exchange) };
}
