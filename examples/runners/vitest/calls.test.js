import { createClient } from 'casa-kit/api';
import { casaTest } from 'casa-kit/vitest';
import { afterEach, beforeEach, expect, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

casaTest('polls every minute', async ({ casa }) => {
  casa.clock.drive(vi);
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

casaTest('waits as long as the response says', async ({ casa }) => {
  casa.clock.drive(vi);
  casa.faults.add('listSites=limiter_key+retry-after:20@1x');
  const api = createClient({ baseUrl: casa.baseUrl, key: casa.keys.good, deadlineMs: 60_000 });
  const sites = api.listSites();
  await casa.clock.advance('1m');
  expect((await sites).data.length).toBeGreaterThan(0);
  expect(casa).toHaveRequested('listSites', { times: 2 });
  expect(casa).toHaveNoViolations();
});
