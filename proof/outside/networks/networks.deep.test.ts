// The suite through a bad network, on the clock of the test.
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodeOf, type RunOptions, runConformance } from '../../../conformance/index.ts';
import { makeCertificates } from '../../../fixtures/test-kit/certificates.ts';
import { type NetworkFaults, startFaultyNetwork } from '../../../fixtures/test-kit/faulty-network.ts';
import { hasCommand } from '../../../fixtures/test-kit/own-process.ts';
import { newFolder } from '../../../fixtures/test-kit/own-tmp.ts';
import { virtualClock } from '../../../fixtures/test-kit/virtual-clock.ts';
import { type IndependentOptions, startIndependent } from '../../independent/index.ts';

async function audit(
  faults: NetworkFaults,
  options: Partial<RunOptions> = {},
  variant: IndependentOptions['variant'] = 'plain',
) {
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
    // Outages that block a tenth of the checks end with 3.
    expect([0, 3]).toContain(code);
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
    ['returns JSON 503 to everything', { dead: { as: 'json' } }, 'is down: every request got 503 transient'],
    [
      'returns 503 page to everything',
      { dead: { as: 'page' } },
      'is down: every request got the 503 page of a gateway',
    ],
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

const read = (file: string) => readFileSync(file, 'utf8');

test.skipIf(!hasCommand('openssl')).each<[string, TlsOptions & { host?: string; hasClient?: boolean }, RegExp | null]>([
  ['a server', {}, null],
  ['a server that gets a client certificate', { requestCert: true, rejectUnauthorized: true, hasClient: true }, null],
  [
    'one that gets no client certificate',
    { requestCert: true, rejectUnauthorized: true },
    /client certificate.*--cert/,
  ],
  ['an old version', { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }, /TLS/],
  ['a certificate for another host', { host: 'elsewhere.test' }, /for another host|other host/],
])('over TLS, %s', async (_, { host, hasClient, ...options }, sentence) => {
  const files = makeCertificates(newFolder(), host);
  const ca = read(files.ca);
  const origin = await startIndependent({ limits: false });
  onTestFinished(() => origin.close());
  const tls = createServer({ ca, cert: read(files.cert), key: read(files.key), ...options }, (socket) => {
    const plain = connect(Number(new URL(origin.baseUrl).port), '127.0.0.1');
    for (const each of [socket, plain]) each.on('error', () => void [socket, plain].map((end) => end.destroy()));
    socket.pipe(plain).pipe(socket);
  });
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void tls.close());
  const client = hasClient ? { cert: read(files.clientCert), key: read(files.clientKey) } : {};
  const baseUrl = `https://127.0.0.1:${(tls.address() as AddressInfo).port}/api/v1`;
  const report = await runConformance({
    baseUrl,
    keys: { good: origin.keys.good },
    only: ['sites/*'],
    pace: 'off',
    ca,
    ...client,
  });
  if (sentence === null) expect([exitCodeOf(report), report.abort]).toEqual([0, null]);
  else expect(report.abort?.sentence).toMatch(sentence);
});
