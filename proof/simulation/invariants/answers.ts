// Each answer by itself, whatever was asked: its status, its envelope and its schema are those of the contract.
// Cites 7.envelope.*, 7.code.*, 4.json.
import { type ErrorCode, errorStatus } from '../../../src/contract/generated/errors.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import type { Validator } from '../../../src/contract/generated/validators.js';
import * as validators from '../../../src/contract/generated/validators.js';
import { type Exchange, forcedFault, isBlocked } from '../exchange.ts';
import type { Ledger } from '../ledger.ts';
import { hold } from '../violation.ts';

/** By the schema's name. */
const compiled = validators as unknown as Readonly<Record<string, Validator>>;

/** Knows no state: it asks only whether the contract has such an answer at all. */
export function watchAnswers(ledger: Ledger): (exchange: Exchange) => void {
  return (exchange) => {
    const { request, response, operation, json } = exchange;
    if (!request.path.startsWith('/api/v1/')) return;
    const { status, headers } = response;
    const told = (what: string) => () => `${operation ?? request.path} answered ${status}: ${what}`;
    hold('answers', json !== undefined, told(`no JSON but ${headers['content-type']}`));
    hold('answers', headers['x-casa-bug'] === undefined, told('a bug of the mock'));
    const fault = forcedFault(exchange);
    hold('answers', fault === null || ledger.faultsOrdered, told('an error that nobody ordered'));
    if (status === 200) {
      hold('answers', operation !== null, told('success without an operation'));
      if (operation) holdSchema(operations[operation].output, json);
      return;
    }
    if (operation && fault === null && status !== errorStatus.payload_too_large) {
      hold('answers', operations[operation].statuses.includes(status), told('a status that is not listed'));
    }
    if (isBlocked(exchange)) return holdSchema('LimiterError', json);
    const envelope = operation === null ? 'simple' : operations[operation].envelope;
    if (status !== 405) holdSchema(envelope === 'tool' ? 'ToolError' : 'SimpleError', json);
    // Rulings R22: the code and the issues of a bad request to a list are readings.
    if (ledger.greased && status === 400 && envelope === 'simple') return;
    holdCode(exchange, told, ledger.greased);
  };
}

type Told = (what: string) => () => string;

/** The contract has no code for 405, so only its status counts. */
function holdCode({ response: { status }, json }: Exchange, told: Told, greased: boolean): void {
  const { code, issues, reason, message } = json.error as Record<string, unknown>;
  if (status === 405) return;
  hold('answers', errorStatus[code as ErrorCode] === status, told(`the code ${code}`));
  hold('answers', typeof message === 'string' && (greased || message !== ''), told('no message'));
  const listed = greased ? (issues ?? json.issues) : issues;
  const hasIssues = greased ? Object.keys(Object(listed)).length > 0 : Array.isArray(listed) && listed.length > 0;
  if (code === 'invalid_input') hold('answers', hasIssues, told('no issues'));
  if (code === 'payment_required') hold('answers', typeof reason === 'string' && reason !== '', told('no reason'));
}

function holdSchema(schema: string, value: unknown): void {
  const validate = compiled[schema] as Validator;
  if (validate(value)) return;
  const { instancePath = '', message = '' } = validate.errors?.[0] ?? {};
  hold('answers', false, () => `the answer is not a ${schema}: ${instancePath} ${message}`);
}
