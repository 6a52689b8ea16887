// The errors that a fault may ask for: those of the contract by the names of their examples, and a failure of the
// service itself, which the contract does not describe and every client meets one day.
import {
  type ErrorCode,
  type ErrorExample,
  type ErrorExampleName,
  errorExamples,
  errorStatus,
} from '../contract/generated/errors.ts';

export type FaultError = ErrorExampleName | 'internal_error';

/** Names that a user may write: the codes of the contract too. */
export type FaultErrorName = FaultError | ErrorCode;

interface ErrorOnDemand extends Omit<ErrorExample, 'code'> {
  readonly code: ErrorCode | 'internal_error' | null;
}

export const errorsOnDemand: { readonly [Name in FaultError]: ErrorOnDemand } = {
  ...errorExamples,
  internal_error: {
    code: 'internal_error',
    status: 500,
    body: { error: { code: 'internal_error', message: 'The service failed.' } },
  },
};

const errorNames = Object.keys(errorsOnDemand) as FaultError[];

// Where several errors share a status or a code, the one that most requests mean.
const usual: readonly FaultError[] = ['invalid_input', 'unauthorized', 'payment_method_required', 'limiter_key'];

/** Names that a fault accepts in addition to statuses: those of the errors, and the codes of the contract. */
export const faultErrorNames = [...new Set([...errorNames, ...Object.keys(errorStatus)])] as FaultErrorName[];

/** The statuses that a fault accepts. */
export const faultStatuses = [...new Set(errorNames.map((name) => errorsOnDemand[name].status))].sort((a, b) => a - b);

/** Returns the errors for a status (`"503"`), a code or a name, the most common one first; empty for any other word. */
export function errorsOfWord(word: string): readonly FaultError[] {
  const same = errorNames.filter((name) => {
    const { status, code } = errorsOnDemand[name];
    return name === word || code === word || String(status) === word;
  });
  if (same.includes(word as FaultError)) return [word as FaultError];
  return [...same].sort((a, b) => Number(usual.includes(b)) - Number(usual.includes(a)));
}
