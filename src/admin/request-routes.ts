// The request log: requests, responses, and reasons.
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { type ToolName, tools } from '../contract/generated/tools.ts';
import { requestLogEntriesMax } from '../engine/request-log.ts';
import type { LoggedRequest } from '../engine/request-log-record.ts';
import { mcpPath } from '../http/message.ts';
import { readQuery } from '../http/query.ts';
import { basePath } from '../http/route.ts';
import { harEntry } from '../terminal/har.ts';
import { type AdminCall, fail, reply, withBody, withQuery } from './reply.ts';
import { flag, list, number, oneOf, optional, type Shaped, text } from './shape.ts';

const limit = optional(number({ min: 1, max: 1000, whole: true }));
// Enough for a page, and small enough to be read.
const limitPreset = 100;
/** More would keep the mock busy for longer than anybody should wait for another response. */
const pageCharactersMax = 1_500_000;

const criteria = {
  /** An operation of both endpoints, or a tool of the MCP endpoint. */
  operation: optional(oneOf([...Object.keys(operations), ...Object.keys(tools)] as (OperationId | ToolName)[])),
  method: optional(text(20)),
  /** The path as sent, as a whole. */
  path: optional(text(10_000)),
  pathContains: optional(text(10_000)),
  status: optional(number({ min: 100, max: 599, whole: true })),
  /** A whole key, or its last four characters. */
  key: optional(text()),
  address: optional(text()),
  organizationId: optional(text()),
  blockedBy: optional(oneOf(['address', 'key'])),
  fault: optional(text()),
  bodyContains: optional(text(10_000)),
  unmatched: optional(flag),
  /** Whether a deployment responded instead of the mock. */
  forwarded: optional(flag),
  /** Only requests with a higher id. */
  afterId: optional(number({ min: 0, max: Number.MAX_SAFE_INTEGER, whole: true })),
  /** Only requests with a lower id. */
  beforeId: optional(number({ min: 0, max: Number.MAX_SAFE_INTEGER, whole: true })),
} as const;

/** As many of the first records as a response may hold; one at least. Each is at `requests/{id}` as well. */
function pageOf(records: readonly LoggedRequest[]): readonly LoggedRequest[] {
  let characters = 0;
  const end = records.findIndex(({ request, response }) => {
    characters += (request.body?.length ?? 0) + (response.body?.length ?? 0);
    return characters > pageCharactersMax;
  });
  return end === -1 ? records : records.slice(0, Math.max(1, end));
}

const timed = ({ engine }: AdminCall, record: LoggedRequest) => ({ ...record, ...engine.requestLog.timing(record.id) });

/** All optional; none means every request. */
type Criteria = Shaped<typeof criteria>;

export const listRequests = (call: AdminCall) =>
  withQuery(call.request, { limit }, (input) => {
    const { requestLog } = call.engine;
    const page = pageOf(requestLog.newest(input.limit ?? limitPreset));
    return reply({ requests: page.map((record) => timed(call, record)), total: requestLog.count });
  });

/** The windows of the limiters stay: they are not part of the request log. */
export const clearRequests = ({ engine }: AdminCall) => {
  engine.requestLog.clear();
  return reply({ requests: [], total: 0 });
};

export const getRequest = (call: AdminCall) => {
  const { engine, path } = call;
  const record = engine.requestLog.find(Number(path.id));
  return record ? reply(timed(call, record)) : unknownRequest(path.id);
};

/** In the words of WireMock: the criteria that are named all have to hold. */
export const findRequests = ({ engine, request }: AdminCall) =>
  withBody(request, { ...criteria, limit }, ({ limit: most = limitPreset, ...wanted }) => {
    const found = engine.requestLog.records().filter((record) => fits(record, wanted));
    return reply({ requests: pageOf(found.slice(-most).reverse()), total: found.length });
  });

/** What `find` finds, as an archive; `ids` names single requests. The oldest come first, as in every archive. */
export const exportRequests = ({ engine, request }: AdminCall) => {
  const ids = optional(list(number({ min: 1, max: Number.MAX_SAFE_INTEGER, whole: true }), requestLogEntriesMax));
  return withBody(request, { ...criteria, ids }, ({ ids: named, ...wanted }) => {
    const chosen = named && new Set(named);
    const found = engine.requestLog.records().filter((one) => (chosen?.has(one.id) ?? true) && fits(one, wanted));
    const shown = pageOf([...found].reverse());
    const comment = shown.length === found.length ? undefined : leftOut(shown.length, found.length);
    return reply(describeHar([...shown].reverse(), { origin: request.origin, comment }));
  });
};

const leftOut = (shown: number, found: number): string =>
  `The newest ${shown} of ${found} requests: their bodies are long. Name older ones by ids.`;

