// The servers that the bench compares, and the requests that it sends them.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartOptions } from '../../../fixtures/test-kit/own-process.ts';
import { type BuiltMock, usableAccount } from '../built-mock.ts';

export const folder = mkdtempSync(join(tmpdir(), 'casa-bench-'));

/** Data that the other servers need to return the same bytes. */
export interface Facts {
  readonly key: string;
  readonly accountId: string;
  readonly bodiesFile: string;
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

/** Asks our mock for the bytes that the other servers return. */
export async function gatherFacts(mock: BuiltMock): Promise<Facts> {
  const accountId = await usableAccount(mock);
  const get = JSON.stringify(await mock.read('/articles?limit=20'));
  const post = JSON.stringify(await mock.read(`/connect/accounts/${accountId}/posts`, postBody));
  const bodiesFile = join(folder, 'bodies.json');
  writeFileSync(bodiesFile, JSON.stringify({ get, post }));
  return { key: mock.key, accountId, bodiesFile };
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

async function isOk(url: string, key: string): Promise<boolean> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.ok;
}
