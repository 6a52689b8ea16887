import { describe, expect, test } from 'vitest';
import { checks } from '../../conformance/checks/index.ts';
import { runConformance } from '../../conformance/index.ts';
import { scenarios } from '../../conformance/scenarios/index.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { variantNames } from '../independent/index.ts';
import { describeEffort, describeKeyLimiter, describeMoving, everything } from './audits.ts';
import { testCanaries } from './canaries.ts';

describeEffort(variantNames.filter((_, at) => at % 6 === 2));
describeKeyLimiter(12);
describeMoving(2, [
  ['plain', 3, 'audits at full speed', { pace: 'off' }],
  ...variantNames.map((variant, at) => [variant, 10 + at, 'plain audits', {}] as const),
]);
describeMoving(
  1,
  variantNames.flatMap((variant, at) =>
    at % 2 === 1 ? [[variant, 50 + at, 'with everything allowed', everything] as const] : [],
  ),
);
testCanaries(3);

describe('a check on its own', () => {
  const isOutside = new Set(scenarios.filter(({ needs }) => /mcp|contacts/.test(`${needs}`)).map(({ id }) => id));
  test.each(checks.filter(({ scenarios: own = [] }) => !own.some((id) => isOutside.has(id))).map(({ id }) => id))(
    '%s follows the plan of --only',
    async (id) => {
      const { options, close } = await startMockTarget();
      const { used, plan, exchanges } = await runConformance({ ...options, only: [id] });
      await close();
      const repeats = exchanges.filter(({ repeatOf }) => repeatOf !== null).length;
      // One more is the control request of a run.
      expect(used.requests - repeats).toBeLessThanOrEqual(plan.requests.ceiling + 1);
      expect(used.requests).toBeGreaterThanOrEqual(plan.requests.floor);
    },
  );
});
