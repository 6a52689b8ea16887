// The cap of REST bodies, in bytes and at the byte. Neither body names a provider or a label that there could be, so no
// link can come of it.

import { bodyBytesMax } from '../../../src/contract/generated/limits.ts';
import { isDocumentedRejection } from '../../assertions/accounts.ts';
import { expectInvalidRejected, invalidLink } from '../../assertions/invalid-bodies.ts';
import { expectValidAgain } from '../../assertions/valid-again.ts';
import {
  type Exchange,
  errorCode,
  hasResponse,
  isLimiterRejection,
  isPlatformTrouble,
  isWebPage,
  nameOfResponse,
} from '../../exchange/exchange.ts';
import { invalidLinkLabel } from '../../exchange/request.ts';
import { about } from '../../judge/claims.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const atCap = `${bodyBytesMax.toLocaleString('en')} bytes`;
const overCap = `${(bodyBytesMax + 1).toLocaleString('en')} bytes`;
/** Three bytes in UTF-8, and one character. */
const threeBytes = '€';

/**
 * `{"pad":"…"}` of exactly so many bytes. In three-byte characters a server that counts characters finds a third of
 * them; in letters one that counts two bytes for each finds twice as many.
 */
function paddedBody(bytes: number, of: 'letters' | 'wide', fields: Readonly<Record<string, unknown>> = {}): Uint8Array {
  const [before, after] = [Buffer.from(`${JSON.stringify({ ...fields, pad: '' }).slice(0, -2)}`), Buffer.from('"}')];
  const padding = bytes - before.length - after.length;
  const letters = of === 'letters' ? padding : padding % 3;
  return Buffer.concat([before, Buffer.alloc(padding - letters, threeBytes), Buffer.alloc(letters, 'x'), after]);
}

/** Without retries: the response to a body over the cap may be lost on purpose. */
function sendTooMany(probe: Probe, headers: Record<string, string> = {}): Promise<Exchange> {
  const bytes = paddedBody(bodyBytesMax + 1, 'wide');
  return probe.sendRaw({ operation: 'createConnectLink', bytes, headers, repeatable: false });
}

/** Responses that say nothing of the size. */
function stopOnTrouble(probe: Probe, exchange: Exchange): void {
  if (isLimiterRejection(exchange)) probe.stop('interference', 'a rate limit rejected the large body');
  if (isPlatformTrouble(exchange)) probe.stop('platform', `the large body got ${exchange.status}`);
}

const within: CheckRow = {
  id: 'limits/body-at-cap',
  title: 'A body of 2,500,000 bytes does not return 413',
  cites: [
    '8.body-rest',
    '4.connect.create-link.invalid',
    '4.connect.create-link.body',
    '2.connect-account-input.provider',
    '2.connect-account-input.label',
    '2.connect-account-input.max-accounts',
    '8.label',
    '8.max-accounts',
  ],
  cost: { requests: 1, least: 1 },
  async run(probe) {
    probe.announce(`Sending a body of ${atCap}.`);
    const invalid = invalidLink(probe);
    const bytes = paddedBody(bodyBytesMax, 'letters', invalid.body);
    const exchange = await probe.sendRaw({ operation: 'createConnectLink', bytes, label: invalidLinkLabel });
    if (!hasResponse(exchange)) probe.stop('unreachable', `the body of ${atCap} got ${nameOfResponse(exchange)}`);
    stopOnTrouble(probe, exchange);
    const isTooLarge = exchange.status === 413;
    const claim = { ...about(exchange, '8.body-rest', '#status'), actual: nameOfResponse(exchange) };
    if (!probe.holds(!isTooLarge, { ...claim, expected: `a status other than 413 for ${atCap}` })) return;
    // Each of its fields is wrong, which is the second thing that this request shows.
    expectInvalidRejected(probe, exchange, invalid);
  },
};

/** One byte over. A smaller cap is the failure of limits/body-at-cap. */
const over: CheckRow = {
  id: 'limits/body-over-cap',
  title: 'A body of 2,500,001 bytes returns 413 payload_too_large',
  cites: ['8.body-rest', '7.code.payload-too-large'],
  unless: ['limits/body-at-cap'],
  // The response to chunks can arrive before their end and be lost. Then the body is sent in one piece.
  cost: { requests: 2, optional: 1, least: 1, confirms: 3 },
  async run(probe) {
    probe.announce(`Sending a body of ${overCap}.`);
    // Where requests are scarce it comes in chunks, which no server can count but by reading them.
    const isScarce = !probe.sendsAll;
    const chunked = isScarce ? await sendTooMany(probe, chunkedHeaders) : null;
    if (chunked !== null && errorCode(chunked) === 'payload_too_large') return expectTooLarge(probe, chunked);
    const first = await sendTooMany(probe);
    // The response can be lost if the server closes while we still send: retry in a way that lets it respond first.
    const second = hasResponse(first) ? first : await sendTooMany(probe, { expect: '100-continue' });
    // Lost twice may be the line; three times it is the server (interpretation R60).
    const exchange = hasResponse(second) ? second : await sendTooMany(probe, { expect: '100-continue' });
    stopOnTrouble(probe, exchange);
    const code = errorCode(exchange);
    if (code === 'payment_required')
      probe.stop('precondition', 'the service requires a payment before it reads the body');
    expectTooLarge(probe, exchange);
    if (chunked !== null && code === 'payload_too_large') await checkChunks(probe, chunked);
  },
};

