// The request log: requests, responses, and reasons.
import { requestLogEntriesMax } from '../../engine/request-log.ts';
import type { LoggedRequest } from '../../engine/request-log-record.ts';
import { readQuery } from '../../http/query.ts';
import { basePath } from '../../http/route.ts';
import { harEntry } from '../../terminal/har.ts';
import { streamEvents } from '../event-stream.ts';
import { type AdminCall, fail, reply } from '../reply.ts';
import { list, number, optional, type Shaped, text } from '../shape.ts';
import { verb } from '../verb.ts';
import { operationName } from './faults.ts';

// Enough for a page, and small enough to be read.
const limitPreset = 100;
/** More would keep the mock busy for longer than anybody should wait for another response. */
const pageCharactersMax = 1_500_000;

const criteria = {
  operation: optional(operationName, 'Only requests of this operation through both endpoints, or of this MCP tool'),
  status: optional(number({ min: 100, max: 599, whole: true }), 'Only responses with this status'),
  organizationId: optional(text(), 'Only requests with a key of this organization'),
  beforeId: optional(number({ min: 0, max: Number.MAX_SAFE_INTEGER, whole: true }), 'Only requests with a lower ID'),
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

export const requestVerbs = {
  /** `total` counts all requests that fit, also those before the newest thousand. */
  listRequests: verb(
    'GET /requests',
    'The newest requests first.',
    {
      limit: optional(
        number({ min: 1, max: 1000, whole: true }),
        'Maximum number (default: 100). Fewer if bodies are long',
      ),
      ...criteria,
    },
    (call, { limit: most = limitPreset, ...wanted }) => {
      const { requestLog } = call.engine;
      const fitting = Object.values(wanted).every((value) => value === undefined)
        ? null
        : requestLog.records().filter((record) => fits(record, wanted));
      const page = pageOf(fitting?.slice(-most).reverse() ?? requestLog.newest(most));
      return reply({
        requests: page.map((record) => timed(call, record)),
        total: fitting?.length ?? requestLog.count,
      });
    },
  ),
  /** The windows of the limiters stay: they are not part of the request log. */
  clearRequests: verb('DELETE /requests', 'Empty the request log.', null, ({ engine }) => {
    engine.requestLog.clear();
    return reply({ requests: [], total: 0 });
  }),
  /** Those that `ids` names, or all, as an archive. The oldest come first, as in every archive. */
  exportRequests: verb(
    'POST /requests/har',
    'Requests as an HTTP archive.',
    {
      ids: optional(
        list(number({ min: 1, max: Number.MAX_SAFE_INTEGER, whole: true }), requestLogEntriesMax),
        'Only these requests',
      ),
    },
    ({ engine, request }, { ids }) => {
      const chosen = ids && new Set(ids);
      const found = engine.requestLog.records().filter(({ id }) => chosen?.has(id) ?? true);
      const shown = pageOf([...found].reverse());
      const comment = shown.length === found.length ? undefined : leftOut(shown.length, found.length);
      return reply(describeHar([...shown].reverse(), { origin: request.origin, comment }));
    },
  ),
  getRequest: verb('GET /requests/{id}', 'One request.', null, (call) => {
    const record = call.engine.requestLog.find(Number(call.path.id));
    return record ? reply(timed(call, record)) : unknownRequest(call.path.id);
  }),
  /** Responds with the new request, which the request log marks as a repetition. */
  replayRequest: verb(
    'POST /requests/{id}/replay',
    'Send a request to the API again, unchanged.',
    null,
    ({ engine, path }) => {
      const known = engine.requestLog.find(Number(path.id));
      if (!known) return unknownRequest(path.id);
      const id = engine.repeat(known.id);
      return id === null ? fail(409, whyNot(known)) : reply(engine.requestLog.find(id), 201);
    },
  ),
  streamEvents: verb('GET /events', 'Events, as they happen.', null, streamEvents),
} as const;

const leftOut = (shown: number, found: number): string =>
  `The newest ${shown} of ${found} requests: their bodies are long. Name older ones by ids.`;

/** Each reason in its own sentence, since each has another remedy. */
function whyNot({ id, request, forwarded }: LoggedRequest): string {
  if (forwarded) return `Request ${id} was forwarded to ${forwarded.url}; send it again from the client.`;
  if (!request.path.startsWith(`${basePath}/`)) return `Request ${id} did not go to the API under ${basePath}.`;
  if (request.bodyCut) return `The body of request ${id} is longer than the request log keeps.`;
  return `Request ${id} comes from a snapshot, which does not keep its key.`;
}

function unknownRequest(id: string | undefined) {
  return fail(404, `The request log has no request ${id}; it keeps the last ${requestLogEntriesMax}.`);
}

/** Every criterion that was named has to hold. */
function fits({ id, operation, tool, organizationId, response }: LoggedRequest, wanted: Criteria): boolean {
  const isAs = <T>(value: T | undefined, actual: T | null) => value === undefined || value === actual;
  return (
    (isAs(wanted.operation, operation) || wanted.operation === tool) &&
    isAs(wanted.status, response.status) &&
    isAs(wanted.organizationId, organizationId) &&
    id < (wanted.beforeId ?? Number.POSITIVE_INFINITY)
  );
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
