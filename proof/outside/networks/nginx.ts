// nginx in front of the faithful server: the ways in which it is usually set up, and some in which it rejects.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificates } from '../../../fixtures/test-kit/certificates.ts';
import { startFaultyNetwork } from '../../../fixtures/test-kit/faulty-network.ts';
import { freePort, type OwnProcess, startOwn } from '../../../fixtures/test-kit/own-process.ts';
import type { Front, SetUp, Site } from './run-kit.ts';

const needs = { command: 'nginx', debian: 'nginx-light' };

interface Server {
  readonly port: number;
  /** Lines of the `server` block. */
  readonly server?: string;
  readonly location?: string;
  readonly upstreamPort: number;
  /** The path of the service; `/` by default. */
  readonly prefix?: string;
}

interface Config {
  readonly http?: string;
  readonly servers: readonly Server[];
}

/** Everything in the folder of the set-up, so nginx touches nothing of the system. */
function configOf(folder: string, { http = '', servers }: Config): string {
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const blocks = servers.map(
    ({ port, server = '', location = '', upstreamPort, prefix = '/' }) => `
  server {
    listen 127.0.0.1:${port} ${/ssl_certificate /.test(server) ? 'ssl http2' : ''};
    ${server}
    location ${prefix} {
      proxy_pass http://127.0.0.1:${upstreamPort}${prefix === '/' ? '' : '/'};
      proxy_set_header X-Forwarded-For $remote_addr;
      ${location}
    }
  }`,
  );
  return `daemon off; ${user} pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off; client_max_body_size 10m; ${temporary.join(' ')}
  ${http}
  ${blocks.join('\n')}
}
`;
}

export async function startNginx(folder: string, config: Config): Promise<OwnProcess> {
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configOf(folder, config));
  const port = config.servers[0]?.port ?? 0;
  return startOwn({ command: 'nginx', args: ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], port });
}

interface Plain extends Omit<Server, 'port' | 'upstreamPort'> {
  readonly http?: string;
  /** Between nginx and the server. */
  readonly latencyMs?: number;
  readonly path?: string;
}

async function inFront({ folder, originPort }: Site, plain: Plain): Promise<Front> {
  const { http = '', latencyMs = 0, path = '', ...server } = plain;
  const between = latencyMs === 0 ? null : await startFaultyNetwork(originPort, { latencyMs });
  const port = await freePort();
  const upstreamPort = between?.port ?? originPort;
  const nginx = await startNginx(folder, { http, servers: [{ port, upstreamPort, ...server }] });
  return {
    baseUrl: `http://127.0.0.1:${port}${path}/api/v1`,
    close: async () => {
      await nginx.stop();
      await between?.close();
    },
  };
}

const simple: readonly (readonly [name: string, plain: Plain, rest?: Partial<SetUp>])[] = [
  ['keep-alive 0', { http: 'keepalive_timeout 0;' }],
  ['keep-alive 1 s', { http: 'keepalive_timeout 1s;' }, { variant: 'lavish' }],
  ['3 requests a connection', { http: 'keepalive_requests 3;' }, { variant: 'strict' }],
  ['100 requests a connection', { http: 'keepalive_requests 100;' }, { variant: 'offsets' }],
  ['gzip', { http: 'gzip on; gzip_min_length 1; gzip_types application/json; gzip_proxied any;' }],
  ['no buffering', { location: 'proxy_buffering off; proxy_request_buffering off; proxy_http_version 1.1;' }],
  ['a prefix', { prefix: '/casa/', path: '/casa' }, { variant: 'basic' }],
  ['X-Forwarded-For', {}, { variant: 'mixed' }],
  [
    'limit_conn 5 in the burst',
    { http: 'limit_conn_zone $binary_remote_addr zone=c:1m; limit_conn c 5;', latencyMs: 150 },
    { variant: 'frugal' },
  ],
];

function tlsServer(site: Site, more = ''): { lines: string; ca: string; args: readonly string[] } {
  const files = makeCertificates(site.folder);
  const lines = `ssl_certificate ${files.cert}; ssl_certificate_key ${files.key}; ${more.replaceAll('CA', files.ca)}`;
  return { lines, ca: files.ca, args: ['--cert', files.clientCert, '--key', files.clientKey] };
}

