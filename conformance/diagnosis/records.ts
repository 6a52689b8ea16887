// Lists and records of a response, also in the results of MCP tools.
import { parseJson } from '../../src/contract/json.ts';
import { type Exchange, isObject } from '../exchange/exchange.ts';
import { oncePer } from '../exchange/once.ts';
import { pointerTo, valueAt } from '../exchange/pointer.ts';
import type { Finding, Unsteady } from '../judge/result.ts';

export type Fields = Readonly<Record<string, unknown>>;

interface List {
  readonly pointer: string;
  readonly rows: readonly unknown[];
  /** Undefined where the response has no such field. */
  readonly cursor: unknown;
}

export const bodyOf = oncePer(({ json, mcpEndpoint }: Exchange): unknown => {
  const result = mcpEndpoint === 'mcp' && isObject(json) && isObject(json.result) ? json.result : null;
  if (result === null) return json;
  const [first] = Array.isArray(result.content) ? result.content : [];
  return result.structuredContent ?? parseJson(isObject(first) ? String(first.text) : '', json);
});

const listsIn = oncePer((exchange: Exchange) => listsOf(bodyOf(exchange), []));
export const listIn = (exchange: Exchange) => listsIn(exchange)[0] ?? null;

const depthMax = 5;
const listsMax = 10;

/** Lists of records, which are not in a record, and the cursor next to each or around it. */
function listsOf(node: unknown, path: readonly string[], cursor?: unknown): List[] {
  if (Array.isArray(node)) return node.every(isObject) ? [{ pointer: pointerTo(...path), rows: node, cursor }] : [];
  if (!isObject(node) || path.length >= depthMax) return [];
  const own = [node.nextCursor, node.cursor, cursor].find((each) => each !== undefined);
  const fields = Object.entries(node).slice(0, listsMax);
  return fields.flatMap(([name, value]) => listsOf(value, [...path, name], own));
}

function idOf(record: unknown): string | null {
  if (!isObject(record)) return null;
  const name = Object.hasOwn(record, 'id') ? 'id' : Object.keys(record).find((each) => /Id$/.test(each));
  const id = name === undefined ? null : record[name];
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

export const idsIn = oncePer((exchange: Exchange) => (listIn(exchange)?.rows ?? []).flatMap((row) => idOf(row) ?? []));

/** Of the record that a pointer names, in a list. */
export function idAt(exchange: Exchange, pointer: string): string | null {
  const [at] = /^.*?\/\d+(?=\/|$)/.exec(pointer) ?? [];
  return at === undefined ? null : idOf(valueAt(bodyOf(exchange), at));
}

export function recordIn(exchange: Exchange, id: string): Fields | null {
  const rows = listsIn(exchange).flatMap((list) => list.rows);
  return (rows.find((each) => idOf(each) === id) as Fields | undefined) ?? null;
}

/** The pointer of an id or another value in the records of a response, or in its only record. */
export function placeIn(exchange: Exchange, value: string): string | null {
  const wanted = value.toLowerCase();
  const isOf = (record: unknown) => idOf(record)?.toLowerCase() === wanted;
  const isId = listsIn(exchange).some(({ rows }) => rows.some(isOf));
  const nameIn = (record: Fields) =>
    isId && !isOf(record)
      ? undefined
      : Object.keys(record).find((name) => String(record[name]).toLowerCase() === wanted);
  for (const { pointer, rows } of listsIn(exchange)) {
    for (const [index, row] of rows.entries()) {
      const name = nameIn(row as Fields);
      if (name !== undefined) return pointer + pointerTo(index, name);
    }
  }
  const record = listIn(exchange) === null ? valueAt(bodyOf(exchange), '/data') : null;
  const name = isObject(record) ? nameIn(record) : undefined;
  return name === undefined ? null : pointerTo('data', name);
}

// Identical requests whose responses differ in their records: several instances or caches, one of them out of date.

/** Whether the finding is about the records of a list. Calls are left out, because they come and go by the minute. */
export function isListRead(each: Exchange, { pointer, clause }: Finding): boolean {
  const isRead = each.method === 'GET' && each.key === 'good' && each.status === 200 && listIn(each) !== null;
  return isRead && !/^(listCalls|null)$/.test(`${each.operation}`) && pointer !== '#status' && !/^8\./.test(clause);
}

/** Responses to identical reads of a list with the valid key, in the order of sending; those of the finding first. */
function readsFor(finding: Finding, exchanges: readonly Exchange[]): Exchange[][] {
  const own = exchanges.find(({ id }) => id === finding.exchange);
  if (own === undefined) return [];
  const groups = new Map<string, Exchange[]>([[own.target, []]]);
  for (const each of exchanges) {
    const isLike = each.operation === own.operation && !each.burst && isListRead(each, finding);
    if (isLike) groups.set(each.target, [...(groups.get(each.target) ?? []), each]);
  }
  return [...groups.values()];
}

/** A record that an earlier and a later response have: no change of the data explains that one lacks it (R59). */
function isReturning(id: string, reads: readonly Exchange[]): boolean {
  const having = reads.flatMap((each, at) => (idsIn(each).includes(id) ? at : []));
  return having.some((at, index) => index > 0 && at > (having[index - 1] ?? at) + 1);
}

/** Null where identical requests returned the same records, or where a change of the data explains the difference. */
export function unsteadyOf(finding: Finding, exchanges: readonly Exchange[]): Unsteady | null {
  for (const reads of readsFor(finding, exchanges)) {
    const found = unsteadyIn(reads, finding.expected);
    if (found !== null) return found;
  }
  return null;
}

/** `reads`: responses to identical requests. A record that `named` names explains more than another one. */
export function unsteadyIn(reads: readonly Exchange[], named = ''): Unsteady | null {
  const ids = [...new Set(reads.flatMap(idsIn))];
  const returning = ids.find((id) => isReturning(id, reads));
  if (returning === undefined) return null;
  const isMissing = (id: string) => named.includes(id) && reads.some((each) => !idsIn(each).includes(id));
  const record = ids.find(isMissing) ?? returning;
  const without = reads.filter((each) => !idsIn(each).includes(record)).map(({ id }) => id);
  return { record, exchanges: reads.map(({ id }) => id), without };
}

/** The last of several identical reads whose responses differ in their records; undefined where none does. */
export function differingRead(finding: Finding, exchanges: readonly Exchange[]): Exchange | undefined {
  const recordsOf = (each: Exchange) => [...idsIn(each)].sort().join();
  const reads = readsFor(finding, exchanges).find((each) => new Set(each.map(recordsOf)).size > 1);
  return reads?.at(-1);
}
