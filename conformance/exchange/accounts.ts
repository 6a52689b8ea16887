// The connected accounts that a history shows, and the reads of each. Which provider supports what, and which error
// each state of an account gives, is not shown (interpretation R28).
import { percentDecoded } from '../../src/contract/percent.ts';
import type { Exchange } from './exchange.ts';
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

// Pending invites between two lists of accounts, and the links that were requested meanwhile.

interface Interval {
  readonly last: Exchange;
  readonly links: readonly Exchange[];
  /** How many invites only the second list has. */
  readonly added: number;
  /** Those that no link explains; one that was made, or may have been, is an invite. */
  readonly stray: number;
  /** Whether all else is as before: accounts, and earlier invites. Others can use the organization meanwhile. */
  readonly isQuiet: boolean;
}

/** Between each list of accounts and the next one. */
export function intervalsIn(history: History): readonly Interval[] {
  const { exchanges } = history;
  const lists = responsesTo(history, 'listAccounts').flatMap((list) => {
    const invites = rowsAt(list, '/data/pendingInvites', ['id'])?.map(({ id }) => id);
    const accounts = accountsIn(list).map(({ accountId }) => accountId);
    return invites === undefined ? [] : [{ list, invites, accounts: accounts.join() }];
  });
  return lists.slice(1).flatMap((after, index): Interval[] => {
    const before = lists[index] ?? after;
    const between = exchanges.slice(exchanges.indexOf(before.list), exchanges.indexOf(after.list));
    const links = between.filter(({ operation }) => operation === 'createConnectLink');
    const made = links.filter(({ status }) => status === 0 || status === 200 || status >= 500).length;
    const added = after.invites.filter((id) => !before.invites.includes(id)).length;
    const isKept = before.invites.every((id) => after.invites.includes(id));
    const isQuiet = isKept && before.accounts === after.accounts;
    return [{ last: after.list, links, added, stray: added - made, isQuiet }];
  });
}
