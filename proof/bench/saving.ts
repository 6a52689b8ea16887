// What `--save` costs: the same posts to two mocks, one of which keeps them in a file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadResult } from './load.ts';
import { runRounds } from './rounds.ts';
import { number, table, verdict } from './table.ts';
import * as targets from './targets.ts';

const ratioMin = 0.85;

/** Judges the interval, which is the default; `always` pays for a sync with each answer. */
export async function measureSaving(isQuick: boolean): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'casa-saving-'));
  const flags = (name: string) => ['--save', join(folder, name), '--save-sync', name];
  const servers = [
    await targets.startRaised(targets.ours('without')),
    await targets.startRaised(targets.ours('interval', flags('interval'))),
    await targets.startRaised(targets.ours('always', flags('always'))),
  ] as const;
  try {
    const facts = await targets.gatherFacts(servers[0]);
    const requestsFile = targets.requestsFile('saving', [targets.postRequest('/api/v1', facts)]);
    const contenders = servers.map((server) => ({ server, requestsFile }));
    const length = { connections: 50, ms: isQuick ? 500 : 1_000, repetitions: isQuick ? 5 : 9 };
    const results = runRounds(contenders, length);
    const without = results.get('without') as LoadResult;
    const rows = [...results].map(([name, { perSecond, serverUs, p99Ms }]) => [
      name,
      number(perSecond),
      number(perSecond / without.perSecond, 2),
      number(without.serverUs / serverUs, 2),
      number(p99Ms, 2),
    ]);
    const own = results.get('interval') as LoadResult;
    const ratio = Math.max(own.perSecond / without.perSecond, without.serverUs / own.serverUs);
    return [
      '### POST .../posts with --save, of POST without, 50 connections\n',
      table(['--save-sync', 'requests/s', 'ratio', 'by CPU time', 'p99 ms'], rows),
      verdict(ratio >= ratioMin, `at least ${ratioMin} with the interval (${number(ratio, 2)})`),
      '',
    ].join('\n');
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  }
}
