// HTTP archives (HAR 1.2), for any viewer of network traffic and for `conformance har`.

type Headers = Readonly<Record<string, string>>;

/** One exchange; a size of -1 is unknown. */
export interface HarExchange {
  readonly startedAt: string;
  readonly ms: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly query: Readonly<Record<string, string>>;
    readonly headers: Headers;
    readonly text: string | null;
    readonly bytes: number;
  };
  readonly response: {
    /** 0 for a response that never came whole. */
    readonly status: number;
    readonly statusText?: string;
    readonly headers: Headers;
    readonly bytes: number;
    /** The text of the body, or why it is missing. */
    readonly content: { readonly text: string } | { readonly comment: string };
  };
}

/** Unknown fields have the value for unknown: -1, an empty list or an empty text. */
export function harEntry({ startedAt, ms, request, response }: HarExchange) {
  const { method, url, query, text } = request;
  const postData = { mimeType: typeOf(request.headers) || 'application/json', text };
  return {
    startedDateTime: startedAt,
    time: ms,
    request: { method, url, ...messageOf(request), queryString: pairs(query), ...(text === null ? {} : { postData }) },
    response: {
      status: response.status,
      statusText: response.statusText ?? '',
      ...messageOf(response),
      content: { size: response.bytes, mimeType: typeOf(response.headers), ...response.content },
      redirectURL: response.headers.location ?? '',
    },
    cache: {},
    // Only the whole is known: the time of the connection and that of the server are both waiting.
    timings: { send: 0, wait: ms, receive: 0 },
  };
}

const typeOf = (headers: Headers) => headers['content-type'] ?? '';

function messageOf({ headers, bytes }: { readonly headers: Headers; readonly bytes: number }) {
  return { httpVersion: 'HTTP/1.1', cookies: [], headers: pairs(headers), headersSize: -1, bodySize: bytes };
}

function pairs(values: Headers): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
