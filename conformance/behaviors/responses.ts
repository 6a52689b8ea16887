// Behaviors that every response shows: errors and limits. R4, R26, R33 to R46.
import { timestampForm } from '../../src/contract/forms.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { fields } from '../../src/contract/generated/record-fields.ts';
import type { Shape } from '../../src/contract/shape.ts';
import { type Exchange, errorCode, isLimiterRejection, isObject } from '../exchange/exchange.ts';
import { contractWindows } from '../exchange/lanes.ts';
import { type Look, type Observation, queryOf, responsesTo, rowsOf, see, seeIn } from '../exchange/look.ts';
import { readWhole, serverNowMs } from '../exchange/stated-limits.ts';
import { callPages, callRecord, callsPageCap, snapshotRunning } from './lists.ts';
import { observeRecords } from './records.ts';
import { extrasShape, isFieldName, learnShape } from './shapes.ts';

const errorFields = ['code', 'message', 'issues', 'reason', 'details'];

/** Rejections in an envelope. The limiter's body is stated to the letter. */
function errors({ exchanges }: Look) {
  return exchanges.flatMap((exchange) => {
    const error = isObject(exchange.json) ? exchange.json.error : undefined;
    const isError = exchange.operation !== null && exchange.status >= 400 && !isLimiterRejection(exchange);
    return isError && isObject(error) ? [{ exchange, error, body: exchange.json as Record<string, unknown> }] : [];
  });
}

function placeOf(value: unknown, path: readonly string[]): { place: string; issues: unknown } | null {
  if (!isObject(value) || path.length > 3) return null;
  if (value.issues !== undefined) return { place: [...path, 'issues'].join('.'), issues: value.issues };
  for (const [name, field] of Object.entries(value).filter(([name]) => isFieldName(name))) {
    const found = placeOf(field, [...path, name]);
    if (found !== null) return found;
  }
  return null;
}

/** Names of a map come from inputs, and messages quote them, so entries are described by names and types only. */
function issuesShape(issues: unknown): Shape | null {
  if (Array.isArray(issues)) {
    if (issues.length === 0) return null;
    const items: Shape | null = issues.every(isObject) ? entryShape(issues) : { type: 'string' };
    return { type: 'array', items };
  }
  return isObject(issues) ? mapShape(issues, 0) : null;
}

/** Names that libraries give to the parts of a map of problems; every other name in it is that of an input. */
const partsOfMap = new Set(['formErrors', 'fieldErrors', '_errors', 'errors', 'properties', 'fields', 'items']);
const mapDepthMax = 3;

/** `{ limit: [] }`, `{ fieldErrors: { limit: [] }, formErrors: [] }`, `{ _errors: [], limit: { _errors: [] } }`. */
function mapShape(map: Record<string, unknown>, depth: number): Shape {
  const parts = Object.entries(map).filter(([name]) => partsOfMap.has(name));
  const inputs = Object.entries(map).filter(([name]) => !partsOfMap.has(name));
  const recordFields = parts.map(([name, value]): [string, Shape] => [name, partShape(value, depth)]);
  const [input] = inputs;
  if (input !== undefined) recordFields.push(['any', partShape(input[1], depth)]);
  return { type: 'object', fields: Object.fromEntries(recordFields) };
}

function partShape(value: unknown, depth: number): Shape {
  if (Array.isArray(value)) return { type: 'array' };
  return isObject(value) && depth < mapDepthMax ? mapShape(value, depth + 1) : { type: 'string' };
}

function entryShape(entries: readonly Record<string, unknown>[]): Shape {
  const shape = learnShape(entries);
  const recordFields = Object.entries(shape?.fields ?? {}).map(([name, field]): [string, Shape] => {
    const texts = entries.map((entry) => String(entry[name]));
    const isPointer = texts.every((text) => /^(\/|$)/.test(text)) && texts.some((text) => text !== '');
    const { type } = field;
    return [
      name,
      type === 'string' && isPointer && /path|point|field|loc/i.test(name) ? { type, form: 'pointer' } : { type },
    ];
  });
  return { type: 'object', fields: Object.fromEntries(recordFields) };
}

