// The short form of audits.deep.test.ts.
import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { audit, describeEffort, describeKeyLimiter } from './audits.ts';
import { testCanaries } from './canaries.ts';

describeEffort(['plain']);
describeKeyLimiter(30);

test('an audit with all keys takes little longer than the limit of the address makes it', async () => {
  const { used } = await audit('plain', {});
  // Ten requests at once, and ten more with every further ten seconds.
  const floorS = (Math.ceil(used.requests / 10) - 1) * 10;
  expect(used.seconds / floorS).toBeLessThan(1.15);
});

test('runs with a history send no more than planned', async () => {
  const target = await startMockTarget();
  const { baseUrl, keys, clock } = target.options;
  const sent: string[] = [];
  for (let night = 1; night <= 3; night += 1) {
    const both = { good: keys.good, ...(keys.second && night > 1 ? { second: keys.second } : {}) };
    const own = await runConformance({ baseUrl, keys: both, minutes: 2, sent: [...sent], ...(clock && { clock }) });
    expect(own.used.requests).toBeLessThanOrEqual(120);
    sent.push(...(own.scenarios ?? []).flatMap(({ id, kind }) => (kind === 'asked' ? [id] : [])));
  }
  await target.close();
});

testCanaries(1);
