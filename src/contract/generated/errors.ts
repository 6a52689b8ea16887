// Generated from spec/ by `npm run generate`. Do not edit.
/** The one table of codes and statuses. Cites 7.code.*. */
export const errorStatus = {
  "unauthorized": 401,
  "invalid_input": 400,
  "not_found": 404,
  "not_supported": 400,
  "payment_required": 402,
  "provider_auth": 401,
  "provider_permission": 403,
  "rate_limited": 429,
  "provider_error": 502,
  "transient": 503,
  "payload_too_large": 413
} as const;

export type ErrorCode = keyof typeof errorStatus;

export interface ErrorExample {
  /** null for the limiter's own body, which has no code. */
  readonly code: ErrorCode | null;
  readonly status: number;
  readonly body: unknown;
}

export type ErrorExampleName = "invalid_input" | "not_supported" | "provider_auth" | "unauthorized" | "payment_method_required" | "renewal_pending" | "provider_permission" | "not_found" | "payload_too_large" | "limiter_address" | "limiter_key" | "rate_limited" | "provider_error" | "transient";

/** Every error the contract knows, under the name that `example=` takes. */
export const errorExamples: { readonly [Name in ErrorExampleName]: ErrorExample } = {
  invalid_input: {"code":"invalid_input","status":400,"body":{"error":{"code":"invalid_input","message":"The input is not valid.","issues":[{"path":"/text","message":"must have at least 1 character","rule":"minLength"}]}}},
  not_supported: {"code":"not_supported","status":400,"body":{"error":{"code":"not_supported","message":"This platform does not offer the action."}}},
  provider_auth: {"code":"provider_auth","status":401,"body":{"error":{"code":"provider_auth","message":"The account must be reconnected."}}},
  unauthorized: {"code":"unauthorized","status":401,"body":{"error":{"code":"unauthorized","message":"The API key is missing or not valid."}}},
  payment_method_required: {"code":"payment_required","status":402,"body":{"error":{"code":"payment_required","message":"A payment method is needed.","reason":"payment_method_required"}}},
  renewal_pending: {"code":"payment_required","status":402,"body":{"error":{"code":"payment_required","message":"Paused until the renewal clears.","reason":"renewal_pending"}}},
  provider_permission: {"code":"provider_permission","status":403,"body":{"error":{"code":"provider_permission","message":"The account lacks a permission for this action."}}},
  not_found: {"code":"not_found","status":404,"body":{"error":{"code":"not_found","message":"No such record."}}},
  payload_too_large: {"code":"payload_too_large","status":413,"body":{"error":{"code":"payload_too_large","message":"The request body is over the cap."}}},
  limiter_address: {"code":null,"status":429,"body":{"error":"rate_limit_exceeded"}},
  limiter_key: {"code":null,"status":429,"body":{"error":"rate_limit_exceeded"}},
  rate_limited: {"code":"rate_limited","status":429,"body":{"error":{"code":"rate_limited","message":"The platform limits requests for the moment."}}},
  provider_error: {"code":"provider_error","status":502,"body":{"error":{"code":"provider_error","message":"The platform returned an error."}}},
  transient: {"code":"transient","status":503,"body":{"error":{"code":"transient","message":"The platform fails for the moment."}}},
};
