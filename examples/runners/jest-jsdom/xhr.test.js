/** @jest-environment jsdom */
const { casaTest } = require('casa-kit/jest');

/** jsdom has no fetch. */
const load = (url, key) =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.onload = () => resolve([request.status, JSON.parse(request.responseText)]);
    request.open('GET', url);
    request.setRequestHeader('authorization', `Bearer ${key}`);
    request.send();
  });

casaTest.with({ world: 'empty' })('starts in plain jsdom', async ({ casa }) => {
  expect(await load(`${casa.baseUrl}/sites`, casa.keys.good)).toEqual([200, { data: [] }]);
  expect(casa).toHaveRequested('listSites', { times: 1 });
});

casaTest('fails for a client that retries at once', async ({ casa }) => {
  for (let i = 0; i < 2; i += 1) await load(`${casa.baseUrl}/keywords`, casa.keys.good);
  expect(() => expect(casa).toHaveNoViolations()).toThrow('unchanged-retry');
});
