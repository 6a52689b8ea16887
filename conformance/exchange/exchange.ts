// One request and its response. Recorded once, checked by every rule, and quoted by findings through its id.

import { errorStatus } from '../../src/contract/generated/errors.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { isObject } from '../../src/contract/json.ts';
import { isDecodable } from '../../src/contract/percent.ts';

/** Why a response is missing or cannot be read. `none`: a complete response whose body is JSON or empty. */
export type Problem =
  | 'none'
  | 'not-json'
  | 'bad-encoding'
  | 'too-large'
  | 'truncated'
  | 'timeout'
  | 'reset'
  | 'refused'
  | 'unresolved'
  | 'tls'
  | 'not-http';

const withoutResponse: ReadonlySet<Problem> = new Set<Problem>([
  'too-large',
  'truncated',
  'timeout',
  'reset',
  'refused',
  'unresolved',
  'tls',
  'not-http',
]);

/** Which credential a request carries. `none`: no Authorization header at all. */
export type KeyName = 'good' | 'second' | 'revoked' | 'none' | 'wrong';

/** HTTP allows a server to require a length (411), or to reject chunks (501); the contract does not mention this. */
export function rejectsChunks({ status, requestHeaders }: Pick<Exchange, 'status' | 'requestHeaders'>): boolean {
  return (status === 411 || status === 501) && requestHeaders['transfer-encoding'] === 'chunked';
}

/** An address of a block that is kept for documents, to be named in a header; its beginning without a number. */
export function namedClient(number?: number): string {
  return `198.51.100.${number === undefined ? '' : 1 + (number % 250)}`;
}

/** A content delivery network can reject a request that names a client in the network's own header. */
export function rejectsNamedClient({ status, problem, requestHeaders }: Exchange): boolean {
  const isOurs = requestHeaders['cf-connecting-ip']?.startsWith(namedClient()) === true;
  return (
    isOurs && status >= 400 && status < 500 && ![401, 429].includes(status) && (problem !== 'none' || status === 403)
  );
}

/** The request data that a report can need. */
export interface SentBody {
  /** The body as text when it is short; null when it is long or absent. */
  readonly text: string | null;
  readonly bytes: number;
  /** A shell command that writes the bytes, if the text does not have them. */
  readonly command?: string;
}

/** Plain data without methods: rules, checks, reports and the HAR reader all work on this one form. */
export interface Exchange {
  /** `x1`, `x2`, ... in the order of sending. */
  readonly id: string;
  /** The operation of the contract that the request addresses; null for paths and methods outside it. */
  readonly operation: OperationId | null;
  readonly method: string;
  /** Path below the base URL with its query, as sent; the whole path on the MCP endpoint. */
  readonly target: string;
  /** Set on the MCP endpoint, where no operation is addressed and errors have another form. */
  readonly mcpEndpoint?: 'mcp';
  /** The name of the request, if it has one: checks find it by name or by its properties, never by its place. */
  readonly label?: string;
  readonly url: string;
  readonly key: KeyName;
  readonly address: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: SentBody;
  /** Milliseconds on the kit's clock; the server took the request somewhere between the two. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** 0 when no whole response arrived. */
  readonly status: number;
  /** Names in lower case; repeated headers joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Up to the cap of the wire; decoded when the server compressed it. */
  readonly bodyText: string;
  readonly bodyBytes: number;
  readonly bodySha256: string;
  /** `undefined` without JSON. On the MCP endpoint the response from a stream of events. */
  readonly json: unknown;
  readonly problem: Problem;
  /** The words of the socket or the parser, in one line. */
  readonly problemDetail: string | null;
  /** Set when this exchange repeats an earlier one after a limiter or platform rejection. */
  readonly repeatOf: string | null;
  /**
   * Set when this exchange was sent to confirm a finding: the id of the exchange that it copies, or `witness`.
   * `control` is a request that shows how often a failure occurs, or whether the deployment is unchanged. No evidence.
   */
  readonly confirms?: string;
  /** Part of a burst, outside the even pace. */
  readonly burst: boolean;
}

/** Whether a complete response arrived, of any status and kind. */
export function hasResponse(exchange: Exchange): boolean {
  return !withoutResponse.has(exchange.problem);
}

/** Problems of the way, which say nothing of the service (interpretation R60). */
const lost: ReadonlySet<Problem> = new Set<Problem>(['truncated', 'timeout', 'reset', 'refused']);

/** The response did not come, or not to its end. */
export function isLost({ problem }: Pick<Exchange, 'problem'>): boolean {
  return lost.has(problem);
}

/** The words of a proxy in front of the service, not of the service (interpretation R57). */
export function isGatewayPage({ status, problem }: Pick<Exchange, 'status' | 'problem'>): boolean {
  return status >= 502 && status <= 504 && problem === 'not-json';
}

/** A web page instead of a response, for example from a firewall. */
export function isWebPage(exchange: Pick<Exchange, 'status' | 'problem' | 'bodyText'>): boolean {
  return exchange.problem === 'not-json' && isPage(exchange.bodyText) && !isGatewayPage(exchange);
}

const isPage = (text: string) => /^\s*</.test(text);

