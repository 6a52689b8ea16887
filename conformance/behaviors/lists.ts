// Behaviors of articles, sites and keywords: R8, R9, R16 to R22.
import { plainTimestampForm, timestampForm } from '../../src/contract/forms.ts';
import { behaviors, type InputRow } from '../../src/contract/generated/behaviors.ts';
import { articlesLimit, callsLimit } from '../../src/contract/generated/limits.ts';
import { classOfInput, forInputs } from '../../src/contract/input-classes.ts';
import type { Shape } from '../../src/contract/shape.ts';
import { parseTimestamp } from '../../src/contract/timestamps.ts';
import { dataOf, type Exchange, errorCode, isObject, listOf } from '../exchange/exchange.ts';
import {
  accountOf,
  hasOnlyParameters,
  type Look,
  type Observation,
  queryOf,
  recordsOf,
  responsesTo,
  rowsOf,
  see,
  segmentOf,
} from '../exchange/look.ts';
import { findField } from '../exchange/pointer.ts';
import { isUuid } from '../exchange/same-id.ts';
import { splitShares } from './records.ts';
import { learnShape, wordsOf } from './shapes.ts';

const simple = ['listArticles', 'getArticle', 'listSites', 'getSite', 'listKeywords'] as const;

function pageOf(exchange: Exchange): { rows: number; cursor: string | null; limit: number } {
  const cursor = isObject(exchange.json) ? exchange.json.cursor : null;
  const requested = Number(queryOf(exchange).get('limit') ?? articlesLimit.preset);
  return { rows: rowsOf(exchange).length, cursor: typeof cursor === 'string' ? cursor : null, limit: requested };
}

function articleOrder(exchange: Exchange): 'newest' | 'oldest' | null {
  const timestamps = rowsOf(exchange).map(({ createdAt }) => parseTimestamp(String(createdAt)) ?? 0n);
  const steps = timestamps.slice(1).map((timestamp, index) => timestamp - (timestamps[index] ?? 0n));
  if (steps.every((step) => step === 0n)) return null;
  if (steps.every((step) => step <= 0n)) return 'newest';
  return steps.every((step) => step >= 0n) ? 'oldest' : null;
}

/** The end of a list; a short last page leaves open whether a full one has a cursor. */
function articleEnd(
  { exchanges }: Look,
  pages: readonly Exchange[],
): Observation<'exact' | 'not-full' | 'empty-page'>[] {
  const byCursor = new Map(pages.map((page) => [pageOf(page).cursor, page]));
  const capped = Math.max(0, ...pages.map((page) => (leadsOn(page, pages) ? pageOf(page).rows : 0)));
  return see(pages, (exchange) => {
    const { rows, cursor, limit } = pageOf(exchange);
    if (cursor !== null || !exchanges.includes(exchange)) return null;
    if (rows > 0) return rows === limit || (rows === capped && rows < limit) ? 'exact' : null;
    const before = byCursor.get(queryOf(exchange).get('cursor') ?? '');
    if (before === undefined) return null;
    const full = pageOf(before);
    return full.rows === full.limit || full.rows === capped ? 'not-full' : 'empty-page';
  });
}

/** The most rows on a page with a next page, if more were requested. */
export function pageCap(
  pages: readonly { exchange: string; rows: number; goesOn: boolean }[],
  max: number,
): Observation<number>[] {
  const full = pages.filter(({ rows }) => rows === max);
  if (full.length > 0) return full.map(({ exchange }) => ({ value: max, exchange }));
  const short = pages.filter(({ rows, goesOn }) => goesOn && rows > 0);
  const most = Math.max(0, ...short.map(({ rows }) => rows));
  return short.filter(({ rows }) => rows === most).map(({ exchange }) => ({ value: most, exchange }));
}

/** Without unexpected parameters, so only the limit and the cursor decide the page. */
function plainPages(look: Look): readonly Exchange[] {
  return responsesTo(look, ['listArticles'], 200).filter((exchange) => {
    const query = queryOf(exchange);
    const limit = query.get('limit');
    const names = [...query.keys()];
    const isKnown = limit === null || (/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100);
    const cursor = query.get('cursor');
    return (
      isKnown &&
      new Set(names).size === names.length &&
      (cursor === null || parseTimestamp(cursor) !== null) &&
      !query.has('siteId')
    );
  });
}

function leadsOn(page: Exchange, pages: readonly Exchange[]): boolean {
  const { cursor } = pageOf(page);
  return cursor !== null && pages.some((next) => queryOf(next).get('cursor') === cursor && pageOf(next).rows > 0);
}

function idsOf(look: Look): { own: string[]; references: string[]; exchange: string }[] {
  return responsesTo(look, simple, 200).map((exchange) => {
    const rows = rowsOf(exchange);
    const texts = (name: string) =>
      rows.map((row) => row[name]).filter((id): id is string => typeof id === 'string' && isUuid(id));
    return { own: texts('id'), references: texts('siteId'), exchange: exchange.id };
  });
}

const isUpper = (ids: readonly string[]) => ids.length > 0 && ids.every((id) => id === id.toUpperCase());

