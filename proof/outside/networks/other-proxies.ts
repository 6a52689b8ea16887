// HAProxy, Caddy, Apache, Varnish and Squid in front of the faithful server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificates } from '../../../fixtures/test-kit/certificates.ts';
import { type NetworkFaults, startFaultyNetwork } from '../../../fixtures/test-kit/faulty-network.ts';
import { freePort, startOwn, withSystemPaths } from '../../../fixtures/test-kit/own-process.ts';
import type { Front, SetUp, Site } from './run-kit.ts';

/** From the port to listen on to a command line and the file that it reads. */
type Recipe = (given: { port: number; folder: string; originPort: number }) => {
  readonly file: string;
  readonly text: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly isSecure?: boolean;
  readonly frontArgs?: readonly string[];
};

async function startBy(site: Site, recipe: Recipe, originPort = site.originPort): Promise<Front> {
  const port = await freePort();
  const { file, text, command, args, isSecure = false, frontArgs = [] } = recipe({ ...site, port, originPort });
  writeFileSync(join(site.folder, file), text);
  const env = { PATH: withSystemPaths().PATH ?? '', HOME: site.folder };
  const proxy = await startOwn({ command, args, port, env });
  return {
    baseUrl: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/api/v1`,
    args: frontArgs,
    close: () => proxy.stop(),
  };
}

const haproxy =
  (lines: string, { isSecure = false, serverWords = '' } = {}): Recipe =>
  ({ port, folder, originPort }) => {
    const files = isSecure ? makeCertificates(folder) : null;
    const bind = files === null ? '' : `ssl crt ${files.pem} alpn h2,http/1.1`;
    const text = `defaults
  mode http
  timeout connect 2s
  timeout client 20s
  timeout server 20s
  timeout queue 3s
  ${lines.split('; ').join('\n  ')}
frontend front
  bind 127.0.0.1:${port} ${bind}
  default_backend back
backend back
  server one 127.0.0.1:${originPort} ${serverWords}
`;
    const frontArgs = files === null ? [] : ['--ca', files.ca];
    const args = ['-db', '-f', join(folder, 'haproxy.cfg')];
    return { file: 'haproxy.cfg', text, command: 'haproxy', args, isSecure, frontArgs };
  };

const caddy =
  (isSecure: boolean): Recipe =>
  ({ port, folder, originPort }) => {
    const files = isSecure ? makeCertificates(folder) : null;
    const address = files === null ? `http://127.0.0.1:${port}` : `https://127.0.0.1:${port}`;
    const tls = files === null ? '' : `tls ${files.cert} ${files.key}`;
    const text = `{\n  admin off\n  auto_https off\n  storage file_system ${folder}\n}
${address} {\n  ${tls}\n  reverse_proxy 127.0.0.1:${originPort}\n}\n`;
    const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    const frontArgs = files === null ? [] : ['--ca', files.ca];
    return { file: 'Caddyfile', text, command: 'caddy', args, isSecure, frontArgs };
  };

const apache: Recipe = ({ port, folder, originPort }) => {
  const modules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers'];
  const load = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
  const user = process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : '';
  const text = `ServerRoot ${folder}
${load.join('\n')}
${user}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/apache.log
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
AllowEncodedSlashes NoDecode
ProxyPass / http://127.0.0.1:${originPort}/ nocanon
`;
  const args = ['-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')];
  return { file: 'apache.conf', text, command: 'apache2', args };
};

const varnish: Recipe = ({ port, folder, originPort }) => {
  const text = `vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "${originPort}"; }\n`;
  mkdirSync(join(folder, 'varnish'));
  const place = ['-a', `127.0.0.1:${port}`, '-f', join(folder, 'default.vcl'), '-n', join(folder, 'varnish')];
  const args = ['-F', '-j', 'none', ...place, '-s', 'malloc,16m'];
  return { file: 'default.vcl', text, command: 'varnishd', args };
};

function squidText(folder: string, lines: string): string {
  return `${lines.split('; ').join('\n')}
http_access allow all
cache deny all
access_log none
cache_log /dev/null
pid_filename none
${process.getuid?.() === 0 ? 'cache_effective_user proxy' : ''}
coredump_dir ${folder}
shutdown_lifetime 0 seconds
`;
}

const squidReverse: Recipe = ({ port, folder, originPort }) => {
  const peer = `cache_peer 127.0.0.1 parent ${originPort} 0 no-query originserver login=PASSTHRU`;
  const text = squidText(folder, `http_port 127.0.0.1:${port} accel defaultsite=casa.test; ${peer}`);
  return {
    file: 'squid.conf',
    text,
    command: 'squid',
    args: ['-N', '-n', `casa${port}`, '-f', join(folder, 'squid.conf')],
  };
};

