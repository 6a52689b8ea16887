// The short form of `npm run networks`: our own bad network, on the clock of the test.
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodeOf, type Report, type RunOptions, runConformance } from '../../../conformance/index.ts';
import { bundledCommand } from '../../../fixtures/test-kit/command.ts';
import {
  type FaultyNetwork,
  type NetworkFaults,
  startFaultyNetwork,
} from '../../../fixtures/test-kit/faulty-network.ts';
import { hasCommand } from '../../../fixtures/test-kit/own-process.ts';
import { virtualClock } from '../../../fixtures/test-kit/virtual-clock.ts';
import { type IndependentOptions, startIndependent } from '../../independent/index.ts';
import { pythonStack } from './other-proxies.ts';
import { problemsOf } from './run-kit.ts';

interface Audited {
  readonly report: Report;
  readonly code: number;
  readonly network: FaultyNetwork;
  readonly failing: readonly string[];
}

async function audit(
  faults: NetworkFaults,
  options: Partial<RunOptions> = {},
  variant: IndependentOptions['variant'] = 'plain',
): Promise<Audited> {
  const clock = virtualClock(Date.UTC(2026, 4, 1, 12));
  const server = await startIndependent({ now: clock.now, variant });
  onTestFinished(() => server.close());
  const network = await startFaultyNetwork(Number(new URL(server.baseUrl).port), faults, clock.now);
  onTestFinished(network.close);
  const keys = { good: server.keys.good };
  const report = await runConformance({ baseUrl: network.baseUrl, keys, clock, timeoutMs: 700, ...options });
  const failing = report.checks.filter(({ result }) => /fail|error/.test(result.kind)).map(({ id }) => id);
  return { report, code: exitCodeOf(report), network, failing };
}

const keyOfFirst = () => {
  let good: string | undefined;
  let spoilt = 0;
  return (authorization: string | undefined) => {
    good ??= authorization;
    if (authorization === undefined || authorization === good) return 0;
    spoilt += 1;
    return spoilt;
  };
};

describe('a faithful server is found faithful', () => {
  test.each<[string, NetworkFaults, IndependentOptions['variant']?]>([
    ['2 % of the requests are reset', { resetShare: 0.02 }],
    ['10 % of the requests are reset', { resetShare: 0.1 }],
    ['10 % are reset, drawn otherwise', { resetShare: 0.1, seed: 11 }],
    ['each kept connection is closed', { closesKept: true }],
    ['20 % get the 502 page of a gateway', { page: { share: 0.2, status: 502 } }],
    ['20 % get the 503 page of a gateway', { page: { share: 0.2, status: 503 }, seed: 5 }],
    ['a proxy takes six at once', { atOnceMax: 6, latencyMs: 20 }],
    ['Date is 5 s ahead', { dateAheadMs: 5000 }],
    ['Date is 5 s behind', { dateAheadMs: -5000 }],
    ['Date is an hour behind', { dateAheadMs: -3_600_000 }],
    ['Date is 5 s behind, with a window that is aligned', { dateAheadMs: -5000 }, { rateHeaders: 'always' }],
  ])('when %s', async (_, faults, variant = 'lavish') => {
    const { failing, code } = await audit(faults, {}, variant);
    expect(failing).toEqual([]);
    expect(code).toBe(0);
  });

  test.each(['reset', 'close', 'silence'] as const)('when one response of the burst is lost: %s', async (how) => {
    const count = keyOfFirst();
    const { failing, code } = await audit({
      loses: (_, { headers }) => (count(headers.authorization) === 2 ? how : null),
    });
    expect(failing).toEqual([]);
    expect(code).toBe(0);
  });
});

describe('a deployment that is down', () => {
  test.each<[string, NetworkFaults, string]>([
    ['returns JSON 503 to everything', { dead: { as: 'json' } }, 'is down: it returns 503 transient to everything'],
    ['returns 503 page to everything', { dead: { as: 'page' } }, 'is down: it returns the 503 page of a gateway'],
    ['returns 502 page from the middle on', { dead: { as: 'page', after: 25, status: 502 } }, 'went down during'],
    ['returns JSON 503 from the middle on', { dead: { as: 'json', after: 25 } }, 'went down during'],
    ['resets from the middle on', { dead: { as: 'reset', after: 25 } }, 'went down during'],
    ['is silent from the middle on', { dead: { as: 'silence', after: 25 } }, 'went down during'],
    ['takes no connection from the middle on', { rejectAfter: 25 }, 'went down during'],
    ['dies in the burst', { dead: { as: 'page', after: 50 } }, 'went down during'],
  ])('%s: one sentence and exit 4, gentle or not', async (_, faults, sentence) => {
    const { report, code, failing } = await audit(faults, { gentle: sentence.startsWith('is down') });
    expect(report.abort?.sentence).toContain(sentence);
    expect(failing).toEqual([]);
    expect(code).toBe(4);
  });

  test.each(['keywords', 'articles', 'calls'])('GET /%s returns 504 every time: no success', async (name) => {
    const { report, code, failing } = await audit({ stuck: new RegExp(`/${name}`) });
    expect(failing).toEqual([]);
    expect(report.abort).toBeNull();
    expect(code).toBe(3);
  });
});

describe('connections', () => {
  test('are few outside the bursts, and none is left', async () => {
    const { network, report } = await audit({}, { gentle: true, allowWrites: ['posts', 'links'], maxWrites: 20 });
    expect(report.exchanges.filter(({ method }) => method === 'POST').length).toBeGreaterThan(5);
    expect(network.openMax()).toBeLessThanOrEqual(6);
    await network.settled();
    expect(network.open()).toBe(0);
  });

  test('are not kept once a kept one was dead', async () => {
    const { report } = await audit({ closesKept: true }, { gentle: true });
    expect(report.exchanges.filter(({ repeatOf }) => repeatOf !== null)).toHaveLength(1);
  });
});

test('a write whose response is lost is not sent twice', async () => {
  const { network, report } = await audit(
    { loses: (_, { method }) => (method === 'POST' ? 'reset' : null) },
    { gentle: true, allowWrites: ['links'], only: ['links/creates'] },
  );
  expect(network.requests.filter((line) => line.startsWith('POST'))).toHaveLength(1);
  expect(report.checks.find(({ id }) => id === 'links/creates')?.result).toMatchObject({ reason: 'platform' });
});

test('a firewall that responds to binary bodies with a page is one finding', async () => {
  const { report, failing } = await audit({ firewall: true }, { pace: 'off' });
  expect(failing).toEqual(['rule/json']);
  const findings = report.checks.find(({ id }) => id === 'rule/json')?.findings;
  expect(findings).toHaveLength(1);
  expect(findings?.[0]?.message).toContain('a firewall or a proxy in front');
});

test.skipIf(!hasCommand('python3'))('a server on Python with three processes is found faithful', async () => {
  const kit = join(dirname(bundledCommand), 'conformance-cli.js');
  const { problem } = await problemsOf(pythonStack('plain', false, ['--requests', '15']), kit);
  expect(problem).toBeNull();
});
