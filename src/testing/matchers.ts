// The expectations on a mock, for every test runner: functions that return whether they pass, and why.
import type { BasisKind } from '../contract/basis.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { ToolName } from '../contract/generated/tools.ts';
import type { LoggedRequest } from '../engine/request-log-record.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Violation } from '../engine/violations/violation.ts';
import { count } from '../terminal/count.ts';
import type { Casa } from './casa.ts';
import { type ExpectedChanges, judgeChanges } from './changes.ts';
import { check, operationName, times } from './check-options.ts';
import type { ConnectedCasa } from './connect-mock.ts';
import { readsBeyond } from './watch-reads.ts';

/** As `expect.extend` of vitest, Jest, Playwright and Bun takes it. */
export interface Match {
  readonly pass: boolean;
  readonly message: () => string;
}

/** How often an operation is expected; at least once when absent. */
export interface RequestedOptions {
  readonly times?: number | undefined;
}

/** The methods that the matchers add to `expect(casa)`. */
export interface CasaMatchers<Result = void> {
  /** Fails if a client of this mock violated section 6 or 7 of the contract, and lists the violations. */
  toHaveNoViolations(): Result;
  /** Fails unless the clients sent requests for the operation or the tool, or exactly as many as `times`. */
  toHaveRequested(operation: OperationId | ToolName, options?: RequestedOptions): Result;
  /** Fails if the client has read fields of another basis, and lists them. It must be one of `watchReads`. */
  toRelyOnlyOn(...allowed: BasisKind[]): Result;
  /** Fails unless exactly so many records changed since `since`, or since the start or the last reset. */
  toHaveChanged(expected: ExpectedChanges, since?: Snapshot): Result;
}

/** A mock in this process, or the handle of another. */
type AnyCasa = Pick<Casa | ConnectedCasa, 'violations' | 'requests' | 'diff'>;
type Judged = Match | Promise<Match>;

/** The types of Playwright take the last signature, and accept no type parameters. */
interface Matcher<Given extends unknown[]> {
  (casa: ConnectedCasa, ...given: Given): Promise<Match>;
  (casa: Casa, ...given: Given): Match;
}

const shownMax = 20;

/**
 * Matchers for `expect.extend` of vitest, Jest, Playwright and Bun. A failure prints the requests that led to it.
 *
 * @example
 * expect.extend(casaMatchers);
 * expect(casa).toHaveRequested('createPost', { times: 1 });
 */
export const casaMatchers = {
  toHaveNoViolations: matcher<[]>('toHaveNoViolations', (casa) =>
    withLog(casa, casa.violations(), (violations: readonly Violation[], log) => ({
      pass: violations.length === 0,
      message: () => {
        if (violations.length === 0)
          return 'Clients of this mock broke no rule of the contract, and a violation was expected.';
        const cited = new Set(violations.flatMap(({ requestIds }) => requestIds));
        const lines = violations.map(describeViolation).join('\n');
        return `Clients of this mock broke rules of the contract:\n${lines}\n${describeLog(log, ({ id }) => cited.has(id))}`;
      },
    })),
  ),
  toHaveRequested: matcher<[operation: OperationId | ToolName, options?: RequestedOptions]>(
    'toHaveRequested',
    (casa, operation, options = {}) => {
      check('toHaveRequested', { operation }, { operation: operationName });
      const wanted = check('toHaveRequested', options, { times }).times;
      return withLog(casa, casa.requests.find({ operation }), (found: readonly LoggedRequest[], log) => {
        const expected = wanted === undefined ? 'at least one' : `exactly ${wanted}`;
        const pass = wanted === undefined ? found.length > 0 : found.length === wanted;
        return {
          pass,
          message: () =>
            `The mock received ${count(found.length, 'request')} for ${operation}, and the test expects ${pass ? 'others' : expected}.\n${describeLog(log)}`,
        };
      });
    },
  ),
  toHaveChanged: matcher<[expected: ExpectedChanges, since?: Snapshot]>('toHaveChanged', (casa, expected, since) => {
    const diff = casa.diff(since);
    return diff instanceof Promise ? diff.then((found) => judgeChanges(found, expected)) : judgeChanges(diff, expected);
  }),
  toRelyOnlyOn(casa: Casa, ...allowed: BasisKind[]): Match {
    const beyond = readsBeyond(casa, allowed);
    return {
      pass: beyond.length === 0,
      message: () => {
        if (beyond.length === 0) return 'The client read only fields of these kinds, and others were expected.';
        const operations = new Set(beyond.map((field) => field.split(' ')[0]));
        const lines = beyond.map((field) => `  ${field}`).join('\n');
        const log = describeLog(casa.requests.all(), ({ operation }) => operations.has(operation ?? ''));
        return `The client relies on fields of another basis:\n${lines}\n${log}`;
      },
    };
  },
};

/**
 * The matchers without a test runner: each method throws an `Error` with the message of the matcher.
 *
 * @example
 * checkCasa(casa).toHaveRequested('createPost', { times: 1 });
 */
export function checkCasa(casa: Casa): CasaMatchers {
  const check = ({ pass, message }: Match) => {
    if (!pass) throw new Error(message());
  };
  return {
    toHaveNoViolations: () => check(casaMatchers.toHaveNoViolations(casa)),
    toHaveRequested: (...given) => check(casaMatchers.toHaveRequested(casa, ...given)),
    toRelyOnlyOn: (...allowed) => check(casaMatchers.toRelyOnlyOn(casa, ...allowed)),
    toHaveChanged: (...given) => check(casaMatchers.toHaveChanged(casa, ...given)),
  };
}

function matcher<Given extends unknown[]>(name: string, judge: (casa: AnyCasa, ...given: Given) => Judged) {
  return ((casa: AnyCasa, ...given: Given) => {
    if (typeof casa?.violations !== 'function') throw new TypeError(`expect(…).${name}() takes a casa.`);
    return judge(casa, ...given);
  }) as Matcher<Given>;
}

/** Calls `judge` with the value and all requests, at once if the mock is in this process. */
function withLog<Value>(
  casa: AnyCasa,
  value: Value | Promise<Value>,
  judge: (value: Value, log: readonly LoggedRequest[]) => Match,
): Judged {
  const log = casa.requests.all();
  if (!(value instanceof Promise) && !(log instanceof Promise)) return judge(value, log);
  return Promise.all([value, log]).then((given) => judge(...given));
}

function describeViolation({ rule, clause, message, requestIds }: Violation): string {
  return `  ${rule} (${clause}): ${message} Requests ${requestIds.join(', ')} of the request log.`;
}

/** In order, with the times of the mock's clock. */
function describeLog(log: readonly LoggedRequest[], isCited: (record: LoggedRequest) => boolean = () => true): string {
  const cited = log.filter(isCited);
  if (cited.length === 0) return 'The mock has logged no such request.';
  const shown = cited.slice(-shownMax);
  const head = shown.length < cited.length ? `The last ${shownMax} of ${cited.length} requests` : 'Requests';
  return [`${head}, by the clock of the mock:`, ...shown.map(describeRequest)].join('\n');
}

function describeRequest({ id, at, request, response, operation, fault }: LoggedRequest): string {
  const query = request.query === '' ? '' : `?${request.query}`;
  const notes = [operation, fault && `fault ${fault}`].filter(Boolean).join(', ');
  return `  ${id}  ${at.slice(11, 23)}  ${request.method} ${request.path}${query} -> ${response.status}${notes && ` (${notes})`}`;
}
