// Whether a key sees no data at all: a deployment that lost its records must not look like one that passed.

import type { OperationId } from '../../src/contract/generated/operations.ts';
import { dataOf, type Exchange, isObject, listOf } from '../exchange/exchange.ts';

type Listed = Pick<Exchange, 'operation' | 'key' | 'status' | 'json'>;

const rowsOf: { readonly [Id in OperationId]?: (exchange: Listed) => readonly unknown[] } = {
  listSites: ({ json }) => listOf(isObject(json) ? json.data : null),
  listArticles: ({ json }) => listOf(isObject(json) ? json.data : null),
  listAccounts: (exchange) => [...listOf(dataOf(exchange).accounts), ...listOf(dataOf(exchange).pendingInvites)],
  listCalls: (exchange) => listOf(dataOf(exchange).calls),
};
const needed = ['listSites', 'listArticles', 'listAccounts'];

/** False where a run did not read sites, articles and accounts. */
export function isEmptyOrganization(exchanges: readonly Listed[]): boolean {
  const lists = exchanges.filter(
    ({ operation, key, status }) => operation !== null && operation in rowsOf && key === 'good' && status === 200,
  );
  const read = new Set<string | null>(lists.map(({ operation }) => operation));
  const isEmpty = (exchange: Listed) => rowsOf[exchange.operation as OperationId]?.(exchange).length === 0;
  return needed.every((operation) => read.has(operation)) && lists.every(isEmpty);
}