/** The error pages that frameworks and servers of applications send by default. */
const frameworks: Readonly<Record<string, RegExp>> = {
  Express: /<pre>(Cannot [A-Z]+ |\w*Error\b)/,
  Flask: /<html lang="?en"?>\s*<title>\d{3} [^<]*<\/title>\s*<h1>/,
  Django: /DEBUG\s*=\s*True|<h1>Bad Request \(400\)|<h1>(Not Found|Server Error \(500\)|403 Forbidden)<\/h1>\s*<p>/,
  Spring: /Whitelabel Error Page/,
  Tomcat: /<h1>HTTP Status \d{3}/,
  Jetty: /Powered by Jetty|<h2>HTTP ERROR \d{3}/,
  Rails:
    /Routing Error|Action Controller|page you were looking for|change you wanted was rejected|something went wrong \(500\)/,
  'ASP.NET': /Server Error in '|ASP\.NET|HTTP Error \d{3}\.\d/,
  Laravel: /\bLaravel\b|Symfony\\|Whoops, looks like something went wrong/,
  'Next.js': /This page could not be found/,
  Go: /^(404 page not found|Method Not Allowed|Bad Request)\n$/,
};

/** Software that is usually in front of a service. */
const fronts = new RegExp(
  '\\b(nginx|openresty|cloudflare|cloudfront|akamai|imperva|incapsula|varnish|haproxy|squid|traefik|envoy|awselb|' +
    'firewall|waf)\\b|request (was )?blocked|access denied',
  'i',
);

/** Long pages begin with the parts that identify them. */
const pageCharactersMax = 20_000;

/** The software that seems to have sent an error that is not JSON; null without a sign of other software. */
export function senderOf({
  bodyText,
  status,
  problem,
}: Pick<Exchange, 'bodyText' | 'status' | 'problem'>): string | null {
  if (problem !== 'not-json' || status < 400) return null;
  const text = bodyText.slice(0, pageCharactersMax);
  const [framework] = Object.entries(frameworks).find(([, page]) => page.test(text)) ?? [];
  if (framework !== undefined) return `the service's framework (${framework})`;
  const front = 'a firewall or a proxy in front of the service';
  if (isGatewayPage({ status, problem }) || !isPage(text)) return null;
  return fronts.test(text) ? front : `the service's framework, or ${front},`;
}

/** Lost, or returned by a proxy: nothing came from the service itself. */
export function isUnusable(exchange: Pick<Exchange, 'status' | 'problem'>): boolean {
  return withoutResponse.has(exchange.problem) || isGatewayPage(exchange);
}

/** A limiter's 429 has a plain string as `error`; the platform's has an envelope. Cites 7.envelope.two-429. */
export function isLimiterRejection(exchange: Exchange): boolean {
  // The MCP endpoint reports rate limiting in JSON-RPC form, whose error is an object. Cites 7.envelope.mcp.
  return exchange.status === 429 && (exchange.mcpEndpoint === 'mcp' || typeof errorOf(exchange) !== 'object');
}

/** A temporary error of the service or a gateway, worth a retry. Cites 7.retry.back-off. */
export function isPlatformTrouble(exchange: Exchange): boolean {
  if (exchange.status === 502 || exchange.status === 503 || exchange.status === 504) return true;
  return exchange.status === 429 && !isLimiterRejection(exchange);
}

/** The `code` of an error envelope, or null. */
export function errorCode(exchange: Exchange): string | null {
  const error = errorOf(exchange);
  const code = isObject(error) ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** As findings name a response: `404 not_found`, `200`, `401 with plain text`, or why it is missing. */
export function nameOfResponse(exchange: Exchange): string {
  const { status, problem, bodyText } = exchange;
  if (!hasResponse(exchange)) return `no response: ${problem}`;
  const code = errorCode(exchange);
  if (code !== null) return `${status} ${code}`;
  const isOther = exchange.mcpEndpoint === 'mcp' || typeof errorOf(exchange) === 'string';
  if (status < 400 || isOther) return String(status);
  if (bodyText === '') return `${status} without a body`;
  if (problem === 'none') return `${status} without error.code`;
  return `${status} with ${isPage(bodyText) ? 'a web page' : 'plain text'}`;
}

/** The `data` of a body; empty if it is not an object. */
export function dataOf({ json }: Pick<Exchange, 'json'>): Readonly<Record<string, unknown>> {
  return isObject(json) && isObject(json.data) ? json.data : {};
}

/** An object in an envelope, a plain string from a limiter, or undefined. */
function errorOf(exchange: Exchange): unknown {
  return isObject(exchange.json) ? exchange.json.error : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export { isObject } from '../../src/contract/json.ts';
// URLs that anything in front of a service may reject, so the service never sees them (interpretation R64).

/** Broken percent-encoding, bytes that are not UTF-8, NUL, and characters that are encoded twice. */
export function isInvalidUrl(target: string): boolean {
  return isSuspicious(target) || !isDecodable(target);
}

/** Any 4xx in any body is legal, and a 5xx warns at most. */
export function isRejectedUrl({ target, status }: Pick<Exchange, 'target' | 'status'>): boolean {
  return status >= 400 && (!isDecodable(target) || (status < 500 && isSuspicious(target)));
}

/** Valid, but many proxies and firewalls reject it; a service must not break at it. */
function isSuspicious(target: string): boolean {
  return /%00|%25[\da-f]{2}/i.test(target);
}

/** A code of the table with the status of its row, about the account or the platform and not about the key. */
export function isDocumentedRejection(exchange: Exchange): boolean {
  const code = errorCode(exchange);
  if (code === null || code === 'unauthorized' || !Object.hasOwn(errorStatus, code)) return false;
  return errorStatus[code as keyof typeof errorStatus] === exchange.status;
}

/** Payment, permission or a lost authorization can block any connect operation at any time (interpretation R2). */
export function isObstacle(exchange: Exchange): boolean {
  return isDocumentedRejection(exchange) && [401, 402, 403].includes(exchange.status);
}
