// One request and what came of it. Recorded once, judged by every rule, and quoted by findings through its id.
import type { OperationId } from '../../src/contract/generated/operations.ts';

/** Why an answer is missing or cannot be read. `none`: a complete answer whose body is JSON or empty. */
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

/** Problems that leave no complete answer to judge. */
const UNANSWERED: ReadonlySet<Problem> = new Set<Problem>([
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

export interface SentBody {
  /** The body as text when it is short; null when it is long or absent. */
  readonly text: string | null;
  readonly bytes: number;
}

export interface Exchange {
  /** `x1`, `x2`, ... in the order of sending. */
  readonly id: string;
  /** The operation of the contract that the request addresses; null for paths and methods outside it. */
  readonly operation: OperationId | null;
  readonly method: string;
  /** Path below the base URL with its query, as sent; the whole path on the MCP door. */
  readonly target: string;
  /** Set on the MCP door, where no operation is addressed and errors have another form. */
  readonly door?: 'mcp';
  readonly url: string;
  readonly key: KeyName;
  readonly address: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: SentBody;
  /** Milliseconds on the kit's clock; the server took the request somewhere between the two. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** 0 when no status line arrived. */
  readonly status: number;
  /** Names in lower case; repeated headers joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Up to the cap of the wire; decoded when the server compressed it. */
  readonly bodyText: string;
  readonly bodyBytes: number;
  readonly bodySha256: string;
  /** `undefined` when there is no JSON to read. On the MCP door the response, when it came in a stream of events. */
  readonly json: unknown;
  readonly problem: Problem;
  /** The words of the socket or the parser, in one line. */
  readonly problemDetail: string | null;
  /** Set when this exchange repeats an earlier one after a limiter or platform refusal. */
  readonly repeatOf: string | null;
  /** Part of a burst, outside the even pace. */
  readonly burst: boolean;
}

export function isAnswered(exchange: Exchange): boolean {
  return !UNANSWERED.has(exchange.problem);
}

/** A limiter's 429 has a plain string as `error`; the platform's has an envelope. Cites 7.envelope.two-429. */
export function isLimiterRefusal(exchange: Exchange): boolean {
  // The MCP door answers rate limiting in JSON-RPC form, whose error is an object. Cites 7.envelope.mcp.
  return exchange.status === 429 && (exchange.door === 'mcp' || typeof errorOf(exchange) !== 'object');
}

export function isPlatformTrouble(exchange: Exchange): boolean {
  if (exchange.status === 502 || exchange.status === 503 || exchange.status === 504) return true;
  return exchange.status === 429 && !isLimiterRefusal(exchange);
}

/** The `code` of an error envelope, or null. */
export function errorCode(exchange: Exchange): string | null {
  const error = errorOf(exchange);
  const code = isObject(error) ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** Status and code, as findings name an answer: `404 not_found`, `200`, or why there is none. */
export function nameOfAnswer(exchange: Exchange): string {
  if (!isAnswered(exchange)) return `no answer: ${exchange.problem}`;
  const code = errorCode(exchange);
  return code === null ? String(exchange.status) : `${exchange.status} ${code}`;
}

/** The `data` of a body; empty where there is none to look into. */
export function dataOf({ json }: Exchange): Readonly<Record<string, unknown>> {
  return isObject(json) && isObject(json.data) ? json.data : {};
}

function errorOf(exchange: Exchange): unknown {
  return isObject(exchange.json) ? exchange.json.error : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The list, or an empty one where there is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
