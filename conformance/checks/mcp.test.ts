import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../index.ts';
import { bench } from '../selftest/check-bench.ts';
import { type Independent, VARIANT_NAMES } from '../selftest/independent/index.ts';
import { checks as all } from './index.ts';

const checks = all.filter(({ id }) => id.startsWith('mcp/') || id === 'calls/listing');
const run = (server: Independent): Partial<RunOptions> => ({
  mcpUrl: server.mcpUrl,
  allowWrites: ['contacts'],
  maxWrites: 20,
});

describe('the checks of the MCP door', () => {
  test.each(VARIANT_NAMES)('raise no alarm on the legal variant %s', async (variant) => {
    const { report, verdicts, alarms } = await bench({ checks, variant, run });
    console.log(
      variant,
      verdicts,
      report.checks
        .filter((c) => /incon|error|fail|warn/.test(c.verdict.kind) && c.id.startsWith('mcp'))
        .map((c) => c.id + ': ' + c.verdict.message + JSON.stringify(c.findings.slice(0, 2))),
      report.used,
      report.plan.requests,
    );
    expect(alarms.filter((alarm) => !alarm.endsWith(' note'))).toEqual([]);
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.used.requests).toBeGreaterThanOrEqual(report.plan.requests.floor);
  });
});
