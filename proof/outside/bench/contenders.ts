// The servers that the bench compares, and the requests that it sends them.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, type StartOptions, startServer } from '../../../fixtures/test-kit/own-process.ts';

export const folder = mkdtempSync(join(tmpdir(), 'casa-bench-'));

/** Requests per second: far above what the bench can send, so the limiters count and never reject. */
const limitMax = 1_000_000;

/** Data that the other servers need to return the same bytes. */
export interface Facts {
  readonly key: string;
  readonly accountId: string;
  readonly bodiesFile: string;
}

export function ours(name = 'casa-kit', flags: readonly string[] = []): StartOptions {
  return {
    name,
    argv: (port) => ['dist/casa.js', 'mock', '--port', String(port), '--quiet', ...flags],
    probe: (port, output) => isOk(`http://127.0.0.1:${port}/api/v1/sites`, keyIn(output)),
  };
}

/** The upper bound: `node:http` that returns fixed bytes. */
export function bare({ bodiesFile }: Facts): StartOptions {
  return {
    name: 'node:http',
    argv: (port) => ['proof/outside/bench/bare-server.ts', String(port), bodiesFile],
    probe: (port) => isOk(`http://127.0.0.1:${port}/`, ''),
  };
}

/** The framework that people would write a mock with. */
export function fastify({ bodiesFile, key }: Facts): StartOptions {
  return {
    name: 'Fastify',
    argv: (port) => ['proof/outside/bench/fastify-server.ts', String(port), bodiesFile, key],
    probe: (port) => isOk(`http://127.0.0.1:${port}/api/v1/articles`, key),
  };
}

/** Starts our mock with its limiters counting, but raised. */
export async function startRaised(options: StartOptions): Promise<ServerProcess> {
  const server = await startServer(options);
  const limit = { limit: limitMax, windowMs: 1_000 };
  const response = await fetch(`http://127.0.0.1:${server.port}/__admin/limits`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ enforced: true, address: limit, key: limit }),
  });
  if (!response.ok) throw new Error(`Cannot raise the limits: ${response.status} ${await response.text()}`);
  return server;
}

/** Asks our mock for the bytes that the other servers return. */
export async function gatherFacts(server: ServerProcess): Promise<Facts> {
  const key = keyIn(server.output());
  const base = `http://127.0.0.1:${server.port}/api/v1`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { data } = await (await fetch(`${base}/connect/accounts`, { headers })).json();
  const account = data.accounts.find(
    (each: { provider: string; status: string; locked: boolean }) =>
      each.provider === 'google_business' && each.status === 'connected' && !each.locked,
  );
  const get = await (await fetch(`${base}/articles?limit=20`, { headers })).text();
  const path = `${base}/connect/accounts/${account.accountId}/posts`;
  const post = await (await fetch(path, { method: 'POST', headers, body: postBody })).text();
  const bodiesFile = join(folder, 'bodies.json');
  writeFileSync(bodiesFile, JSON.stringify({ get, post }));
  return { key, accountId: account.accountId, bodiesFile };
}

const postBody = JSON.stringify({
  text: 'Fresh bread every morning from seven, rye on Fridays. '.repeat(3),
  media: { imageUrl: 'https://cdn.example/pictures/rye.jpg' },
  link: 'https://bakery.example/rye',
});

export function requestOf(kind: 'GET' | 'POST', { key, accountId }: Facts): { path: string; script: string } {
  const script = join(folder, `${kind}.lua`);
  const body = kind === 'POST' ? `wrk.body = [[${postBody}]]\nwrk.headers["Content-Type"] = "application/json"\n` : '';
  writeFileSync(script, `wrk.method = "${kind}"\n${body}wrk.headers["Authorization"] = "Bearer ${key}"\n${summary}`);
  const path = kind === 'GET' ? '/api/v1/articles?limit=20' : `/api/v1/connect/accounts/${accountId}/posts`;
  return { path, script };
}

const summary = `done = function(s, latency)
  local e = s.errors
  io.stderr:write(string.format('{"requests":%d,"us":%d,"failures":%d,"p50Us":%d,"p99Us":%d}', s.requests, s.duration,
    e.connect + e.read + e.write + e.status + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`;

function keyIn(output: string): string {
  return /Bearer ([a-z][a-z0-9]{0,11}_[0-9a-f]{32})\b/.exec(output)?.[1] ?? '';
}

async function isOk(url: string, key: string): Promise<boolean> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.ok;
}
