// Ten runs in a row on a deployment that others use: what is published, edited, deleted, answered or settled between
// two requests is no fault of the service (rulings R59).
import { expect, test } from 'vitest';
import { type RunOptions, runConformance } from '../../conformance/index.ts';
import { startIndependent, type VariantName } from '../independent/index.ts';
import { virtualClock } from '../rigs/virtual-clock.ts';

const ROUNDS = 10;

async function alarmsOf(variant: VariantName, life: number, rest: Partial<RunOptions>): Promise<string[]> {
  const clock = virtualClock(Date.UTC(2026, 4, 1, 9));
  const server = await startIndependent({ variant, now: clock.now, life });
  const { good, second, revoked } = server.keys;
  const { id, endedAt } = server.callFields;
  const fields = { ...(id ? { callIdField: id } : {}), ...(endedAt ? { callEndedAtField: endedAt } : {}) };
  const own = rest.watch ? { account: server.accounts.reviewable, ...fields } : {};
  const alarms: string[] = [];
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const keys = { good, second, revoked };
      const { checks } = await runConformance({ baseUrl: server.baseUrl, keys, clock, ...own, ...rest });
      const bad = checks.filter(({ verdict: { kind } }) => kind === 'fail' || kind === 'error');
      const words = (check: (typeof bad)[number]) =>
        check.findings.flatMap((f) => (f.severity === 'fail' ? [`${f.expected}, not ${f.actual}`] : [])).join('; ');
      alarms.push(...bad.map((check) => `${round}: ${check.id}: ${words(check)}`));
      clock.advance(5 * 60_000);
    }
    return [...alarms, ...server.faults];
  } finally {
    await server.close();
  }
}

export function describeMoving(rows: readonly (readonly [VariantName, number, string, Partial<RunOptions>])[]): void {
  test.each(rows)('on the variant %s with life %i, %s', async (variant, life, _, options) => {
    expect(await alarmsOf(variant, life, options)).toEqual([]);
  });
}
