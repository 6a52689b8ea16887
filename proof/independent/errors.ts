// Rejections and their responses: the code decides the status, the variant decides what the contract leaves open.
import type { Fields, HttpResponse, Issue } from './types.ts';
import type { Variant } from './variants.ts';

/** Typed from section 7 by hand, to find mistakes in our generated table. Other codes are for unknown paths. */
const statuses = {
  unauthorized: 401,
  invalid_input: 400,
  bad_request: 400,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_supported: 400,
  payment_required: 402,
  provider_auth: 401,
  provider_permission: 403,
  rate_limited: 429,
  provider_error: 502,
  transient: 503,
  payload_too_large: 413,
} as const;

export type Code = keyof typeof statuses;

/** Additional data of a code: `issues` with invalid_input, `reason` with payment_required. */
export interface Detail {
  message: string;
  issues?: readonly Issue[];
  reason?: string;
}

/** A documented rejection, thrown by the code that detects it. */
export class Rejection extends Error {
  readonly code: Code;
  readonly issues: readonly Issue[];
  readonly reason: string | undefined;

  constructor(code: Code, detail: Detail) {
    super(detail.message);
    this.code = code;
    this.issues = detail.issues ?? [];
    this.reason = detail.reason;
  }
}

/** Also for records of the other organization: the responses are equal. */
export function notFound(what: string): Rejection {
  return new Rejection('not_found', { message: `${what} not found` });
}

/** All problems at once. */
export function invalid(issues: readonly Issue[]): Rejection {
  return new Rejection('invalid_input', { message: 'validation failed', issues });
}

/** By field, as some frameworks write them. */
function issueMap(issues: readonly Issue[]): Record<string, string[]> {
  const map = new Map<string, string[]>();
  for (const { path, message } of issues) map.set(path, [...(map.get(path) ?? []), message]);
  return Object.fromEntries(map);
}

/** Puts `issues` and `reason` at the variant's place: in the error, below it, or next to it. */
function place({ issues, reason }: Rejection, variant: Variant): { inner: Fields; outer: Fields } {
  const [inner, outer, details]: [Fields, Fields, Fields] = [{}, {}, {}];
  const [holder, form] = {
    'error-array': [inner, issues],
    'error-map': [inner, issueMap(issues)],
    'top-strings': [outer, issues.map(({ path, message }) => `${path}: ${message}`)],
    nested: [details, issues.map(({ path, message }) => ({ field: path, problem: message }))],
  }[variant.issues] as [Fields, unknown];
  if (issues.length > 0) holder.issues = form;
  if (reason !== undefined) ({ error: inner, top: outer, nested: details })[variant.reason].reason = reason;
  if (Object.keys(details).length > 0) inner.details = details;
  return { inner, outer };
}

/** Clients branch on the code, so the text may be empty or foreign. */
function wording(rejection: Rejection, variant: Variant): string {
  if (variant.messages === 'empty') return '';
  return variant.messages === 'foreign' ? `Geht nicht – „${rejection.message}“ ✗` : rejection.message;
}

/** The simple and the tool envelope look alike; only the codes differ. */
export function rejectionResponse(rejection: Rejection, variant: Variant): HttpResponse {
  const { inner, outer } = place(rejection, variant);
  const error: Fields = { code: rejection.code, message: wording(rejection, variant), ...inner };
  if (variant.extras !== 'none') {
    error.docs = `https://docs.invalid/errors#${rejection.code}`;
    error.retryable = rejection.code === 'transient' || rejection.code === 'provider_error';
    outer.requestId = 'req-1';
  }
  return { status: statuses[rejection.code], body: { error, ...outer } };
}