/** Responses with the new request, which the request log marks as a repetition. */
export const replayRequest = ({ engine, path }: AdminCall) => {
  const known = engine.requestLog.find(Number(path.id));
  if (!known) return unknownRequest(path.id);
  const id = engine.repeat(known.id);
  return id === null ? fail(409, whyNot(known)) : reply(engine.requestLog.find(id), 201);
};

/** Each reason in its own sentence, since each has another remedy. */
function whyNot({ id, request, forwarded }: LoggedRequest): string {
  if (forwarded) return `Request ${id} got a response by ${forwarded.url}; send it again from the client.`;
  if (!request.path.startsWith(`${basePath}/`)) return `Request ${id} did not go to the API under ${basePath}.`;
  if (request.bodyCut) return `The body of request ${id} is longer than the request log keeps.`;
  return `Request ${id} comes from a snapshot, which does not keep its key.`;
}

function unknownRequest(id: string | undefined) {
  return fail(404, `The request log has no request ${id}; it keeps the last ${requestLogEntriesMax}.`);
}

/** For tests that want to know how often a client asked, without reading what it said. */
export const countRequests = ({ engine, request }: AdminCall) =>
  withBody(request, criteria, (wanted) =>
    reply({ count: engine.requestLog.records().filter((record) => fits(record, wanted)).length }),
  );

/** Requests that met no operation: mostly a typing error in a client's path. */
export const listUnmatched = ({ engine, request }: AdminCall) =>
  withQuery(request, { limit }, (input) => {
    const found = engine.requestLog.records().filter(isUnmatched);
    return reply({ requests: pageOf(found.slice(-(input.limit ?? limitPreset)).reverse()), total: found.length });
  });

/** Every criterion that was named has to hold; texts are compared as the request log keeps them, redacted and cut. */
function fits(record: LoggedRequest, wanted: Criteria): boolean {
  const { request, response } = record;
  return (
    (isAs(wanted.operation, record.operation) || wanted.operation === record.tool) &&
    isAs(wanted.method?.toUpperCase(), request.method) &&
    isAs(wanted.path, request.path) &&
    request.path.includes(wanted.pathContains ?? '') &&
    isAs(wanted.status, response.status) &&
    (wanted.key === undefined || record.key?.slice(-4) === wanted.key.slice(-4)) &&
    isAs(wanted.address, record.address) &&
    isAs(wanted.organizationId, record.organizationId) &&
    isAs(wanted.blockedBy, record.blockedBy) &&
    isAs(wanted.fault, record.fault) &&
    (wanted.unmatched === undefined || wanted.unmatched === isUnmatched(record)) &&
    (wanted.forwarded === undefined || wanted.forwarded === Boolean(record.forwarded)) &&
    record.id > (wanted.afterId ?? 0) &&
    record.id < (wanted.beforeId ?? Number.POSITIVE_INFINITY) &&
    // Last: the body is described only now.
    (wanted.bodyContains === undefined || (request.body ?? '').includes(wanted.bodyContains))
  );
}

// A message of the MCP protocol itself is not an operation, and yet the client meant it.
function isUnmatched({ operation, request }: LoggedRequest): boolean {
  return operation === null && request.path !== mcpPath;
}

/** A criterion that was not named fits anything. */
function isAs<T>(wanted: T | undefined, actual: T | null): boolean {
  return wanted === undefined || wanted === actual;
}

// Requests of the request log as an HTTP archive (HAR 1.2), which browsers, proxies and `conformance har` read. Keys
// are redacted and long bodies cut in it, as in the request log.

/** `origin` precedes paths, since an archive needs complete URLs; `comment` is for readers. */
function describeHar(
  records: readonly LoggedRequest[],
  { origin, comment }: { origin: string; comment?: string | undefined },
) {
  return {
    log: {
      version: '1.2',
      creator: { name: 'casa-kit mock', version: '1' },
      ...(comment === undefined ? {} : { comment }),
      entries: records.map((record) => describeEntry(record, origin)),
    },
  };
}

function describeEntry({ at, request, response, address, ...record }: LoggedRequest, origin: string) {
  const search = request.query === '' ? '' : `?${request.query}`;
  const received = response.body ?? '';
  const isCut = response.network === 'reset' || response.network === 'empty';
  const entry = harEntry({
    startedAt: at,
    ms: response.latencyMs ?? 0,
    request: {
      method: request.method,
      url: `${origin}${request.path}${search}`,
      query: readQuery(request.query),
      headers: request.headers,
      text: request.body,
      bytes: request.bodyCut ? -1 : byteLength(request.body ?? ''),
    },
    response: {
      status: isCut ? 0 : response.status,
      statusText: response.network ?? '',
      headers: response.headers,
      bytes: response.bodyCut ? -1 : byteLength(received),
      content: { text: received },
    },
  });
  const { id, forwarded, operation, fault, complaint } = record;
  return { ...entry, clientIPAddress: address, _casa: { id, forwarded, operation, fault, complaint } };
}

/** Sizes of an archive are in bytes. */
const byteLength = (text: string) => new TextEncoder().encode(text).length;
