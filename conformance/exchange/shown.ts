// Records that a history shows: the responses in which each of them appears, and those that show all of a kind.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { accountIdIn } from './accounts.ts';
import { type Exchange, isObject } from './exchange.ts';
import { precedes } from './history.ts';
import { valueAt } from './pointer.ts';
import { isUuid } from './same-id.ts';

interface Kind {
  readonly list: OperationId;
  readonly rows: string;
  readonly id: string;
  /** The parameters of a valid request that do not change which records exist. */
  readonly params: readonly string[];
  readonly single?: OperationId;
  /** The place of the cursor, for lists that come in pages. */
  readonly cursor?: string;
  /** The account that the path names: ids can be numbers from one on in each (interpretation R9). */
  readonly isOfAccount?: true;
}

const accounts = { list: 'listAccounts', params: [] } as const;
export const kinds = {
  site: { list: 'listSites', rows: '/data', id: 'id', params: [], single: 'getSite' },
  article: {
    ...{ list: 'listArticles', rows: '/data', id: 'id', single: 'getArticle', cursor: '/cursor' },
    params: ['siteId', 'limit', 'cursor'],
  },
  keyword: { list: 'listKeywords', rows: '/data', id: 'id', params: ['siteId'] },
  account: { ...accounts, rows: '/data/accounts', id: 'accountId' },
  invite: { ...accounts, rows: '/data/pendingInvites', id: 'id' },
  review: {
    ...{ list: 'listReviews', rows: '/data/reviews', id: 'reviewId', cursor: '/data/nextCursor', isOfAccount: true },
    params: ['cursor'],
  },
} as const satisfies Readonly<Record<string, Kind>>;
export type RecordKind = keyof typeof kinds;

type Fields = Readonly<Record<string, unknown>>;

/** A response that shows a record. */
export interface Sighting {
  readonly exchange: Exchange;
  readonly row: Fields;
  /** The site of a keyword or an article, or the account of a review, in lower case; empty where records have none. */
  readonly scope: string;
  readonly isListed: boolean;
}

/** Responses that show all records of a kind, or of one site: a whole list, a walk from page to page, a 404. */
export interface View {
  readonly pages: readonly [Exchange, ...Exchange[]];
  readonly rows: ReadonlyMap<string, Fields>;
  /** The site that the request names; empty for all records. */
  readonly scope: string;
  /** The record that a request by id names. */
  readonly only?: string;
  /** The last record of each page but the last. */
  readonly edges: readonly Fields[];
}

interface Read {
  readonly exchange: Exchange;
  readonly rows: ReadonlyMap<string, Fields>;
  readonly scope: string;
  /** The cursor that was sent. */
  readonly from: string | null;
  readonly next: unknown;
}

/** Longer ones are left out, because comparing them takes too long. */
const [rowsMax, viewsMax] = [500, 200];

/** Null unless the request is valid: servers read others in different ways (interpretation R5, R19). */
function readOf(exchange: Exchange, kind: Kind): Read | null {
  const { operation, method, status, target, json, requestBody } = exchange;
  const list = operation === kind.list && status === 200 ? valueAt(json, kind.rows) : null;
  if (!Array.isArray(list) || list.length > rowsMax || method !== 'GET' || requestBody.bytes > 0) return null;
  const params = [...new URLSearchParams(target.split('?')[1] ?? '')];
  const given = new Map(params);
  const isValid = params.every(
    ([name, value]) =>
      kind.params.includes(name) &&
      (name !== 'siteId' || isUuid(value)) &&
      (name !== 'limit' || (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 100)),
  );
  if (!isValid || given.size < params.length) return null;
  const scope = kind.isOfAccount ? accountIdIn(exchange).toLowerCase() : (given.get('siteId')?.toLowerCase() ?? '');
  const idOf = (row: Fields) => `${kind.isOfAccount ? `${scope} ` : ''}${String(row[kind.id]).toLowerCase()}`;
  const rows = list.flatMap((row) => (isObject(row) ? [[idOf(row), row] as const] : []));
  const next = valueAt(json, kind.cursor ?? '');
  return {
    exchange,
    rows: new Map(rows),
    scope,
    from: given.get('cursor') ?? null,
    // The last page of reviews can lack it (interpretation R14).
    next: kind.cursor === undefined || (kind.isOfAccount && next === undefined) ? null : next,
  };
}

/** The id that a request by id names, as it is sent; null for another request. */
function namedId({ operation, method, target }: Exchange, { single }: Kind): string | null {
  const [, id = null] = /^\/[a-z]+\/([\w-]+)$/i.exec(target) ?? [];
  return operation === single && method === 'GET' ? id : null;
}

/** Of each record, in order. `exchanges` are of one key. */
export function sightingsOf(
  exchanges: readonly Exchange[],
  name: RecordKind,
): ReadonlyMap<string, readonly Sighting[]> {
  const kind: Kind = kinds[name];
  const sightings = new Map<string, Sighting[]>();
  const add = (id: string, sighting: Sighting) => addTo(sightings, id, sighting);
  const scopeOf = ({ siteId }: Fields, scope: string) => (typeof siteId === 'string' ? siteId.toLowerCase() : scope);
  for (const exchange of exchanges) {
    const read = readOf(exchange, kind);
    for (const [id, row] of read?.rows ?? [])
      add(id, { exchange, row, scope: scopeOf(row, read?.scope ?? ''), isListed: true });
    const row = namedId(exchange, kind) !== null && exchange.status === 200 ? valueAt(exchange.json, '/data') : null;
    if (isObject(row))
      add(String(row[kind.id]).toLowerCase(), { exchange, row, scope: scopeOf(row, ''), isListed: false });
  }
  return sightings;
}

/** `exchanges` are of one key. */
export function viewsOf(exchanges: readonly Exchange[], name: RecordKind): readonly View[] {
  const kind: Kind = kinds[name];
  const reads = exchanges.flatMap((exchange) => readOf(exchange, kind) ?? []);
  const later = new Map<string, Read[]>();
  for (const read of reads) {
    addTo(later, `${read.scope} ${read.from}`, read);
  }
  const starts = reads.filter(({ from }) => from === null).slice(0, viewsMax);
  const walks = starts.flatMap((first) => walkFrom(first, later) ?? []);
  const unknown = exchanges.flatMap((exchange): View[] => {
    const only = exchange.status === 404 ? namedId(exchange, kind) : null;
    return only === null ? [] : [{ pages: [exchange], rows: new Map(), scope: '', only, edges: [] }];
  });
  return [...walks, ...unknown].slice(0, viewsMax);
}

/** A recording can have twenty thousand of one name. */
export function addTo<Item>(groups: Map<string, Item[]>, name: string, item: Item): void {
  const known = groups.get(name);
  if (known === undefined) groups.set(name, [item]);
  else known.push(item);
}

/** Each page has the cursor of the one before it; null where the recording ends before the last page. */
function walkFrom(first: Read, later: ReadonlyMap<string, readonly Read[]>): View | null {
  const walk = [first];
  for (let last = first; last.next !== null; ) {
    const followers = typeof last.next === 'string' ? (later.get(`${first.scope} ${last.next}`) ?? []) : [];
    const next = followers.find(({ exchange }) => precedes(last.exchange, exchange));
    if (next === undefined) return null;
    walk.push(next);
    last = next;
  }
  const edges = walk.slice(0, -1).flatMap(({ rows }): Fields[] => [...rows.values()].slice(-1));
  const pages = walk.map(({ exchange }) => exchange) as [Exchange, ...Exchange[]];
  return { pages, rows: new Map(walk.flatMap(({ rows }) => [...rows])), scope: first.scope, edges };
}
