// Rounds of load with wrk (a Debian package), alternately, so a disturbance of the machine affects all servers alike.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { canPin, type ServerProcess } from '../../test-kit/own-process.ts';

/** Medians of all rounds; `cpuUs` is processor time of the server per request. */
export interface Load {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface RoundOptions {
  readonly path: string;
  readonly script: string;
  readonly connections: number;
  readonly seconds: number;
  readonly repetitions: number;
}

/** Returns the medians by name; the order is reversed every second round. */
export function runRounds(servers: readonly ServerProcess[], options: RoundOptions): Map<string, Load> {
  const rounds = new Map<string, Load[]>(servers.map(({ name }) => [name, []]));
  for (const server of servers) runRound(server, { ...options, seconds: 1 });
  for (let i = 0; i < options.repetitions; i += 1) {
    for (const server of i % 2 === 0 ? servers : [...servers].reverse())
      rounds.get(server.name)?.push(runRound(server, options));
  }
  const pick = (loads: readonly Load[], name: keyof Load) => median(loads.map((load) => load[name]));
  return new Map(
    [...rounds].map(([name, loads]) => [
      name,
      {
        perSecond: pick(loads, 'perSecond'),
        cpuUs: pick(loads, 'cpuUs'),
        p50Ms: pick(loads, 'p50Ms'),
        p99Ms: pick(loads, 'p99Ms'),
      },
    ]),
  );
}

/** Throws where a request failed: a server that rejects is not measured. */
export function runRound(server: ServerProcess, options: Omit<RoundOptions, 'repetitions'>): Load & { count: number } {
  const { path, script, connections, seconds } = options;
  const url = `http://127.0.0.1:${server.port}${path}`;
  const wrk = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url];
  const [command = '', ...args] = canPin ? ['taskset', '-c', '1', ...wrk] : wrk;
  const before = cpuMs(server.pid);
  const { stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) throw new Error(`wrk did not start (${error.message}): apt-get install -y wrk`);
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

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
