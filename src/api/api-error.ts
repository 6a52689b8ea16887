// A refusal, as a client meets it. Clients branch on `code`, never on `message` (7.envelope.branch-on-code).
import type { SimpleError, ToolError } from '../contract/generated/types.ts';

/** The codes of the contract; a deployment may have others. */
export type ApiErrorCode = ToolError['error']['code'] | 'rate_limit_exceeded' | (string & {});

/** The body of a refusal: the tool envelope, the simple one, or that of the limiter. */
export type ApiErrorBody = ToolError | SimpleError | { readonly error: 'rate_limit_exceeded' };

export interface ApiErrorOptions {
  readonly status: number;
  readonly body: unknown;
  /** How often the request was sent. */
  readonly attempts: number;
}

/** What a request ends with when its answer is not 200, after the repetitions that the contract allows. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ApiErrorCode;
  /** Each problem of an `invalid_input`; the contract does not say more of them. */
  readonly issues: unknown;
  /** Why a payment is required. */
  readonly reason: unknown;
  /** The body as it came; a text where it was no JSON. */
  readonly body: unknown;
  readonly attempts: number;

  constructor({ status, body, attempts }: ApiErrorOptions) {
    const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: unknown };
    const told = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
    const code = typeof error === 'string' ? error : typeof told.code === 'string' ? told.code : `http_${status}`;
    super(typeof told.message === 'string' ? `${code}: ${told.message}` : `${code} (${status})`);
    this.status = status;
    this.code = code;
    this.issues = told.issues;
    this.reason = told.reason;
    this.body = body;
    this.attempts = attempts;
  }
}
