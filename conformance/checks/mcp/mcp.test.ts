import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { checks as all } from '../index.ts';

const checks = all.filter(({ id }) => id.startsWith('mcp/') || id === 'calls/listing');

describe('the checks of the MCP endpoint', () => {
  // All variants are in proof/audits/silence.deep.test.ts.
  test.each(['plain', 'frugal'] as const)('accept the legal variant %s, and follow their plan', async (variant) => {
    const { report, failures } = await bench({ checks, variant, run: ({ mcpUrl }) => ({ mcpUrl }) });
    expect(failures.filter((failure) => !failure.endsWith(' note'))).toEqual([]);
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.used.requests).toBeGreaterThanOrEqual(report.plan.requests.floor);
    expect(report.used.seconds).toBeLessThanOrEqual(report.plan.seconds.ceiling);
    expect(report.used.seconds).toBeGreaterThanOrEqual(report.plan.seconds.floor);
  });
});