function issues(look: Look): Observation<Shape>[] {
  const found = errors(look).flatMap(({ exchange, body }) => {
    const place = exchange.status === 400 ? placeOf(body, []) : null;
    const shape = place === null ? null : issuesShape(place.issues);
    if (place === null || shape === null || exchange.operation === null) return [];
    const isTool = operations[exchange.operation].envelope === 'tool';
    return [{ value: { type: 'object', fields: { [place.place]: shape } } as Shape, exchange: exchange.id, isTool }];
  });
  const tool = found.filter(({ isTool }) => isTool);
  return (tool.length > 0 ? tool : found).map(({ value, exchange }) => ({ value, exchange }));
}

/** The shape of all operations together, and of those that show other fields than the rest: `getArticle.envelope`. */
function extrasByOperation(
  kind: string,
  records: readonly (readonly [operation: string, records: readonly unknown[]])[],
  listed: readonly string[],
): Record<string, Shape | null> {
  const seen = records.filter(([, own]) => own.length > 0);
  const all = extrasShape(
    seen.flatMap(([, own]) => own),
    listed,
  );
  const isOther = ({ fields: own = {} }: Shape) =>
    Object.entries(all?.fields ?? {}).some(([name, { optional }]) => optional && own[name]?.optional !== true);
  const shapes = seen.map(([operation, own]): [string, Shape] => [
    `${operation}.${kind}`,
    { ...(extrasShape(own, listed) ?? { type: 'object', fields: {} }), optional: true },
  ]);
  return { [kind]: all, ...Object.fromEntries(shapes.filter(([, shape]) => isOther(shape))) };
}

/** Only if R12 notes an extra field: otherwise the mock would violate the contract. */
function extraFields(look: Look): Observation<Shape | null>[] {
  const recordsBy = (ids: readonly OperationId[]) =>
    ids.map((id) => [id, responsesTo(look, [id], 200).flatMap(rowsOf)] as const);
  const successes = look.exchanges.filter(
    ({ status, operation, json }) => status === 200 && operation !== null && isObject(json),
  );
  const failed = errors(look);
  const issuePlaces = failed.map(({ body }) => placeOf(body, [])?.place ?? '');
  const details = issuePlaces.some((place) => place.startsWith('error.details')) ? [] : ['details'];
  const listedInErrors = errorFields.filter((name) => !details.includes(name));
  const errorsOf = (envelope: 'simple' | 'tool') =>
    failed
      .filter(({ exchange: { operation } }) => operation !== null && operations[operation].envelope === envelope)
      .map(({ error }) => error);
  const shown = [...new Set(successes.map(({ operation }) => operation as OperationId))];
  const kinds: Record<string, Shape | null> = {
    ...extrasByOperation('article', recordsBy(['listArticles', 'getArticle']), fields.Article),
    ...extrasByOperation('site', recordsBy(['listSites', 'getSite']), fields.Site),
    ...extrasByOperation('keyword', recordsBy(['listKeywords']), fields.Keyword),
    ...extrasByOperation(
      'envelope',
      shown.map((id) => [id, successes.filter(({ operation }) => operation === id).map(({ json }) => json)]),
      ['data', 'cursor', 'summary'],
    ),
    error: extrasShape(errorsOf('tool'), listedInErrors),
    simpleError: extrasShape(errorsOf('simple'), listedInErrors),
    errorEnvelope: extrasShape(
      failed.map(({ body }) => body),
      ['error', 'issues', 'reason'],
    ),
  };
  const found = Object.entries(kinds).filter((entry): entry is [string, Shape] => entry[1] !== null);
  const [first] = successes;
  if (first === undefined) return [];
  const value: Shape | null = found.length === 0 ? null : { type: 'object', fields: Object.fromEntries(found) };
  return [{ value, exchange: first.id, weight: successes.length }];
}

