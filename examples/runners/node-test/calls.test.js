import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createClient } from 'casa-kit/api';
import { casaTestOf, checkCasa } from 'casa-kit/testing';

const casaTest = casaTestOf(test);

casaTest('moves fake timers and the mock together', async ({ casa }, t) => {
  t.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  casa.clock.drive(mock.timers);
  const api = createClient({ baseUrl: casa.baseUrl, key: casa.keys.good });
  const poll = async () => {
    await api.listSites();
    setTimeout(poll, 60_000);
  };
  poll();
  await casa.clock.advance('5m');
  checkCasa(casa).toHaveRequested('listSites', { times: 6 });
  checkCasa(casa).toHaveNoViolations();
  const times = casa.requests.all().map(({ at }) => Date.parse(at));
  assert.deepEqual(times.map((time) => (time - times[0]) / 1000), [0, 60, 120, 180, 240, 300]);
});

casaTest.with({ world: 'empty' })('takes options', async ({ casa }) => {
  assert.equal(casa.keys.list.length, 2);
});
