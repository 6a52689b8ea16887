// `--strict`: compares every response with the contract before it is sent. A violation is a bug of the mock, never of
// the client, so it is thrown and the transport shows it.

import { type ErrorCode, errorStatus } from '../contract/generated/errors.ts';
import type { Validator } from '../contract/generated/validators.js';
import * as validators from '../contract/generated/validators.js';
import { parseJson } from '../contract/json.ts';
import { errorsOnDemand } from '../domain/faults.ts';
import { encodingRule } from './input.ts';
import { bodyText, type CoreResponse } from './message.ts';
import type { AnyOperation, Routing } from './route.ts';

const compiled = validators as unknown as Readonly<Record<string, Validator>>;

/** A bug that `--strict` found; the transport responds with 500 and the place. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation';
}

export interface Leave {
  /** A client asked for this error. */
  readonly forced: boolean;
  /** It is written in other behaviors than the default ones: JSON types (R4), and 400s of lists (R22, R26). */
  readonly inBehaviors?: boolean;
}

/** Throws a `ContractViolation` that names the first rule the response breaks. */
export function assertConforms(response: CoreResponse, routing: Routing, leave: Leave): void {
  const problem = findViolation(response, typeof routing === 'string' ? null : routing.operation, leave);
  if (problem === null) return;
  const where = typeof routing === 'string' ? routing : routing.operation.id;
  throw new ContractViolation(`${where} returned ${response.status} against the contract: ${problem}`);
}

/** Null for a response that the contract allows. */
export function findViolation(response: CoreResponse, operation: AnyOperation | null, leave: Leave): string | null {
  // Cites 4.json.
  const json = leave.inBehaviors ? /^application\/([\w.+-]+\+)?json\b/i : /^application\/json\b/;
  if (!json.test(response.headers['content-type'] ?? '')) return 'the content type is not JSON';
  const body = parseJson(bodyText(response));
  if (body === undefined) return 'the body is not JSON';
  if (response.status === 200) return operation ? checkSuccess(operation, body) : 'success without an operation';
  // An error on demand may have a status that the operation does not list, and 8.body-rest holds for every operation.
  const { status } = response;
  const listed = operation === null || operation.statuses.includes(status);
  const isOfAll = status === errorStatus.payload_too_large || isOfUrl(body);
  // The status was checked before the body was written in other behaviors, which may change the form of `issues`.
  if (!listed && !leave.forced && !leave.inBehaviors && !isOfAll) return 'the operation lists no such status';
  return checkError(response, body, { ...leave, operation });
}

/** Assumption C61: a URL that cannot be decoded is rejected on every endpoint. */
function isOfUrl(body: unknown): boolean {
  const { error } = body as { error?: { issues?: unknown } };
  return Array.isArray(error?.issues) && error.issues[0]?.rule === encodingRule;
}

/** Checks the envelope of the family, a code that belongs to the status, and the fields next to it. */
function checkError(
  { status, headers }: CoreResponse,
  body: unknown,
  { operation, forced, inBehaviors = false }: Leave & { operation: AnyOperation | null },
): string | null {
  // The request forced an error that the contract does not describe.
  if (status === errorsOnDemand.internal_error.status && forced) return null;
  const { error } = (body ?? {}) as { error?: Record<string, unknown> | string };
  if (typeof error === 'string') {
    return status === errorStatus.rate_limited
      ? (check('LimiterError', body) ?? checkLimitHeaders(headers))
      : 'a plain error';
  }
  // An unknown path has no specific envelope: assumption C59.
  const isTool = operation?.envelope === 'tool';
  const problem = check(isTool ? 'ToolError' : 'SimpleError', body);
  if (problem !== null) return problem;
  if (inBehaviors && !isTool && status === errorStatus.invalid_input) return null;
  const { code, issues, reason } = error as Record<string, unknown>;
  // Cites 7.code.status-agrees; assumption C58: a 405 has a special code.
  if (status === 405 && operation === null) return null;
  if (errorStatus[code as ErrorCode] !== status) return `the code ${String(code)} does not belong to the status`;
  // Cites 7.code.invalid-input-issues, 7.code.payment-required-reason.
  if (code === 'invalid_input' && !(inBehaviors ? hasIssues(body) : Array.isArray(issues) && issues.length > 0))
    return 'issues are missing';
  if (code === 'payment_required' && (typeof reason !== 'string' || reason === '')) return 'reason is missing';
  return null;
}

/** Interpretation R26: a list or an object of that name that is not empty, anywhere. */
function hasIssues(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { issues } = value as { issues?: unknown };
  if (issues !== null && typeof issues === 'object' && Object.keys(issues).length > 0) return true;
  return Object.values(value).some(hasIssues);
}

// Cites 8.headers.limit, 8.headers.remaining, 8.headers.reset, 7.retry.whole-seconds.
function checkLimitHeaders(headers: CoreResponse['headers']): string | null {
  for (const name of ['Limit', 'Remaining', 'Reset']) {
    const value = headers[`x-ratelimit-${name.toLowerCase()}`];
    if (value === undefined) return `X-RateLimit-${name} is missing`;
    if (!/^\d+$/.test(value)) return `X-RateLimit-${name} is not a whole number`;
  }
  const remaining = headers['x-ratelimit-remaining'];
  if (Number(remaining) > 0) return `X-RateLimit-Remaining is ${remaining}, but a blocked request has 0`;
  return /^(\d+)?$/.test(headers['retry-after'] ?? '') ? null : 'Retry-After is not a whole number of seconds';
}

/** By the compiled schema of the output. */
function checkSuccess(operation: AnyOperation, body: unknown): string | null {
  return 'accepts' in operation ? validate(operation.accepts, operation.output, body) : check(operation.output, body);
}

/** Throws for a name that nothing was compiled for: a slip in the spec. */
function check(schema: string, value: unknown): string | null {
  const validator = compiled[schema];
  if (!validator) throw new Error(`No validator is compiled for ${schema}.`);
  return validate(validator, schema, value);
}

/** The first violation in words; one is enough to find the bug. */
function validate(validate: Validator, schema: string, value: unknown): string | null {
  if (validate(value)) return null;
  const first = validate.errors?.[0];
  return `${first?.instancePath || '/'} ${first?.message ?? 'is not valid'} (${schema})`;
}
