// One client pipelines requests that need no key, another client sends one request after the other. Measured is the
// longest wait of the other client: at the mock, and at a bare node:http server whose responses are as long.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openClient } from '../test-kit/client.ts';
import { bundledCommand } from '../test-kit/command.ts';
import { pinned, type ServerProcess, startServer } from '../test-kit/own-process.ts';
import type { Pipelined } from './pipelining-client.ts';

/** The longest wait of another client, in milliseconds. */
export interface Wait {
  readonly name: string;
  readonly requests: number;
  readonly mockMs: number;
  readonly bareMs: number;
  readonly isTooLong: boolean;
}

/** How many times longer others may wait than at bare node:http. Shorter waits than `noticedMs` are the machine's. */
const ratioMax = 2;
const noticedMs = 50;
/** In one attack, and the bytes of all its responses. */
const requestsMax = 100_000;
const responseBytesMax = 500_000_000;
const rounds = 3;

const client = fileURLToPath(new URL('./pipelining-client.ts', import.meta.url));
const bare = fileURLToPath(new URL('../test-kit/bare-server.ts', import.meta.url));

function request(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const all = { host: '127.0.0.1', ...headers, ...(body === '' ? {} : { 'content-length': body.length }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Every path that responds without a key. */
const attacks: Readonly<Record<string, string>> = {
  'GET /': request('GET /'),
  'GET /openapi.json': request('GET /openapi.json'),
  'GET /__admin': request('GET /__admin'),
  'GET /__admin/docs': request('GET /__admin/docs'),
  'GET /__admin/health': request('GET /__admin/health'),
  'GET /connect/nothing': request('GET /connect/nothing'),
  'GET /api/v1/sites': request('GET /api/v1/sites'),
  'GET /nothing': request('GET /nothing'),
  'a preflight': request('OPTIONS /api/v1/sites', {
    origin: 'http://localhost',
    'access-control-request-method': 'GET',
  }),
  'tools/list at /mcp': request(
    'POST /mcp',
    { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  ),
};

/** Attacks whose name contains one of `only`; all if it is empty. */
export async function measureWaits(only: readonly string[]): Promise<Wait[]> {
  const folder = mkdtempSync(join(tmpdir(), 'casa-pipelining-'));
  const waits: Wait[] = [];
  try {
    for (const [path, bytes] of Object.entries(attacks)) {
      const name = `pipelined ${path}`;
      if (only.length === 0 || only.some((part) => name.includes(part)))
        waits.push(await compare(name, { bytes, folder }));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return waits;
}

/** Alternately, so a slow minute of the machine hits both. The shortest of the longest waits counts. */
async function compare(
  name: string,
  { bytes, folder }: { readonly bytes: string; readonly folder: string },
): Promise<Wait> {
  const mock = await startServer({
    name: 'the mock',
    argv: (port) => [bundledCommand, 'mock', '--port', String(port), '--quiet'],
    probe: isUp,
  });
  const response = await responseTo(mock, bytes);
  const bodiesFile = join(folder, 'bodies.json');
  writeFileSync(bodiesFile, JSON.stringify({ get: response.body, post: response.body }));
  const node = await startServer({
    name: 'node:http',
    argv: (port) => ['--import', 'tsx', bare, String(port), bodiesFile],
    probe: isUp,
  });
  const count = Math.min(requestsMax, Math.floor(responseBytesMax / (response.body.length + 200)));
  const longest = { mock: Number.POSITIVE_INFINITY, node: Number.POSITIVE_INFINITY };
  try {
    for (let i = 0; i < rounds; i += 1) {
      longest.mock = Math.min(longest.mock, await longestWait(mock, { bytes, count }));
      longest.node = Math.min(longest.node, await longestWait(node, { bytes, count }));
    }
  } finally {
    await Promise.all([mock.stop(), node.stop()]);
  }
  const isTooLong = longest.mock > Math.max(noticedMs, ratioMax * longest.node);
  return { name, requests: count, mockMs: longest.mock, bareMs: longest.node, isTooLong };
}

async function isUp(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/`)).ok;
}

async function responseTo({ port }: ServerProcess, bytes: string): Promise<{ readonly body: string }> {
  const line = await openClient(port);
  line.write(bytes);
  const response = await line.response();
  line.socket.destroy();
  return response;
}

/** Until the last response to the attack has come; without an end where not all of them come. */
async function longestWait({ port }: ServerProcess, { bytes, count }: Pick<Pipelined, 'bytes' | 'count'>) {
  const [command, argv] = pinned(1, ['--import', 'tsx', client, JSON.stringify({ port, bytes, count })]);
  const attacker = spawn(command, argv, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(attacker, 'message');
  const other = await openClient(port);
  let ended: number | null | undefined;
  attacker.once('exit', (code) => {
    ended = code;
  });
  let longestMs = 0;
  attacker.send('begin');
  while (ended === undefined) {
    const startedMs = performance.now();
    other.write(request('GET /'));
    await other.response();
    longestMs = Math.max(longestMs, performance.now() - startedMs);
  }
  other.socket.destroy();
  return ended === 0 ? longestMs : Number.POSITIVE_INFINITY;
}