/** The way out of an office: HTTP_PROXY, and a name that only the proxy knows. */
async function squidForward(site: Site): Promise<Front> {
  writeFileSync(join(site.folder, 'hosts'), '127.0.0.1 casa.test\n');
  const front = await startBy(site, ({ port, folder }) => ({
    file: 'squid.conf',
    text: squidText(folder, `http_port 127.0.0.1:${port}; hosts_file ${folder}/hosts`),
    command: 'squid',
    args: ['-N', '-n', `casa${port}`, '-f', join(folder, 'squid.conf')],
  }));
  const proxy = new URL(front.baseUrl).origin;
  return { ...front, baseUrl: `http://casa.test:${site.originPort}/api/v1`, env: { HTTP_PROXY: proxy, NO_PROXY: '' } };
}

/** The server of the proxy exits after 25 requests: the proxy then returns its own error pages. */
async function dying(site: Site): Promise<Front> {
  const mortal = await startFaultyNetwork(site.originPort, { rejectAfter: 25 });
  const front = await startBy(site, haproxy('option http-server-close'), mortal.port);
  return {
    ...front,
    close: async () => {
      await front.close();
      await mortal.close();
    },
  };
}

const needsOf = (command: string, debian = command) => ({ needs: { command, debian } });
const inHaproxy = needsOf('haproxy');
const writing = ['--allow-writes', '--pace', 'off'];

export const otherProxies: readonly SetUp[] = [
  { name: 'HAProxy, reuse', ...inHaproxy, variant: 'strict', start: (s) => startBy(s, haproxy('http-reuse always')) },
  { name: 'HAProxy, server-close', ...inHaproxy, start: (s) => startBy(s, haproxy('option http-server-close')) },
  {
    name: 'HAProxy, TLS and HTTP/2',
    ...inHaproxy,
    variant: 'lavish',
    start: (s) => startBy(s, haproxy('option http-keep-alive', { isSecure: true })),
  },
  {
    name: 'HAProxy, 6 connections, writes',
    ...inHaproxy,
    start: async (site) => {
      const front = await startBy(site, haproxy('option httpclose', { serverWords: 'maxconn 6' }));
      return { ...front, args: [...writing, '--account', site.server.accounts.reviewable ?? '', '--skip', 'limits/*'] };
    },
  },
  { name: 'HAProxy, server dies in the middle', ...inHaproxy, exits: [4], says: /down|503/, start: dying },
  { name: 'Caddy', ...needsOf('caddy'), variant: 'mixed', start: (s) => startBy(s, caddy(false)) },
  { name: 'Caddy, TLS and HTTP/2', ...needsOf('caddy'), variant: 'basic', start: (s) => startBy(s, caddy(true)) },
  { name: 'Apache', ...needsOf('apache2'), variant: 'offsets', start: (s) => startBy(s, apache) },
  { name: 'Varnish', ...needsOf('varnishd', 'varnish'), variant: 'lavish', start: (s) => startBy(s, varnish) },
  { name: 'Squid in front', ...needsOf('squid'), variant: 'frugal', start: (s) => startBy(s, squidReverse) },
  { name: 'Squid as HTTP_PROXY', ...needsOf('squid'), variant: 'plain', start: squidForward },
];

/** As a proxy, so the simulated bad network is in the table next to real proxies. */
async function through({ originPort }: Site, faults: NetworkFaults): Promise<Front> {
  const network = await startFaultyNetwork(originPort, faults);
  return { baseUrl: network.baseUrl, close: network.close };
}

type Simple = readonly [name: string, faults: NetworkFaults, rest?: Partial<SetUp>];

/** Bad networks that need real time; the others are in networks.deep.test.ts, on the clock of the test. */
const faulty: readonly Simple[] = [
  ['uplink 1 MB/s, Date by the proxy', { uplinkBytesPerS: 1_000_000, dateAheadMs: 0 }, { variant: 'lavish' }],
  ['uplink 300 kB/s, Date by the proxy', { uplinkBytesPerS: 300_000, dateAheadMs: 0 }, { variant: 'mixed' }],
  ['latency up to 2.5 s, Date by the proxy', { jitterMs: 2500, dateAheadMs: 0 }, { variant: 'lavish' }],
  ['server an hour ahead', {}, { clockAheadMs: 3_600_000, variant: 'lavish' }],
  ['server an hour ahead, Date by the proxy', { dateAheadMs: 0 }, { clockAheadMs: 3_600_000, variant: 'lavish' }],
];

const timeout = ['--timeout', '6'];

export const ownProxies: readonly SetUp[] = [
  ...faulty.map(
    ([name, faults, rest]): SetUp => ({
      name: `own, ${name}`,
      start: async (site) => ({ ...(await through(site, faults)), args: timeout }),
      ...rest,
    }),
  ),
];