const chunkedHeaders = { 'transfer-encoding': 'chunked' } as const;

/** The same server rejects a body with a stated length as too large. */
async function checkChunks(probe: Probe, exchange: Exchange): Promise<void> {
  if (!isDocumentedRejection(exchange) && exchange.status !== 200) return;
  if (await readsChunks(probe)) expectTooLarge(probe, exchange);
}

/** Whether the response to a small body in chunks is that to the same body in one piece, and not to none at all. */
async function readsChunks(probe: Probe): Promise<boolean> {
  const spec = { operation: 'createPost', params: { accountId: probe.facts.unknownId } } as const;
  const body = { text: 'casa-conformance' };
  // Nobody has the account: no post can come of it.
  const inChunks = await probe.sendRaw({ ...spec, body, headers: chunkedHeaders });
  return nameOfResponse(inChunks) === '404 not_found';
}

/** Both status and code, because a proxy gives the one without the other. */
function expectTooLarge(probe: Probe, exchange: Exchange): void {
  // A firewall that cannot read the bytes has not looked at their number.
  if (isWebPage(exchange) && exchange.status !== 413) {
    probe.stop('precondition', `the large body got ${exchange.status} with a web page: see rule/json`);
  }
  const code = errorCode(exchange);
  // A service with a smaller cap rejects it too: the cap is known only from both sides of it.
  const isSentAtCap = probe.history().some(({ requestBody }) => requestBody.bytes === bodyBytesMax);
  probe.holds(exchange.status === 413 && code === 'payload_too_large', {
    ...about(exchange, '8.body-rest', '#status'),
    proves: isSentAtCap ? ['8.body-rest', '7.code.payload-too-large'] : ['7.code.payload-too-large'],
    expected: `413 payload_too_large for ${overCap}`,
    actual: nameOfResponse(exchange),
    ...(exchange.status === 413 && code === null ? { message: 'the response might come from a proxy' } : {}),
  });
}

/** A server that trusts content-length has nothing to look at here. */
const inChunks: CheckRow = {
  id: 'limits/body-in-chunks',
  title: 'A chunked body over 2,500,000 bytes returns 413',
  cites: ['8.body-rest', '7.code.payload-too-large'],
  needs: ['burst', 'extended'],
  after: ['limits/body-over-cap'],
  cost: { requests: 1, least: 1, confirms: 1 },
  async run(probe) {
    probe.announce(`Sending a body of ${overCap} in chunks.`);
    const exchange = await sendTooMany(probe, chunkedHeaders);
    // A server that counts while reading can close early, or require a length (411).
    if (!hasResponse(exchange)) probe.stop('unreachable', `the chunks got ${nameOfResponse(exchange)}`);
    stopOnTrouble(probe, exchange);
    const hasCode = errorCode(exchange) === 'payload_too_large';
    if (exchange.status === 411 || exchange.status === 501 || !(hasCode || (await readsChunks(probe))))
      probe.stop('precondition', 'chunked bodies are not accepted');
    expectTooLarge(probe, exchange);
  },
};

const elsewhere: CheckRow = {
  id: 'limits/body-over-cap-elsewhere',
  title: 'Posts and replies over 2,500,000 bytes return 413',
  cites: ['8.body-rest', '7.code.payload-too-large'],
  needs: ['burst', 'extended'],
  after: ['limits/body-over-cap'],
  cost: { requests: 4 },
  async run(probe) {
    const params = { accountId: probe.facts.unknownId, reviewId: 'casa-conformance-no-such-review' };
    const bytes = paddedBody(bodyBytesMax + 1, 'wide');
    for (const operation of ['createPost', 'replyToReview'] as const) {
      probe.announce(`Sending a body of ${overCap}.`);
      const exchange = await probe.sendRaw({ operation, params, bytes });
      if (!hasResponse(exchange)) probe.stop('unreachable', `the large body got ${nameOfResponse(exchange)}`);
      stopOnTrouble(probe, exchange);
      // Nobody has the account, and the body is not an input: a server that says so first has not reported the cap
      // (R1).
      const isOther = isDocumentedRejection(exchange) && exchange.status !== 413;
      if (isOther) probe.doubt('precondition', `${nameOfResponse(exchange)} came before the size of the body`);
      else expectTooLarge(probe, exchange);
      await expectNextAccepted(probe);
    }
  },
};

/** A body that is too large must not affect the next request. The sites once more show a row that comes and goes. */
async function expectNextAccepted(probe: Probe): Promise<void> {
  const exchange = await probe.send({ operation: 'listSites' });
  await expectValidAgain(probe, exchange, { before: 'a body that was too large' });
}

export const bodyCap = defineChecks({ phase: 'bursts', needs: ['burst'] }, [within, over, inChunks, elsewhere]);
