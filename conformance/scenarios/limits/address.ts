// The limit of an address, counted before the key is read: bursts, and the requests right after them. One burst shows
// much: more requests than the limit without a valid key, each on another operation and invalid in another way.
import * as limiter from '../../exchange/bursts.ts';
import { type Exchange, isLimiterRejection, isUnusable } from '../../exchange/exchange.ts';
import { copyOf, type RequestSpec } from '../../exchange/request.ts';
import { readWhole } from '../../exchange/stated-limits.ts';
import { type Asks, hurry, type Scenario, type SoFar, scenario, send, sendNow, wait } from '../scenario.ts';
import * as requests from './requests.ts';

/**
 * A server that keeps an approximate window needs two of them to forget. The unexpected rest is longer than bursts
 * take: no fixed window has an edge in two bursts that lie so far apart.
 */
const longQuietMs = 2 * requests.windowMs + 3500;

/** The result of one burst must appear twice to count: a window can be fixed or slide (interpretation R44). */
const addressBurstRow = {
  needs: ['burst'],
  least: requests.burstMax,
  most: requests.burstMax,
  odd: 3 * requests.burstMax + requests.triesMax,
  seconds: 12,
} as const;
const addressBurst = scenario('limits/address-burst', addressBurstRow, function* (run) {
  const specs = () => requests.burstRequests(run.history());
  const first = yield* requests.fire(run, 'burst', { specs: requests.withNamedClients(run, specs()) });
  if (!limiter.isReadable(first)) return;
  if (first.admitted.length === requests.limit && first.blocked.length > 0) {
    if (limiter.risesIn(first)) yield* requests.fire(run, 'second burst', { specs: specs() });
    return;
  }
  if (first.lost > 0) return;
  // Twice as many: a limit that is a little too high blocks some of them, and none at all blocks none.
  const twice = [...specs(), ...specs()].map((spec) => ({ ...spec, ...quietAddress(first) }));
  const second = yield* requests.fire(run, 'second burst', { specs: twice, quietMs: longQuietMs });
  // The requests of the second burst do not name other clients.
  const isFull = second !== null && second.blocked.length > 0 && second.admitted.length <= requests.limit;
  if (first.admitted.length > requests.limit && isFull) yield* requests.tryHeaders(run);
});

/** A local address that other processes are unlikely to use, where fewer than the limit were admitted. */
function quietAddress({ admitted, blocked }: limiter.Burst): Pick<RequestSpec, 'address'> {
  const isNear = admitted.length < requests.limit && blocked.every(({ url }) => new URL(url).hostname === '127.0.0.1');
  return isNear ? { address: '127.84.2.91' } : {};
}

const read = { operation: 'listSites' } as const satisfies RequestSpec;

/** The address that a blocked request came from, as the service might count it. */
function placeOf(blocked: Exchange): Pick<RequestSpec, 'address' | 'headers'> {
  const { address } = blocked;
  return { headers: requests.clientNamedIn(blocked), ...(address === null ? {} : { address }) };
}

/** The window of an address may be a sixth open by then. */
const freshMs = 1500;
const otherAgent = { 'user-agent': 'casa-conformance-b' };
const escapes = [
  { label: 'with a valid key', headers: {} },
  { label: 'under another User-Agent', headers: otherAgent },
] as const;
const escapeRequests = 4;

/** One request has a valid key and another user agent. Only if it passes, single changes are tested. */
const addressEscapeRow = {
  after: 'limits/address-burst',
  needs: ['burst'],
  most: 1,
  odd: escapeRequests * escapes.length,
  seconds: 1,
} as const;
const addressEscape = scenario('limits/address-escape', addressEscapeRow, function* ({ history, now }) {
  const last = limiter.blockedIn(history()).at(-1);
  if (last === undefined) return 'no request of the burst was blocked';
  if (now() - last.receivedAt > freshMs) return 'too much time passed since the burst';
  const { headers, ...place } = placeOf(last);
  const label = 'with a valid key and another User-Agent';
  const first = yield* sendNow({ ...read, ...place, headers: { ...headers, ...otherAgent }, label });
  if (isUnusable(first) || isLimiterRejection(first)) return undefined;
  for (const { label, headers: own } of escapes) {
    const changed = { ...read, ...place, headers: { ...headers, ...own }, label };
    // One that no key opens shows whether the window is still full.
    const plain = { ...read, ...place, headers: { ...headers }, key: 'none', label } as const;
    for (const spec of [changed, plain, changed, plain]) yield* sendNow(spec);
  }
  return undefined;
});

