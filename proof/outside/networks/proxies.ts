// The ways to a faithful server: nginx, HAProxy, Caddy, Apache, Varnish and Squid, in usual
// setups and in some that reject, and bad networks that need real time. Those on the clock of the test are in
// networks.deep.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificates } from '../../../fixtures/test-kit/certificates.ts';
import { type NetworkFaults, startFaultyNetwork } from '../../../fixtures/test-kit/faulty-network.ts';
import { freePort, startOwn, withSystemPaths } from '../../../fixtures/test-kit/own-process.ts';
import type { Front, SetUp, Site } from './run-kit.ts';

/** The place of a proxy: everything in the folder of the set-up, so it touches nothing of the system. */
interface Place {
  readonly folder: string;
  readonly port: number;
  /** For a second proxy, between the first and the server. */
  readonly innerPort: number;
  readonly originPort: number;
  readonly certificates: ReturnType<typeof makeCertificates> | null;
}

/** A program with its command line and the files that it reads. */
interface Proxy {
  readonly command: string;
  readonly debian: string;
  run(place: Place): { readonly args: readonly string[]; readonly files: Readonly<Record<string, string>> };
}

const asRoot = (text: string) => (process.getuid?.() === 0 ? text : '');

interface Nginx {
  readonly http?: string;
  /** Lines of the `server` block. `CA` and `FOLDER` become paths. */
  readonly server?: string;
  readonly location?: string;
  /** The path of the service; `/` by default. */
  readonly prefix?: string;
  readonly hasTwoHops?: boolean;
}

const nginx = ({ http = '', server = '', location = '', prefix = '/', hasTwoHops = false }: Nginx = {}): Proxy => ({
  command: 'nginx',
  debian: 'nginx-light',
  run: ({ folder, port, innerPort, originPort, certificates }) => {
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const temporary = kinds.map((name) => `${name}_temp_path ${folder}/${name};`);
    const tls = certificates ? `ssl_certificate ${certificates.cert}; ssl_certificate_key ${certificates.key};` : '';
    const lines = server.replace('CA', certificates?.ca ?? '').replace('FOLDER', folder);
    const block = (from: number, to: number) => `
  server {
    listen 127.0.0.1:${from} ${certificates ? 'ssl http2' : ''};
    ${tls} ${lines}
    location ${prefix} {
      proxy_pass http://127.0.0.1:${to}${prefix === '/' ? '' : '/'};
      proxy_set_header X-Forwarded-For $remote_addr;
      ${location}
    }
  }`;
    const text = `daemon off; ${asRoot('user root;')} pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off; client_max_body_size 10m; ${temporary.join(' ')}
  ${http}
  ${block(port, hasTwoHops ? innerPort : originPort)} ${hasTwoHops ? block(innerPort, originPort) : ''}
}
`;
    const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
    return { args, files: { 'nginx.conf': text, htpasswd: 'staging:{PLAIN}open\n' } };
  },
});

const haproxy = (option: string, serverWords = ''): Proxy => ({
  command: 'haproxy',
  debian: 'haproxy',
  run: ({ folder, port, originPort, certificates }) => {
    const text = `defaults
  mode http
  timeout connect 2s
  timeout client 20s
  timeout server 20s
  timeout queue 3s
  ${option}
frontend front
  bind 127.0.0.1:${port} ${certificates ? `ssl crt ${certificates.pem} alpn h2,http/1.1` : ''}
  default_backend back
backend back
  server one 127.0.0.1:${originPort} ${serverWords}
`;
    return { args: ['-db', '-f', join(folder, 'haproxy.cfg')], files: { 'haproxy.cfg': text } };
  },
});

const caddy: Proxy = {
  command: 'caddy',
  debian: 'caddy',
  run: ({ folder, port, originPort, certificates }) => {
    const address = `${certificates ? 'https' : 'http'}://127.0.0.1:${port}`;
    const tls = certificates ? `tls ${certificates.cert} ${certificates.key}` : '';
    const text = `{\n  admin off\n  auto_https off\n  storage file_system ${folder}\n}
${address} {\n  ${tls}\n  reverse_proxy 127.0.0.1:${originPort}\n}\n`;
    const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    return { args, files: { Caddyfile: text } };
  },
};

const apache: Proxy = {
  command: 'apache2',
  debian: 'apache2',
  run: ({ folder, port, originPort }) => {
    const modules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers'];
    const load = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
    const text = `ServerRoot ${folder}
${load.join('\n')}
${asRoot('User www-data\nGroup www-data')}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/apache.log
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
AllowEncodedSlashes NoDecode
ProxyPass / http://127.0.0.1:${originPort}/ nocanon
`;
    return { args: ['-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')], files: { 'apache.conf': text } };
  },
};

