// Shared by the checks of posts, replies and links: bodies with exactly one problem, the rejections that can precede
// the expected one (interpretation R1), and the search for a review that has a reply.

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { ErrorCode } from '../../src/contract/generated/errors.ts';
import { labelLength, postTextLength, replyTextLength } from '../../src/contract/generated/limits.ts';
import { type Exchange, errorCode, nameOfResponse } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { about, aboutStatus } from '../judge/claims.ts';
import type { Claim } from '../judge/ledger.ts';
import type { Check } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { isObstacle, toPage } from './accounts.ts';
import type { Witnessed } from './same-record.ts';

/** Expects an invalid body to be rejected; payment, permission or a lost authorization can come first (R1, R2). */
export const invalidInput = {
  status: 400,
  code: 'invalid_input',
  shadows: ['payment_required', 'provider_auth', 'provider_permission'],
} as const;

/** No input at all is rejected with 400, unless the account or its platform rejects first. */
export const noInput = { status: 400, shadows: [...invalidInput.shadows, 'not_supported'] } as const;

/** Documented rejections of an account operation that may respond before a body is validated. */
export const accountShadows: readonly ErrorCode[] = [
  'not_found',
  'payment_required',
  'provider_auth',
  'provider_permission',
  'not_supported',
];

/** R10: 400 is right, 404 may come before it, and it is never taken. */
export const malformedId = { ...invalidInput, shadows: accountShadows };

/**
 * Rejections that can precede `not_found` for an unknown account. Platforms and stored authorizations need an account
 * (R1), apart from temporary problems (R2).
 */
export const unknownShadows: readonly ErrorCode[] = ['payment_required', 'provider_permission'];

export const textMax = { post: postTextLength.max, reply: replyTextLength.max, label: labelLength.max } as const;

/** One character by any definition, and two bytes in UTF-8, which reveals a server that counts bytes (R11). */
const twoBytes = 'é';

/** Servers normalize it: a capital letter with a separate accent, markup, two blanks, a joiner, a blank at the end. */
export const unusualText = 'E\u0301 <b>&amp;  \u200D ';

/** Whether a stored text is only the beginning of the one that was sent; blanks and accents may be normalized. */
export function isCut(sent: string, stored: unknown): boolean {
  if (typeof stored !== 'string') return false;
  const texts = [sent, stored.replace(/(?:\.{3}|\u2026)\s*$/, '')];
  const [whole = '', part = ''] = texts.map((text) => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim());
  return part !== '' && part.length < whole.length && whole.startsWith(part);
}

/**
 * Sends an unusual text, and the plain one if the first is rejected as invalid: only the length of a text is specified.
 * Returns the response that counts, and its text.
 */
export async function sendUnusual(
  [unusual, plain]: readonly [string, string],
  send: (text: string) => Promise<Exchange>,
): Promise<{ exchange: Exchange; text: string }> {
  const exchange = await send(unusual);
  if (errorCode(exchange) !== 'invalid_input') return { exchange, text: unusual };
  return { exchange: await send(plain), text: plain };
}

export function wideText(characters: number): string {
  return twoBytes.repeat(characters);
}

export function sendPost(probe: Probe, accountId: string, body: Record<string, unknown>): Promise<Exchange> {
  return probe.send({ operation: 'createPost', params: { accountId }, body });
}

export function sendReply(
  probe: Probe,
  { accountId, reviewId }: { accountId: string; reviewId: string },
  body: Record<string, unknown>,
): Promise<Exchange> {
  return probe.send({ operation: 'replyToReview', params: { accountId, reviewId }, body });
}

/** The id of a real account with one digit changed, so it is malformed; needs permission to write. */
export function malformedFrom(probe: Probe, id: string, digit: 'version' | 'variant'): string {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) probe.stop('precondition', 'the account id is not a UUID');
  return digit === 'version' ? `${id.slice(0, 14)}9${id.slice(15)}` : `${id.slice(0, 19)}c${id.slice(20)}`;
}

const ofPattern =
  /^(0{8}(-0{4}){3}-0{12}|f{8}(-f{4}){3}-f{12}|[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})$/i;

/** Whether an account id matches the pattern of the inputs. Otherwise it can be rejected as malformed. */
export function isOfPattern(accountId: string): boolean {
  return ofPattern.test(accountId);
}

/** An unknown id with another version and variant digit. Cites 2.create-post-input.account-id-pattern. */
export function versioned(id: string, [version = '4', variant = '8']: string): string {
  return `${id.slice(0, 14)}${version}${id.slice(15, 19)}${variant}${id.slice(20)}`;
}

