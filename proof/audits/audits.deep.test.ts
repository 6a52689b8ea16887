import { describe, expect, test } from 'vitest';
import { checks } from '../../conformance/checks/index.ts';
import { runConformance } from '../../conformance/index.ts';
import { conclude } from '../../conformance/report/outcome.ts';
import { html } from '../../conformance/reporters/html.ts';
import { runSuite, startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { variantNames } from '../independent/index.ts';
import { describeEffort, describeKeyLimiter, describeMoving, everything } from './audits.ts';
import { testCanaries } from './canaries.ts';

describeEffort(variantNames.filter((_, at) => at % 3 === 2));
describeKeyLimiter(7);
describeMoving(3, [
  ['plain', 3, 'audits at full speed', { pace: 'off' }],
  ...variantNames.map((variant, at) => [variant, 10 + at, 'plain audits', {}] as const),
]);
describeMoving(
  1,
  variantNames.map((variant, at) => [variant, 50 + at, 'with everything allowed', everything] as const),
);
testCanaries(8);

describe('a check on its own', () => {
  test.each(checks.filter(({ needs = [] }) => !/mcp|contacts/.test(needs.join())).map(({ id }) => id))(
    '%s follows the plan of --only',
    async (id) => {
      const { options, close } = await startMockTarget();
      const { used, plan, exchanges } = await runConformance({ ...options, only: [id] });
      await close();
      const repeats = exchanges.filter(({ repeatOf }) => repeatOf !== null).length;
      expect(used.requests - repeats).toBeLessThanOrEqual(plan.requests.ceiling);
      expect(used.requests).toBeGreaterThanOrEqual(plan.requests.floor);
    },
  );
});

test('the page of a run of 488 requests or more has at most 300 kB', async () => {
  const report = await runSuite(await startMockTarget());
  expect(report.used.requests).toBeGreaterThan(487);
  expect(Buffer.byteLength(html.render(report, conclude(report)))).toBeLessThan(300_000);
});
