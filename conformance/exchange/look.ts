// Input of observers: the exchanges of a run or of a recording, and their data of the organization.

import type { Behaviors } from '../../src/contract/generated/behaviors.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { percentDecoded } from '../../src/contract/percent.ts';
import { dataOf, type Exchange, hasResponse, isInvalidUrl, isObject, listOf } from './exchange.ts';

/** One place that shows a value of a behavior. `weight` counts places with the same value. */
export interface Observation<Value = Behaviors[keyof Behaviors]> {
  readonly value: Value;
  readonly exchange: string;
  readonly weight?: number;
}

export interface KnownAccount {
  readonly accountId: string;
  readonly provider: string;
  readonly status: string;
  readonly locked: boolean;
}

/** Observers send nothing: they see what a run brought in anyway. */
export interface Look {
  /** Whole responses of the REST endpoints, in the order of sending. */
  readonly exchanges: readonly Exchange[];
  /** In lower case; null until the sites are listed. */
  readonly siteIds: ReadonlySet<string> | null;
  readonly accounts: ReadonlyMap<string, KnownAccount>;
  /** The part of the key before its underscore; null for a key of another form. */
  readonly keyPrefix: string | null;
}

type Fields = Record<string, unknown>;

const keyForm = /^([a-z0-9]{1,12})_[0-9a-f]{32}$/i;

/** The part of a key before its underscore; null for a key of another form. */
export function keyPrefixOf(key: string): string | null {
  return keyForm.exec(key)?.[1] ?? null;
}

/** Made once for a run. `context` shows the accounts and sites, where the exchanges are a part of a longer record. */
export function lookAt(exchanges: readonly Exchange[], keyPrefix: string | null, context = exchanges): Look {
  const isWhole = (exchange: Exchange) => hasResponse(exchange) && exchange.mcpEndpoint === undefined;
  const around = context.filter(isWhole);
  const lists = around.filter(
    ({ operation, status, key: name }) => operation === 'listSites' && status === 200 && name === 'good',
  );
  const siteIds = lists.flatMap(({ json }) =>
    recordsOf(isObject(json) ? json.data : null).map(({ id }) => String(id).toLowerCase()),
  );
  const accountLists = around
    .filter(({ operation, status, key: name }) => operation === 'listAccounts' && status === 200 && name === 'good')
    .map((exchange) => recordsOf(dataOf(exchange).accounts) as unknown as KnownAccount[]);
  // A removed account returns 404 for any input.
  const listed = new Set(accountLists.at(-1)?.map(({ accountId }) => accountId));
  const accounts = accountLists.flat().filter(({ accountId }) => listed.has(accountId));
  return {
    // A URL that is not valid may be rejected in front of the service: it shows no habit of the service.
    exchanges: exchanges.filter((each) => isWhole(each) && !isInvalidUrl(each.target)).map(withFewRows),
    siteIds: lists.length === 0 ? null : new Set(siteIds),
    accounts: new Map(accounts.map((account) => [String(account.accountId).toLowerCase(), account])),
    keyPrefix,
  };
}

/** Twenty pages of the longest list: more rows add no information. */
export const rowsSeenMax = 2_000;

/** Many observers look at each row, and some keep a mark of it. */
function withFewRows(exchange: Exchange): Exchange {
  const { json } = exchange;
  if (!isObject(json)) return exchange;
  const { data } = json;
  const few = Array.isArray(data) ? fewOf(data) : isObject(data) ? withFewIn(data) : data;
  return few === data ? exchange : { ...exchange, json: { ...json, data: few } };
}

/** The same object where no list of it is too long. */
function withFewIn(data: Fields): Fields {
  const isLong = (value: unknown) => Array.isArray(value) && value.length > rowsSeenMax;
  if (!Object.values(data).some(isLong)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, isLong(value) ? fewOf(value) : value]));
}

function fewOf(list: unknown): unknown {
  return Array.isArray(list) && list.length > rowsSeenMax ? list.slice(0, rowsSeenMax) : list;
}

export function recordsOf(value: unknown): readonly Fields[] {
  return listOf(value).filter(isObject);
}

/** Responses to one operation with the valid key; of one status, where it is given. */
export function responsesTo(
  { exchanges }: Look,
  operations: readonly OperationId[],
  status?: number,
): readonly Exchange[] {
  return exchanges.filter(
    (exchange) =>
      exchange.operation !== null &&
      operations.includes(exchange.operation) &&
      exchange.key === 'good' &&
      (status === undefined || exchange.status === status),
  );
}

/** The parsed query; a name can occur twice. */
export function queryOf({ target }: Exchange): URLSearchParams {
  return new URLSearchParams(target.split('?')[1] ?? '');
}

export function hasOnlyParameters(exchange: Exchange, ...names: readonly string[]): boolean {
  const keys = [...queryOf(exchange).keys()];
  return keys.length === names.length && keys.every((key) => names.includes(key));
}

/** A segment of the path, decoded; empty if it does not exist. */
export function segmentOf({ target }: Exchange, index: number): string {
  return percentDecoded((target.split('?')[0] ?? '').split('/')[index + 1] ?? '');
}

/** The listed account that a request names in its path. */
export function accountOf(look: Pick<Look, 'accounts'>, exchange: Exchange): KnownAccount | undefined {
  return look.accounts.get(segmentOf(exchange, 2).toLowerCase());
}

/** The listed account or site that a response is about: those of one organization may legally differ. */
export function ownerOf(look: Pick<Look, 'accounts' | 'siteIds'>, exchange: Exchange): string | null {
  const account = accountOf(look, exchange);
  if (account !== undefined) return account.accountId.toLowerCase();
  const siteId = queryOf(exchange).get('siteId')?.toLowerCase();
  return siteId !== undefined && look.siteIds?.has(siteId) === true ? siteId : null;
}

/** The sightings of those exchanges that show something. */
export function see<Value>(
  exchanges: readonly Exchange[],
  read: (exchange: Exchange) => Value | null | undefined,
): Observation<Value>[] {
  return seeIn(
    exchanges.map((exchange) => ({ exchange })),
    ({ exchange }) => read(exchange),
  );
}

/** The same for items that were read from exchanges before, such as pages. */
export function seeIn<Item extends { readonly exchange: Exchange }, Value>(
  items: readonly Item[],
  read: (item: Item) => Value | null | undefined,
): Observation<Value>[] {
  return seeAll(items, (item) => [read(item)]);
}

/** The values that each of them shows; null and undefined show nothing. */
export function seeAll<Item extends { readonly exchange: Exchange }, Value>(
  items: readonly Item[],
  read: (item: Item) => readonly (Value | null | undefined)[],
): Observation<Value>[] {
  return items.flatMap((item) =>
    read(item).flatMap((value) =>
      value === null || value === undefined ? [] : [{ value, exchange: item.exchange.id }],
    ),
  );
}

/** The articles, sites or keywords of a success, whether it is a list or one record. */
export function rowsOf({ json }: Exchange): readonly Fields[] {
  const data = isObject(json) ? json.data : undefined;
  return Array.isArray(data) ? recordsOf(data) : isObject(data) ? [data] : [];
}
