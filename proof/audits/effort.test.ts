import { expect, test } from 'vitest';
import { audit, describeEffort } from './effort.ts';

// The short form: every variant is in effort.deep.test.ts.
describeEffort(['plain', 'mixed']);

test('an audit with all keys takes little longer than the limit of the address makes it', async () => {
  const { used } = await audit('plain', {});
  // Ten requests at once, and ten more with every further ten seconds.
  const floorS = (Math.ceil(used.requests / 10) - 1) * 10;
  expect(used.seconds / floorS).toBeLessThan(1.1);
});
