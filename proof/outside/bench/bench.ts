// `npm run bench`: our mock next to bare node:http and Fastify, in one run. Prints Markdown and exits with 1 where a
// goal is missed: GET at or above node:http, POST above Fastify, --save, start and memory. `--quick` shortens the
// rounds.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { canPin, residentMb, type ServerProcess, startServer } from '../../../fixtures/test-kit/own-process.ts';
import { number, storeResult, table } from '../../results.ts';
import { builtMock, startBuiltMock } from '../built-mock.ts';
import { bare, type Facts, fastify, folder, gatherFacts, requestOf } from './contenders.ts';

// Through taskset, a missing wrk looks like a run that failed.
if (spawnSync('wrk', ['-v']).error) {
  process.stderr.write('npm run bench needs wrk to send requests. Install it: apt-get install -y wrk\n');
  process.exit(2);
}
const isQuick = process.argv.includes('--quick');
const print = (text: string) => void process.stdout.write(`${text}\n`);
const goals: { readonly goal: string; readonly isMet: boolean }[] = [];

function record(isMet: boolean, goal: string): void {
  goals.push({ goal, isMet });
  print(`${goal}: ${isMet ? 'met' : 'MISSED'}`);
}

/** The better of both ratios counts: other work on the machine can only make one of them worse. */
function ratio(own: Load, other: Load): number {
  return Math.max(own.perSecond / other.perSecond, other.cpuUs / own.cpuUs);
}

const columns = ['server', 'requests/s', 'of node:http', 'by CPU time', 'p50 ms', 'p99 ms', 'CPU µs/request'];

function compare(kind: 'GET' | 'POST', connections: number, servers: readonly ServerProcess[], facts: Facts) {
  const size = { seconds: 1, repetitions: isQuick ? 3 : 9 };
  const loads = runRounds(servers, { ...requestOf(kind, facts), connections, ...size });
  const of = (name: string) => loads.get(name) as Load;
  const base = of('node:http');
  const rows = [...loads].map(([name, load]) => [
    name,
    number(load.perSecond),
    number(load.perSecond / base.perSecond, 2),
    number(base.cpuUs / load.cpuUs, 2),
    number(load.p50Ms, 2),
    number(load.p99Ms, 2),
    number(load.cpuUs, 1),
  ]);
  print(`### ${kind}, ${connections} connections\n\n${table(columns, rows)}`);
  if (connections === 1) return;
  const rival = kind === 'GET' ? 'node:http' : 'Fastify';
  const found = ratio(of('casa-kit'), of(rival));
  record(found >= 1, `${kind} at or above ${rival} (${number(found, 2)})`);
  if (kind === 'POST') {
    const saving = ratio(of('casa-kit --save'), of('casa-kit'));
    record(saving >= 0.8, `POST with --save at least 0.8 of POST without (${number(saving, 2)})`);
  }
  print('');
}

/** Medians of the time to the first response. */
async function measureStart(facts: Facts): Promise<void> {
  const times: [number[], number[]] = [[], []];
  const idle: number[] = [];
  for (let i = 0; i < (isQuick ? 3 : 9); i += 1) {
    for (const [at, options] of [builtMock(), bare(facts)].entries()) {
      const server = await startServer(options);
      times[at]?.push(server.coldMs);
      if (at === 0) idle.push(residentMb(server.pid));
      await server.stop();
    }
  }
  const [own, base] = times.map(median) as [number, number];
  const figures = `${number(own)} ms, bare Node ${number(base)} ms; ${number(median(idle))} MiB.`;
  print(`### Start\n\nFirst response after ${figures}`);
  record(own / base <= 1.25, `start at most 1.25 of bare Node (${number(own / base, 2)})`);
  print('');
}

/** Memory after 200,000 posts, which the mock keeps. */
async function measureMemory(facts: Facts): Promise<void> {
  const server = await startBuiltMock();
  try {
    let posts = 0;
    while (posts < 200_000)
      posts += runRound(server, { ...requestOf('POST', facts), connections: 50, seconds: 2 }).count;
    print(`### Memory\n\n${number(residentMb(server.pid))} MiB after ${number(posts)} posts.\n`);
  } finally {
    await server.stop();
  }
}

const load = loadavg()[0] ?? 0;
const machine = `${cpus()[0]?.model}, ${cpus().length} processors, node ${process.version}`;
print(`## Bench\n\n${machine}, load ${number(load, 1)}.\n`);
const own = await startBuiltMock();
const servers: ServerProcess[] = [own];
try {
  const facts = await gatherFacts(own);
  for (const options of [bare(facts), fastify(facts)]) servers.push(await startServer(options));
  const saving = await startBuiltMock({ name: 'casa-kit --save', flags: ['--save', `${folder}/save`] });
  servers.push(saving);
  for (const kind of ['GET', 'POST'] as const) {
    for (const connections of [50, 1]) {
      const takesPart = kind === 'POST' ? servers : servers.filter((server) => server !== saving);
      compare(kind, connections, takesPart, facts);
    }
  }
  await measureStart(facts);
  await measureMemory(facts);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}
storeResult('bench', { load, goals }, !isQuick);
process.exitCode = goals.every(({ isMet }) => isMet) ? 0 : 1;

/** Medians of all rounds; `cpuUs` is processor time of the server per request. */
interface Load {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface RoundOptions {
  readonly path: string;
  readonly script: string;
  readonly connections: number;
  readonly seconds: number;
  readonly repetitions: number;
}

/** Returns the medians by name; the order is reversed every second round. */
function runRounds(servers: readonly ServerProcess[], options: RoundOptions): Map<string, Load> {
  const rounds = new Map<string, Load[]>(servers.map(({ name }) => [name, []]));
  for (const server of servers) runRound(server, { ...options, seconds: 1 });
  for (let i = 0; i < options.repetitions; i += 1) {
    for (const server of i % 2 === 0 ? servers : [...servers].reverse())
      rounds.get(server.name)?.push(runRound(server, options));
  }
  const fields = ['perSecond', 'cpuUs', 'p50Ms', 'p99Ms'] as const;
  const mediansOf = (loads: readonly Load[]) =>
    Object.fromEntries(fields.map((name) => [name, median(loads.map((load) => load[name]))])) as unknown as Load;
  return new Map([...rounds].map(([name, loads]) => [name, mediansOf(loads)]));
}

/** Throws where a request failed: a server that rejects is not measured. */
function runRound(server: ServerProcess, options: Omit<RoundOptions, 'repetitions'>): Load & { count: number } {
  const { path, script, connections, seconds } = options;
  const url = `http://127.0.0.1:${server.port}${path}`;
  const wrk = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url];
  const [command = '', ...args] = canPin ? ['taskset', '-c', '1', ...wrk] : wrk;
  const before = cpuMs(server.pid);
  const { stderr } = spawnSync(command, args, { encoding: 'utf8' });
  const cpu = cpuMs(server.pid) - before;
  if (!stderr.startsWith('{')) throw new Error(`wrk printed no summary: ${stderr.slice(0, 200)}`);
  const { requests, us, failures, p50Us, p99Us } = JSON.parse(stderr);
  if (failures > 0) throw new Error(`${server.name}: ${failures} requests failed.`);
  return {
    count: requests,
    perSecond: requests / (us / 1e6),
    cpuUs: (cpu * 1000) / requests,
    p50Ms: p50Us / 1000,
    p99Ms: p99Us / 1000,
  };
}

/** Processor time of a process so far; the kernel counts in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