async function overTls(site: Site, { more = '', hasClient = false } = {}): Promise<Front> {
  const { lines, ca, args } = tlsServer(site, more);
  const front = await inFront(site, { server: lines });
  const baseUrl = front.baseUrl.replace('http:', 'https:');
  return { ...front, baseUrl, args: ['--ca', ca, ...(hasClient ? args : [])] };
}

/** Two proxies in a row, each with separate limits and buffers. */
async function twoHops(site: Site): Promise<Front> {
  const [outer, inner] = [await freePort(), await freePort()];
  const servers = [
    { port: outer, upstreamPort: inner },
    { port: inner, upstreamPort: site.originPort },
  ];
  const nginx = await startNginx(site.folder, { servers });
  return { baseUrl: `http://127.0.0.1:${outer}/api/v1`, close: () => nginx.stop() };
}

async function reloading(site: Site): Promise<Front> {
  const port = await freePort();
  const nginx = await startNginx(site.folder, { servers: [{ port, upstreamPort: site.originPort }] });
  const timer = setInterval(() => process.kill(nginx.pid, 'SIGHUP'), 4_000);
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    close: async () => {
      clearInterval(timer);
      await nginx.stop();
    },
  };
}

/** Its server is gone: before the run, or in the middle of it. */
async function withoutServer(site: Site, dieAfter: number): Promise<Front> {
  const mortal = await startFaultyNetwork(site.originPort, { rejectAfter: dieAfter });
  const port = await freePort();
  const nginx = await startNginx(site.folder, { servers: [{ port, upstreamPort: mortal.port }] });
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    close: async () => {
      await nginx.stop();
      await mortal.close();
    },
  };
}

async function withBasicAuth(site: Site, args: readonly string[]): Promise<Front> {
  const file = join(site.folder, 'htpasswd');
  writeFileSync(file, 'staging:{PLAIN}open\n');
  const location = 'proxy_set_header Authorization $http_x_api_authorization;';
  const front = await inFront(site, { server: `auth_basic "staging"; auth_basic_user_file ${file};`, location });
  return { ...front, args };
}

const credentials = `Authorization: Basic ${Buffer.from('staging:open').toString('base64')}`;

export const nginxSetUps: readonly SetUp[] = [
  ...simple.map(
    ([name, plain, rest]): SetUp => ({
      name: `nginx, ${name}`,
      needs,
      start: (site) => inFront(site, plain),
      ...rest,
    }),
  ),
  { name: 'nginx, TLS and HTTP/2', needs, variant: 'offsets', start: (site) => overTls(site) },
  { name: 'nginx, two hops', needs, variant: 'lavish', start: twoHops },
  { name: 'nginx, reloads while it serves', needs, start: reloading },
  {
    name: 'nginx, wants a client certificate',
    needs,
    exits: [2, 4],
    says: /client certificate.*--cert/,
    start: (site) => overTls(site, { more: 'ssl_client_certificate CA; ssl_verify_client on;' }),
  },
  {
    name: 'nginx, gets a client certificate',
    needs,
    start: (site) => overTls(site, { more: 'ssl_client_certificate CA; ssl_verify_client on;', hasClient: true }),
  },
  {
    name: 'nginx, old TLS',
    needs,
    exits: [4],
    says: /TLS/,
    start: (site) => overTls(site, { more: 'ssl_protocols TLSv1; ssl_ciphers ALL:@SECLEVEL=0;' }),
  },
  {
    name: 'nginx, Basic auth',
    needs,
    exits: [2, 4],
    says: /Basic.*--key-header/,
    start: (site) => withBasicAuth(site, []),
  },
  {
    name: 'nginx, Basic auth, key in another header',
    needs,
    start: (site) => withBasicAuth(site, ['--key-header', 'X-Api-Authorization', '--header', credentials]),
  },
  { name: 'nginx, server gone (502)', needs, exits: [4], says: /down|502/, start: (site) => withoutServer(site, 0) },
  {
    name: 'nginx, server dies in the middle',
    needs,
    exits: [4],
    says: /down|502/,
    start: (site) => withoutServer(site, 25),
  },
];
