// For the fuzz test: whether an answer is one that the contract allows, whatever was asked.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type ErrorCode, errorStatus } from '../../src/contract/generated/errors.ts';
import type { Operation } from '../../src/contract/generated/operations.ts';
import type { Validator } from '../../src/contract/generated/validators.js';
import * as validators from '../../src/contract/generated/validators.js';
import { bodyText, type CoreRequest, type CoreResponse } from '../../src/http/message.ts';
import { route } from '../../src/http/route.ts';

const compiled = validators as unknown as Readonly<Record<string, Validator>>;

/** Pages of the mock itself, which no operation describes. */
const besideTheApi: ReadonlySet<string> = new Set(['/', '/openapi.json']);

/** Null when the answer is in order, else what is wrong with it. */
export function findFlaw(request: CoreRequest, response: CoreResponse): string | null {
  return findHeaderFlaw(response) ?? findBodyFlaw(request, response);
}

// A header that node refuses to write would be a crash behind the engine.
function findHeaderFlaw({ headers, status }: CoreResponse): string | null {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      return `header ${name}: ${String(error)}`;
    }
  }
  if (headers['x-casa-bug'] !== undefined) return 'a bug of ours';
  return status !== 204 && headers['content-type'] === undefined ? 'no content type' : null;
}

/** Success is held against the schema of the operation that the path means, everything else against the envelopes. */
function findBodyFlaw(request: CoreRequest, response: CoreResponse): string | null {
  const { status, headers } = response;
  const text = bodyText(response);
  if (status === 204 || request.method === 'HEAD') return text === '' || status !== 204 ? null : 'a body with 204';
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
    return request.path.startsWith('/api/') ? `content type ${headers['content-type']}` : null;
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'no JSON';
  }
  if (status === 200) {
    const routing = route(request.method, request.path);
    if (typeof routing !== 'string') return findOutputFlaw(routing.operation, body);
    return besideTheApi.has(request.path) ? null : 'success without an operation';
  }
  return isOrdered500(request, status, body) ? null : findErrorFlaw(status, body);
}

// The contract has no 500; the mock gives one only to a client that orders it.
function isOrdered500({ headers, query }: CoreRequest, status: number, body: unknown): boolean {
  if (status !== 500 || !/500|internal_error/.test(`${headers.prefer} ${query}`)) return false;
  return (body as { error?: { code?: unknown } } | null)?.error?.code === 'internal_error';
}

function findOutputFlaw({ output }: Operation, body: unknown): string | null {
  const validate = compiled[output] as Validator;
  return validate(body) ? null : `output: ${JSON.stringify(validate.errors)}`;
}

/** The envelopes of section 7. A 405 has a code of its own (choice C58). */
export function findErrorFlaw(status: number, body: unknown): string | null {
  const { error } = (body ?? {}) as { error?: unknown };
  if (error === 'rate_limit_exceeded') return status === 429 ? null : `a limiter's body with ${status}`;
  if (typeof error !== 'object' || error === null) return 'no error';
  const { code, message } = error as Record<string, unknown>;
  if (typeof code !== 'string' || typeof message !== 'string') return 'no code or no message';
  // Ruling R22: under grease the 400 of a list may have a code of its own.
  if (status === 405 || (status === 400 && !Object.hasOwn(errorStatus, code))) return null;
  return errorStatus[code as ErrorCode] === status ? null : `${code} with ${status}`;
}
