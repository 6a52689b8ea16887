// Limiters of a key, right and wrong, and the verdicts of the kit on them.

import { keyLimiter } from '../../conformance/checks/limits/key.ts';
import { runConformance } from '../../conformance/index.ts';
import { type Bucket, goodKey, type Limits, slidingLog, startLimited } from './limited-server.ts';
import { virtualClock } from './virtual-clock.ts';

const address = () => slidingLog({ limit: 10, windowMs: 10_000 });
/** The key's limit of section 8. */
export const sixty = { limit: 60, windowMs: 60_000 };

export const noon = Date.UTC(2026, 4, 1, 12);

/** Counts by parts, and forgets a part as soon as it may be a minute old. */
export function partsOf(partMs: number): Bucket {
  const inner = slidingLog(sixty);
  return (at) => inner(Math.floor(at / partMs) * partMs);
}

/** A fixed window that begins with its first request, and so cannot be told from a sliding one by one burst. */
export function fromFirst(): Bucket {
  let [start, used] = [Number.NEGATIVE_INFINITY, 0];
  return (at) => {
    if (at - start >= sixty.windowMs) [start, used] = [at, 0];
    const ok = used < sixty.limit;
    if (ok) used += 1;
    return { ok, remaining: sixty.limit - used, waitMs: start + sixty.windowMs - at };
  };
}

/** The verdicts of the checks of the key limiter, and of those rules that fail. */
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
    const own = checks.filter(({ id, verdict }) => !id.startsWith('rule/') || /fail|error/.test(verdict.kind));
    return Object.fromEntries(own.map(({ id, verdict }) => [id, verdict.kind]));
  } finally {
    await server.close();
  }
}
