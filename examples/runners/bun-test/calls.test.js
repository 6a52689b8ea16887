import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { createClient } from 'casa-kit/api';
import { casaMatchers, casaTestOf } from 'casa-kit/testing';

expect.extend(casaMatchers);
const casaTest = casaTestOf(test);
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

casaTest('moves fake timers and the mock together', async ({ casa }) => {
  casa.clock.drive(jest);
  const api = createClient({ baseUrl: casa.baseUrl, key: casa.keys.good });
  const poll = async () => {
    await api.listSites();
    setTimeout(poll, 60_000);
  };
  poll();
  await casa.clock.advance('5m');
  expect(casa).toHaveRequested('listSites', { times: 6 });
  expect(casa).toHaveNoViolations();
});
