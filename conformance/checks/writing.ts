// What the checks of posts, replies and links share: bodies that are right but for one thing, and the refusals that may
// come before the one that is asked about (rulings R1).

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { ErrorCode } from '../../src/contract/generated/errors.ts';
import { type Exchange, errorCode } from '../exchange.ts';
import type { Claim } from '../ledger.ts';
import type { Probe } from '../probe.ts';

/** Documented refusals of an account operation that may answer before a body is validated. */
export const accountShadows: readonly ErrorCode[] = [
  'not_found',
  'payment_required',
  'provider_auth',
  'provider_permission',
  'not_supported',
];

export const textMax = { post: 5000, reply: 4096, label: 80 } as const;

/** One character in every reading, two bytes in UTF-8: a server that counts bytes finds twice as many (rulings R11). */
const TWO_BYTES = 'é';

export function wideText(characters: number): string {
  return TWO_BYTES.repeat(characters);
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

/** The id of a real account with one digit that no UUID of the pattern has; what only leave to write may ask for. */
export function malformedFrom(probe: Probe, id: string, digit: 'version' | 'variant'): string {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) probe.stop('precondition', 'the account id is no UUID');
  return digit === 'version' ? `${id.slice(0, 14)}9${id.slice(15)}` : `${id.slice(0, 19)}c${id.slice(20)}`;
}

/** R10: 400 is right, 404 may come before it, and it is never taken. */
export function expectMalformed(probe: Probe, exchange: Exchange, clause: ClauseId): void {
  probe.expectRefusal(exchange, { status: 400, code: 'invalid_input', clause, shadows: accountShadows });
}

/** An id with another version and variant digit, such as `7b`: still nobody's. Cites 2.create-post-input.account-id-pattern. */
export function versioned(id: string, [version = '4', variant = '8']: string): string {
  return `${id.slice(0, 14)}${version}${id.slice(15, 19)}${variant}${id.slice(20)}`;
}

/** A right input to an account that nobody has: refused by its record, never as a wrong one, and never taken. */
export function expectUnknown(probe: Probe, exchange: Exchange, clause: ClauseId): boolean {
  const isTaken = exchange.status === 200;
  if (!isTaken) return expectNotInvalid(probe, exchange, { clause, expected: '404 not_found' });
  const claim = { clause: '4.connect.unknown-account', pointer: '#status', actual: '200', exchange } as const;
  return probe.holds(false, { ...claim, expected: '404 not_found' });
}

/** A right input is refused by its record or its account, never as a wrong one. */
export function expectNotInvalid(
  probe: Probe,
  exchange: Exchange,
  { clause, expected }: Pick<Claim, 'clause' | 'expected'>,
): boolean {
  const code = errorCode(exchange);
  const isFree = code === 'not_found' || exchange.status === 200;
  const isShadowed = !isFree && accountShadows.some((shadow) => shadow === code);
  if (isShadowed) {
    probe.doubt('precondition', `${exchange.status} ${code} came before the input was looked at`);
    return true;
  }
  return probe.holds(isFree, {
    clause,
    pointer: '#status',
    expected,
    actual: `${exchange.status} ${code ?? ''}`.trim(),
    exchange,
  });
}