/** A valid input to an unknown account is rejected for the account. `also` lists clauses that it shows too. */
export async function expectUnknown(
  probe: Probe,
  exchange: Exchange,
  tested: ClauseId,
  also: readonly ClauseId[] = [],
): Promise<boolean> {
  const isInvalid = errorCode(exchange) === 'invalid_input' && tested !== '4.connect.unknown-account';
  // If the plainest input is rejected too, the tested field is not the reason.
  const usual = isInvalid && (await isPlainInvalid(probe, exchange)) ? '4.connect.unknown-account' : tested;
  // No input of the contract is nearly as large as the cap.
  const clause = exchange.status === 413 ? '8.body-rest' : usual;
  const isTaken = exchange.status === 200;
  // A server that looks up the record first has not validated the input: then 404 shows only that the id is not
  // malformed (R1), and nothing if the path might not exist.
  const isInputSeen = clause === '2.create-post-input.account-id-nil-max' || looksAtInputFirst(probe, exchange);
  const seen: readonly ClauseId[] = ['4.connect.unknown-account', ...(isInputSeen ? [clause, ...also] : [])];
  const proves = isThere(probe, exchange) ? seen : [];
  const needsAccount = ['400 not_supported', '401 provider_auth'].includes(nameOfResponse(exchange));
  const expected = '404 not_found';
  if (!isTaken && !needsAccount) return expectNotInvalid(probe, exchange, { clause, proves, expected });
  const claim = about(exchange, '4.connect.unknown-account', '#status');
  return probe.holds(false, { ...claim, actual: nameOfResponse(exchange), expected });
}

const review = 'casa-conformance-no-such-review';
const plain = new WeakMap<Probe, Promise<Exchange>>();

/** Whether a plain text is rejected as invalid too. Sent once per check, to an unknown account. */
export async function isPlainInvalid(probe: Probe, { operation }: Exchange): Promise<boolean> {
  const { unknownId: accountId } = probe.facts;
  const body = { accountId, text: 'casa-kit conformance' };
  const ids = { accountId, reviewId: review };
  const send = () =>
    operation === 'createPost'
      ? sendPost(probe, accountId, body)
      : sendReply(probe, ids, { ...body, reviewId: review });
  const response = plain.get(probe) ?? send();
  plain.set(probe, response);
  return errorCode(await response) === 'invalid_input';
}

/** Whether the operation has responded anything but the 404 of a path that does not exist. */
export function isThere(probe: Probe, { operation }: Exchange): boolean {
  const isConclusive = ({ status }: Exchange) => [200, 400, 402, 403].includes(status);
  return probe.history().some((other) => other.operation === operation && other.key === 'good' && isConclusive(other));
}

/**
 * All were rejected together and none of them alone. A repetition shows whether the capitals are the reason, or whether
 * an earlier rejection has a lasting effect.
 */
export async function checkTogether(probe: Probe, together: Exchange, again: () => Promise<Exchange>): Promise<void> {
  const second = await again();
  if (errorCode(second) === 'invalid_input') return warnOfCapitals(probe, together);
  const actual = `${nameOfResponse(together)}, and ${nameOfResponse(second)} for a repeated request`;
  const claim = { ...about(together, '7.code.invalid-input', '#status'), actual };
  probe.holds(false, { ...claim, expected: 'another status, because the input is valid' });
}

/** Hex digits have no case (R9), and yet what is wrong with the id is its case alone. */
export function warnOfCapitals(probe: Probe, exchange: Exchange): void {
  const actual = `${nameOfResponse(exchange)}, but not in lowercase`;
  const claim = { ...about(exchange, '2.create-post-input.account-id-pattern', '#status'), actual };
  probe.warn({ ...claim, expected: 'the same status for an account id in uppercase' });
}

/** The account or its platform rejects by the code table, independent of the input (R2, R28). */
export function isOfAccount(exchange: Exchange): boolean {
  return isObstacle(exchange) || nameOfResponse(exchange) === '400 not_supported';
}

/** An invalid input to an unknown account returns 400 or 404; rejections by the account say nothing about the input. */
export function expectRejected(probe: Probe, exchange: Exchange): void {
  if (isOfAccount(exchange)) return;
  probe.expectStatus(exchange, [400, 404], '4.connect.statuses');
  if (exchange.status !== 404 || isReadable(exchange) || !looksAtInputFirst(probe, exchange)) return;
  const claim = { ...about(exchange, '4.json', '#status'), actual: nameOfResponse(exchange) };
  probe.warn({ ...claim, expected: '400 for a body that is not UTF-8, as for other invalid bodies' });
}

/** Null for an optional field: rejected or read as absent, both are legal (interpretation R63). */
export function noteNull(probe: Probe, exchange: Exchange, clause: ClauseId): void {
  const actual = nameOfResponse(exchange);
  if (isOfAccount(exchange)) {
    probe.doubt('precondition', `${actual} instead of a validation of the input`);
    return;
  }
  const claim = { ...about(exchange, clause, '#status'), actual };
  const isLegal = actual === '400 invalid_input' || exchange.status === 200;
  probe.holds(isLegal, { ...claim, proves: [], expected: '200 or 400 invalid_input' });
  if (isLegal) probe.note({ ...claim, expected: 'a rejection of null, or the default' });
}

