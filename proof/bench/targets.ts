// The servers that are compared: our mock as users start it, and its bounds, node:http and Fastify.

import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, type StartOptions, startServer } from './server-process.ts';

const isBuilt = existsSync('dist/casa.js');
export const source = isBuilt ? 'dist' : 'src through tsx';
const tsx = ['--import', 'tsx'];
/** For files of this run. */
export const folder = mkdtempSync(join(tmpdir(), 'casa-bench-'));

/** A second: far above what a bench can send, so that the limiters count and never refuse. */
const limitMax = 1_000_000;

/** What the other servers have to know to be asked the same. */
export interface Facts {
  readonly key: string;
  readonly accountId: string;
  readonly bodiesFile: string;
}

/** From `dist` where it is built: that is what users start. */
export function ours(name = 'casa-kit', flags: string[] = []): StartOptions {
  const entry = isBuilt ? ['dist/casa.js'] : [...tsx, 'src/cli/casa.ts'];
  return {
    name,
    argv: (port) => [...entry, 'mock', '--port', String(port), '--quiet', ...flags],
    probe: async (port, output) => {
      const key = keyIn(output);
      return key !== null && (await isOk(`http://127.0.0.1:${port}/api/v1/sites`, key));
    },
  };
}

/** Starts our mock with its limiters counting, but raised. */
export async function startRaised(options: StartOptions): Promise<ServerProcess> {
  const server = await startServer(options);
  const limits = {
    enforced: true,
    address: { limit: limitMax, windowMs: 1_000 },
    key: { limit: limitMax, windowMs: 1_000 },
  };
  const response = await fetch(`http://127.0.0.1:${server.port}/__admin/limits`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(limits),
  });
  if (!response.ok) throw new Error(`The limits could not be raised: ${response.status} ${await response.text()}`);
  return server;
}

/** Asks our mock for the bytes that the others have to send as well. */
export async function gatherFacts(server: ServerProcess): Promise<Facts> {
  const key = keyOf(server);
  const base = `http://127.0.0.1:${server.port}/api/v1`;
  const headers = { authorization: `Bearer ${key}` };
  const list = (await (await fetch(`${base}/connect/accounts`, { headers })).json()) as {
    data: { accounts: { accountId: string; provider: string; status: string; locked: boolean }[] };
  };
  const account = list.data.accounts.find(
    ({ provider, status, locked }) => provider === 'google_business' && status === 'connected' && !locked,
  );
  if (!account) throw new Error('The default world has no account to post to.');
  const { accountId } = account;
  const get = await (await fetch(`${base}/articles?limit=20`, { headers })).text();
  const posted = await fetch(`${base}/connect/accounts/${accountId}/posts`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: postBody(accountId),
  });
  if (!posted.ok) throw new Error(`The post was refused: ${await posted.text()}`);
  const bodiesFile = join(folder, 'bodies.json');
  writeFileSync(bodiesFile, JSON.stringify({ get, post: await posted.text() }));
  return { key, accountId, bodiesFile };
}

/** The bound from above. */
export function bare({ bodiesFile }: Facts): StartOptions {
  return {
    name: 'node:http',
    argv: (port) => [...tsx, 'proof/bench/bare-server.ts', String(port), bodiesFile],
    probe: (port) => isOk(`http://127.0.0.1:${port}/`, ''),
  };
}

/** null where it is not installed. */
export function fastify({ bodiesFile, key }: Facts): StartOptions | null {
  if (!existsSync('node_modules/fastify')) return null;
  return {
    name: 'Fastify',
    argv: (port) => [...tsx, 'proof/bench/fastify-server.ts', String(port), bodiesFile, key],
    probe: (port) => isOk(`http://127.0.0.1:${port}/api/v1/articles`, key),
  };
}

/** Writes requests to a file for the load process. */
export function requestsFile(name: string, requests: readonly string[]): string {
  const path = join(folder, `${name.replace(/\W/g, '-')}.json`);
  writeFileSync(path, JSON.stringify(requests));
  return path;
}

export function getRequest(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: application/json\r\n\r\n`;
}

export function postRequest(base: string, { key, accountId }: Facts): string {
  const body = postBody(accountId);
  return (
    `POST ${base}/connect/accounts/${accountId}/posts HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

function postBody(accountId: string): string {
  const text = 'Fresh bread every morning from seven, rye on Fridays. '.repeat(3);
  return JSON.stringify({
    accountId,
    text,
    media: { imageUrl: 'https://cdn.example/pictures/rye.jpg' },
    link: 'https://bakery.example/rye',
  });
}

/** The first key that our mock printed. */
export function keyOf(server: ServerProcess): string {
  return keyIn(server.output()) ?? '';
}

// The key of the line that the banner proposes to try is a good one.
function keyIn(output: string): string | null {
  return /Bearer ([a-z][a-z0-9]{0,11}_[0-9a-f]{32})\b/.exec(output)?.[1] ?? null;
}

export async function isOk(url: string, key: string): Promise<boolean> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}`, accept: 'application/json' } });
  await response.arrayBuffer();
  return response.ok;
}
