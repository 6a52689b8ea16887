// Pending invites between two lists of accounts, and the links that were requested meanwhile.
import { accountsIn } from './accounts.ts';
import type { Exchange } from './exchange.ts';
import { type History, responsesTo } from './history.ts';
import { rowsAt } from './records.ts';

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