const waitAsStatedRow = {
  after: 'limits/address-burst',
  needs: ['burst'],
  most: 1 + requests.burstMax - requests.limit,
  odd: requests.burstMax,
  seconds: 16,
} as const;
const waitAsStated = scenario('limits/wait-as-told', waitAsStatedRow, function* (run) {
  const first = yield* waitAndRetry(run, limiter.afterWait[0]);
  if (first === null) return 'no request of the burst was blocked';
  if (!limiter.isBlocked(first.response)) return yield* resend(run, first.response, first.blocked);
  // Not every rejection has `Retry-After` (R46): of three at once, the second wait begins with one that has.
  const again = { ...requests.nextRead(run.history()), ...placeOf(first.blocked) };
  for (const spec of [again, again]) yield* sendNow(spec);
  // Another user of the address may have come between; twice in a row is not chance.
  const second = yield* waitAndRetry(run, limiter.afterWait[1]);
  return yield* resend(run, (second ?? first).response, first.blocked);
});

function* waitAndRetry({ history, now }: SoFar, label: (typeof limiter.afterWait)[number]) {
  const waiting = limiter.waitingAfter(history().exchanges, label);
  if (waiting === null) return null;
  // Counted from the arrival of the rejection.
  const dueMs = waiting.blocked.receivedAt + Math.min(waiting.waitMs, limiter.waitMsMax);
  yield* wait(Math.max(0, dueMs - now()));
  // With a valid key, because a rejection can have a lasting effect on the rejected key.
  const response = yield* sendNow({ ...requests.nextRead(history()), ...placeOf(waiting.blocked), label });
  return { ...waiting, response };
}

/** The very requests that were blocked: so the checks of the key see each of the burst rejected. */
function* resend({ history }: SoFar, response: Exchange, blocked: Exchange): Asks {
  if (!limiter.isAdmitted(response)) return;
  const others = limiter
    .blockedIn(history())
    .filter((one) => limiter.areOfOneBurst(one, blocked) && one.key !== 'good');
  const specs = others.map(withoutClients);
  // The remaining requests can leave at once, as far as the window is open.
  if (response.address === null) yield* hurryOpen(response, blocked, specs);
  for (const spec of specs) yield* send(spec);
}

function withoutClients(one: Exchange): RequestSpec {
  const { confirms: _, label: __, headers: ___, ...spec } = copyOf(one);
  return spec;
}

/** The longest wait of a bucket, which refills one request a second. */
const bucketWaitMs = 2000;

/**
 * How many more requests the address admits at once: the number in the responses, or after a long wait likely the rest.
 * A bucket admits no second request at once, and a window that opens early does (R44). The first repeated request
 * decides, and counts as admitted if it passes.
 */
function* hurryOpen(response: Exchange, blocked: Exchange, specs: RequestSpec[]): Asks<void> {
  const isLong = response.sentAt - blocked.receivedAt > bucketWaitMs;
  const remaining = remainingOf(response) ?? (isLong ? requests.limit - 1 : null);
  const next = remaining === null ? specs[0] : undefined;
  if (next === undefined) return yield* hurry(Math.min(requests.limit - 1, remaining ?? 0));
  const second = yield* sendNow(next);
  if (limiter.isBlocked(second)) return yield* hurry(0);
  specs.shift();
  yield* hurry(Math.min(requests.limit - 2, remainingOf(second) ?? requests.limit - 2));
}

function remainingOf({ headers }: Exchange): number | null {
  const isOfAddress = readWhole(headers['x-ratelimit-limit']) === requests.limit;
  return isOfAddress ? readWhole(headers['x-ratelimit-remaining']) : null;
}

const keyedRequests = requests.limit + 1;

/** The limiter of the address runs before the key is read, so a valid key must not help. */
const keyedBurstRow = {
  needs: ['burst'],
  least: keyedRequests,
  most: keyedRequests,
  odd: 2 * keyedRequests,
  seconds: 12,
} as const;
const keyedBurst = scenario('limits/address-burst-keyed', keyedBurstRow, function* (run) {
  const specs = Array.from({ length: keyedRequests }, () => read);
  const words = 'all with the valid key';
  const first = yield* requests.fire(run, 'burst with the valid key', { specs, words });
  if (limiter.isReadable(first) && first.blocked.length === 0)
    yield* requests.fire(run, 'second burst with the valid key', { specs, words });
});

export const addressScenarios: readonly Scenario[] = [addressBurst, addressEscape, waitAsStated, keyedBurst];
