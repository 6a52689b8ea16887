// Errors of the client. Branch on `code`, never on `message` (7.envelope.branch-on-code).
import type { SimpleError, ToolError } from '../contract/generated/types.ts';

/**
 * The codes of the contract; a deployment can have others. The client adds `network` (no complete response) and
 * `timeout` (the time limit of the call).
 */
export type ApiErrorCode = ToolError['error']['code'] | 'rate_limit_exceeded' | 'network' | 'timeout' | (string & {});

/** The body of a rejection: the tool envelope, the simple one, or that of the limiter. */
export type ApiErrorBody = ToolError | SimpleError | { readonly error: 'rate_limit_exceeded' };

export interface ApiErrorOptions {
  /** Number of times the request was sent. */
  readonly attempts: number;
  /** HTTP status; 0 without a response. */
  readonly status?: number;
  readonly body?: unknown;
  readonly retryAfterMs?: number | null;
  /** The reason, without a response. */
  readonly code?: 'network' | 'timeout';
  readonly detail?: string;
  readonly cause?: unknown;
}

/** Thrown when a response is not 200, after the retries that the contract allows. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly code: ApiErrorCode;
  /** Wait time before a retry, as a 429 states; otherwise null. */
  readonly retryAfterMs: number | null;
  /** The problems of an `invalid_input`, in an unspecified shape. */
  readonly issues: unknown;
  /** The reason of a `payment_required`. */
  readonly reason: unknown;
  /** The parsed JSON body, or the text of another body. */
  readonly body: unknown;
  readonly attempts: number;

  constructor({ status = 0, body = null, attempts, retryAfterMs = null, detail, cause, ...own }: ApiErrorOptions) {
    const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: unknown };
    const details = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
    const code = own.code ?? [error, details.code].find((text) => typeof text === 'string') ?? `http_${status}`;
    const wait = retryAfterMs === null ? '' : `, wait ${Math.ceil(retryAfterMs / 1000)} s`;
    const text = detail ?? details.message;
    super(typeof text === 'string' ? `${code}: ${text}` : `${code} (${status}${wait})`, { cause });
    this.status = status;
    this.code = code as ApiErrorCode;
    this.retryAfterMs = retryAfterMs;
    this.issues = details.issues;
    this.reason = details.reason;
    this.body = body;
    this.attempts = attempts;
  }
}
