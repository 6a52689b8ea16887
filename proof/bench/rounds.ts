// Rounds of load on several servers in turn, and the medians of what they gave.
import { spawnSync } from 'node:child_process';
import type { LoadOptions, LoadResult } from './load.ts';
import { pinned, type ServerProcess } from './server-process.ts';

/** A server, and what it is asked. */
export interface Contender {
  readonly server: ServerProcess;
  readonly requestsFile: string;
}

/** One round, and how often it is repeated. */
export interface RoundOptions {
  readonly connections: number;
  readonly ms: number;
  readonly repetitions: number;
}

/** The servers take turns, in reverse order every other time, so that a slow minute of the machine hits all alike. */
export function runRounds(contenders: readonly Contender[], options: RoundOptions): Map<string, LoadResult> {
  const results = new Map<string, LoadResult[]>();
  for (let i = 0; i < options.repetitions; i += 1) {
    const order = i % 2 === 0 ? contenders : [...contenders].reverse();
    for (const { server, requestsFile } of order) {
      const result = runLoad({
        port: server.port,
        serverPid: server.pid,
        requestsFile,
        connections: options.connections,
        warmMs: i === 0 ? 1_000 : 300,
        ms: options.ms,
      });
      if (result.failures > 0) throw new Error(`${server.name}: ${result.failures} requests failed.`);
      results.set(server.name, [...(results.get(server.name) ?? []), result]);
    }
  }
  return new Map([...results].map(([name, rounds]) => [name, medianOf(rounds)]));
}

/** On another processor than the server's, where the system can pin it. */
export function runLoad(options: LoadOptions): LoadResult {
  const [command, argv] = pinned(1, ['--import', 'tsx', 'proof/bench/load.ts', JSON.stringify(options)]);
  const { stdout, stderr, status } = spawnSync(command, argv, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The load process failed: ${stderr}`);
  return JSON.parse(stdout) as LoadResult;
}

/** Each figure by itself: they need not come from one round. */
function medianOf(rounds: readonly LoadResult[]): LoadResult {
  const pick = (name: keyof LoadResult) => median(rounds.map((round) => round[name]));
  return {
    perSecond: pick('perSecond'),
    p50Ms: pick('p50Ms'),
    p99Ms: pick('p99Ms'),
    serverUs: pick('serverUs'),
    bytes: pick('bytes'),
    failures: 0,
  };
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