const varnish: Proxy = {
  command: 'varnishd',
  debian: 'varnish',
  run: ({ folder, port, originPort }) => {
    const text = `vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "${originPort}"; }\n`;
    mkdirSync(join(folder, 'varnish'));
    const place = ['-a', `127.0.0.1:${port}`, '-f', join(folder, 'default.vcl'), '-n', join(folder, 'varnish')];
    return { args: ['-F', '-j', 'none', ...place, '-s', 'malloc,16m'], files: { 'default.vcl': text } };
  },
};

/** In front of the server; or the way out of an office: HTTP_PROXY, and a name that only the proxy knows. */
const squid = (isForward: boolean): Proxy => ({
  command: 'squid',
  debian: 'squid',
  run: ({ folder, port, originPort }) => {
    const peer = `cache_peer 127.0.0.1 parent ${originPort} 0 no-query originserver login=PASSTHRU`;
    const text = `http_port 127.0.0.1:${port} ${isForward ? '' : 'accel defaultsite=casa.test'}
${isForward ? `hosts_file ${folder}/hosts` : peer}
http_access allow all
cache deny all
access_log none
cache_log /dev/null
pid_filename none
${asRoot('cache_effective_user proxy')}
coredump_dir ${folder}
shutdown_lifetime 0 seconds
`;
    const args = ['-N', '-n', `casa${port}`, '-f', join(folder, 'squid.conf')];
    return { args, files: { 'squid.conf': text, hosts: '127.0.0.1 casa.test\n' } };
  },
});

interface Way extends Omit<SetUp, 'name' | 'needs' | 'start'> {
  readonly proxy?: Proxy;
  /** Between the proxy and the server. */
  readonly faults?: NetworkFaults;
  /** The certificate of the proxy; with a client certificate, the suite gets one as well. */
  readonly tls?: 'server' | 'client';
  /** Arguments of `conformance`; `ACCOUNT` becomes an account with reviews. */
  readonly args?: readonly string[];
  /** Of the service at the proxy. */
  readonly path?: string;
  /** The proxy reads its configuration again so often. */
  readonly reloadMs?: number;
  /** Differences that depend on the address of the proxy. */
  readonly front?: (origin: string, site: Site) => Pick<Front, 'baseUrl' | 'env'>;
}

async function startFront(site: Site, way: Way): Promise<Front> {
  const { proxy, faults, tls, args = [], path = '', reloadMs, front } = way;
  const { folder, server } = site;
  const network = faults ? await startFaultyNetwork(site.originPort, faults) : null;
  const own = args.map((word) => word.replace('ACCOUNT', server.accounts.reviewable));
  if (proxy === undefined) return { baseUrl: '', ...network, args: own, close: async () => network?.close() };
  const certificates = tls ? makeCertificates(folder) : null;
  const [port, innerPort] = [await freePort(), await freePort()];
  const originPort = network?.port ?? site.originPort;
  const { args: argv, files } = proxy.run({ folder, port, innerPort, originPort, certificates });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const env = { PATH: withSystemPaths().PATH ?? '', HOME: folder };
  const running = await startOwn({ command: proxy.command, args: argv, port, env });
  const timer = reloadMs && setInterval(() => process.kill(running.pid, 'SIGHUP'), reloadMs);
  const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const client =
    tls === 'client' && certificates ? ['--cert', certificates.clientCert, '--key', certificates.clientKey] : [];
  return {
    baseUrl: `${origin}${path}/api/v1`,
    ...front?.(origin, site),
    args: [...own, ...(certificates ? ['--ca', certificates.ca] : []), ...client],
    close: async () => {
      clearInterval(timer);
      await running.stop();
      await network?.close();
    },
  };
}

const wantsClient = nginx({ server: 'ssl_client_certificate CA; ssl_verify_client on;' });
const basicAuth = nginx({
  server: 'auth_basic "staging"; auth_basic_user_file FOLDER/htpasswd;',
  location: 'proxy_set_header Authorization $http_x_api_authorization;',
});
const credentials = `Authorization: Basic ${Buffer.from('staging:open').toString('base64')}`;
const keyElsewhere = ['--key-header', 'X-Api-Authorization', '--header', credentials];
const aFewWrites = ['--allow-writes', '--pace', 'off', '--account', 'ACCOUNT', '--skip', 'limits/*'];
const serverClose = haproxy('option http-server-close');
const sixConnections = haproxy('option httpclose', 'maxconn 6');
const gzip = 'gzip on; gzip_min_length 1; gzip_types application/json; gzip_proxied any;';
const fiveAtOnce = nginx({ http: 'limit_conn_zone $binary_remote_addr zone=c:1m; limit_conn c 5;' });
const unbuffered = 'proxy_buffering off; proxy_request_buffering off; proxy_http_version 1.1;';
const oldTls = 'ssl_protocols TLSv1; ssl_ciphers ALL:@SECLEVEL=0;';
const own = { args: ['--timeout', '6'], variant: 'lavish' } as const;
const clockAheadMs = 3_600_000;
const rejects = { exits: [2, 4] };
const proxyEnv: Way['front'] = (origin, { originPort }) => ({
  baseUrl: `http://casa.test:${originPort}/api/v1`,
  env: { HTTP_PROXY: origin, NO_PROXY: '' },
});
const isGone = { exits: [4], says: /down|50[23]/ };

