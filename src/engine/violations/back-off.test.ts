import { describe, expect, it } from 'vitest';
import { startWatch } from '../../../fixtures/test-kit/watched-engine.ts';
import { contractLimits } from '../../domain/limits.ts';

describe('no-back-off', () => {
  const failing = (error: 'provider_error' | 'transient' | 'rate_limited') => {
    const mock = startWatch();
    mock.engine.faults.add({ id: 'down', match: {}, error });
    const retry = (gaps: readonly number[]) => {
      mock.ask('GET /sites');
      for (const gap of gaps) {
        mock.wait(gap);
        mock.ask('GET /sites');
      }
      return mock.rules();
    };
    return { ...mock, retry };
  };

  it.each(['provider_error', 'transient', 'rate_limited'] as const)('is a repetition at once after %s', (error) => {
    const { retry, engine } = failing(error);
    expect(retry([5])).toEqual(['no-back-off']);
    expect(engine.violations()[0]).toMatchObject({ clause: '7.retry.back-off', requestIds: [1, 2] });
  });

  it.each<[string, number[], number]>([
    ['doubles', [1000, 2000, 4000, 8000], 0],
    ['starts small and grows', [100, 200, 400, 800], 0],
    ['has jitter', [900, 2100, 1900, 5000, 4000], 0],
    ['gives up after two equal waits', [1000, 1000], 0],
    ['doubles up to a maximum of 10 s', [1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 10_000, 10_000], 0],
    ['doubles up to 16 s', [1000, 2000, 4000, 8000, 16_000, 16_000, 16_000, 16_000], 0],
    ['doubles up to 8 s', [1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000], 0],
    ['doubles up to 2 s', [500, 1000, 2000, 2000, 2000, 2000], 0],
    ['grows by half, up to 1.5 s', [1000, 1500, 1500, 1500, 1500], 0],
    ['reaches 10 s, with jitter', [1000, 5000, 10_000, 9700, 9600, 9500, 9400, 9300, 9200], 0],
    ['doubles from a minimum of 4 s', [4000, 4000, 4000, 8000, 10_000, 10_000, 10_000, 10_000], 0],
    ['waits a random part of a doubled time', [300, 1700, 900, 3100, 700, 5000, 2000, 1000, 500], 0],
    ['waits 10 s each time', [10_000, 10_000, 10_000, 10_000, 10_000, 10_000], 0],
    ['asks regularly, every 30 seconds', [30_000, 30_000, 30_000, 30_000], 0],
    ['waits 9.9 s each time', [9900, 9900, 9900, 9900, 9900], 1],
    ['waits 2 s each time', [2000, 2000, 2000, 2000, 2000], 1],
    ['waits 1.9 s each time', [1900, 1900, 1900], 1],
    ['grows by too little', [1000, 1050, 1100, 1150], 2],
    ['grows once, and then hammers each second', [1000, 2000, 4000, 1000, 1000, 1000], 2],
    ['waits the same each time', [1000, 1000, 1000], 1],
    ['waits less each time', [3000, 2000, 1000], 1],
    ['hammers', [10, 10, 10], 3],
  ])('checks a client that %s: %j', (_what, gaps, expected) => {
    expect(failing('transient').retry(gaps)).toHaveLength(expected);
  });

  // Reset is about one second away: the requests before leave the window of the key one by one.
  it.each([
    ['until X-RateLimit-Reset', 0, []],
    ['500 ms less', -500, ['no-back-off', 'no-back-off', 'no-back-off']],
    ['none, with Reset 50 ms away', null, ['no-back-off']],
  ])('after a 429 of a platform and a wait: %s', (_what, moreMs, expected) => {
    const mock = startWatch({ limits: contractLimits });
    mock.engine.faults.add({ id: 'busy', match: { operation: 'listSites' }, error: 'rate_limited' });
    for (let i = 0; i < 50; i += 1) {
      mock.ask('GET /connect/accounts');
      mock.wait(1100);
    }
    const untilReset = (line: string) => Number(mock.ask(line).headers['x-ratelimit-reset']) - mock.engine.clock.now();
    if (moreMs === null) {
      mock.wait(untilReset('GET /connect/accounts') - 50);
      for (let i = 0; i < 2; i += 1) mock.ask('GET /sites');
    } else for (let i = 0; i < 5; i += 1) mock.wait(untilReset('GET /sites') + moreMs);
    expect(mock.rules()).toEqual(expected);
  });

  it('starts again after a success response', () => {
    const mock = failing('transient');
    mock.retry([1000, 1000]);
    mock.engine.faults.clear();
    mock.wait(5000);
    mock.ask('GET /sites');
    mock.engine.faults.add({ id: 'down', match: {}, error: 'transient' });
    expect(mock.retry([1000, 1000])).toEqual([]);
  });

  it('stands although the state changed in between', () => {
    const mock = failing('transient');
    mock.ask('GET /sites');
    mock.engine.ringCall();
    mock.ask('GET /sites');
    expect(mock.rules()).toEqual(['no-back-off']);
  });
});
