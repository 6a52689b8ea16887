// Requests of the request log as an HTTP archive (HAR 1.2), which browsers, proxies and `conformance har` read. Keys
// are redacted and long bodies cut in it, as in the request log.
import type { LoggedRequest } from '../engine/request-log-record.ts';
import { readQuery } from '../http/query.ts';
import { harEntry } from '../terminal/har.ts';

/** `origin` precedes paths, since an archive needs complete URLs; `comment` is for readers. */
export function describeHar(
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
