// The short form of audits.deep.test.ts.
import { expect, test } from 'vitest';
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

testCanaries(1);
