// A rejection, as a client meets it. Clients branch on `code`, never on `message` (7.envelope.branch-on-code).
import type { SimpleError, ToolError } from '../contract/generated/types.ts';

/**
 * The codes of the contract; a deployment may have others. Two are the client's own: `network` where no whole response
 * arrived, and `timeout` where the deadline of the call is over.
 */
export type ApiErrorCode = ToolError['error']['code'] | 'rate_limit_exceeded' | 'network' | 'timeout' | (string & {});

/** The body of a rejection: the tool envelope, the simple one, or that of the limiter. */
export type ApiErrorBody = ToolError | SimpleError | { readonly error: 'rate_limit_exceeded' };

export interface ApiErrorOptions {
  /** How often the request was sent. */
  readonly attempts: number;
  /** HTTP status; 0 without a response. */
  readonly status?: number;
  readonly body?: unknown;
  readonly retryAfterMs?: number | null;
  /** Where there is no response: why. */
  readonly code?: 'network' | 'timeout';
  readonly detail?: string;
  readonly cause?: unknown;
}

/** Thrown when a response is not 200, after the retries that the contract allows. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 where there was no response. */
  readonly status: number;
  readonly code: ApiErrorCode;
  /** How long to wait before the request may be sent again, as a 429 says it; null where nothing says it. */
  readonly retryAfterMs: number | null;
  /** Each problem of an `invalid_input`; the contract does not say more of them. */
  readonly issues: unknown;
  /** Why a payment is required. */
  readonly reason: unknown;
  /** The parsed JSON body, or the text of another body. */
  readonly body: unknown;
  readonly attempts: number;

  constructor({ status = 0, body = null, attempts, retryAfterMs = null, detail, cause, ...own }: ApiErrorOptions) {
    const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: unknown };
    const told = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
    const code = own.code ?? [error, told.code].find((text) => typeof text === 'string') ?? `http_${status}`;
    const wait = retryAfterMs === null ? '' : `, wait ${Math.ceil(retryAfterMs / 1000)} s`;
    const text = detail ?? told.message;
    super(typeof text === 'string' ? `${code}: ${text}` : `${code} (${status}${wait})`, { cause });
    this.status = status;
    this.code = code as ApiErrorCode;
    this.retryAfterMs = retryAfterMs;
    this.issues = told.issues;
    this.reason = told.reason;
    this.body = body;
    this.attempts = attempts;
  }
}
