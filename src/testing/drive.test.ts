import { get } from 'node:http';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Casa } from './casa.ts';
import { createMock } from './create-mock.ts';
import { startMock } from './start-mock.ts';
import './vitest.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Ask = (casa: Casa, path: string) => Promise<unknown>;

const clients: Readonly<Record<string, Ask>> = {
  fetch: async (casa, path) => (await fetch(casa.baseUrl + path, init(casa))).text(),
  'node:http': (casa, path) =>
    new Promise((resolve, reject) => {
      get(casa.baseUrl + path, init(casa), (response) => response.resume().on('end', resolve)).on('error', reject);
    }),
};

const init = (casa: Casa) => ({ headers: { authorization: `Bearer ${casa.keys.good}` } });
const timesOf = (casa: Casa) => casa.requests.all().map(({ at }) => (Date.parse(at) - startOf(casa)) / 1000);
const startOf = (casa: Casa) => Date.parse(casa.requests.all()[0]?.at ?? '');

/** Polls every minute, from the end of one response to the next request. */
async function poll(casa: Casa, ask: Ask, path: string): Promise<void> {
  await ask(casa, path);
  setTimeout(() => void poll(casa, ask, path), 60_000);
}

describe('a clock that drives fake timers', () => {
  it.each(Object.keys(clients))('fires each timer at its own time for a client with %s', async (name) => {
    await using casa = await startMock();
    casa.clock.drive(vi);
    void poll(casa, clients[name] as Ask, '/sites');
    await casa.clock.advance('5m');
    expect(timesOf(casa)).toEqual([0, 60, 120, 180, 240, 300]);
    expect(casa).toHaveNoViolations();
    expect(Date.now()).toBe(casa.clock.now());
  });

  it('moves a mock without a socket, and follows the timers that the test moves itself', async () => {
    await using casa = await createMock();
    casa.clock.drive(vi);
    const before = casa.clock.now();
    vi.advanceTimersByTime(1500);
    expect(casa.clock.now()).toBe(before + 1500);
    await casa.clock.set(before + 10_000);
    expect(Date.now()).toBe(before + 10_000);
  });

  it('fires intervals until they are cleared, and goes on after a request that waits for a timer', async () => {
    await using casa = await startMock();
    casa.clock.drive(vi);
    casa.faults.add('listSites=503+latency:3s@1x');
    let ticks = 0;
    const interval = setInterval(() => {
      ticks += 1;
      if (ticks === 4) clearInterval(interval);
    }, 1000);
    const response = fetch(`${casa.baseUrl}/sites`, init(casa));
    await casa.clock.advance('5s');
    expect([ticks, (await response).status]).toEqual([4, 503]);
  });

  it('runs moves one after the other, and stands still after a reset', async () => {
    await using casa = await startMock();
    const startMs = casa.clock.now();
    casa.clock.drive(vi);
    await Promise.all([casa.clock.advance('1m'), casa.clock.advance(1000)]);
    expect(casa.clock.now() - startMs).toBe(61_000);
    casa.reset();
    vi.advanceTimersByTime(1000);
    expect(casa.clock.now()).toBe(startMs);
  });

  it('reports a move that its test did not await', async () => {
    const casa = await startMock();
    casa.clock.drive(vi);
    const move = casa.clock.advance('1h');
    for (const each of [casa.close(), move]) await expect(each).rejects.toThrow('write await casa.clock.advance');
  });

  it('rejects real timers, other objects and the past', async () => {
    await using casa = await startMock();
    expect(() => casa.clock.drive({})).toThrow('takes the fake timers of a test runner: vi, jest or mock.timers.');
    vi.useRealTimers();
    expect(() => casa.clock.drive(vi)).toThrow('Date is not fake. First call vi.useFakeTimers()');
    expect(() => casa.clock.drive(mock.timers)).toThrow('First call mock.timers.enable({ apis:');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    expect(() => casa.clock.drive(vi)).toThrow('do not exclude Date');
    vi.useFakeTimers();
    casa.clock.drive(vi);
    expect(() => casa.clock.advance(-1)).toThrow('only moves forward');
  });
});
