import { describe, expect, test } from 'vitest';
import { type Independent, independentMutants } from '../../proof/independent/index.ts';
import { bench } from '../../proof/rigs/check-bench.ts';
import type { RunOptions } from '../index.ts';
import { checks as all } from './index.ts';

const checks = all.filter(({ id }) => id.startsWith('mcp/') || id === 'calls/listing');
const withImports = ({ mcpUrl }: Independent): Partial<RunOptions> => ({ mcpUrl, allowWrites: ['contacts'] });

describe('the checks of the MCP door', () => {
  // What takes a second key takes the other door as well, which shows that it is one of another organization.
  const mutants = independentMutants.filter(({ name, needs }) => name.startsWith('mcp-') && needs !== 'second-key');
  test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    'kill %s, for the right reason',
    async (name, { breaks, variant }) => {
      const citing = all.filter(({ cites }) => cites.some((id) => id === breaks));
      const needed = new Set([
        'mcp/door',
        'mcp/customers-max',
        'calls/listing',
        ...citing.flatMap(({ id, after = [] }) => [id, ...after]),
      ]);
      const own = checks.filter(({ id }) => needed.has(id));
      const { report } = await bench({ checks: own, variant, mutate: name, run: withImports });
      const failed = report.checks.filter(({ verdict }) => verdict.kind === 'fail');
      const rightly = failed.filter(({ id }) => citing.some((check) => check.id === id));
      expect([failed.map(({ id }) => id), rightly.length > 0]).toEqual([expect.anything(), true]);
    },
  );
});
