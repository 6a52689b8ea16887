// The suite against servers that are made to hurt it: seconds, processor time, peak memory and exit code of each run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { bundledCommand } from '../../fixtures/test-kit/command.ts';
import { startHttp } from '../../fixtures/test-kit/scripted-server.ts';
import { nested } from './words.ts';

const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const timestamp = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();

export const article = (index: number, createdAt = timestamp(index)) => ({
  id: uuid(index),
  siteId: uuid(1),
  title: 'T',
  slug: 's',
  status: 'draft',
  targetKeyword: null,
  wordCount: 1,
  seoScore: null,
  publishedAt: null,
  createdAt,
  updatedAt: createdAt,
});

const call = (index: number) => {
  const ids = { id: `c${index}`, accountId: `a${index}`, reviewId: `r${index}` };
  return { ...ids, status: 'connected', startedAt: timestamp(index), endedAt: timestamp(index + 60) };
};

const list = (count: number, row: string | ((index: number) => string)) =>
  `[${Array.from({ length: count }, (_, index) => (typeof row === 'string' ? row : row(index))).join(',')}]`;
/** An object of so many fields with numbers as names. */
const wide = (count: number, first = 0) =>
  `{${Array.from({ length: count }, (_, index) => `"m${first + index}":1`).join(',')}}`;

/** Lists by name. Made when used: all of them together would fill the memory of the test. */
const lists: Readonly<Record<string, () => string>> = {
  'small and plain': () => '[]',
  '2,600,000 empty items': () => list(2_600_000, '{}'),
  '160,000 empty items': () => list(160_000, '{}'),
  '20,000 empty items': () => list(20_000, '{}'),
  '20,000 lists': () => list(20_000, '[]'),
  '3,900,000 numbers': () => list(3_900_000, '1'),
  '200,000 numbers': () => list(200_000, '1'),
  'nested 4,000,000 deep': () => nested(3_900_000),
  'nested 90 deep, 2,000 times': () => list(2_000, nested(80)),
  'one row of 150,000 fields': () => `[${wide(150_000)}]`,
  '25 rows of the same 19,000 fields': () => list(25, wide(19_000)),
  '30 rows of 15,000 fields, all with their own names': () => list(30, (row) => wide(15_000, row * 15_000)),
  '30,000 rows, each with its own name': () => list(30_000, (row) => wide(1, row)),
  'a text of 7,000,000 characters': () => `[{"id":"${'a'.repeat(7_000_000)}"}]`,
  'a name of 7,000,000 characters': () => `[{"${'a'.repeat(7_000_000)}":1}]`,
  '7,000,000 digits': () => `[{"wordCount":${'9'.repeat(7_000_000)}}]`,
  '25,000 articles of one timestamp': () => list(25_000, (row) => JSON.stringify(article(row, timestamp(0)))),
  '25,000 equal articles': () => list(25_000, JSON.stringify(article(1))),
  '25,000 calls': () => list(25_000, (row) => JSON.stringify(call(row))),
  '25,000 equal calls': () => list(25_000, '{"startedAt":"2026-01-01T00:00:00Z","accountId":"a","status":"connected"}'),
};

/** Returns the body for a path below `/api/v1`: the list is everywhere where an operation has one. */
type BodyOf = (path: string) => string;

export const hostileBodies: Readonly<Record<string, () => BodyOf>> = Object.fromEntries(
  Object.entries(lists).map(([name, make]) => [
    name,
    () => {
      const rows = make();
      // The outputs of the connect operations have no articles.
      const inner = name.includes('articles') ? '[]' : rows;
      const inside = `{"data":{"accounts":${inner},"pendingInvites":[],"reviews":${inner},"calls":${inner},"metrics":[],"nextCursor":null},"cursor":null}`;
      const data = `{"data":${rows},"cursor":null}`;
      return (path) => (/^\/(connect|calls)/.test(path) ? inside : data);
    },
  ]),
);

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

const plainIf =
  (isPlain: (count: number) => boolean, other: Respond): Respond =>
  (path, response, count) =>
    (isPlain(count) ? plain : other)(path, response, count);
const slow: Readonly<Record<string, Respond>> = {
  'a slow drip': drip,
  'a slow drip every second time': plainIf((count) => count % 2 === 1, drip),
  'a 429 of 65 s every second time': plainIf((count) => count % 2 === 1, limit),
  'a 429 of 65 s after the first response': plainIf((count) => count === 1, limit),
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
  const isChosen = (name: string) => only.length === 0 || only.some((part) => name.includes(part));
  const runs: HostileRun[] = [];
  for (const [name, make] of Object.entries(hostileBodies))
    if (isChosen(name)) runs.push(await measure(name, sendBody(make()), ['--pace', 'off']));
  for (const [name, respond] of Object.entries(slow)) if (isChosen(name)) runs.push(await measure(name, respond, null));
  return runs;
}

/** A run of 20 seconds, for servers that are only slow: the command has no flag for it. */
const kit = join(bundledCommand, '..', 'conformance.js');
const shortRun = (baseUrl: string) => `import { exitCodeOf, runConformance } from '${kit}';
const options = { baseUrl: '${baseUrl}', keys: { good: '${key}' }, maxTimeMs: 20_000 };
process.exit(exitCodeOf(await runConformance(options)));`;

/** Without flags, a short run. */
async function measure(target: string, respond: Respond, flags: readonly string[] | null): Promise<HostileRun> {
  let requests = 0;
  const server = await startHttp((request, response) => {
    requests += 1;
    request.resume();
    respond(request.url ?? '', response, requests);
  });
  const url = `${server.origin}/api/v1`;
  const what = flags === null ? ['--input-type=module', '-e', shortRun(url)] : [command, '--base-url', url, ...flags];
  const argv = ['--import', `data:text/javascript,${encodeURIComponent(inside)}`, ...what];
  const startedMs = performance.now();
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, CONFORMANCE_API_KEY: key },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const usage: string[] = [];
  child.stdio[3]?.on('data', (text) => void usage.push(String(text)));
  const [exit] = (await once(child, 'close')) as [number | null];
  const seconds = (performance.now() - startedMs) / 1000;
  await server.close();
  const { maxRSS = Number.NaN, userCPUTime = Number.NaN } = JSON.parse(usage.join('') || '{}');
  const peakMb = maxRSS / 1024;
  const isOver = !(peakMb <= memoryMbMax) || exit === null || ![0, 1, 3, 4].includes(exit);
  return { target, requests, seconds, cpuSeconds: userCPUTime / 1e6, peakMb, exit, isOver };
}
