// The contract's rejections are values. A throw inside the domain is a bug of ours, never a response.
import type { ErrorCode } from '../contract/generated/errors.ts';

/** One problem of an input. Assumption C26: the contract names `issues` and shows no shape. */
export interface Issue {
  /** JSON pointer into the input, such as `/text`. */
  readonly path: string;
  readonly message: string;
  /** The rule that was broken, such as `maxLength`. */
  readonly rule: string;
}

/** One error of the contract's table; status and envelope follow from the code when the response is rendered. */
export interface Rejection {
  readonly code: ErrorCode;
  readonly message: string;
  /** Present with `invalid_input`. Cites 7.code.invalid-input. */
  readonly issues?: readonly Issue[];
  /** Present with `payment_required`. Cites 7.code.payment-required. */
  readonly reason?: string;
}

/** Either a value or a rejection, and the caller has to look: a rejection that is forgotten does not compile. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly rejection: Rejection };

export function ok<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function reject(rejection: Rejection): Outcome<never> {
  return { ok: false, rejection };
}

/**
 * Has the same text for missing records and for those of other organizations, to reveal nothing about them. Cites
 * 1.foreign-record.
 */
export function notFound(what: string): Outcome<never> {
  return reject({ code: 'not_found', message: `There is no such ${what} in this organization.` });
}

/** A response lists this many problems at most: an input can be wrong in every one of a million places. */
export const issuesMax = 100;

/**
 * Its message is the first problem in words: many clients show nothing more. `others` are problems that were counted
 * and not described.
 */
export function invalidInput(issues: readonly Issue[], others = 0): Outcome<never> {
  const first = issues[0]?.message ?? 'The input is not valid.';
  return reject({
    code: 'invalid_input',
    message: `${first}${tellOthers(issues.length + others)}`,
    issues: issues.slice(0, issuesMax),
  });
}

/** Counts the problems that the message leaves out, and says where they are. */
function tellOthers(count: number): string {
  if (count <= 1) return '';
  if (count <= issuesMax) return ` (and ${count - 1} more, see issues)`;
  return ` (and ${count - 1} more; issues lists the first ${issuesMax})`;
}
