import { describe, expect, test } from 'vitest';
import { modelFields } from '../../../fixtures/test-kit/call-log-bench.ts';
import { type Bench, bench, benchStartMs } from '../../../fixtures/test-kit/check-bench.ts';
import { settling } from './settling.ts';

const minute = 60_000;
const start = benchStartMs;

describe('calls/watch', () => {
  const only = settling.filter(({ id }) => id === 'calls/watch');

  function watch(settleSeconds: number, endsAfterMs: number | null, run = {}): Promise<Bench> {
    return bench({
      checks: only,
      variant: { settleSeconds, timeFormat: 'millis' },
      run: { watch: true, ...modelFields, ...run },
      spoil: (server) => {
        if (endsAfterMs !== null) server.addCall({ startedAt: start - minute, endedAt: start + endsAfterMs });
        return () => undefined;
      },
    });
  }

  test('passes once a call has been followed from its end to its delivery', async () => {
    const { results, report } = await watch(300, 30_000);
    expect(results['calls/watch']).toBe('pass');
    expect(report.used.seconds).toBeLessThan(10 * 60);
  });

  test.each([
    ['fails', 'soon', 60, 'fail'],
    ['warns', 'late', 600, 'warn'],
  ])('%s when a call is delivered too %s', async (_, __, settleSeconds, outcome) => {
    expect((await watch(settleSeconds, 30_000)).results['calls/watch']).toBe(outcome);
  });

  test('warns when no new call is ever delivered', async () => {
    const { results, result } = await bench({
      checks: only,
      run: { watch: true, ...modelFields },
      spoil: (server) => {
        server.addCall({ startedAt: start - minute, endedAt: start + 30_000 });
        return ({ query, body }) => {
          if (!query.has('since') || !body.data) return undefined;
          const old = body.data.calls.filter((call: { endedAt: string }) => Date.parse(call.endedAt) < start);
          return { body: { data: { calls: old, nextCursor: old.length === 0 ? null : body.data.nextCursor } } };
        };
      },
    });
    expect(results['calls/watch']).toBe('warn');
    expect(result('calls/watch').findings.map(({ clause }) => clause)).toContain('6.no-webhooks');
  });

  test('is inconclusive if no call ends, in bounded time', async () => {
    const { results, report } = await watch(300, null);
    expect(results['calls/watch']).toBe('inconclusive(vacuous)');
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.used.seconds).toBeLessThanOrEqual(report.plan.seconds.ceiling);
  });

  test('needs the names of two fields', async () => {
    const { results } = await bench({ checks: only, run: { watch: true, callIdField: 'id' } });
    expect(results['calls/watch']).toBe('skipped');
  });
});
