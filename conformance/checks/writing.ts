// What the checks of posts, replies and links share: bodies that are right but for one thing, and the refusals that may
// come before the one that is asked about (rulings R1).
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