function retryAfter(look: Look): Observation<'usually' | 'always' | 'never'>[] {
  const rejected = look.exchanges.filter(isLimiterRejection);
  if (rejected.length === 0) return [];
  const withHeader = rejected.filter(({ headers }) => headers['retry-after'] !== undefined).length;
  const value = withHeader === 0 ? 'never' : withHeader === rejected.length ? 'always' : 'usually';
  return rejected.map(({ id }) => ({ value, exchange: id }));
}

const limitOf = ({ headers }: Exchange) => readWhole(headers['x-ratelimit-limit']);

/** Responses to requests that passed the key and the body limit: before them the window is unknown. */
function afterKey(look: Look): readonly Exchange[] {
  return look.exchanges
    .filter((exchange) => exchange.operation !== null && exchange.status < 500 && !isLimiterRejection(exchange))
    .filter(({ key, status }) => key === 'good' && status !== 401 && status !== 413);
}

const withLimit = (look: Look) => afterKey(look).filter((exchange) => limitOf(exchange) !== null);

function rateBucket(look: Look): Observation<'key' | 'address' | 'tightest'>[] {
  const responses = withLimit(look);
  const limits = new Set(responses.map(limitOf));
  const value = limits.size > 1 ? 'tightest' : limits.has(10) ? 'address' : 'key';
  return responses.map(({ id }) => ({ value, exchange: id }));
}

const spreadMin = 5;
const responsesMin = 8;

/**
 * An end that moves with each request is that of the whole window; one that comes closer is that of a part of it. In a
 * window that earlier requests have filled, such a part always ends soon.
 */
function resetMeans(look: Look): Observation<'next' | 'full'>[] {
  const bucket = rateBucket(look)[0]?.value;
  if (bucket === undefined || bucket === 'tightest') return [];
  const sequential = withLimit(look).filter(({ burst }) => !burst);
  const resetOf = ({ headers }: Exchange) => readWhole(headers['x-ratelimit-reset']) ?? 0;
  const waits = sequential.map((exchange) => resetOf(exchange) - exchange.receivedAt);
  if (waits.length < responsesMin) return [];
  const isFar = (one: Exchange) =>
    resetOf(one) - (serverNowMs(one) ?? one.receivedAt) > contractWindows[bucket].windowMs / 2;
  const spanOf = (times: readonly number[]) => Math.max(...times) - Math.min(...times);
  const [spreadMs, minMs] = [spanOf(waits), spreadMin * 1000];
  // Requests in quick succession have the same wait in both cases.
  const isFull = spreadMs < 2000 && sequential.every(isFar) && spanOf(sequential.map(({ sentAt }) => sentAt)) > minMs;
  const value = spreadMs > minMs ? 'next' : isFull ? 'full' : null;
  return value === null ? [] : sequential.map(({ id }) => ({ value, exchange: id }));
}

/** Responses after a burst show the window: multiples of it, one token more, or its rest. */
function addressWindow(look: Look): Observation<'sliding' | 'aligned' | 'tokens'>[] {
  const rejected = look.exchanges.filter((exchange) => isLimiterRejection(exchange) && limitOf(exchange) === 10);
  const waits = rejected.flatMap((exchange) => {
    const after = readWhole(exchange.headers['retry-after']);
    const reset = readWhole(exchange.headers['x-ratelimit-reset']);
    const retryTimes = [
      ...(after === null ? [] : [after * 1000]),
      ...(reset === null ? [] : [reset - (serverNowMs(exchange) ?? exchange.receivedAt)]),
    ];
    // Retry-After may be longer than needed (R62).
    return retryTimes.length === 0 ? [] : [Math.min(...retryTimes)];
  });
  if (waits.length === 0) return [];
  const resets = rejected.map(({ headers }) => readWhole(headers['x-ratelimit-reset']) ?? 1);
  const isAligned = resets.every((reset) => reset % 10_000 === 0);
  const value = isAligned ? 'aligned' : Math.max(...waits) <= 2000 ? 'tokens' : 'sliding';
  return rejected.map(({ id }) => ({ value, exchange: id }));
}

