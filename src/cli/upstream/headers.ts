// The parts of a request and of its response that pass between client and deployment. Both lists name what passes: an
// unknown header may change the method or path for a server of the deployment, or what a browser does with the mock.

/** Without `Authorization`, which is replaced, and anything about the mock, its page or the client's address. */
const ofRequests: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'baggage',
  'cache-control',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'pragma',
  'sentry-trace',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-correlation-id',
  'x-request-id',
]);

/** Lengths, encodings and CORS are the mock's own. */
const ofResponses: ReadonlySet<string> = new Set([
  'age',
  'allow',
  'cache-control',
  'content-language',
  'content-type',
  'date',
  'deprecation',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'server-timing',
  'sunset',
  'x-correlation-id',
  'x-request-id',
]);
const ofLimits = /^(x-)?ratelimit(-|$)/;

/** A response of the deployment is data: no browser may take it for a page of the mock. */
const harmless = { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" };

/** Marks what a mock has forwarded, so two mocks that name each other do not ask in a circle. */
export const forwardedHeader = 'x-casa-forwarded';

export function requestHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return only(headers, (name) => ofRequests.has(name));
}

export function responseHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { ...only(headers, (name) => ofResponses.has(name) || ofLimits.test(name)), ...harmless };
}

/** `Connection` names headers that end at each station (RFC 9110, 7.6.1). */
function only(
  headers: Readonly<Record<string, string | undefined>>,
  passes: (name: string) => boolean,
): Record<string, string> {
  const dropped = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && passes(name) && !dropped.includes(name)) kept[name] = value;
  }
  return kept;
}

/** Without the parameters that are for the mock (they begin with `__`) or name a method; otherwise unchanged. */
export function targetQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => !/^(__|(_method|x-http-method-override)(=|$))/i.test(pair))
    .join('&');
}

/**
 * Whether a server might read the path as another one: a segment is `.` or `..`, plain or encoded up to three times,
 * between slashes or backslashes, with parameters or without.
 */
export function isAmbiguous(path: string): boolean {
  let text = path;
  for (let times = 0; times <= 3; times += 1) {
    if (/(^|[/\\])\.\.?(;[^/\\]*)?([/\\]|$)/.test(text)) return true;
    text = text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  }
  return false;
}