function idCase(look: Look): Observation<'lower' | 'upper' | 'mixed'>[] {
  return idsOf(look).flatMap(({ own, references, exchange }) => {
    const withLetters = (ids: readonly string[]) => ids.filter((id) => /[a-f]/i.test(id));
    const [mine, others] = [withLetters(own), withLetters(references)];
    if (mine.length === 0) return [];
    const value = !isUpper(mine) ? 'lower' : others.length > 0 && !isUpper(others) ? 'mixed' : 'upper';
    // Sites have no references: capitals there may be those of either.
    return value === 'upper' && others.length === 0 ? [] : [{ value, exchange, weight: mine.length } as const];
  });
}

const versions = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;

export const listObservers = {
  duplicates: (look: Look) =>
    see(
      look.exchanges.filter(({ target, key }) => target === '/articles?limit=1&limit=2' && key === 'good'),
      (exchange) => {
        if (exchange.status === 400) return 'reject';
        const { rows } = pageOf(exchange);
        return exchange.status !== 200 ? null : rows === 1 ? 'first' : rows === 2 ? 'last' : null;
      },
    ),
  simpleBadCode: (look: Look) => see(responsesTo(look, ['listKeywords'], 400), errorCode),
  simpleIssues: (look: Look) =>
    see(responsesTo(look, simple, 400), ({ json }) =>
      findField(json, 'issues').value === undefined ? 'absent' : 'present',
    ),
  articleOrder: (look: Look) => see(plainPages(look), articleOrder),
  articleEnd: (look: Look) => articleEnd(look, plainPages(look)),
  articlePageCap: (look: Look) => {
    const pages = plainPages(look);
    const full = pages.filter((page) => pageOf(page).limit === articlesLimit.max);
    return pageCap(
      full.map((page) => ({ exchange: page.id, rows: pageOf(page).rows, goesOn: leadsOn(page, pages) })),
      articlesLimit.max,
    );
  },
  timestampForm: (look: Look) =>
    responsesTo(look, simple, 200).flatMap((exchange) =>
      rowsOf(exchange)
        .flatMap(({ createdAt, updatedAt, publishedAt }) => [createdAt, updatedAt, publishedAt])
        .flatMap((text) => {
          const form = typeof text === 'string' ? timestampForm(text) : null;
          return form === null ? [] : [{ value: form, exchange: exchange.id }];
        }),
    ),
  idCase,
  idVersion: (look: Look) =>
    idsOf(look).flatMap(({ own, exchange }) =>
      own.flatMap((id) => {
        const value = versions.find((version) => version === id[14]);
        return value === undefined ? [] : [{ value, exchange }];
      }),
    ),
};

// Behaviors of the call log: its pages, its records, and the calls that a snapshot shows. R33 to R38.

export function callPages(look: Look) {
  return responsesTo(look, ['listCalls'], 200).map((exchange) => {
    const { calls, nextCursor } = dataOf(exchange);
    const query = queryOf(exchange);
    const since = query.get('since');
    const isPolled = since !== null && parseTimestamp(since) !== null;
    return { exchange, calls: recordsOf(calls), next: nextCursor, isPolled, since, limit: query.get('limit') };
  });
}

export function callsPageCap(look: Look): Observation<number>[] {
  const pages = callPages(look).filter(({ isPolled }) => isPolled);
  const full = pages.filter(({ limit }) => limit === String(callsLimit.max));
  const goesOn = (next: unknown) => pages.some(({ since, calls }) => since === next && calls.length > 0);
  return pageCap(
    full.map(({ exchange, calls, next }) => ({ exchange: exchange.id, rows: calls.length, goesOn: goesOn(next) })),
    callsLimit.max,
  );
}

export function callRecord(look: Look): Observation<Shape>[] {
  const pages = callPages(look).filter(({ calls }) => calls.length > 0);
  const calls = pages.flatMap((page) => page.calls);
  // A repeated record does not count: a vocabulary consists of values that many records share.
  const distinct = new Map(calls.map((call) => [JSON.stringify(call), call]));
  const own = [...distinct.values()];
  const shape = learnShape(own);
  const [page] = pages;
  if (shape === null || page === undefined) return [];
  const always = endPaths(look);
  // A field can be null as long as the call runs.
  const value =
    always.length === 0 ? shape : splitShares(shape, own, (call) => (isOver(call, always) ? 'over' : 'running'));
  return [{ value, exchange: page.exchange.id, weight: calls.length }];
}

const ends = new Set(
  'end ended ends over finish finished complete completed hangup closed stop stopped terminated'.split(' '),
);
const depthMax = 3;

/** The fields with an end in every polled call, because such calls are over. */
function endPaths(look: Look): string[] {
  const polled = responsesTo(look, ['listCalls'], 200).filter((exchange) => queryOf(exchange).has('since'));
  const settled = polled.flatMap((exchange) => recordsOf(dataOf(exchange).calls)).map((call) => endsOf(call, []));
  return [...(settled[0]?.keys() ?? [])].filter((path) => settled.every((call) => call.has(path)));
}

