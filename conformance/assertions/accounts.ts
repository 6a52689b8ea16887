// Which account to read from. Which provider supports what, and which error each account state gives, is not shown
// (interpretation R28), so a documented rejection says nothing of the server and sends the kit to the next account, a
// few times.

import { errorStatus } from '../../src/contract/generated/errors.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import {
  dataOf,
  type Exchange,
  errorCode,
  isGatewayPage,
  isPlatformTrouble,
  listOf,
  nameOfResponse,
} from '../exchange/exchange.ts';
import { sameId } from '../exchange/same-id.ts';
import { about } from '../judge/claims.ts';
import { type AccountRow, rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { Stop } from '../probe/stop.ts';
import { askForNone } from './invalid-inputs.ts';
import type { Witnessed } from './same-record.ts';

const accountsTriedMax = 3;

export interface AccountRead {
  readonly accountId: string;
  readonly exchange: Exchange;
}

export interface AccountReads {
  readonly tried: readonly AccountRead[];
  /** The first account that returned 200, one with something to show before one without. */
  readonly usable: AccountRead | null;
}

export interface ReadOptions {
  readonly operation: OperationId;
  readonly params?: Readonly<Record<string, string>>;
  /** Whether a 200 shows enough to look no further. */
  isRich(exchange: Exchange): boolean;
}

export async function readUsable(probe: Probe, { operation, params = {}, isRich }: ReadOptions): Promise<AccountReads> {
  const tried: AccountRead[] = [];
  let trouble: Stop | null = null;
  for (const accountId of await candidates(probe)) {
    try {
      const exchange = await probe.get(operation, { accountId, ...params });
      tried.push({ accountId, exchange });
      if (exchange.status === 200 && isRich(exchange)) break;
    } catch (error) {
      if (!(error instanceof Stop) || error.reason !== 'platform') throw error;
      trouble = error;
    }
  }
  if (tried.length === 0 && trouble !== null) throw trouble;
  const succeeded = tried.filter(({ exchange }) => exchange.status === 200);
  return { tried, usable: succeeded.find(({ exchange }) => isRich(exchange)) ?? succeeded[0] ?? null };
}

/** The account the user names, then connected ones: unlocked before locked, likely providers before others. */
async function candidates(probe: Probe): Promise<string[]> {
  const { account: named } = probe.settings;
  const rows = await (named === null ? probe.facts.accounts() : accountsOrNone(probe));
  const connected = rows.filter(({ status }) => status === 'connected').sort((a, b) => rank(a) - rank(b));
  const ids = connected.map(({ accountId }) => accountId).filter((id) => !sameId(id, named));
  const chosen = (named === null ? ids : [named, ...ids]).slice(0, accountsTriedMax);
  return chosen.length > 0 ? chosen : probe.stop('precondition', 'the organization has no connected account');
}

/** Empty where the list of accounts cannot be read. */
export async function accountsOrNone(probe: Probe): Promise<readonly AccountRow[]> {
  return probe.facts.accounts().catch((error: unknown) => {
    if (error instanceof Stop) return [];
    throw error;
  });
}

const likely = ['google_business', 'facebook_page', 'google_analytics', 'instagram', 'google_search_console'];

/** The providers whose accounts usually have reviews. */
export const reviewedProviders: readonly unknown[] = ['google_business', 'facebook_page'];

/** Unlocked before locked, likely providers before others. */
export function rank({ provider, locked }: AccountRow): number {
  const place = likely.indexOf(String(provider));
  return (locked === true ? likely.length + 1 : 0) + (place < 0 ? likely.length : place);
}

/** Connected ones but those that may be the same business once more: it may be connected twice, under one name. */
export function otherBusinesses(rows: readonly AccountRow[], accountId: string): AccountRow[] {
  const own = rows.find((row) => sameId(row.accountId, accountId));
  return rows.filter((row) => {
    return row.status === 'connected' && (row.provider !== own?.provider || row.name !== own?.name);
  });
}

/** null where the platform fails, at once: another account may still work, and rules test the error. */
export async function readUnlessTroubled(
  probe: Probe,
  accountId: string,
  { operation, params = {} }: Pick<ReadOptions, 'operation' | 'params'>,
): Promise<Exchange | null> {
  try {
    return await probe.send({ operation, params: { accountId, ...params }, repeatable: 'if lost' });
  } catch (error) {
    if (error instanceof Stop && error.reason === 'platform') return null;
    throw error;
  }
}

/** A code of the table with the status of its row, about the account or the platform and not about the key. */
export function isDocumentedRejection(exchange: Exchange): boolean {
  const code = errorCode(exchange);
  if (code === null || code === 'unauthorized' || !Object.hasOwn(errorStatus, code)) return false;
  return errorStatus[code as keyof typeof errorStatus] === exchange.status;
}

/** Payment, permission or a lost authorization can block any connect operation at any time (interpretation R2). */
export function isObstacle(exchange: Exchange): boolean {
  return isDocumentedRejection(exchange) && [401, 402, 403].includes(exchange.status);
}

/** Where a request names no account, no platform can have rejected a stored authorization. Cites 5.provider-auth. */
export function expectNoAccount(probe: Probe, exchange: Exchange): boolean {
  const actual = nameOfResponse(exchange);
  if (actual !== '401 provider_auth') return true;
  const claim = { ...about(exchange, '5.provider-auth', '#status'), actual };
  return probe.holds(false, { ...claim, expected: 'another code, because the request names no account' });
}

export const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export type ReadClause = '4.connect.list-reviews.endpoint' | '4.connect.insights.endpoint';

export function checkResponse(probe: Probe, { accountId, exchange }: AccountRead, clause: ReadClause): void {
  const actual = nameOfResponse(exchange);
  const claim = { pointer: '#status', actual, exchange } as const;
  if (actual === '401 unauthorized') {
    probe.holds(false, {
      ...claim,
      clause: '5.provider-auth',
      expected: 'a code for the account, because the key is valid',
    });
  } else if (actual === '400 invalid_input' && uuid.test(accountId)) {
    probe.holds(false, { ...claim, clause, expected: 'another status, because the input is valid' });
  } else if (!isDocumentedRejection(exchange)) {
    probe.holds(exchange.status === 200, { ...claim, clause, expected: '200 or a documented error' });
  }
}

/** `not_found` of one listed account can mean "not here" (interpretation R28); of all, it contradicts the list. */
export async function checkResponses(probe: Probe, tried: readonly AccountRead[], clause: ReadClause): Promise<void> {
  for (const read of tried) checkResponse(probe, read, clause);
  const listed = tried.filter(({ accountId }) => !sameId(accountId, probe.settings.account));
  const [first] = listed;
  const isDenied = listed.length > 1 && listed.every(({ exchange }) => nameOfResponse(exchange) === '404 not_found');
  if (!isDenied && !tried.some(({ exchange }) => exchange.status === 200)) return;
  // Whether all six are there is another question.
  const claim = { ...about(first?.exchange, '1.connect-operations', '#status'), proves: [] };
  const words = { expected: '200 or another error', actual: '404 not_found for every connected account' };
  if (!isDenied || first === undefined) return void probe.holds(true, { ...claim, ...words, actual: '200' });
  const { witness } = listedAccount(first.accountId);
  const rows = listed.map(({ accountId }) => ({ accountId }));
  await probe.judge([first.exchange], ([exchange]) => [
    { ...claim, ...words, exchange, isTrue: exchange.status !== 404, rows, witness },
  ]);
}

/** An account that a list shows. */
export function listedAccount(accountId: string): Witnessed {
  return { rows: [{ accountId }], witness: { operation: 'listAccounts' } };
}

export function responsesOf(tried: readonly AccountRead[]): string {
  return [...new Set(tried.map(({ exchange }) => nameOfResponse(exchange)))].join(', ');
}

/** 400 and 404 are both right for an id that is not a UUID (interpretation R1). */
export function expectInvalidAccount(probe: Probe, exchange: Exchange): void {
  if (isObstacle(exchange)) probe.doubt('precondition', `${nameOfResponse(exchange)} instead of 400 or 404`);
  else probe.expectStatus(exchange, [400, 404], '4.connect.account-id');
}

/** A payment error can precede the account lookup (R1). */
export const noAccount = {
  status: 404,
  code: 'not_found',
  clause: '4.connect.unknown-account',
  proves: ['4.connect.unknown-account', '1.unknown-record'],
  shadows: ['payment_required'],
} as const;

/** A platform has problems with known accounts only. For an unknown one, its error counts while a known one works. */
export async function expectUnknownAccount(
  probe: Probe,
  operation: 'listReviews' | 'getInsights',
  send: (id: string) => Promise<Exchange>,
): Promise<void> {
  try {
    probe.expectRejection(await askForNone(probe, operation, send), noAccount);
  } catch (error) {
    const [last, known] = [probe.history().at(-1), probe.shown(operation).at(-1)];
    if (!(error instanceof Stop) || known === undefined || last === undefined || !isPlatformTrouble(last)) throw error;
    const control = await probe.sendRaw({ path: known.target });
    const again = await probe.sendRaw({ path: last.target });
    if (control.status !== 200 || again.status !== last.status || isGatewayPage(again)) throw error;
    const actual = `${nameOfResponse(again)} each time, and 200 for a known account`;
    probe.holds(false, { ...about(again, noAccount.clause, '#status'), expected: '404 not_found', actual });
  }
}

// Which account's reviews are read, and the contents of a page.

const isRich = (exchange: Exchange) => listOf(dataOf(exchange).reviews).length > 0;

export function tryReviews(probe: Probe): Promise<AccountReads> {
  return readUsable(probe, { operation: 'listReviews', isRich });
}

export async function reviewed(probe: Probe): Promise<AccountRead> {
  const { usable } = await tryReviews(probe);
  return usable ?? probe.stop('precondition', 'needs an account that returns its reviews');
}

/** Of other businesses: those of another provider first, because two platforms share no reviews. */
export async function othersOf(probe: Probe): Promise<readonly AccountRow[]> {
  const { accountId } = await reviewed(probe);
  const rows = await probe.facts.accounts();
  const own = rows.find((row) => sameId(row.accountId, accountId));
  const usual = otherBusinesses(rows, accountId).filter(({ provider }) => reviewedProviders.includes(provider));
  const rank = (row: AccountRow) => 2 * Number(row.locked) + Number(row.provider === own?.provider);
  return usual.sort((a, b) => rank(a) - rank(b));
}

/** Pages of reviews that a run reads, where requests are not scarce. */
export const longWalkMax = 15;

export interface ReviewPage {
  readonly exchange: Exchange;
  readonly ids: readonly string[];
  readonly nextCursor: string | null;
}

export function toPage(probe: Probe, exchange: Exchange): ReviewPage {
  const ids = rowsOf(exchange, ['data', 'reviews'], ['reviewId']).map(({ reviewId }) => String(reviewId));
  const nextCursor = dataOf(exchange).nextCursor ?? null;
  if (nextCursor !== null && typeof nextCursor !== 'string')
    return probe.stop('precondition', 'nextCursor is not a string');
  return { exchange, ids, nextCursor };
}

/** A text under a review that it was not meant for. */
interface Astray {
  readonly page: Exchange;
  readonly at: number;
  readonly under: unknown;
}

/** Looks on this page and, if the text of the reply is not under its own review, on the next page. */
export async function findAstray(
  probe: Probe,
  first: Exchange,
  { accountId, reviewId, text }: { accountId: string; reviewId: string; text: string },
): Promise<Astray | null> {
  const look = (page: Exchange): Astray | null => {
    const rows = rowsOf(page, ['data', 'reviews']);
    const at = rows.findIndex((row) => row.replyText === text && row.reviewId !== reviewId);
    return at < 0 ? null : { page, at, under: rows[at]?.reviewId };
  };
  const cursor = toPage(probe, first).nextCursor;
  const own = rowsOf(first, ['data', 'reviews']).find((row) => row.reviewId === reviewId);
  const here = look(first);
  if (here !== null || cursor === null || own === undefined || own.replyText === text) return here;
  return look(await probe.send({ operation: 'listReviews', params: { accountId, cursor } }));
}
