// Responses to posts, replies and links, as judgments of their inputs. An account, its platform or a payment can reject
// any input first (interpretations R1, R2).
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { ErrorCode } from '../../src/contract/generated/errors.ts';
import { parseJson } from '../../src/contract/json.ts';
import { type Exchange, errorCode, isObject, isObstacle, nameOfResponse } from '../exchange/exchange.ts';
import { type History, labelled, ofKey } from '../exchange/history.ts';
import { findField } from '../exchange/pointer.ts';
import { about, aboutStatus, hasStatus, isRejected, judgeable, type Tested } from './expect.ts';
import type { Doubt, Judgment } from './judge.ts';
import { type Claim, show } from './ledger.ts';
import type { Witnessed } from './same-record.ts';

/** Expects an invalid body to be rejected. */
export const invalidInput = {
  status: 400,
  code: 'invalid_input',
  shadows: ['payment_required', 'provider_auth', 'provider_permission'],
} as const;

/** No input at all is rejected with 400. */
export const noInput = { status: 400, shadows: [...invalidInput.shadows, 'not_supported'] } as const;

/** Documented rejections of an account operation that may respond before a body is validated. */
export const accountShadows = ['not_found', ...noInput.shadows] as const satisfies readonly ErrorCode[];

/** R10: 400 is right, 404 may come before it, and it is never taken. */
export const malformedId = { ...invalidInput, shadows: accountShadows } as const;

/** Platforms and stored authorizations need an account (R1), apart from temporary problems (R2). */
export const unknownId = {
  status: 404,
  code: 'not_found',
  shadows: ['payment_required', 'provider_permission'],
} as const;

/** The account or its platform rejects by the code table, independent of the input (R2, R28). */
export function isOfAccount(exchange: Exchange): boolean {
  return isObstacle(exchange) || nameOfResponse(exchange) === '400 not_supported';
}

/** The body as it was sent; empty for one that is not an object, or that is too long to be kept. */
export function inputOf({ requestBody }: Exchange): Readonly<Record<string, unknown>> {
  const body = parseJson(requestBody.text ?? '');
  return isObject(body) ? body : {};
}

/** Whether a plain text was rejected as invalid too: then no field of an input is the reason. */
export function isPlainInvalid(history: History, { operation }: Exchange): boolean {
  return labelled(history, `plain ${operation}`).some((one) => errorCode(one) === 'invalid_input');
}

const unknown = '4.connect.unknown-account';

/** A valid input to an unknown account is rejected for the account. It shows the clauses after the first one too. */
export function* isUnknown(
  history: History,
  exchange: Exchange,
  [tested, ...also]: readonly [ClauseId, ...ClauseId[]],
): Iterable<Judgment> {
  if (!(yield* judgeable(history, exchange))) return;
  const isPlain = errorCode(exchange) === 'invalid_input' && isPlainInvalid(history, exchange);
  // No input of the contract is nearly as large as the cap.
  const clause = exchange.status === 413 ? '8.body-rest' : isPlain ? unknown : tested;
  // A server that looks up the record first has not validated the input: then 404 shows only that the id is not
  // malformed (R1), and nothing if the path might not exist.
  const isInputSeen = clause === '2.create-post-input.account-id-nil-max' || looksAtInputFirst(history, exchange);
  const seen: readonly ClauseId[] = [unknown, ...(isInputSeen ? [clause, ...also] : [])];
  const needsAccount = ['400 not_supported', '401 provider_auth'].includes(nameOfResponse(exchange));
  const words = { expected: '404 not_found', proves: isThere(history, exchange) ? seen : [] };
  if (exchange.status === 200 || needsAccount)
    yield { ...aboutStatus(exchange, unknown), expected: words.expected, isTrue: false };
  else yield isNotInvalid(exchange, { clause, ...words });
}

/** Whether the operation has responded anything but the 404 of a path that does not exist. */
export function isThere(history: History, { operation }: Exchange): boolean {
  return ofKey(history).some((one) => one.operation === operation && [200, 400, 402, 403].includes(one.status));
}

function looksAtInputFirst(history: History, { operation }: Exchange): boolean {
  const end = history.given.unknownId.slice(-12);
  return ofKey(history)
    .filter((one) => one.operation === operation && one.target.toLowerCase().includes(end) && isReadable(one))
    .some((one) => errorCode(one) === 'invalid_input');
}

/** A body that is not JSON, or not UTF-8, is rejected by the parser, before validation. */
function isReadable({ requestBody: { text } }: Exchange): boolean {
  return text === null || (text.endsWith('}') && !text.includes('\uFFFD'));
}

/** A valid input is rejected by its record or its account, never as an invalid one. */
export function isNotInvalid(
  exchange: Exchange,
  { clause, ...words }: Pick<Claim, 'clause' | 'proves' | 'expected'>,
): Tested | Doubt {
  const code = errorCode(exchange);
  const isFree = code === 'not_found' || exchange.status === 200;
  if (!isFree && accountShadows.some((shadow) => shadow === code)) return unvalidated(exchange);
  return { ...aboutStatus(exchange, clause), ...words, isTrue: isFree };
}

function unvalidated(exchange: Exchange): Doubt {
  return { doubt: 'precondition', message: `${nameOfResponse(exchange)} instead of a validation of the input` };
}

/** Hex digits have no case (R9), and yet what is wrong with the id is its case alone. */
export function* warnOfCapitals(exchange: Exchange): Iterable<Judgment> {
  const actual = `${nameOfResponse(exchange)}, but not in lowercase`;
  const expected = 'the same status for an account id in uppercase';
  yield { ...about(exchange, '2.create-post-input.account-id-pattern', '#status'), expected, actual, severity: 'warn' };
}