const ways: Readonly<Record<string, Way>> = {
  'nginx, keep-alive 0': { proxy: nginx({ http: 'keepalive_timeout 0;' }) },
  'nginx, keep-alive 1 s': { proxy: nginx({ http: 'keepalive_timeout 1s;' }), variant: 'lavish' },
  'nginx, 3 requests a connection': { proxy: nginx({ http: 'keepalive_requests 3;' }), variant: 'strict' },
  'nginx, 100 requests a connection': { proxy: nginx({ http: 'keepalive_requests 100;' }), variant: 'offsets' },
  'nginx, gzip': { proxy: nginx({ http: gzip }) },
  'nginx, no buffering': { proxy: nginx({ location: unbuffered }) },
  'nginx, a prefix': { proxy: nginx({ prefix: '/casa/' }), path: '/casa', variant: 'basic' },
  'nginx, X-Forwarded-For': { proxy: nginx(), variant: 'mixed' },
  'nginx, limit_conn 5 in the burst': { proxy: fiveAtOnce, faults: { latencyMs: 150 }, variant: 'frugal' },
  'nginx, TLS and HTTP/2': { proxy: nginx(), tls: 'server', variant: 'offsets' },
  'nginx, two hops': { proxy: nginx({ hasTwoHops: true }), variant: 'lavish' },
  'nginx, reloads while it serves': { proxy: nginx(), reloadMs: 4_000 },
  'nginx, wants a client certificate': { proxy: wantsClient, tls: 'server', ...rejects, says: /certificate.*--cert/ },
  'nginx, gets a client certificate': { proxy: wantsClient, tls: 'client' },
  'nginx, old TLS': { proxy: nginx({ server: oldTls }), tls: 'server', exits: [4], says: /TLS/ },
  'nginx, Basic auth': { proxy: basicAuth, ...rejects, says: /Basic.*--key-header/ },
  'nginx, Basic auth, key in another header': { proxy: basicAuth, args: keyElsewhere },
  'nginx, server gone (502)': { proxy: nginx(), faults: { rejectAfter: 0 }, ...isGone },
  'nginx, server dies in the middle': { proxy: nginx(), faults: { rejectAfter: 25 }, ...isGone },
  'HAProxy, reuse': { proxy: haproxy('http-reuse always'), variant: 'strict' },
  'HAProxy, server-close': { proxy: serverClose },
  'HAProxy, TLS and HTTP/2': { proxy: haproxy('option http-keep-alive'), tls: 'server', variant: 'lavish' },
  // At full speed, the rate limits leave some checks open.
  'HAProxy, 6 connections, writes': { proxy: sixConnections, args: aFewWrites, exits: [0, 3] },
  'HAProxy, server dies in the middle': { proxy: serverClose, faults: { rejectAfter: 25 }, ...isGone },
  Caddy: { proxy: caddy, variant: 'mixed' },
  'Caddy, TLS and HTTP/2': { proxy: caddy, tls: 'server', variant: 'basic' },
  Apache: { proxy: apache, variant: 'offsets' },
  Varnish: { proxy: varnish, variant: 'lavish' },
  'Squid in front': { proxy: squid(false), variant: 'frugal' },
  'Squid as HTTP_PROXY': { proxy: squid(true), front: proxyEnv },
  'own, uplink 1 MB/s, Date by the proxy': { ...own, faults: { uplinkBytesPerS: 1_000_000, dateAheadMs: 0 } },
  'own, uplink 300 kB/s, Date by the proxy': {
    ...{ ...own, faults: { uplinkBytesPerS: 300_000, dateAheadMs: 0 }, variant: 'mixed' },
  },
  'own, latency up to 2.5 s, Date by the proxy': { ...own, faults: { jitterMs: 2500, dateAheadMs: 0 } },
  'own, server an hour ahead': { ...own, faults: {}, clockAheadMs },
  'own, server an hour ahead, Date by the proxy': { ...own, faults: { dateAheadMs: 0 }, clockAheadMs },
};

export const setUps: readonly SetUp[] = Object.entries(ways).map(([name, { proxy, ...way }]) => ({
  ...way,
  name,
  ...(proxy && { needs: { command: proxy.command, debian: proxy.debian } }),
  start: (site) => startFront(site, { ...way, ...(proxy && { proxy }) }),
}));
