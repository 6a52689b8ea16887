// The short form: one server of each kind. Every variant, world, seed and choice is in silence.deep.test.ts.
import { describe, expect, it } from 'vitest';
import { alarmsOn, judge } from '../rigs/judge.ts';
import { startIndependentTarget, startMockTarget } from '../rigs/targets.ts';

describe('the kit raises no alarm', () => {
  it('on the mock, with permission to do everything', async () => {
    expect(await alarmsOn(await startMockTarget())).toEqual([]);
  });

  it('on the greased mock', async () => {
    expect(await alarmsOn(await startMockTarget({ grease: 1 }))).toEqual([]);
  });

  it.each(['plain', 'lavish'])('on the second implementation in its variant %s', async (variant) => {
    expect(await alarmsOn(await startIndependentTarget({ variant }))).toEqual([]);
  });

  it('on the relaxed mock, when it leaves the limits alone', async () => {
    const target = await startMockTarget({ limits: false, settleS: 0 });
    const { sourceAddresses: _addresses, callEndedAtField: _field, ...options } = target.options;
    expect(await alarmsOn({ ...target, options: { ...options, gentle: true, watch: false } })).toEqual([]);
  });
});

describe('a plain audit', () => {
  it('sends no write, and no more requests than it planned', async () => {
    const target = await startMockTarget();
    const { baseUrl, keys, clock } = target.options;
    const options = { baseUrl, keys: { good: keys.good }, ...(clock ? { clock } : {}) };
    const report = await judge({ ...target, options });
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.used.requests).toBeGreaterThanOrEqual(report.plan.requests.floor);
    expect(report.exchanges.filter(({ method, status }) => method !== 'GET' && status < 400)).toEqual([]);
  });
});
