import { describe, expect, test } from 'vitest';
import { exitCodeOf, type Report, runConformance } from '../../conformance/index.ts';
import { startIndependent, VARIANT_NAMES } from '../independent/index.ts';
import { virtualClock } from '../rigs/virtual-clock.ts';
import { pressesOf } from './effort.ts';

async function audit(options: Parameters<typeof startIndependent>[0]): Promise<Report> {
  const clock = virtualClock(Date.UTC(2026, 4, 1));
  const server = await startIndependent({ ...options, now: clock.now });
  const { good, second, revoked } = server.keys;
  try {
    return await runConformance({ baseUrl: server.baseUrl, keys: { good, second, revoked }, clock });
  } finally {
    await server.close();
  }
}

describe('the kit against a second, legal implementation', () => {
  test.each(VARIANT_NAMES)('raises no alarm on the variant %s, and draws no 429', async (variant) => {
    const report = await audit({ variant });
    const alarms = report.checks.filter(({ verdict }) => /fail|error/.test(verdict.kind));
    expect(alarms).toEqual([]);
    expect(exitCodeOf(report)).toBe(0);
    expect(
      report.exchanges.filter(
        (exchange) => exchange.status === 429 && !exchange.burst && !exchange.bodyText?.includes('rate_limited'),
      ),
    ).toEqual([]);
    expect(report.used.requests).toBeGreaterThanOrEqual(report.plan.requests.floor);
    // The kit asks again when a platform refuses, on top of the plan.
    const onTop = report.exchanges.filter(({ repeatOf }) => repeatOf !== null).length + pressesOf(report);
    expect(report.used.requests - onTop).toBeLessThanOrEqual(report.plan.requests.ceiling);
  });
});
