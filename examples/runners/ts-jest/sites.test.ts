import { type Casa, startMock } from 'casa-kit';
import { createClient } from 'casa-kit/api';
import { casaTest, watchReads } from 'casa-kit/jest';

describe('a client', () => {
  let casa: Casa;
  beforeAll(async () => {
    casa = await startMock();
  });
  beforeEach(() => casa.reset());
  afterEach(() => jest.useRealTimers());
  afterAll(() => casa.close());

  it('retries after the time that the response names', async () => {
    jest.useFakeTimers();
    casa.clock.drive(jest);
    casa.faults.add('listSites=503@2x');
    const sites = createClient({ baseUrl: casa.baseUrl, key: casa.keys.good }).listSites();
    await casa.clock.advance('15s');
    expect((await sites).data.length).toBeGreaterThan(0);
    expect(casa).toHaveRequested('listSites', { times: 3 });
    expect(casa).toHaveNoViolations();
  });
});

casaTest('reads only fields of the contract', async ({ casa }) => {
  const api = watchReads(casa, createClient({ baseUrl: casa.baseUrl, key: casa.keys.good }));
  const { data } = await api.listSites();
  expect(data[0]?.id).toBeDefined();
  expect(casa).toRelyOnlyOn('contract', 'learnt');
});
