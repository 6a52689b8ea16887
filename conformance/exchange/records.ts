// Lists and records of a response, also in the results of MCP tools.
import { parseJson } from '../../src/contract/json.ts';
import { type Exchange, isObject } from './exchange.ts';
import { oncePer } from './history.ts';
import { pointerTo, valueAt } from './pointer.ts';

export type Fields = Readonly<Record<string, unknown>>;

interface List {
  readonly pointer: string;
  readonly rows: readonly unknown[];
  /** Undefined where the response has no such field. */
  readonly cursor: unknown;
}

export const bodyOf = oncePer(({ json, mcpEndpoint }: Exchange): unknown => {
  const results = (mcpEndpoint === 'mcp' ? [json].flat() : []).map((one) => (isObject(one) ? one.result : null));
  const result = results.find(isObject) ?? null;
  if (result === null) return json;
  const [first] = Array.isArray(result.content) ? result.content : [];
  return result.structuredContent ?? parseJson(isObject(first) ? String(first.text) : '', json);
});

const listsIn = oncePer((exchange: Exchange) => listsOf(bodyOf(exchange), []));
export const listIn = (exchange: Exchange) => listsIn(exchange)[0] ?? null;
/** The records of all lists: accounts are next to invites. */
export const recordsIn = (exchange: Exchange) => listsIn(exchange).flatMap(({ rows }) => rows) as readonly Fields[];

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

/** The rows of a list, if each is an object with these texts; null otherwise, which is the business of the rules. */
export function rowsAt<Name extends string = never>(
  { status, json }: Exchange,
  pointer: string,
  texts: readonly Name[] = [],
): readonly (Fields & Readonly<Record<Name, string>>)[] | null {
  const rows = status === 200 ? valueAt(json, pointer) : null;
  const isUsable = (row: unknown) => isObject(row) && texts.every((name) => typeof row[name] === 'string');
  return Array.isArray(rows) && rows.every(isUsable) ? rows : null;
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
  return recordsIn(exchange).find((each) => idOf(each) === id) ?? null;
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
