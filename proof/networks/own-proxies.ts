// Set-ups with our own bad network in front of the faithful server.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Badness, startBadNetwork } from '../rigs/bad-network.ts';
import { makeCertificates } from './certificates.ts';
import type { Front, SetUp, Site } from './set-up.ts';

/** As a front, so that our bad network stands in the table beside real proxies. */
async function through({ originPort }: Site, badness: Badness): Promise<Front> {
  const network = await startBadNetwork(originPort, badness);
  return { baseUrl: network.baseUrl, close: network.close };
}

type Simple = readonly [name: string, badness: Badness, rest?: Partial<SetUp>];

/** The second request of the burst with a key that is nearly the good one. */
const loseOneOf = (how: 'reset' | 'close' | 'silence'): Badness => {
  let good: string | undefined;
  let spoilt = 0;
  return {
    loses: (_count, { headers: { authorization } }) => {
      good ??= authorization;
      if (authorization === undefined || authorization === good) return null;
      spoilt += 1;
      return spoilt === 2 ? how : null;
    },
  };
};
const dead = { right: [4], says: /down|answers|stopped/ } as const;

const clean: readonly Simple[] = [
  ['straight through', {}],
  ['resets 2 %', { resetShare: 0.02 }],
  ['resets 2 %, another seed', { resetShare: 0.02, seed: 7 }],
  ['resets 10 %', { resetShare: 0.1 }],
  ['resets 10 %, another seed', { resetShare: 0.1, seed: 7 }],
  ['closes each kept connection', { closesKept: true }, { variant: 'offsets' }],
  ['one answer of the burst reset', loseOneOf('reset')],
  ['one answer of the burst closed', loseOneOf('close'), { variant: 'lavish' }],
  ['one answer of the burst never comes', loseOneOf('silence')],
  ['uplink 1 MB/s, Date by the proxy', { uplinkBytesPerS: 1_000_000, dateAheadMs: 0 }, { variant: 'lavish' }],
  ['uplink 300 kB/s, Date by the proxy', { uplinkBytesPerS: 300_000, dateAheadMs: 0 }, { variant: 'mixed' }],
  ['Date 5 s ahead', { dateAheadMs: 5000 }, { variant: 'lavish' }],
  ['Date 5 s behind', { dateAheadMs: -5000 }, { variant: 'lavish' }],
  ['Date 5 s behind, aligned window', { dateAheadMs: -5000 }, { variant: { rateHeaders: 'always' } }],
  ['latency up to 2.5 s, Date by the proxy', { jitterMs: 2500, dateAheadMs: 0 }, { variant: 'lavish' }],
  ['server an hour ahead', {}, { clockAheadMs: 3_600_000, variant: 'lavish' }],
  ['server an hour ahead, Date by the proxy', { dateAheadMs: 0 }, { clockAheadMs: 3_600_000, variant: 'lavish' }],
  ['502 pages on 20 %', { page: { share: 0.2, status: 502 } }],
  ['503 pages on 20 %', { page: { share: 0.2, status: 503 }, seed: 3 }, { variant: 'strict' }],
  ['503 beyond 6 at once', { atOnceMax: 6, latencyMs: 100 }],
  ['firewall against binary bodies', { firewall: true }, { right: [1], mayFail: /^rule\/json$/ }],
];

const gone: readonly Simple[] = [
  ['dead, JSON 503', { dead: { as: 'json' } }],
  ['dead, JSON 503, --gentle', { dead: { as: 'json' } }],
  ['dead, HTML 503', { dead: { as: 'page' } }],
  ['dead, HTML 503, --gentle', { dead: { as: 'page' } }],
  ['dies in the middle, HTML 502', { dead: { as: 'page', after: 25, status: 502 } }],
  ['dies in the middle, JSON 503', { dead: { as: 'json', after: 25 } }],
  ['dies in the middle, resets', { dead: { as: 'reset', after: 25 } }],
  ['dies in the middle, takes no connection', { refuseAfter: 25 }],
];

const stuck: readonly Simple[] = [
  ['GET /keywords answers 504 every time', { stuck: /\/keywords/ }, { right: [3, 4] }],
  ['GET /articles answers 504 every time', { stuck: /\/articles/ }, { right: [3, 4] }],
  ['the call log answers 504 every time', { stuck: /\/calls/ }, { right: [3, 4] }],
];

const TIMEOUT = ['--timeout', '6'];

export const ownProxies: readonly SetUp[] = [
  ...[...clean, ...gone.map(([name, badness]): Simple => [name, badness, dead]), ...stuck].map(
    ([name, badness, rest]): SetUp => ({
      name: `own, ${name}`,
      start: async (site) => {
        const front = await through(site, badness);
        return { ...front, args: [...(name.endsWith('--gentle') ? ['--gentle'] : []), ...TIMEOUT] };
      },
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
