import { expect, it } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { operations } from '../contract/generated/operations.ts';
import { listen } from '../transports/node.ts';
import { usualWorld } from './cell.ts';
import { openCell } from './cell-run.ts';
import { isVariation } from './judge-runs.ts';
import { matrix } from './matrix.ts';

// A client may rely on everything that the conformance suite requires of a service.
it.each(matrix.filter(isVariation).map((cell) => [cell.id, cell] as const))(
  'the conformance suite accepts %s',
  async (_, cell) => {
    const used = new Set(Object.values(operations).map(({ id }) => id));
    const open = await openCell(cell, { world: usualWorld(), used, speed: null, durationMs: 600_000 }, () => {});
    const server = await listen(open.served, { host: '127.0.0.1', port: 0, fastPath: false });
    const clock = {
      now: () => open.engine.clock.now(),
      sleep: async (ms: number) => open.engine.clock.advance(Math.max(0, Math.ceil(ms))),
    };
    const only = ['articles/*', 'reviews/*', 'calls/*'];
    const report = await runConformance({ baseUrl: server.baseUrl, keys: { good: open.key }, clock, only });
    await server.close();
    const failed = report.checks.filter(({ result }) => /fail|error/.test(result.kind));
    expect([report.abort, failed.map(({ id }) => id)]).toEqual([null, []]);
    expect(report.checks.some(({ result }) => result.kind === 'pass')).toBe(true);
  },
);
