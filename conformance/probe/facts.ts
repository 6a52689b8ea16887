// Data of the target. Each fact needs one shared read, sent on first use. A missing fact makes a check
// inconclusive(precondition), and never a failure.

import type { OperationId } from '../../src/contract/generated/operations.ts';
import { type Exchange, isObject } from '../exchange/exchange.ts';
import { Stop } from './stop.ts';

/** A record of a list, as the server sent it; only the fields named here have been looked at. */
export type Row = Readonly<Record<string, unknown>>;
export type SiteRow = Row & { readonly id: string };
export type ArticleRow = Row & { readonly id: string; readonly siteId: string; readonly createdAt: string };
export type AccountRow = Row & { readonly accountId: string; readonly status: string };

/** Shared by all checks of a run: the first one sends the request, the others use the record. */
export interface Facts {
  sites(): Promise<readonly SiteRow[]>;
  /** The first site; stops the check when the organization has none. */
  site(): Promise<SiteRow>;
  /** The first page of up to 100 articles. */
  articles(): Promise<readonly ArticleRow[]>;
  accounts(): Promise<readonly AccountRow[]>;
  /** A UUID that names no record, the same for the whole run. */
  readonly unknownId: string;
}

export interface Reader {
  get(operation: OperationId, params?: Readonly<Record<string, string | number>>): Promise<Exchange>;
}

/** Reads through `get`, which shares; nothing is kept here. */
export function makeFacts(reader: Reader, unknownId: string): Facts {
  const sites = async () => rowsOf<SiteRow>(await reader.get('listSites'), ['data'], ['id']);
  return {
    unknownId,
    sites,
    site: async () => {
      const [first] = await sites();
      if (!first) throw new Stop('precondition', 'the organization has no site');
      return first;
    },
    articles: async () => {
      const exchange = await reader.get('listArticles', { limit: 100 });
      return rowsOf<ArticleRow>(exchange, ['data'], ['id', 'siteId', 'createdAt']);
    },
    accounts: async () => {
      const exchange = await reader.get('listAccounts');
      return rowsOf<AccountRow>(exchange, ['data', 'accounts'], ['accountId', 'status']);
    },
  };
}

/**
 * The rows of a list in a 200. The shape rules check rows that lack one of the named string fields; here they stop the
 * check as inconclusive.
 */
export function rowsOf<T extends Row = Row>(
  exchange: Exchange,
  path: readonly string[],
  strings: readonly (keyof T & string)[] = [],
): readonly T[] {
  const name = `${exchange.method} ${exchange.target}`;
  if (exchange.status !== 200) throw new Stop('precondition', `${name} returned ${exchange.status}`);
  let node: unknown = exchange.json;
  for (const field of path) node = isObject(node) ? node[field] : undefined;
  if (!Array.isArray(node)) throw new Stop('precondition', `${name} shows no list at /${path.join('/')}`);
  const isUsable = (row: unknown) => isObject(row) && strings.every((field) => typeof row[field] === 'string');
  if (!node.every(isUsable)) throw new Stop('precondition', `${name} has rows without ${strings.join(', ')}`);
  return node as readonly T[];
}
