// The short form: one server of each kind, and two variants. The others are in silence.deep.test.ts.
import { describe, expect, it } from 'vitest';
import { conclude } from '../../conformance/report/outcome.ts';
import { html } from '../../conformance/reporters/html.ts';
import {
  failuresOf,
  failuresOn,
  runSuite,
  startIndependentTarget,
  startMockTarget,
} from '../../fixtures/test-kit/targets.ts';
import { describeSilence } from './audits.ts';

describeSilence(['lavish', 'strict']);

describe('the suite reports no failure', () => {
  it('on the mock, with permission to do everything, and shows no clause that a check does not cite', async () => {
    const report = await runSuite(await startMockTarget());
    expect(failuresOf(report)).toEqual([]);
    const astray = report.checks.flatMap(({ id, cites, shown = [], findings }) =>
      [...shown, ...findings.map(({ clause }) => clause)]
        .filter((clause) => !cites.includes(clause))
        .map((clause) => `${id}: ${clause}`),
    );
    expect(astray.filter((line) => !line.startsWith('mcp/'))).toEqual([]);
    // The page of a long run stays small.
    expect(report.used.requests).toBeGreaterThan(487);
    expect(Buffer.byteLength(html.render(report, conclude(report)))).toBeLessThan(300_000);
  });

  it('on the second implementation', async () => {
    expect(await failuresOn(await startIndependentTarget({ variant: 'plain' }))).toEqual([]);
  });
});

describe('a plain audit', () => {
  it('sends no write, and no more requests than it planned', async () => {
    const target = await startMockTarget();
    const { baseUrl, keys, clock } = target.options;
    const options = { baseUrl, keys: { good: keys.good }, ...(clock ? { clock } : {}) };
    const report = await runSuite({ ...target, options });
    const repeats = report.exchanges.filter(({ repeatOf }) => repeatOf !== null).length;
    expect(report.used.requests - repeats).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.used.requests).toBeGreaterThanOrEqual(report.plan.requests.floor);
    expect(report.exchanges.filter(({ method, status }) => method !== 'GET' && status < 400)).toEqual([]);
  });
});
