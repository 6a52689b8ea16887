import { describe, expect, it } from 'vitest';
import type { Casa } from './casa.ts';
import { connectMock } from './connect-mock.ts';
import { createMock } from './create-mock.ts';
import { casaMatchers, checkCasa } from './matchers.ts';
import { startMock } from './start-mock.ts';
import './vitest.ts';

const send = (casa: Pick<Casa, 'fetch' | 'keys'>, path: string) =>
  casa.fetch(path, { headers: { authorization: `Bearer ${casa.keys.good}` } });

describe('toHaveRequested', () => {
  it('compares with the requests for an operation', async () => {
    const casa = await createMock();
    await send(casa, '/sites');
    casa.clock.advance('90s');
    await send(casa, '/sites?x=1');
    expect(casa).toHaveRequested('listSites');
    expect(casa).toHaveRequested('listSites', { times: 2 });
    expect(casa).not.toHaveRequested('createPost');
    expect(() => expect(casa).toHaveRequested('listSites', { times: 1 })).toThrow(
      /received 2 requests for listSites, and the test expects exactly 1\.\nRequests, by the clock of the mock:\n {2}1 {2}12:00:00\.000 {2}GET \/api\/v1\/sites -> 200 \(listSites\)\n {2}2 {2}12:01:30\.000 {2}GET \/api\/v1\/sites\?x=1 -> 200/,
    );
    expect(() => expect(casa).toHaveRequested('listSite' as 'listSites')).toThrow('Did you mean "listSites"');
    expect(() => expect(casa).toHaveRequested(undefined as never)).toThrow('operation must be one of');
    expect(() => expect(casa).toHaveRequested('listSites', { time: 1 } as object)).toThrow('time');
  });

  it('lists only the last requests', async () => {
    const casa = await createMock();
    for (let i = 0; i < 30; i += 1) await send(casa, '/sites');
    expect(() => checkCasa(casa).toHaveRequested('createPost')).toThrow('The last 20 of 30 requests, by the clock');
  });
});

it('toHaveNoViolations prints the requests that a violation cites', async () => {
  const casa = await createMock();
  await send(casa, '/sites');
  for (let i = 0; i < 2; i += 1) await send(casa, '/keywords');
  const message = casaMatchers.toHaveNoViolations(casa).message();
  expect(message).toContain('unchanged-retry (7.retry.never-unchanged)');
  expect(message).toMatch(/clock of the mock:\n {2}2 {2}.*keywords -> 400 \(listKeywords\)\n {2}3 {2}.*-> 400/);
  expect(() => checkCasa(casa).toHaveNoViolations()).toThrow(message);
});

it('matchers of a mock in another process return promises', async () => {
  await using casa = await startMock();
  const connected = await connectMock(casa.origin);
  await send(casa, '/sites');
  expect((await casaMatchers.toHaveRequested(connected, 'listSites', { times: 1 })).pass).toBe(true);
  expect((await casaMatchers.toHaveNoViolations(connected)).pass).toBe(true);
});
