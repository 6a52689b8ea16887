import { Agent, get } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Casa } from './casa.ts';
import { createMock } from './create-mock.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';
import './vitest.ts';

type Start = (options?: StartMockOptions) => Promise<Casa>;
const transports: readonly (readonly [string, Start])[] = [
  ['startMock', startMock],
  ['createMock', createMock],
];

// However slow the machine is, no time passes between two requests.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const rounds = 4;
const broken = '/articles?limit=0';

interface Client {
  readonly send: (path: string) => Promise<unknown>;
}

function clientOf(casa: Casa, { reads }: { reads: boolean }): Client {
  const fetched = casa.origin.startsWith('http://127.') ? fetch : casa.fetch;
  const headers = { authorization: `Bearer ${casa.keys.good}` };
  return {
    send: async (path) => {
      const response = await fetched(`${casa.baseUrl}${path}`, { headers });
      if (reads) await response.text();
    },
  };
}

/** How many violations there are when clients do this, in each of many rounds. */
async function judged(start: Start, options: StartMockOptions, act: (casa: Casa) => Promise<unknown>) {
  const counts: number[] = [];
  for (let i = 0; i < rounds; i += 1) {
    await using casa = await start(options);
    await act(casa);
    counts.push(casa.violations().length);
  }
  return [...new Set(counts)];
}

async function inTurn(times: number, send: () => Promise<unknown>) {
  for (let i = 0; i < times; i += 1) await send();
}

const together = (times: number, send: () => Promise<unknown>) => Promise.all(Array.from({ length: times }, send));

describe.each(transports)('violations of %s', (_name, start) => {
  describe.each([
    ['reads its responses', { reads: true }],
    ['leaves bodies unread', { reads: false }],
  ])('on a client that %s', (_how, client) => {
    it.each([
      [2, 'sends a 400 again at once', broken, [1]],
      [3, 'sends a 400 again and again', broken, [2]],
      [3, 'sends a 503 again without a pause', '/sites?__code=503', [2]],
      [2, 'sends a valid request again', '/sites', [0]],
    ])('count %i requests of one that %s', async (times, _what, path, expected) => {
      const act = (casa: Casa) => inTurn(times, () => clientOf(casa, client).send(path));
      expect(await judged(start, {}, act)).toEqual(expected);
    });

    it('see a poll that comes again at once', async () => {
      const act = async (casa: Casa) => {
        const since = new Date(casa.clock.now()).toISOString();
        await inTurn(2, () => clientOf(casa, client).send(`/connect/calls/log?since=${since}`));
      };
      expect(await judged(start, {}, act)).toEqual([1]);
    });

    it('leave a page alone that asks for one thing from two places', async () => {
      const act = (casa: Casa) => together(2, () => clientOf(casa, client).send(broken));
      expect(await judged(start, {}, act)).toEqual([0]);
    });

    it('leave it alone when its connections are warm', async () => {
      const act = async (casa: Casa) => {
        const { send } = clientOf(casa, client);
        await inTurn(2, () => together(1, () => send('/sites')));
        await together(2, () => send(broken));
      };
      expect(await judged(start, {}, act)).toEqual([0]);
    });
  });
});

describe('violations of a mock that many clients use', () => {
  const many = { clients: 'many' } as const;

  it('owe one repetition at once the doubt that it is a calibrated mock, and no second one', async () => {
    const act = (times: number) => (casa: Casa) => inTurn(times, () => clientOf(casa, { reads: false }).send(broken));
    expect(await judged(startMock, many, act(2))).toEqual([0]);
    expect(await judged(startMock, many, act(3))).toEqual([1]);
  });

  it('see a repetition on one connection', async () => {
    const act = async (casa: Casa) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const headers = { authorization: `Bearer ${casa.keys.good}` };
      await inTurn(2, () => read(`${casa.baseUrl}${broken}`, { agent, headers }));
      agent.destroy();
    };
    expect(await judged(startMock, many, act)).toEqual([1]);
  });

  it('know a repetition for sure where there is no socket', async () => {
    const act = (casa: Casa) => inTurn(2, () => clientOf(casa, { reads: true }).send(broken));
    expect(await judged(createMock, many, act)).toEqual([1]);
  });
});

function read(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, options, (response) => response.resume().on('end', () => resolve())).on('error', reject);
  });
}

it('toHaveNoViolations fails for a client that retries a rejection at once', async () => {
  await using casa = await startMock();
  await inTurn(2, () => clientOf(casa, { reads: false }).send(broken));
  expect(() => expect(casa).toHaveNoViolations()).toThrow('unchanged-retry (7.retry.never-unchanged)');
});

const log = '/connect/calls/log';
describe.each(transports)('a frozen clock of %s is named as the cause', (_name, start) => {
  it.each([
    ['unchanged-retry', [broken, broken]],
    ['no-back-off', ['/sites?__code=503', '/sites?__code=503']],
    ['early-retry', ['/sites?__code=limiter_key', '/sites?__code=limiter_key']],
    ['hasty-poll', [`${log}?since=NOW`, `${log}?since=NOW`]],
    ['lost-since', [`${log}?since=2026-01-01T00:00:00Z`, `${log}?since=null`]],
    ['since-backwards', [`${log}?since=2026-01-02T00:00:00Z`, `${log}?since=2026-01-01T00:00:00Z`]],
  ])('for %s', async (rule, paths) => {
    for (const clock of ['frozen', 'running'] as const) {
      await using casa = await start({ clock });
      const now = new Date(casa.clock.now()).toISOString();
      for (const path of paths) await clientOf(casa, { reads: true }).send(path.replace('NOW', now));
      const found = casa.violations().find((each) => each.rule === rule);
      expect(found?.message.includes("start the mock with clock: 'running', or call casa.clock.advance()")).toBe(
        clock === 'frozen',
      );
    }
  });
});