function looksAtInputFirst(probe: Probe, { operation }: Exchange): boolean {
  const isUnknown = ({ target }: Exchange) => target.toLowerCase().includes(probe.facts.unknownId.slice(-12));
  return probe
    .history()
    .filter((other) => other.operation === operation && isUnknown(other) && isReadable(other))
    .some((other) => errorCode(other) === 'invalid_input');
}

/** A body that is not JSON, or not UTF-8, is rejected by the parser, before validation. */
function isReadable({ requestBody: { text } }: Exchange): boolean {
  return text === null || (text.endsWith('}') && !text.includes('\uFFFD'));
}

/** A right input is rejected by its record or its account, never as a wrong one. */
export function expectNotInvalid(
  probe: Probe,
  exchange: Exchange,
  { clause, proves = [clause], expected }: Pick<Claim, 'clause' | 'proves' | 'expected'>,
): boolean {
  const code = errorCode(exchange);
  const isFree = code === 'not_found' || exchange.status === 200;
  const isShadowed = !isFree && accountShadows.some((shadow) => shadow === code);
  if (isShadowed) {
    probe.doubt('precondition', `${nameOfResponse(exchange)} instead of a validation of the input`);
    return true;
  }
  return probe.holds(isFree, {
    ...about(exchange, clause, '#status'),
    proves,
    expected,
    actual: nameOfResponse(exchange),
  });
}

// Posts and replies with permission to write share these. They go to the account that the user named.

/** The check that shows first that the target takes any of the kind. */
const first = { posts: 'posts/publishes', replies: 'replies/path-wins' } as const;

type Kind = keyof typeof first;
type Usual = 'level' | 'phase' | 'needs' | 'after' | 'mutates';

/** A check after the first of its kind. It changes nothing permanently by default. */
export function writtenCheck(kind: Kind, check: Omit<Check, Usual> & Partial<Pick<Check, Usual>>): Check {
  return {
    level: 'must',
    phase: 'writes',
    needs: ['account', `writes:${kind}`],
    after: [first[kind]],
    mutates: 'nothing, unless the target accepts invalid requests',
    ...check,
  };
}

export function accountOf(probe: Probe): string {
  return probe.settings.account ?? probe.stop('precondition', 'needs --account');
}

/** Each text names the run that wrote it. */
export function tag(probe: Probe): string {
  return `casa-kit conformance ${probe.settings.runId}`;
}

/** A valid input is accepted. The account or its platform can reject any input, which says nothing about it. */
export async function expectWritten(
  probe: Probe,
  exchange: Exchange,
  { clause, rows, witness, ...claim }: Pick<Claim, 'clause' | 'proves' | 'expected'> & Partial<Witnessed>,
): Promise<void> {
  if (isOfAccount(exchange))
    probe.stop('precondition', `the account returns ${nameOfResponse(exchange)}: name another with --account`);
  const isUnknown = rows !== undefined && witness !== undefined && errorCode(exchange) === 'not_found';
  await probe.judge([exchange], ([one]) => [
    { ...aboutStatus(one, clause), ...claim, isTrue: one.status === 200, ...(isUnknown ? { rows, witness } : {}) },
  ]);
}

/** Bodies that hold no input to look into. */
export const noInputs: readonly (readonly [what: string, body: Pick<RequestSpec, 'body' | 'bytes'>])[] = [
  ['no body', {}],
  ['null', { body: null }],
  ['half a body', { bytes: new TextEncoder().encode('{"text":') }],
];

/** The pages after the first one that a run reads in search of a review, which can be on a later one. */
export const pagesMax = 5;

/** Pages that a run reads in search of reviews. */
interface Search {
  readonly found: readonly string[];
  readonly pages: readonly Exchange[];
  /** The list continues after the pages that were read. */
  readonly isCut: boolean;
}

/** Looks for reviews from the first page on, which is read first if it is not given. */
export async function walkFor(
  probe: Probe,
  wanted: readonly string[],
  { first, furtherMax }: { readonly first?: Exchange; readonly furtherMax: number },
): Promise<Search> {
  const read = async (cursor?: string) =>
    toPage(probe, await probe.send({ operation: 'listReviews', params: { accountId: accountOf(probe), cursor } }));
  const pages = [first === undefined ? await read() : toPage(probe, first)];
  for (;;) {
    const shown = pages.flatMap(({ ids }) => ids);
    const found = wanted.filter((id) => shown.includes(id));
    const { nextCursor = null } = pages.at(-1) ?? {};
    const isAll = found.length === wanted.length;
    const isCut = nextCursor !== null && pages.length > furtherMax && !isAll;
    if (!isAll && !isCut && nextCursor !== null) pages.push(await read(nextCursor));
    else return { found, isCut, pages: pages.map(({ exchange }) => exchange) };
  }
}
