// Set-ups with our own bad network in front of the faithful server.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Badness, startBadNetwork } from '../../rigs/bad-network.ts';
import { makeCertificates } from '../../rigs/certificates.ts';
import type { Front, SetUp, Site } from './set-up.ts';

/** As a front, so that our bad network stands in the table beside real proxies. */
async function through({ originPort }: Site, badness: Badness): Promise<Front> {
  const network = await startBadNetwork(originPort, badness);
  return { baseUrl: network.baseUrl, close: network.close };
}

type Simple = readonly [name: string, badness: Badness, rest?: Partial<SetUp>];

/** Bad networks that need real time; the others are in networks.deep.test.ts, on the clock of the test. */
const bad: readonly Simple[] = [
  ['straight through', {}],
  ['uplink 1 MB/s, Date by the proxy', { uplinkBytesPerS: 1_000_000, dateAheadMs: 0 }, { variant: 'lavish' }],
  ['uplink 300 kB/s, Date by the proxy', { uplinkBytesPerS: 300_000, dateAheadMs: 0 }, { variant: 'mixed' }],
  ['latency up to 2.5 s, Date by the proxy', { jitterMs: 2500, dateAheadMs: 0 }, { variant: 'lavish' }],
  ['server an hour ahead', {}, { clockAheadMs: 3_600_000, variant: 'lavish' }],
  ['server an hour ahead, Date by the proxy', { dateAheadMs: 0 }, { clockAheadMs: 3_600_000, variant: 'lavish' }],
  ['dies in the middle', { dead: { as: 'reset', after: 25 } }, { right: [4], says: /down|answers|stopped/ }],
];

const TIMEOUT = ['--timeout', '6'];

export const ownProxies: readonly SetUp[] = [
  ...bad.map(
    ([name, badness, rest]): SetUp => ({
      name: `own, ${name}`,
      start: async (site) => ({ ...(await through(site, badness)), args: TIMEOUT }),
      ...rest,
    }),
  ),
  {
    name: 'own, HTTP_PROXY takes no connection',
    right: [2, 4],
    says: /HTTP_PROXY/,
    start: async () => deadProxy('http://127.0.0.1:9', 'HTTP_PROXY'),
  },
  {
    name: 'own, HTTP_PROXY is unknown',
    right: [2, 4],
    says: /HTTP_PROXY/,
    start: async () => deadProxy('http://no-such-proxy.invalid:3128', 'HTTP_PROXY'),
  },
  {
    name: 'own, HTTPS_PROXY takes no connection',
    right: [2, 4],
    says: /HTTPS_PROXY/,
    start: async () => deadProxy('http://127.0.0.1:9', 'HTTPS_PROXY'),
  },
  {
    name: 'own, ALL_PROXY is socks5://',
    right: [2],
    says: /socks5/,
    start: async () => deadProxy('socks5://127.0.0.1:9', 'ALL_PROXY'),
  },
  { name: 'own, certificate for another host', right: [4], says: /made out to|other host/, start: misnamed },
];

async function misnamed({ folder }: Site): Promise<Front> {
  const files = makeCertificates(folder, 'elsewhere.test');
  const server = createServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `https://127.0.0.1:${port}/api/v1`,
    args: ['--ca', files.ca],
    close: async () => void server.close(),
  };
}

/** An environment that names a proxy which does not answer. */
async function deadProxy(proxy: string, variable: string): Promise<Front> {
  const scheme = variable === 'HTTPS_PROXY' ? 'https' : 'http';
  return {
    baseUrl: `${scheme}://casa.test/api/v1`,
    env: { [variable]: proxy, NO_PROXY: '' },
    close: async () => undefined,
  };
}
