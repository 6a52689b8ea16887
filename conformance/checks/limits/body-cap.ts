// The cap of REST bodies, in bytes and at the byte.
import { bodyBytesMax } from '../../../src/contract/generated/limits.ts';
import {
  type Exchange,
  errorCode,
  hasResponse,
  isDocumentedRejection,
  isLimiterRejection,
  isPlatformTrouble,
  isWebPage,
  nameOfResponse,
} from '../../exchange/exchange.ts';
import { type History, labelled } from '../../exchange/history.ts';
import { invalidLinkLabel } from '../../exchange/request.ts';
import { about } from '../../judge/expect.ts';
import { invalidBodies, isInvalid } from '../../judge/inputs.ts';
import type { Doubt, Judged, Judgment } from '../../judge/judge.ts';
import { isValidAgain } from '../../judge/same-record.ts';

const sizeOf = (bytes: number) => `${bytes.toLocaleString('en')} bytes`;

function whySilent(exchange: Exchange): Doubt | null {
  const name = nameOfResponse(exchange);
  if (!hasResponse(exchange)) return { doubt: 'unreachable', message: `the large body got ${name}` };
  if (isLimiterRejection(exchange)) return { doubt: 'interference', message: 'a rate limit rejected the large body' };
  if (isPlatformTrouble(exchange)) return { doubt: 'platform', message: `the large body got ${name}` };
  // A firewall that cannot read the bytes has not looked at their number.
  if (isWebPage(exchange) && exchange.status !== 413)
    return { doubt: 'precondition', message: `the large body got ${exchange.status} with a web page: see rule/json` };
  return null;
}

const atCap = ({ exchanges }: History) => exchanges.filter(({ requestBody }) => requestBody.bytes === bodyBytesMax);

const within: Judged = {
  id: 'limits/body-at-cap',
  title: 'A body of 2,500,000 bytes does not return 413',
  clauses: ['8.body-rest', ...Object.values(invalidBodies.createConnectLink).flat()],
  scenarios: ['limits/body-at-cap'],
  *judge(history) {
    for (const exchange of labelled(history, invalidLinkLabel)) {
      if (exchange.requestBody.bytes !== bodyBytesMax) continue;
      const silent = whySilent(exchange);
      if (silent !== null) return yield silent;
      const isTrue = exchange.status !== 413;
      const expected = `a status other than 413 for ${sizeOf(bodyBytesMax)}`;
      yield { ...about(exchange, '8.body-rest', '#status'), expected, actual: nameOfResponse(exchange), isTrue };
      // Each of its fields is invalid, which is the second thing that this request shows.
      if (isTrue) yield* isInvalid(exchange);
    }
  },
};

const isChunked = ({ requestHeaders }: Exchange) => requestHeaders['transfer-encoding'] === 'chunked';

/** One byte over. A smaller cap is the failure of limits/body-at-cap. */
const over: Judged = {
  id: 'limits/body-over-cap',
  title: 'A body of 2,500,001 bytes returns 413 payload_too_large',
  clauses: ['8.body-rest', '7.code.payload-too-large'],
  scenarios: ['limits/body-over-cap', 'limits/body-over-cap-elsewhere'],
  *judge(history) {
    if (atCap(history).some(({ status }) => status === 413))
      return yield { doubt: 'precondition', message: 'blocked by limits/body-at-cap' };
    const sent = labelled(history, 'body over the cap');
    const links = sent.filter(({ operation }) => operation === 'createConnectLink');
    const whole = links.filter((one) => !isChunked(one));
    for (const chunked of links.filter(isChunked))
      if (readsChunks(history, chunked, whole)) yield isTooLarge(history, chunked);
    yield* isTooLargeInOnePiece(history, whole);
    for (const exchange of sent.filter(({ operation }) => operation !== 'createConnectLink')) {
      const silent = whySilent(exchange);
      // Nobody has the account, and the body is not an input: a server that says so first has not reported the cap
      // (R1).
      const isOther = isDocumentedRejection(exchange) && exchange.status !== 413;
      if (silent !== null) yield silent;
      else if (!isOther) yield isTooLarge(history, exchange);
    }
    for (const exchange of labelled(history, 'after a body over the cap'))
      yield* isValidAgain(exchange, { before: 'a body that was too large' });
  },
};

/**
 * HTTP allows a server to accept no chunks. This one rejects the same body in one piece as too large, and a small body
 * in chunks returns the same as in one piece, and not the same as none at all.
 */
function readsChunks(history: History, chunked: Exchange, whole: readonly Exchange[]): boolean {
  if (errorCode(chunked) === 'payload_too_large') return true;
  const isRead = labelled(history, 'small body in chunks').some((one) => nameOfResponse(one) === '404 not_found');
  const isOther = chunked.status === 200 || isDocumentedRejection(chunked);
  return isOther && isRead && whole.some((one) => errorCode(one) === 'payload_too_large');
}

/** Lost twice may be the line; three times it is the server (interpretation R60). */
const attemptsMax = 3;

function* isTooLargeInOnePiece(history: History, attempts: readonly Exchange[]): Iterable<Judgment> {
  const exchange = attempts.find(hasResponse) ?? attempts.at(-1);
  if (exchange === undefined) return;
  const isLost = !hasResponse(exchange) && attempts.length >= attemptsMax;
  const silent = isLost ? null : whySilent(exchange);
  if (silent !== null) yield silent;
  else if (errorCode(exchange) === 'payment_required')
    yield { doubt: 'precondition', message: 'the service requires a payment before it reads the body' };
  else yield isTooLarge(history, exchange);
}

/** Both status and code, because a proxy gives the one without the other. */
function isTooLarge(history: History, exchange: Exchange): Judgment {
  const code = errorCode(exchange);
  return {
    ...about(exchange, '8.body-rest', '#status'),
    // A service with a smaller cap rejects it too: the cap is known only from both sides of it.
    proves: atCap(history).some(hasResponse)
      ? ['8.body-rest', '7.code.payload-too-large']
      : ['7.code.payload-too-large'],
    expected: `413 payload_too_large for ${sizeOf(bodyBytesMax + 1)}`,
    actual: nameOfResponse(exchange),
    isTrue: exchange.status === 413 && code === 'payload_too_large',
    ...(exchange.status === 413 && code === null ? { message: 'the response might come from a proxy' } : {}),
  };
}

export const bodyCap: readonly Judged[] = [within, over];
