// Ten requests in ten seconds for an address, counted before the key is read. One burst shows both: eleven requests with bad
// credentials, each on another operation and each bad in another way, and one with the good key. It is the authentication
// matrix as well. A window may be fixed or slide (rulings R44), so what one burst shows must be shown twice to count.
import { type Check, defineChecks } from '../check.ts';
import { type Exchange, isAnswered, isLimiterRefusal, isPlatformTrouble } from '../exchange.ts';
import { show } from '../ledger.ts';
import { readWhole, serverNowMs } from '../limiter-words.ts';
import { contractWindows } from '../pacer.ts';
import type { Probe } from '../probe.ts';
import type { RequestSpec } from '../request.ts';

const { limit, windowMs } = contractWindows.address;
/** A server that keeps an approximate window needs two of them to forget. */
const EXTRA_QUIET_MS = windowMs + 500;
/** Under this, no refill and hardly a window's edge can explain an eleventh request (R44). */
const SURE_SPAN_MS = 100;
const LIKELY_SPAN_MS = 900;

const NOBODY = 'casa-conformance-no-such-review';
const HEX = '0badc0de'.repeat(4);

/** Bad credentials: a whole Authorization value, or null for none at all. */
function badRequests(id: string): RequestSpec[] {
  const body = {};
  const good: readonly (readonly [string | null, RequestSpec])[] = [
    [null, { operation: 'listArticles' }],
    [null, { operation: 'listAccounts' }],
    [`Basic ${btoa('casa:conformance')}`, { operation: 'getArticle', params: { id } }],
    ['Bearer', { operation: 'getSite', params: { id } }],
    [`Bearer key_${HEX}`, { operation: 'listKeywords', params: { siteId: id } }],
    [`Bearer key_${HEX.slice(1)}`, { operation: 'listReviews', params: { accountId: id } }],
    [`Bearer key_${HEX}0`, { operation: 'getInsights', params: { accountId: id } }],
    [`Bearer key_${'g'.repeat(32)}`, { operation: 'listCalls', params: { limit: 1 } }],
    [`Bearer ${HEX}`, { operation: 'createPost', params: { accountId: id }, body }],
    [`Token key_${HEX}`, { operation: 'replyToReview', params: { accountId: id, reviewId: NOBODY }, body }],
    ['Bearer null', { operation: 'createConnectLink', body }],
  ];
  return good.map(([authorization, spec]) =>
    authorization === null ? { ...spec, key: 'none' as const } : { ...spec, authorization },
  );
}

interface Burst {
  readonly bad: readonly Exchange[];
  readonly good: Exchange;
  readonly admitted: readonly Exchange[];
  readonly blocked: readonly Exchange[];
  readonly spanMs: number;
}

async function fire(probe: Probe): Promise<Burst> {
  await probe.sleep(EXTRA_QUIET_MS);
  const specs = [...badRequests(probe.facts.unknownId), { operation: 'listSites' as const }];
  probe.announce(`Sending ${specs.length} requests at once; ${specs.length - 1} of them carry no good key.`);
  const exchanges = await probe.burst(specs);
  const silent = exchanges.find((exchange) => !isAnswered(exchange));
  if (silent) probe.stop('timing', `one of ${specs.length} requests at once got no answer: ${silent.problem}`);
  const troubled = exchanges.find(isPlatformTrouble);
  if (troubled) probe.stop('platform', `one of ${specs.length} requests at once got ${troubled.status}`);
  return {
    bad: exchanges.slice(0, -1),
    good: exchanges.at(-1) as Exchange,
    admitted: exchanges.filter((exchange) => !isLimiterRefusal(exchange)),
    blocked: exchanges.filter(isLimiterRefusal),
    spanMs: Math.max(...exchanges.map((e) => e.receivedAt)) - Math.min(...exchanges.map((e) => e.sentAt)),
  };
}

const burst: Check = {
  id: 'limits/address-burst',
  title: 'Of twelve requests at once ten are admitted, good key or not, and bad keys answer 401',
  cites: ['8.address-window', '5.limiter-before-key', '5.missing-key', '5.invalid-key', '8.blocked-429'],
  level: 'must',
  phase: 'bursts',
  needs: ['burst'],
  cost: { requests: 24, least: 12, seconds: 40 },
  async run(probe) {
    const first = await fire(probe);
    judgeRefusals(probe, first);
    judgeCountdown(probe, first);
    if (first.admitted.length === limit) {
      probe.holds(true, { clause: '8.address-window', expected: '10 admitted', actual: '10' });
      probe.holds(true, { clause: '5.limiter-before-key', expected: 'blocked without a good key', actual: 'blocked' });
      return;
    }
    const second = await fire(probe);
    judgeRefusals(probe, second);
    judgeCount(probe, first, second);
  },
};

/** Whoever got past the limiter without a good key must be refused as unauthorized. */
function judgeRefusals(probe: Probe, { bad }: Burst): void {
  for (const exchange of bad.filter((other) => !isLimiterRefusal(other))) {
    const isMissing = exchange.key === 'none';
    const clause = isMissing ? '5.missing-key' : '5.invalid-key';
    probe.expectRefusal(exchange, { status: 401, code: 'unauthorized', clause });
  }
}

