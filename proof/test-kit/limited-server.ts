// Only limiters around a service of three responses, on the clock of the test: to show a check every kind of
// window.

import type { IncomingMessage } from 'node:http';
import { keyLimiter } from '../../conformance/checks/limits/key.ts';
import { runConformance } from '../../conformance/index.ts';
import { type Scripted, type ScriptedServer, startScriptedServer } from './scripted-server.ts';
import { virtualClock } from './virtual-clock.ts';

/** A limiter's result for one request. */
export interface Take {
  readonly ok: boolean;
  readonly remaining: number;
  /** Until one more is admitted. */
  readonly waitMs: number;
}

/** Counts for one name; made again for each. */
export type Bucket = (atMs: number) => Take;

/** So many in so long. */
export interface Size {
  readonly limit: number;
  readonly windowMs: number;
}

/** The exact sliding window. With `countsBlocked` a rejected request counts as well, which the contract leaves open. */
export function slidingLog({ limit, windowMs }: Size, countsBlocked = false): Bucket {
  let log: number[] = [];
  return (at) => {
    log = log.filter((time) => at - time < windowMs);
    const ok = log.length < limit;
    if (ok || countsBlocked) log.push(at);
    const frees = log[Math.max(0, log.length - limit)] ?? at;
    return { ok, remaining: Math.max(0, limit - log.length), waitMs: frees + windowMs - at };
  };
}

/** Windows that begin on the clock: up to twice the limit around an edge. */
export function fixedWindow({ limit, windowMs }: Size): Bucket {
  let start = Number.NEGATIVE_INFINITY;
  let used = 0;
  return (at) => {
    const current = Math.floor(at / windowMs) * windowMs;
    if (current !== start) [start, used] = [current, 0];
    const ok = used < limit;
    if (ok) used += 1;
    return { ok, remaining: limit - used, waitMs: start + windowMs - at };
  };
}

/** A token bucket: it refills gradually. */
export function tokens({ limit, windowMs }: Size): Bucket {
  let credit = limit;
  let last: number | null = null;
  return (at) => {
    credit = Math.min(limit, credit + ((at - (last ?? at)) * limit) / windowMs);
    last = at;
    const ok = credit >= 1;
    if (ok) credit -= 1;
    return { ok, remaining: Math.floor(credit), waitMs: Math.max(0, Math.ceil(((1 - credit) * windowMs) / limit)) };
  };
}

/** The approximation of a sliding window by two fixed ones. */
export function twoWindows({ limit, windowMs }: Size): Bucket {
  let start = 0;
  let [before, current] = [0, 0];
  return (at) => {
    const now = Math.floor(at / windowMs) * windowMs;
    if (now !== start) [start, before, current] = [now, now - start === windowMs ? current : 0, 0];
    const weighted = before * (1 - (at - start) / windowMs) + current;
    const ok = weighted + 1 <= limit;
    if (ok) current += 1;
    const forgotten = windowMs * Math.max(0, 1 - (limit - 1) / Math.max(1, current));
    const waitMs = Math.ceil(start + windowMs + forgotten - at);
    return { ok, remaining: Math.max(0, Math.floor(limit - weighted - 1)), waitMs };
  };
}

/** The limiters of a server; `key` is shared by all addresses. */
export interface Limits {
  /** For addresses; none when absent. */
  readonly address?: () => Bucket;
  readonly key?: () => Bucket;
  /** The key of the address limiter's count; the address by default. */
  nameOf?(request: IncomingMessage): string | null;
  /** Headers of a response; Retry-After in whole seconds and all three X-RateLimit by default. */
  headers?(take: Take, limit: number, atMs: number): Record<string, string>;
}

/** As section 8 has them. */
const usualHeaders = ({ ok, remaining, waitMs }: Take, limit: number, atMs: number): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(Math.ceil(atMs + waitMs)),
  date: new Date(atMs).toUTCString(),
  ...(ok ? {} : { 'retry-after': String(Math.ceil(waitMs / 1000)) }),
});

export const goodKey = 'lim_0123456789abcdef0123456789abcdef';

const bodies: Readonly<Record<string, unknown>> = {
  '/sites': { data: [] },
  '/articles': { data: [], cursor: null },
  '/connect/accounts': {
    data: {
      accounts: [],
      pendingInvites: [],
      billing: { connected: 0, free: 0, billable: 0, needsPayment: false },
    },
    summary: 'no accounts',
  },
};

/** Address first, then the key, as the service decides. */
export function startLimited(now: () => number, limits: Limits): Promise<ScriptedServer> {
  const buckets = new Map<string, Bucket>();
  const take = (name: string, make: () => Bucket) => {
    const bucket = buckets.get(name) ?? make();
    buckets.set(name, bucket);
    return bucket(now());
  };
  const headersOf = limits.headers ?? usualHeaders;
  return startScriptedServer((path, request): Scripted => {
    const name = limits.nameOf ? limits.nameOf(request) : String(request.socket.remoteAddress);
    const address = limits.address && name !== null ? take(`address ${name}`, limits.address) : null;
    if (address?.ok === false) return blocked(headersOf(address, 10, now()));
    if (request.headers.authorization !== `Bearer ${goodKey}`) {
      const headers = address ? headersOf(address, 10, now()) : {};
      return { status: 401, headers, body: { error: { code: 'unauthorized', message: 'no key' } } };
    }
    const key = limits.key ? take('key', limits.key) : null;
    if (key?.ok === false) return blocked(headersOf(key, 60, now()));
    const headers = key ? headersOf(key, 60, now()) : {};
    const body = bodies[path.split('?')[0] ?? ''];
    if (body !== undefined) return { status: 200, headers, body };
    return { status: 404, headers, body: { error: { code: 'not_found', message: path } } };
  });
}

function blocked(headers: Record<string, string>): Scripted {
  return { status: 429, headers, body: { error: 'rate_limit_exceeded' } };
}

const address = () => slidingLog({ limit: 10, windowMs: 10_000 });
/** The key's limit of section 8. */
export const sixty = { limit: 60, windowMs: 60_000 };

export const noon = Date.UTC(2026, 4, 1, 12);

/** Counts by parts, and forgets a part as soon as it may be a minute old. */
export function partsOf(partMs: number): Bucket {
  const inner = slidingLog(sixty);
  return (at) => inner(Math.floor(at / partMs) * partMs);
}

/** A fixed window that begins with its first request, and so is inconclusive from a sliding one by one burst. */
export function fromFirst(): Bucket {
  let [start, used] = [Number.NEGATIVE_INFINITY, 0];
  return (at) => {
    if (at - start >= sixty.windowMs) [start, used] = [at, 0];
    const ok = used < sixty.limit;
    if (ok) used += 1;
    return { ok, remaining: sixty.limit - used, waitMs: start + sixty.windowMs - at };
  };
}

/** The results of the checks of the key limiter, and of those rules that fail. */
export async function auditKeyLimiter(limits: Limits, startMs = noon + 20_000): Promise<Record<string, string>> {
  const clock = virtualClock(startMs);
  const server = await startLimited(clock.now, { address, ...limits });
  try {
    const { checks } = await runConformance({
      baseUrl: server.baseUrl,
      keys: { good: goodKey },
      clock,
      checks: keyLimiter.toReversed(),
      sourceAddresses: ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'],
    });
    const own = checks.filter(({ id, result }) => !id.startsWith('rule/') || /fail|error/.test(result.kind));
    return Object.fromEntries(own.map(({ id, result }) => [id, result.kind]));
  } finally {
    await server.close();
  }
}