function latency(look: Look) {
  const times = look.exchanges.filter(({ burst }) => !burst).map(({ sentAt, receivedAt }) => receivedAt - sentAt);
  const sorted = times.filter((ms) => ms >= 0).sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  const [first] = look.exchanges;
  if (first === undefined || sorted.length < 10) return [];
  return [{ value: { p50: at(0.5), p90: at(0.9), p99: at(0.99) }, exchange: first.id, weight: sorted.length }];
}

/** The scheme, and the names of its parameters. Null for several schemes, or a header of another form. */
function challengeForm(header: string): string | null {
  const [, scheme, rest = ''] = /^([a-z]{1,20})(?: +(.{1,400}))?$/i.exec(header.trim()) ?? [];
  if (scheme === undefined) return null;
  const names = rest === '' ? [] : rest.split(/, *(?=[^"]*(?:"[^"]*"[^"]*)*$)/).map(nameOf);
  if (names.length > 8 || !names.every((name) => name !== null)) return null;
  return names.length === 0 ? scheme : `${scheme} ${names.join(', ')}`;
}

function nameOf(parameter: string): string | null {
  return /^([a-z_]{1,30}) *= *("[^"]*"|[^\s",=]+)$/i.exec(parameter.trim())?.[1] ?? null;
}

const withoutValidKey = ({ exchanges }: Look) =>
  exchanges.filter((exchange) => exchange.status === 401 && errorCode(exchange) === 'unauthorized');

const isJson = ({ operation, json }: Exchange) => operation !== null && json !== undefined;

export const responseObservers = {
  callsPageCap,
  callSummary: (look: Look) =>
    see(responsesTo(look, ['listCalls'], 200), ({ json }) =>
      isObject(json) && json.summary !== undefined ? 'present' : 'absent',
    ),
  callRecord,
  callCursor: (look: Look) =>
    seeIn(callPages(look), ({ next, isPolled }) => (isPolled && typeof next === 'string' ? timestampForm(next) : null)),
  snapshotRunning,
  snapshotCursor: (look: Look) =>
    seeIn(
      callPages(look).filter(({ calls, exchange }) => calls.length > 0 && !queryOf(exchange).has('since')),
      ({ next }) => (typeof next === 'string' ? ('string' as const) : ('null' as const)),
    ),
  issues,
  errorMessages: (look: Look) =>
    seeIn(errors(look), ({ error }) => (error.message === '' ? ('empty' as const) : ('text' as const))),
  extraFields,
  records: observeRecords,
  retryAfter,
  rateHeaders: (look: Look) =>
    see(afterKey(look), (exchange) => (limitOf(exchange) === null ? ('blocked' as const) : ('always' as const))),
  rateBucket,
  resetMeans,
  addressWindow,
  challenge: (look: Look) =>
    see(withoutValidKey(look), ({ headers }) =>
      headers['www-authenticate'] === undefined ? ('absent' as const) : ('present' as const),
    ),
  challengeForm: (look: Look) =>
    see(withoutValidKey(look), ({ headers }) => challengeForm(headers['www-authenticate'] ?? '')),
  contentType: (look: Look) =>
    see(
      look.exchanges.filter((exchange) => isJson(exchange) && exchange.status === 200),
      ({ headers }) => headers['content-type'],
    ),
  errorContentType: (look: Look) => seeIn(errors(look), ({ exchange }) => exchange.headers['content-type']),
  otherMethod: (look: Look) =>
    see(
      look.exchanges.filter(
        ({ method, target, key }) => method === 'DELETE' && key === 'good' && /^\/sites\//.test(target),
      ),
      ({ status }) => (status === 405 ? 'method_not_allowed' : status === 404 ? 'not_found' : null),
    ),
  keyPrefix: (look: Look) => {
    const [first] = look.exchanges;
    return look.keyPrefix === null || first === undefined ? [] : [{ value: look.keyPrefix, exchange: first.id }];
  },
  latency,
};