/** In one burst each admitted request must leave fewer behind (R43). */
function judgeCountdown(probe: Probe, { admitted }: Burst): void {
  const told = admitted.filter(({ headers }) => readWhole(headers['x-ratelimit-limit']) === limit);
  const remaining = told.map(({ headers }) => headers['x-ratelimit-remaining']);
  if (told.length < 4) return;
  probe.holds(new Set(remaining).size > 1, {
    clause: '8.headers.remaining',
    pointer: '#header/x-ratelimit-remaining',
    expected: 'a number that goes down while requests of one bucket arrive',
    actual: `${show(remaining[0])} ${told.length} times`,
    exchange: told.at(-1) ?? null,
  });
}

function judgeCount(probe: Probe, first: Burst, second: Burst): void {
  const counts = [first.admitted.length, second.admitted.length] as const;
  const spanMs = Math.max(first.spanMs, second.spanMs);
  const actual = `${counts[0]} and ${counts[1]} admitted, in ${Math.round(spanMs)} ms`;
  const claim = {
    clause: '8.address-window',
    expected: `${limit} of 12 admitted`,
    actual,
    exchange: second.good,
  } as const;
  if (counts.some((count) => count === limit)) {
    probe.doubt('interference', `${actual}: one burst kept to the limit and one did not`);
    return;
  }
  if (counts.every((count) => count > limit)) {
    if (spanMs > LIKELY_SPAN_MS) probe.stop('timing', `${actual}: too slow to tell`);
    if (spanMs > SURE_SPAN_MS) probe.warn(claim);
    else probe.holds(false, claim);
    const isKeyless = [first, second].every(({ bad }) => !bad.some(isLimiterRefusal));
    const keyless = {
      clause: '5.limiter-before-key',
      expected: 'a burst without a good key turns from 401 into 429',
    } as const;
    if (isKeyless && spanMs <= SURE_SPAN_MS)
      probe.holds(false, { ...keyless, actual: 'eleven times 401', exchange: second.bad.at(-1) ?? null });
    return;
  }
  // Fewer than ten: somebody else behind the same address, unless it is our own loopback or the same number twice.
  const isSure = counts[0] === counts[1] && (probe.settings.isLoopback || tellsSmallerLimit(second));
  if (isSure) probe.holds(false, claim);
  else probe.doubt('interference', `${actual}: others may use this address`);
}

/** The very first answer of the burst says that less than ten were free although the address was quiet. */
function tellsSmallerLimit({ admitted, blocked }: Burst): boolean {
  return [...admitted, ...blocked].some(({ headers }) => {
    const told = readWhole(headers['x-ratelimit-limit']);
    return told !== null && told < limit;
  });
}

const waitAsTold: Check = {
  id: 'limits/wait-as-told',
  title: 'Who waits as long as a blocked answer says gets through',
  cites: ['8.retry-after', '8.headers.reset', '8.address-window'],
  level: 'must',
  phase: 'bursts',
  needs: ['burst'],
  cost: { requests: 2, least: 1, seconds: 42 },
  async run(probe) {
    const refusals = probe.history().filter((exchange) => exchange.burst && isLimiterRefusal(exchange));
    let blocked: Exchange = refusals.at(-1) ?? probe.stop('precondition', 'no request of the burst was blocked');
    for (const severity of ['warn', 'fail'] as const) {
      const { waitMs, words } = told(blocked);
      await probe.sleep(Math.max(0, blocked.receivedAt + Math.min(waitMs, 2 * windowMs) - probe.now()));
      const next = await probe.sendNow({ operation: 'listSites' });
      const claim = {
        clause: clauseFor(blocked, waitMs),
        expected: `admitted after ${words}`,
        actual: `${next.status}`,
        exchange: next,
      };
      if (!isLimiterRefusal(next)) {
        probe.holds(true, claim);
        return;
      }
      if (severity === 'warn')
        probe.warn({ ...claim, message: 'it may have been another user of the address; tried once more' });
      else probe.holds(false, claim);
      blocked = next;
    }
  },
};

function clauseFor(blocked: Exchange, waitMs: number): '8.retry-after' | '8.headers.reset' | '8.address-window' {
  if (waitMs > 2 * windowMs) return '8.address-window';
  return readWhole(blocked.headers['retry-after']) === null ? '8.headers.reset' : '8.retry-after';
}

/** Cites 7.retry.retry-after, 7.retry.reset. */
function told(blocked: Exchange): { waitMs: number; words: string } {
  const seconds = readWhole(blocked.headers['retry-after']);
  if (seconds !== null) return { waitMs: seconds * 1000 + 20, words: `Retry-After: ${seconds}` };
  const reset = readWhole(blocked.headers['x-ratelimit-reset']);
  if (reset === null) return { waitMs: 2 * windowMs, words: 'two windows' };
  const waitMs = Math.max(0, reset - (serverNowMs(blocked) ?? blocked.receivedAt)) + 20;
  return { waitMs, words: `X-RateLimit-Reset ${reset}` };
}

export const addressLimiter = defineChecks([burst, waitAsTold]);
