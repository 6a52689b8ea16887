// A recorded run: the judged exchanges of a report. Keys are replaced by others of the same form.

import type { OperationId } from '../../src/contract/generated/operations.ts';
import { isEventStream, readEvents } from '../exchange/event-stream.ts';
import { dataOf, type Exchange, isObject, listOf } from '../exchange/exchange.ts';
import { readJson } from '../exchange/read-json.ts';
import type { Keys } from '../exchange/request.ts';
import type { Secret } from '../report/redact.ts';
import type { StoredExchange } from '../report/report.ts';

/** With the placeholders replaced by stand-ins. `mcpPath` is the path of the MCP endpoint. */
export function restored(
  exchanges: readonly StoredExchange[],
  secrets: readonly Secret[],
  mcpPath: string | null,
): Exchange[] {
  const restore = makeRestore(secrets);
  const all = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(names).map(([name, value]) => [name, restore(value)]));
  return exchanges.map(({ bodyShape: _, bodyText, ...one }): Exchange => {
    const text = restore(bodyText ?? '');
    const isMcp = mcpPath !== null && one.target === mcpPath;
    return {
      ...one,
      ...(isMcp ? { mcpEndpoint: 'mcp' as const } : {}),
      headers: all(one.headers),
      requestHeaders: all(one.requestHeaders),
      bodyText: text,
      json: jsonOf(one, text, isMcp),
    };
  });
}

function jsonOf({ headers, problem }: Pick<Exchange, 'headers' | 'problem'>, text: string, isMcp: boolean): unknown {
  if (problem !== 'none' && problem !== 'bad-encoding') return undefined;
  return isMcp && isEventStream(headers['content-type'])
    ? readEvents(text, valuesMax).response
    : readJson(text, valuesMax).json;
}

const valuesMax = 500_000;

/** Replaces the placeholders with the stand-ins. */
function makeRestore(secrets: readonly Secret[]): (text: string) => string {
  const longestFirst = [...secrets].sort((a, b) => b.placeholder.length - a.placeholder.length);
  return (text) =>
    text.includes('$')
      ? longestFirst.reduce((all, { placeholder, value }) => all.replaceAll(placeholder, () => value), text)
      : text;
}

/** Keys with the prefixes and forms of the real keys, and without their secret parts. */
export function standInsFor({ good, second, revoked }: Keys): Keys {
  return {
    good: standIn(good, ['a1', '1']),
    ...(second === undefined ? {} : { second: standIn(second, ['b2', '2']) }),
    ...(revoked === undefined ? {} : { revoked: standIn(revoked, ['c3', '3']) }),
  };
}

/** The last digit decides how a key is altered. */
function standIn(key: string, [mixed, digits]: readonly [mixed: string, digits: string]): string {
  const [, prefix = '', body = ''] = /^([^_]*_)?(.*)$/s.exec(key) ?? [];
  const fill = (/[a-z]/i.test(body) ? mixed : digits).repeat(body.length).slice(0, Math.max(0, body.length - 1));
  return `${prefix}${fill}${body.endsWith('0') ? '0' : '1'}`;
}

// Whether a key sees no data at all: a deployment that lost its records must not look like one that passed.

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
