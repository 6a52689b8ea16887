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

// Where several errors share a status or a code, the one that most requests mean.
const preferred: Readonly<Record<string, FaultError>> = {
  400: 'invalid_input',
  401: 'unauthorized',
  402: 'payment_method_required',
  429: 'limiter_key',
  payment_required: 'payment_method_required',
};

/** Every name that is understood. */
export const faultErrorNames = [
  ...new Set([...Object.keys(errorsOnDemand), ...Object.keys(errorStatus)]),
] as FaultErrorName[];

/** The error of a name, or of a code of the contract that is not a name; null for anything else. */
export function faultErrorNamed(name: string): FaultError | null {
  if (Object.hasOwn(errorsOnDemand, name)) return name as FaultError;
  return Object.hasOwn(errorStatus, name) ? (preferred[name] ?? null) : null;
}

/** The error that a status stands for; null when no error has it. */
export function faultErrorOfStatus(status: number): FaultError | null {
  return preferred[status] ?? namesOfStatus(status)[0] ?? null;
}

export function namesOfStatus(status: number): readonly FaultError[] {
  return (Object.keys(errorsOnDemand) as FaultError[]).filter((name) => errorsOnDemand[name].status === status);
}

export function knownStatuses(): number[] {
  return [...new Set(Object.values(errorsOnDemand).map(({ status }) => status))].sort((a, b) => a - b);
}
