// The connected accounts that a history shows, and the reads of each. Which provider supports what, and which error
// each state of an account gives, is not shown (interpretation R28).
import { percentDecoded } from '../../src/contract/percent.ts';
import { type Exchange, nameOfResponse } from './exchange.ts';
import { type History, responsesTo } from './history.ts';
import { type Fields, rowsAt } from './records.ts';
import { sameId } from './same-id.ts';

export type AccountRow = Fields & Readonly<Record<'accountId' | 'status', string>>;
export type AccountOperation = 'listReviews' | 'getInsights';

export function accountsIn(exchange: Exchange): readonly AccountRow[] {
  return rowsAt(exchange, '/data/accounts', ['accountId', 'status']) ?? [];
}

/** As the first list shows them. */
export function accountsOf(history: History): readonly AccountRow[] {
  const lists = responsesTo(history, 'listAccounts').map(accountsIn);
  return lists.find((rows) => rows.length > 0) ?? [];
}

/** The account that a request names in its path. */
export function accountIdIn({ target }: Exchange): string {
  return percentDecoded(/^\/connect\/accounts\/([^/?]*)/.exec(target)?.[1] ?? '');
}

const likely = ['google_business', 'facebook_page', 'google_analytics', 'instagram', 'google_search_console'];

/** The providers whose accounts usually have reviews. */
export const reviewedProviders: readonly unknown[] = ['google_business', 'facebook_page'];

/** Unlocked before locked, likely providers before others. */
export function rank({ provider, locked }: Fields): number {
  const place = likely.indexOf(String(provider));
  return (locked === true ? likely.length + 1 : 0) + (place < 0 ? likely.length : place);
}

/** Connected ones but those that may be the same business once more: it may be connected twice, under one name. */
export function otherBusinesses<Row extends Fields>(rows: readonly Row[], accountId: string): Row[] {
  const own = rows.find((row) => sameId(row.accountId, accountId));
  return rows.filter((row) => {
    return row.status === 'connected' && (row.provider !== own?.provider || row.name !== own?.name);
  });
}

const triedMax = 3;

/** Accounts to read from: the one that the user names, then connected ones. */
export function candidatesIn(history: History): readonly string[] {
  const named = history.given.account;
  const rows = accountsOf(history).toSorted((one, other) => rank(one) - rank(other));
  const ids = rows.filter((row) => row.status === 'connected').map(({ accountId }) => accountId);
  return [...(named === null ? [] : [named]), ...ids.filter((id) => !sameId(id, named))].slice(0, triedMax);
}

/** A valid read of an account, and its row, if the list of accounts has it. */
export interface AccountRead {
  readonly exchange: Exchange;
  readonly accountId: string;
  readonly row: AccountRow | undefined;
  /** Of insights; null without one. */
  readonly range: (typeof insightRanges)[number] | null;
}

export const insightRanges = ['7d', '28d', '90d'] as const;

/** In recorded traffic, whose keys can be invalid, those that succeeded. */
export function readsOf(history: History, operation: AccountOperation): readonly AccountRead[] {
  const rows = accountsOf(history);
  return responsesTo(history, operation).flatMap((exchange) => {
    const [, query] = exchange.target.split('?');
    const range = insightRanges.find((one) => query === `range=${one}`) ?? null;
    const isValid = query === undefined || range !== null;
    const accountId = accountIdIn(exchange);
    const row = rows.find((each) => sameId(each.accountId, accountId));
    const isKnown = row !== undefined || sameId(accountId, history.given.account) || history.isRecorded;
    const isOpen = history.isRecorded && exchange.status !== 200;
    return isValid && isKnown && !isOpen ? [{ exchange, accountId, row, range }] : [];
  });
}

export function responsesIn(exchanges: readonly Exchange[]): string {
  return [...new Set(exchanges.map(nameOfResponse))].join(', ');
}
