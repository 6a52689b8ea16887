// Requests of the journal as an HTTP archive (HAR 1.2), which browsers, proxies and `conformance har` read. Keys are
// redacted and long bodies cut in it, as in the journal.
import type { JournalRecord } from '../engine/journal-record.ts';
import { readQuery } from '../http/query.ts';

/** `origin` stands in front of paths, since an archive needs whole URLs; `comment` is for whoever reads it. */
export function describeHar(
  records: readonly JournalRecord[],
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

function describeEntry({ at, request, response, address, ...record }: JournalRecord, origin: string) {
  const search = request.query === '' ? '' : `?${request.query}`;
  const sent = request.body ?? '';
  const received = response.body ?? '';
  return {
    startedDateTime: at,
    time: response.latencyMs ?? 0,
    clientIPAddress: address,
    request: {
      method: request.method,
      url: `${origin}${request.path}${search}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: describeHeaders(request.headers),
      queryString: Object.entries(readQuery(request.query)).map(([name, value]) => ({ name, value })),
      ...(request.body === null ? {} : { postData: { mimeType: typeOf(request.headers), params: [], text: sent } }),
      headersSize: -1,
      bodySize: request.bodyCut ? -1 : byteLength(sent),
    },
    response: {
      // The archive's own word for an answer that never came whole.
      status: response.network === 'reset' || response.network === 'empty' ? 0 : response.status,
      statusText: response.network ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: describeHeaders(response.headers),
      content: {
        size: response.bodyCut ? -1 : byteLength(received),
        mimeType: typeOf(response.headers),
        text: received,
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response.bodyCut ? -1 : byteLength(received),
    },
    cache: {},
    timings: { send: 0, wait: response.latencyMs ?? 0, receive: 0 },
    _casa: {
      id: record.id,
      forwarded: record.forwarded,
      operation: record.operation,
      fault: record.fault,
      complaint: record.complaint,
    },
  };
}

function describeHeaders(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

const typeOf = (headers: Readonly<Record<string, string>>) => headers['content-type'] ?? 'application/json';

/** Sizes of an archive are in bytes. */
const byteLength = (text: string) => new TextEncoder().encode(text).length;
