// The suite against servers that are made to hurt it: seconds, processor time, peak memory and exit code of each run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bundledCommand } from '../test-kit/command.ts';
import { type BodyOf, hostileBodies } from './responses.ts';

const command = join(bundledCommand, '..', 'conformance-cli.js');
const memoryMbMax = 300;
const key = 'casa_0123456789abcdef0123456789abcdef';

/** Run inside the suite: plain JavaScript, because loading TypeScript takes memory. */
const inside = `import { writeSync } from 'node:fs';
process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));`;

/** `count` is the number of the request, from 1. */
type Respond = (path: string, response: ServerResponse, count: number) => void;

const json = { 'content-type': 'application/json' };
const sendBody =
  (bodyOf: BodyOf): Respond =>
  (path, response) =>
    response.writeHead(200, json).end(bodyOf(path.replace('/api/v1', '')));
const plain = sendBody((path) => (/^\/(connect|calls)/.test(path) ? '{"data":{}}' : '{"data":[],"cursor":null}'));

const drip: Respond = (_path, response) => {
  response.writeHead(200, json).write('{"data":[');
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
};
const limit: Respond = (_path, response) =>
  response.writeHead(429, { ...json, 'retry-after': '65' }).end('{"error":"rate_limit_exceeded"}');

const slow: Readonly<Record<string, Respond>> = {
  'a slow drip': drip,
  'a slow drip every second time': (path, response, count) => (count % 2 === 1 ? plain : drip)(path, response, count),
  'a 429 of 65 s every second time': (path, response, count) =>
    (count % 2 === 1 ? plain : limit)(path, response, count),
  'a 429 of 65 s after the first response': (path, response, count) =>
    (count === 1 ? plain : limit)(path, response, count),
};

/** One row of the table; `exit` is null for a run that a signal ended. */
export interface HostileRun {
  readonly target: string;
  readonly requests: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly exit: number | null;
  /** Too much memory, or an exit code other than those of a finished run. */
  readonly isOver: boolean;
}

/** Measures the targets whose name contains one of the parts; all without parts. */
export async function measureTargets(only: readonly string[]): Promise<HostileRun[]> {
  const targets: [name: string, respond: () => Respond, flags: string[]][] = [
    ...Object.entries(hostileBodies).map(
      ([name, make]) => [name, () => sendBody(make()), ['--pace', 'off']] as [string, () => Respond, string[]],
    ),
    ...Object.entries(slow).map(
      ([name, respond]) => [name, () => respond, ['--max-time', '20']] as [string, () => Respond, string[]],
    ),
  ];
  const runs: HostileRun[] = [];
  for (const [name, respond, flags] of targets)
    if (only.length === 0 || only.some((part) => name.includes(part))) runs.push(await measure(name, respond(), flags));
  return runs;
}

async function measure(target: string, respond: Respond, flags: readonly string[]): Promise<HostileRun> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    respond(request.url ?? '', response, requests);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const argv = ['--import', `data:text/javascript,${encodeURIComponent(inside)}`, command, '--base-url', url, ...flags];
  const startedMs = performance.now();
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, CONFORMANCE_API_KEY: key },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  let usage = '';
  child.stdio[3]?.on('data', (text) => {
    usage += text;
  });
  const [exit] = (await once(child, 'close')) as [number | null];
  const seconds = (performance.now() - startedMs) / 1000;
  server.closeAllConnections();
  server.close();
  const { maxRSS = Number.NaN, userCPUTime = Number.NaN } =
    usage === '' ? {} : (JSON.parse(usage) as NodeJS.ResourceUsage);
  const peakMb = maxRSS / 1024;
  const isOver = !(peakMb <= memoryMbMax) || exit === null || ![0, 1, 3, 4].includes(exit);
  return { target, requests, seconds, cpuSeconds: userCPUTime / 1e6, peakMb, exit, isOver };
}