function isOver(call: Record<string, unknown>, always: readonly string[]): boolean {
  const ends = endsOf(call, []);
  return always.some((path) => ends.has(path));
}

/** A missing one shows nothing: no call might run. */
export function snapshotRunning(look: Look): Observation<'show'>[] {
  const always = endPaths(look);
  if (always.length === 0) return [];
  const snapshots = responsesTo(look, ['listCalls'], 200).filter((exchange) => !queryOf(exchange).has('since'));
  return snapshots.flatMap((exchange) => {
    const running = recordsOf(dataOf(exchange).calls).filter((call) => !isOver(call, always)).length;
    return running === 0 ? [] : [{ value: 'show' as const, exchange: exchange.id, weight: running }];
  });
}

function endsOf(value: Record<string, unknown>, path: readonly string[]): Map<string, string | number> {
  const found = new Map<string, string | number>();
  for (const [name, field] of Object.entries(value)) {
    const own = [...path, name];
    if (isObject(field) && own.length < depthMax)
      for (const [inner, timestamp] of endsOf(field, own)) found.set(inner, timestamp);
    const isScalar = typeof field === 'string' || typeof field === 'number';
    const isEnd = wordsOf(name).some((word) => ends.has(word));
    if (isScalar && isEnd && plainTimestampForm(field) !== null) found.set(own.join('.'), field);
  }
  return found;
}

// Behaviors that react to an input, one for each class: R1, R5, R19 to R21, R38. A request shows one if it has one
// parameter only.

/** The text of the parameter; null if the request has others, or cannot show the behavior. */
function textOf(look: Look, { name, operations }: InputRow, exchange: Exchange): string | null {
  if (name === 'id') return segmentOf(exchange, 1);
  if (name === 'accountId') return segmentOf(exchange, 2);
  if (!hasOnlyParameters(exchange, name)) return null;
  if (operations.some((each) => each === 'listReviews' || each === 'getInsights')) {
    const account = accountOf(look, exchange);
    if (account?.status !== 'connected' || account.locked) return null;
  }
  return queryOf(exchange).get(name);
}

function isOfClass(look: Look, row: InputRow, exchange: Exchange): boolean {
  const text = textOf(look, row, exchange);
  if (text === null) return false;
  if (row.class === 'unknown') return isUuid(text) && look.siteIds?.has(text.toLowerCase()) === false;
  const isGiven =
    row.name === 'cursor' &&
    responsesTo(look, row.operations, 200).some((page) => text !== '' && dataOf(page).nextCursor === text);
  return !isGiven && classOfInput(row, text, exchange.receivedAt) === row.class;
}

function rejectionOf({ status, ...exchange }: Exchange, values: readonly string[]): string | null {
  if (status === 404) return 'not_found';
  const isInput = status === 400 && errorCode({ status, ...exchange }) !== 'not_supported';
  return isInput ? (values.find((value) => value === 'reject' || value === 'invalid_input') ?? null) : null;
}

function rowsIn(exchange: Exchange): readonly unknown[] {
  const data = isObject(exchange.json) ? exchange.json.data : null;
  return listOf(Array.isArray(data) ? data : dataOf(exchange).calls);
}

const longestOf = (look: Look, operations: InputRow['operations']) =>
  Math.max(0, ...responsesTo(look, operations, 200).map((page) => rowsIn(page).length));

/** A success shows which input the server used instead. */
function successOf(look: Look, exchange: Exchange, { name, class: inputClass, operations }: InputRow): string | null {
  const body = exchange.json;
  if (!isObject(body)) return null;
  const isCalls = operations.includes('listCalls');
  const list = rowsIn(exchange);
  if (name === 'siteId' || inputClass === 'future') {
    // An empty list shows something if the organization has records.
    if (list.length === 0) return inputClass === 'unknown' || longestOf(look, operations) > 0 ? 'empty' : null;
    return inputClass === 'unknown' ? null : 'ignore';
  }
  if (name !== 'limit' || inputClass === 'text') return 'ignore';
  const rows = list.length;
  const goesOn = (isCalls && rows < longestOf(look, operations)) || typeof body.cursor === 'string';
  const { preset } = isCalls ? callsLimit : articlesLimit;
  // Too few rows look alike for each limit.
  if (inputClass === 'above') return rows > preset ? 'clamp' : rows === preset && goesOn ? 'ignore' : null;
  if (rows === 0 || (rows === 1 && !goesOn)) return null;
  return rows > 1 ? 'ignore' : inputClass === 'fraction' ? 'truncate' : 'clamp';
}

function observeInput(row: InputRow, values: readonly string[]) {
  return (look: Look): Observation<never>[] =>
    responsesTo(look, row.operations)
      .filter((exchange) => isOfClass(look, row, exchange))
      .flatMap((exchange) => {
        const value = exchange.status === 200 ? successOf(look, exchange, row) : rejectionOf(exchange, values);
        return value === null || !values.includes(value) ? [] : [{ value: value as never, exchange: exchange.id }];
      });
}

export const inputObservers = forInputs((row) => observeInput(row, behaviors[row.id].values));
