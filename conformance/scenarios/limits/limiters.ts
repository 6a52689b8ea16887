// The limiter of a key, limiters of other kinds, and the cap of bodies.
import { bodyBytesMax, keyWindow, labelLength, linkAccounts } from '../../../src/contract/generated/limits.ts';
import * as limiter from '../../exchange/bursts.ts';
import { type Exchange, errorCode, hasResponse, isDocumentedRejection, isUnusable } from '../../exchange/exchange.ts';
import { invalidLinkLabel, type RequestSpec } from '../../exchange/request.ts';
import {
  type Asks,
  announce,
  burst,
  type Scenario,
  type SoFar,
  scenario,
  send,
  sendNow,
  sendRaw,
  wait,
} from '../scenario.ts';
import * as requests from './requests.ts';

// Sixty requests a minute for a key, in a sliding window. One address can hardly send the sixty-first (interpretation
// R48), so these come from several. The first two bursts fill the window, and the admitted requests of the next two
// show how it moves. They are two address windows apart, so even an approximate window of an address admits them.

/** An approximate window needs two of them to forget. */
const keyQuietMs = 2 * keyWindow.windowMs + 500;
/** Requests with the key of another organization while the window is full: others may use that key too (R3). */
const others = 2;
const most = limiter.keyBurstSizes.reduce((sum, size) => sum + size, others + 1);
const secondsMax =
  Math.ceil((keyQuietMs + (limiter.keyBurstSizes.length - 1) * limiter.keyBurstsApartMs + keyWindow.windowMs) / 1000) +
  1;

const lastOf = (exchanges: readonly Exchange[]) => Math.max(0, ...exchanges.map(({ receivedAt }) => receivedAt));

function* waitUntil({ now }: SoFar, atMs: number): Asks<void> {
  yield* wait(Math.max(0, atMs - now()));
}

const keyBurstsRow = { needs: ['burst', 'source-addresses'], most, seconds: secondsMax } as const;
const keyBursts = scenario('limits/key-window', keyBurstsRow, function* (run) {
  const { exchanges, given } = run.history();
  yield* announce(
    `Sending bursts of ${limiter.keyBurstSizes.join(', ')} with one key from several addresses, after a silence.`,
  );
  // Until nothing that the run itself has sent counts any more, in either window.
  const keyed = exchanges.filter(({ key }) => key === 'good');
  yield* waitUntil(run, Math.max(lastOf(keyed) + keyQuietMs, lastOf(exchanges) + limiter.keyBurstsApartMs));
  const isSecondKnown = exchanges.some(({ key, status }) => key === 'second' && status === 200);
  for (const [index, size] of limiter.keyBurstSizes.entries()) {
    const [first] = limiter.keyBurstsIn(run.history());
    if (first !== undefined) yield* waitUntil(run, first.atMs + index * limiter.keyBurstsApartMs);
    // Spread evenly, so no address reaches its own limit.
    const addresses = Array.from({ length: size }, (_, at) =>
      given.sourceAddresses.slice(at % given.sourceAddresses.length),
    );
    const label = limiter.keyBurstLabel(index);
    const specs = addresses.map(([address = '']) => ({ operation: 'listSites', address, label }) as const);
    yield* burst(specs, 'none');
    const last = limiter.keyBurstsIn(run.history()).at(-1);
    if (last === undefined || limiter.whyUnclear(last) !== null) return;
    // Each address can send one more request.
    const address = given.sourceAddresses.at(-1);
    const other = { operation: 'listSites', key: 'second', label: 'with the key of another organization' } as const;
    if (isSecondKnown && index > 0 && index <= others && address) yield* burst([{ ...other, address }], 'none');
  }
  const later = limiter.keyBurstsIn(run.history()).slice(2);
  if (later.some(({ admitted }) => admitted > 0)) return;
  yield* waitUntil(run, lastOf(later.flatMap((one) => one.exchanges)) + keyWindow.windowMs);
  yield* sendNow({ operation: 'listSites', label: 'a minute after the key bursts' });
});

export const keyScenarios: readonly Scenario[] = [keyBursts];

// Requests for limiters of other kinds than windows: they come so early that only such a limiter lets them pass.

/** So late that hardly anything has been forgotten, and so early that all is still within ten seconds. */
const lateMs = requests.windowMs - 700;
/** Ten at the end of one fixed window and ten at the beginning of the next. */
const mostInWindow = 2 * requests.limit;

const namesClient = (exchange: Exchange) => requests.headersNamingClient(exchange).length > 0;

/**
 * As many more as would be too many, where so many have passed since a burst that only the edge of a fixed
 * window explains it.
 */
const pressRow = {
  after: 'limits/address-burst',
  needs: ['burst'],
  most: 0,
  odd: requests.invalidMax,
  seconds: 10,
} as const;
const press = scenario('limits/any-window', pressRow, function* ({ history, now }) {
  const isRecent = ({ sentAt, mcpEndpoint }: Exchange) => sentAt > now() - lateMs && mcpEndpoint === undefined;
  const recent = history().exchanges.filter((one) => isRecent(one) && limiter.isAdmitted(one));
  const first = recent.find((one) => one.burst);
  if (first === undefined) return;
  const { address, sentAt: startMs } = first;
  const isLike = (one: Exchange) =>
    one.sentAt >= startMs && one.address === address && namesClient(one) === namesClient(first);
  const admitted = recent.filter(isLike).length;
  const missing = mostInWindow + 1 - admitted;
  // A bucket of the contract gives back one a second, and a window all ten at once.
  const isFast = admitted - requests.limit > 3 + (0.9 * (now() - startMs)) / 1000;
  if (missing < 1 || missing > requests.invalidMax || !isFast) return;
  yield* wait(Math.max(0, startMs + lateMs - now()));
  const own = { headers: requests.clientNamedIn(first), ...(address === null ? {} : { address }) };
  const specs = requests.invalidRequests(history()).slice(0, missing);
  yield* burst(
    specs.map((spec) => ({ ...spec, ...own })),
    'none',
  );
});

const roundsMax = 8;
const roundRequests = requests.limit + 1;
const grainMs = 50;
/** Long enough for seven windows of eight seconds and a half. */
const longestMs = 60_000;

/**
 * Again and again as soon as a rejection says; where that takes the whole window, twice within it, when a bucket that
 * refills too fast is full again.
 */
const roundsRow = { needs: ['burst'], least: roundRequests, most: roundsMax * roundRequests, seconds: 75 } as const;
const rounds = scenario('limits/address-rounds', roundsRow, function* ({ history, now }) {
  yield* wait(requests.quietMs);
  yield* announce(`Sending ${roundRequests} requests at once, and again each time the rate-limit window is open.`);
  const startMs = now();
  for (let round = 0; round < roundsMax; round += 1) {
    const responses = yield* burst(requests.invalidRequests(history(), 'known').slice(0, roundRequests), 'none');
    const blocked = responses.find(limiter.isBlocked);
    if (blocked === undefined || responses.some(isUnusable)) break;
    const { waitMs } = limiter.waitingFor(blocked);
    const isWhole = waitMs > requests.windowMs - grainMs;
    if (now() - startMs > (isWhole ? lateMs - grainMs : longestMs - waitMs)) break;
    yield* wait(isWhole ? lateMs / 2 : waitMs + grainMs);
  }
});

export const anyWindowScenarios: readonly Scenario[] = [rounds, press];

// The cap of REST bodies, in bytes and at the byte. No body here names a provider or a label that there could be, so no
// link can come of it.

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
