// A run keeps to its plan, whatever legal server it meets.
import { describe, expect, test } from 'vitest';
import { type Report, type RunOptions, runConformance } from '../../conformance/index.ts';
import { startIndependent, type VariantName } from '../independent/index.ts';
import { virtualClock } from '../rigs/virtual-clock.ts';

/** In virtual time, so that a run of minutes takes a moment. */
export async function audit(variant: VariantName, rest: Partial<RunOptions>): Promise<Report> {
  const clock = virtualClock(Date.UTC(2026, 4, 1));
  const server = await startIndependent({ variant, now: clock.now });
  const { good, second, revoked } = server.keys;
  const { postable: account } = server.accounts as { postable?: string };
  try {
    return await runConformance({
      baseUrl: server.baseUrl,
      keys: { good, second, revoked },
      clock,
      ...(account === undefined ? {} : { account }),
      ...rest,
    });
  } finally {
    await server.close();
  }
}

/** The kit repeats later what a limiter or a platform refuses; these requests come on top of the plan. */
function repeatsOf({ exchanges }: Report) {
  const repeats = exchanges.filter(({ repeatOf }) => repeatOf !== null);
  const sinceMs = repeats.map(({ repeatOf, receivedAt }) => {
    return receivedAt - (exchanges.find(({ id }) => id === repeatOf)?.receivedAt ?? receivedAt);
  });
  return { requests: repeats.length, seconds: sinceMs.reduce((total, ms) => total + ms, 0) / 1000 };
}

/** Confirmations, on top too: the edge of a fixed window looks like a limiter that lets too many through. */
export function pressesOf({ checks }: Report): number {
  return checks.find(({ id }) => id === 'limits/any-window')?.exchanges.length ?? 0;
}

/** Floor and ceiling both: a plan that is far too high is as useless as one that is too low. */
export function describeEffort(variants: readonly VariantName[]): void {
  describe.each<[string, Partial<RunOptions>]>([
    ['the audit', {}],
    ['a gentle audit', { gentle: true }],
    ['an audit at full speed', { pace: 'off' }],
    ['a single check', { only: ['articles/page-walk'] }],
    ['a run from several addresses', { sourceAddresses: ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'] }],
    ['a run with writes', { allowWrites: ['posts', 'replies', 'links'] }],
  ])('%s', (_, options) => {
    test.each(variants)('keeps to its plan on the variant %s', async (variant) => {
      const report = await audit(variant, options);
      const { plan, used } = report;
      const onTop = repeatsOf(report);
      expect(used.requests).toBeGreaterThanOrEqual(plan.requests.floor);
      expect(used.requests - onTop.requests - pressesOf(report)).toBeLessThanOrEqual(plan.requests.ceiling);
      expect(used.seconds).toBeGreaterThanOrEqual(plan.seconds.floor);
      expect(onTop.requests).toBeLessThanOrEqual(plan.onTop.repeats);
      expect(used.seconds - onTop.seconds).toBeLessThanOrEqual(plan.seconds.ceiling);
    });
  });
}
