// Runs against legal servers: they stay within their plan, report no failure while others use the deployment, and find
// the same for any start.
import { describe, expect, test } from 'vitest';
import { checks } from '../../conformance/checks/index.ts';
import { type Report, type RunOptions, runConformance } from '../../conformance/index.ts';
import { bench } from '../../fixtures/test-kit/check-bench.ts';
import {
  auditKeyLimiter,
  type Bucket,
  fixedWindow,
  fromFirst,
  noon,
  partsOf,
  sixty,
  slidingLog,
  twoWindows,
} from '../../fixtures/test-kit/limited-server.ts';
import { failuresOf, remarksOn } from '../../fixtures/test-kit/targets.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { type IndependentOptions, startIndependent, type VariantName } from '../independent/index.ts';

const all = ['posts', 'replies', 'links'] as const;

/** So many audits in a row of one server, in virtual time, with five minutes between them. */
async function audits(given: IndependentOptions, rest: Partial<RunOptions>, rounds: number): Promise<Report[]> {
  const clock = virtualClock(Date.UTC(2026, 4, 1, 9));
  const server = await startIndependent({ ...given, now: clock.now });
  const { good, second, revoked } = server.keys;
  const { id, endedAt } = server.callFields;
  const fields = { ...(id ? { callIdField: id } : {}), ...(endedAt ? { callEndedAtField: endedAt } : {}) };
  // A plain audit of a deployment that others use finds its account by itself.
  const account = rest.watch ? server.accounts.reviewable : server.accounts.postable;
  const own = { ...(rest.watch ? fields : {}), ...(given.life === undefined || rest.watch ? { account } : {}) };
  const options = { baseUrl: server.baseUrl, keys: { good, second, revoked }, clock, ...own, ...rest };
  const reports: Report[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      reports.push(await runConformance(options));
      clock.advance(5 * 60_000);
    }
    expect(server.faults).toEqual([]);
    return reports;
  } finally {
    await server.close();
  }
}

export async function audit(variant: VariantName, rest: Partial<RunOptions>): Promise<Report> {
  return (await audits({ variant }, rest, 1))[0] as Report;
}

/** The suite repeats later what a limiter or a platform rejects; these requests come on top of the plan. */
function repeatsOf({ exchanges }: Report) {
  const repeats = exchanges.filter(({ repeatOf }) => repeatOf !== null);
  const sinceMs = repeats.map(({ repeatOf, receivedAt }) => {
    return receivedAt - (exchanges.find(({ id }) => id === repeatOf)?.receivedAt ?? receivedAt);
  });
  return { requests: repeats.length, seconds: sinceMs.reduce((total, ms) => total + ms, 0) / 1000 };
}

/** Floor and ceiling both: a plan that is far too high is as useless as one that is too low. */
export function describeEffort(variants: readonly VariantName[]): void {
  describe.each<[string, Partial<RunOptions>]>([
    ['the audit', {}],
    ['a gentle audit', { gentle: true }],
    ['an audit at full speed', { pace: 'off' }],
    ['a single check', { only: ['articles/page-walk'] }],
    ['a run from several addresses', { sourceAddresses: ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'] }],
    ['a run with writes', { allowWrites: all }],
  ])('%s', (_, options) => {
    test.each(variants)('follows its plan on the variant %s', async (variant) => {
      const { plan, used, checks, exchanges } = await audit(variant, options);
      const onTop = repeatsOf({ exchanges } as Report);
      // The edge of a fixed window looks like a limiter that admits too many, which takes confirmations.
      const pressed = checks.find(({ id }) => id === 'limits/any-window')?.exchanges.length ?? 0;
      expect(used.requests).toBeGreaterThanOrEqual(plan.requests.floor);
      expect(used.requests - onTop.requests - pressed).toBeLessThanOrEqual(plan.requests.ceiling);
      expect(used.seconds).toBeGreaterThanOrEqual(plan.seconds.floor);
      expect(onTop.requests).toBeLessThanOrEqual(plan.onTop.repeats);
      expect(used.seconds - onTop.seconds).toBeLessThanOrEqual(plan.seconds.ceiling);
      const isLimited = (text: string | null) => text !== null && !text.includes('rate_limited');
      const blocked = exchanges.filter((each) => each.status === 429 && !each.burst && isLimited(each.bodyText));
      if (options.pace !== 'off') expect(blocked).toEqual([]);
    });
  });
}

/** Runs on a deployment that others use: changes between two requests are not failures (interpretation R59). */
export function describeMoving(
  rounds: number,
  rows: readonly (readonly [VariantName, number, string, Partial<RunOptions>])[],
): void {
  describe(`${rounds} consecutive runs report no failure`, () => {
    test.each(rows)('on the variant %s with life %i, %s', async (variant, life, _, options) => {
      const reports = await audits({ variant, life }, options, rounds);
      expect(reports.flatMap(failuresOf)).toEqual([]);
    });
  });
}

export const everything = { allowWrites: all, maxWrites: 60, watch: true } as const;

export const nouns = [...new Set(checks.map(({ id }) => id.split('/')[0] ?? ''))];

/** Runs the checks of each noun alone, with every permission. They report nothing, not even a note. */
export function describeSilence(variants: readonly VariantName[], parts: readonly string[] = nouns): void {
  describe.each(parts)('the checks %s', (noun) => {
    const isOwn = (id: string) => id.startsWith(noun) || (noun === 'mcp' && id === 'calls/listing');
    test.each(variants)('accept the legal variant %s', async (variant) => {
      const { report } = await bench({
        checks: checks.filter(({ id }) => isOwn(id)),
        variant,
        run: ({ mcpUrl, callFields: { id, endedAt }, accounts: { postable, reviewable } }) => ({
          ...everything,
          account: noun === 'posts' ? postable : reviewable,
          ...(/^(mcp)?$/.test(noun) && { mcpUrl }),
          ...(id && { callIdField: id }),
          ...(endedAt && { callEndedAtField: endedAt }),
        }),
      });
      expect([...failuresOf(report), ...remarksOn(report, variant)]).toEqual([]);
    });
  });
}

/** Begins a run every so many seconds of a minute. */
export function describeKeyLimiter(stepS: number): void {
  const starts = Array.from({ length: Math.ceil(60 / stepS) }, (_, i) => noon + i * stepS * 1000);
  describe('the checks of the key limiter', () => {
    test.each<[string, () => Bucket]>([
      ['a sliding log', () => slidingLog(sixty)],
      ['a sliding log that counts what it blocks', () => slidingLog(sixty, true)],
      ['two windows that approximate a sliding one', () => twoWindows(sixty)],
      ['a log of ten-second parts', () => partsOf(10_000)],
    ])('find no fault with %s, whenever the run begins', async (_, key) => {
      for (const startMs of starts) {
        const results = await auditKeyLimiter({ key }, startMs);
        expect(results).not.toMatchObject({ 'limits/key-window': 'fail' });
        expect(results).not.toMatchObject({ 'limits/key-remaining': 'fail' });
      }
    });

    test.each<[string, () => Bucket]>([
      ['a fixed minute', () => fixedWindow(sixty)],
      ['a minute that begins with a request', () => fromFirst()],
      ['a log of forty seconds', () => slidingLog({ ...sixty, windowMs: 40_000 })],
      ['sixty once and for all', () => slidingLog({ ...sixty, windowMs: 3_600_000 })],
    ])('catch %s, whenever the run begins', async (_, key) => {
      for (const startMs of starts)
        expect(await auditKeyLimiter({ key }, startMs + 300)).toMatchObject({ 'limits/key-window': 'fail' });
    });
  });
}
