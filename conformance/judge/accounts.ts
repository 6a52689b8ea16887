// Responses about an account, as judgments. Any documented rejection says nothing of the service (interpretation R28).
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { AccountRead } from '../exchange/accounts.ts';
import {
  errorCode,
  isDocumentedRejection,
  isGatewayPage,
  isObstacle,
  isPlatformTrouble,
  nameOfResponse,
} from '../exchange/exchange.ts';
import { type History, labelled } from '../exchange/history.ts';
import { isUuid } from '../exchange/same-id.ts';
import { about, aboutStatus, hasStatus, isRejected, judgeable } from './expect.ts';
import type { Judgment } from './judge.ts';

type Read = Pick<AccountRead, 'exchange' | 'accountId'>;

/** A success, or a documented error, of a connected account. */
export function* isResponse({ exchange, accountId }: Read, clause: ClauseId): Iterable<Judgment> {
  const claim = { ...aboutStatus(exchange, clause), isTrue: false };
  if (claim.actual === '401 unauthorized')
    yield { ...claim, clause: '5.provider-auth', expected: 'a code for the account, because the key is valid' };
  else if (claim.actual === '400 invalid_input' && isUuid(accountId))
    yield { ...claim, expected: 'another status, because the input is valid' };
  else if (!isDocumentedRejection(exchange))
    yield { ...claim, expected: '200 or a documented error', isTrue: exchange.status === 200 };
}

/** `not_found` of one listed account can mean "not here"; of all, it contradicts the list. */
export function* areNotDenied(reads: readonly AccountRead[]): Iterable<Judgment> {
  const listed = reads.filter(({ row }) => row !== undefined);
  // Which platform offers what is not shown (R28).
  const offered = listed.filter(({ exchange }) => errorCode(exchange) !== 'not_supported');
  const rows = [...new Set(offered.map(({ accountId }) => accountId))].map((accountId) => ({ accountId }));
  const last = offered.at(-1)?.exchange;
  const isDenied = rows.length > 1 && offered.every(({ exchange }) => nameOfResponse(exchange) === '404 not_found');
  const found = reads.find(({ exchange }) => exchange.status === 200)?.exchange;
  const words = { expected: '200 or another error', actual: '404 not_found for every connected account' };
  // Whether all six operations are there is another question.
  const claim = { ...about(found ?? last, '1.connect-operations', '#status'), ...words, proves: [] };
  if (found !== undefined) yield { ...claim, actual: '200', isTrue: true };
  else if (isDenied && last !== undefined) {
    yield { ...claim, exchange: last, isTrue: false, of: [last], rows, witness: { operation: 'listAccounts' } };
  }
}

/** A payment error can precede the look-up of the account (R1). */
export const noAccount = {
  status: 404,
  code: 'not_found',
  clause: '4.connect.unknown-account',
  proves: ['4.connect.unknown-account', '1.unknown-record'],
  shadows: ['payment_required'],
} as const;

/** A platform has problems with known accounts only. For an unknown one, its error counts while a known one works. */
export function* areUnknown(history: History, label: string): Iterable<Judgment> {
  const all = labelled(history, label);
  for (const exchange of all) {
    const { exchanges } = history;
    const before = all.slice(0, all.indexOf(exchange)).findLast(({ status }) => status === exchange.status);
    const between = before && exchanges.slice(exchanges.indexOf(before), exchanges.indexOf(exchange));
    const isKnown = between?.some(({ operation, status }) => operation === exchange.operation && status === 200);
    if (isKnown && isPlatformTrouble(exchange) && !isGatewayPage(exchange)) {
      const actual = `${nameOfResponse(exchange)} each time, and 200 for a known account`;
      yield { ...about(exchange, noAccount.clause, '#status'), expected: '404 not_found', actual, isTrue: false };
    } else if (yield* judgeable(history, exchange)) yield isRejected(exchange, noAccount);
  }
}

/** 400 and 404 are both right for an id that is not a UUID (interpretation R1). */
export function* areInvalid(history: History, label: string): Iterable<Judgment> {
  for (const exchange of labelled(history, label)) {
    if (!(yield* judgeable(history, exchange))) continue;
    const actual = nameOfResponse(exchange);
    if (isObstacle(exchange)) yield { doubt: 'precondition', message: `${actual} instead of 400 or 404` };
    const tested = isObstacle(exchange) ? null : hasStatus(exchange, [400, 404], '4.connect.account-id');
    if (tested !== null) yield tested;
  }
}
