// The cap of REST bodies, in bytes and at the byte. No body here names a provider or a label that there could be, so no
// link can come of it.
import { bodyBytesMax, labelLength, linkAccounts } from '../../../src/contract/generated/limits.ts';
import { errorCode, hasResponse, isDocumentedRejection } from '../../exchange/exchange.ts';
import { invalidLinkLabel, type RequestSpec } from '../../exchange/request.ts';
import { announce, type Scenario, scenario, send, sendRaw } from '../scenario.ts';

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

const announceBody = (bytes: number, how = '') =>
  announce(`Sending a body of ${bytes.toLocaleString('en')} bytes${how}.`);

/** Each of its fields is invalid, which is the second thing that this request shows. */
const invalidLink = {
  provider: 'constructor',
  label: 'x'.repeat(labelLength.max + 1),
  maxAccounts: linkAccounts.max + 1,
};

const atCap = scenario('limits/body-at-cap', { needs: ['burst'], least: 1, most: 1 }, function* () {
  yield* announceBody(bodyBytesMax);
  const bytes = paddedBody(bodyBytesMax, 'letters', invalidLink);
  yield* sendRaw({ operation: 'createConnectLink', bytes, label: invalidLinkLabel });
});

/** One byte over. Without retries: the response may be lost on purpose. */
function* sendTooMany(spec: RequestSpec) {
  const bytes = paddedBody(bodyBytesMax + 1, 'wide');
  return yield* sendRaw({ bytes, repeatable: false, label: 'body over the cap', ...spec });
}

const link = { operation: 'createConnectLink' } as const satisfies RequestSpec;
const inChunks = { 'transfer-encoding': 'chunked' } as const;

const overCap = scenario('limits/body-over-cap', { needs: ['burst'], least: 1, most: 1, odd: 4 }, function* (run) {
  yield* announceBody(bodyBytesMax + 1, ' in chunks');
  // No server can count chunks but by reading them.
  const chunked = yield* sendTooMany({ ...link, headers: inChunks });
  if (errorCode(chunked) === 'payload_too_large') return;
  // The response to chunks can arrive before their end and be lost. Then the body is sent in one piece.
  const whole = yield* sendWhole();
  const isRead = chunked.status === 200 || isDocumentedRejection(chunked);
  if (!isRead || errorCode(whole) !== 'payload_too_large') return;
  // Nobody has the account: no post can come of it.
  const params = { accountId: run.history().given.unknownId };
  const body = { text: 'casa-conformance' };
  yield* sendRaw({ operation: 'createPost', params, body, headers: inChunks, label: 'small body in chunks' });
});

/** If the server closes while we still send, the response can be lost: a second time it can respond first. */
function* sendWhole() {
  const headers = { expect: '100-continue' };
  const first = yield* sendTooMany(link);
  const second = hasResponse(first) ? first : yield* sendTooMany({ ...link, headers });
  // Lost twice may be the line; three times it is the server (interpretation R60).
  return hasResponse(second) ? second : yield* sendTooMany({ ...link, headers });
}

/** Every operation with a body, in one piece. A body that is too large must not affect the next request. */
const elsewhere = scenario('limits/body-over-cap-elsewhere', { needs: ['burst'], least: 6, most: 6 }, function* (run) {
  const params = { accountId: run.history().given.unknownId, reviewId: 'casa-conformance-no-such-review' };
  for (const spec of [link, { operation: 'createPost', params }, { operation: 'replyToReview', params }] as const) {
    yield* announceBody(bodyBytesMax + 1);
    yield* sendTooMany(spec);
    yield* send({ operation: 'listSites', label: 'after a body over the cap' });
  }
});

export const bodyCapScenarios: readonly Scenario[] = [atCap, overCap, elsewhere];