/** An invalid input to an unknown account returns 400 or 404; rejections by the account say nothing about the input. */
export function* isInvalidOrUnknown(history: History, exchange: Exchange): Iterable<Judgment> {
  if (!(yield* judgeable(history, exchange)) || isOfAccount(exchange)) return;
  const tested = hasStatus(exchange, [400, 404], '4.connect.statuses');
  if (tested !== null) yield tested;
  if (exchange.status !== 404 || isReadable(exchange) || !looksAtInputFirst(history, exchange)) return;
  const expected = '400 for a body that is not UTF-8, as for other invalid bodies';
  yield { ...aboutStatus(exchange, '4.json'), expected, severity: 'warn' };
}

/** Null for an optional field: rejected or read as absent, both are legal (interpretation R63). */
export function* isNullTaken(exchange: Exchange, clause: ClauseId): Iterable<Judgment> {
  if (isOfAccount(exchange)) return yield unvalidated(exchange);
  const claim = aboutStatus(exchange, clause);
  const isTrue = claim.actual === '400 invalid_input' || exchange.status === 200;
  yield { ...claim, proves: [], expected: '200 or 400 invalid_input', isTrue, severity: 'warn' };
  if (isTrue) yield { ...claim, expected: 'a rejection of null, or the default', severity: 'note' };
}

/** A valid input is accepted. The account or its platform can reject any input, which says nothing about it. */
export function isWritten(
  exchange: Exchange,
  { clause, rows, witness, ...words }: Pick<Claim, 'clause' | 'proves' | 'expected'> & Partial<Witnessed>,
): Judgment {
  if (isOfAccount(exchange)) return { doubt: 'precondition', message: otherAccount(exchange) };
  const claim = { ...aboutStatus(exchange, clause), ...words, isTrue: exchange.status === 200 };
  if (rows === undefined || witness === undefined || errorCode(exchange) !== 'not_found') return claim;
  return { ...claim, of: [exchange], rows, witness };
}

export function otherAccount(exchange: Exchange): string {
  return `the account returns ${nameOfResponse(exchange)}: name another with --account`;
}

// Bodies with an invalid value in every field. `issues` shows which fields a server validates (interpretation R26).

export const invalidBodies = {
  createConnectLink: {
    rejected: ['4.connect.create-link.invalid', '4.connect.create-link.body'],
    provider: ['2.connect-account-input.provider'],
    label: ['2.connect-account-input.label', '8.label'],
    maxAccounts: ['2.connect-account-input.max-accounts', '8.max-accounts'],
  },
  createPost: {
    text: ['2.create-post-input.text', '8.post-text'],
    media: ['2.create-post-input.media', '2.create-post-input.media.image-url'],
    link: ['2.create-post-input.link'],
    rejected: ['4.connect.create-post.invalid', '4.connect.create-post.body'],
  },
  replyToReview: {
    text: ['2.reply-review-input.text', '8.reply-text'],
    rejected: ['4.connect.reply.invalid', '4.connect.reply.body'],
  },
} as const satisfies Record<string, Readonly<Record<string, readonly [ClauseId, ...ClauseId[]]>>>;

const optional: ReadonlySet<string> = new Set(['media', 'link']);

/** Rejected as invalid; what comes before that leaves it open (interpretation R1). */
export function* isInvalid(exchange: Exchange): Iterable<Judgment> {
  const { rejected, ...fields } = invalidBodies[exchange.operation as keyof typeof invalidBodies];
  const body = inputOf(exchange);
  if (errorCode(exchange) === 'not_found' || isOfAccount(exchange)) return yield unvalidated(exchange);
  const tested = isRejected(exchange, { status: 400, code: 'invalid_input', clause: rejected[0], proves: rejected });
  yield tested;
  if ('doubt' in tested || !tested.isTrue) return;
  const { issues, pointer, listed, text } = issuesOf(exchange);
  for (const [field, clauses] of Object.entries(fields)) {
    // A server may take null for a field that is absent.
    if (body[field] === null && optional.has(field)) continue;
    const claim = { ...about(exchange, clauses[0], pointer), expected: `an issue for ${field}` };
    if (text.includes(field.toLowerCase())) yield { ...claim, proves: clauses, actual: 'named', isTrue: true };
    // A server that lists several problems without this one probably does not validate it.
    else if (listed > 1) yield { ...claim, actual: show(issues), severity: 'warn' };
  }
}

/** The problems of a rejection: their place, their number, and their text in lower case. */
export function issuesOf({ json }: Exchange) {
  const { value: issues, pointer } = findField(json, 'issues');
  const listed = Array.isArray(issues) ? issues.length : isObject(issues) ? Object.keys(issues).length : 0;
  return { issues, pointer, listed, text: (JSON.stringify(issues) ?? '').toLowerCase() };
}

/** Posts and replies without a copy of their path in the body, rejected as invalid with a list of problems. */
export function absentCopies(history: History): readonly Exchange[] {
  return ofKey(history).filter((one) => {
    const { text } = one.requestBody;
    const isWrite = one.operation === 'createPost' || one.operation === 'replyToReview';
    const lacksCopy = /^\{"(text|media)":/.test(text ?? '') && !/"(account|review)Id":/.test(text ?? '');
    return isWrite && lacksCopy && errorCode(one) === 'invalid_input' && issuesOf(one).listed > 0;
  });
}

/** Whether the problems of a rejection name a field. */
export function isMissed(exchange: Exchange, field: string): boolean {
  return issuesOf(exchange).text.includes(field.toLowerCase());
}
