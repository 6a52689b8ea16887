import { describe, expect, test } from 'vitest';
import { type Independent, VARIANT_NAMES } from '../../../proof/independent/index.ts';
import { bench } from '../../../proof/test-kit/check-bench.ts';
import type { RunOptions } from '../../index.ts';
import { checks as all } from '../index.ts';

const checks = all.filter(({ id }) => id.startsWith('mcp/') || id === 'calls/listing');
const audit = ({ mcpUrl }: Independent): Partial<RunOptions> => ({ mcpUrl });

describe('the checks of the MCP endpoint', () => {
  test.each(VARIANT_NAMES)('accept the legal variant %s, and follow their plan', async (variant) => {
    const { report, failures } = await bench({ checks, variant, run: audit });
    expect(failures.filter((failure) => !failure.endsWith(' note'))).toEqual([]);
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.used.requests).toBeGreaterThanOrEqual(report.plan.requests.floor);
    expect(report.used.seconds).toBeLessThanOrEqual(report.plan.seconds.ceiling);
    expect(report.used.seconds).toBeGreaterThanOrEqual(report.plan.seconds.floor);
  });

  test.each(VARIANT_NAMES)('accept, with permission to make links, the legal variant %s', async (variant) => {
    const own = checks.filter(({ id }) => id === 'mcp/door' || id === 'mcp/link-edges');
    const run = ({ mcpUrl }: Independent): Partial<RunOptions> => ({ mcpUrl, allowWrites: ['links'] });
    const { failures } = await bench({ checks: own, variant, run });
    expect(failures).toEqual([]);
  });

  test.each(VARIANT_NAMES)('accept, with named fields of calls, the legal variant %s', async (variant) => {
    const own = checks.filter(
      ({ id }) => id === 'mcp/door' || id.startsWith('mcp/calls-log') || id === 'calls/listing',
    );
    const run = ({ mcpUrl, callFields: { id, endedAt } }: Independent): Partial<RunOptions> => ({
      mcpUrl,
      ...(id === undefined ? {} : { callIdField: id }),
      ...(endedAt === undefined ? {} : { callEndedAtField: endedAt }),
    });
    const { failures } = await bench({ checks: own, variant, run });
    expect(failures.filter((failure) => !failure.endsWith(' note'))).toEqual([]);
  });
});
