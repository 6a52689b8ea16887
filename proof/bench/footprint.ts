// Start, memory and size.
import { spawnSync } from 'node:child_process';
import { countPackages, sizeMb } from './installed.ts';
import type { OtherServer } from './other-servers.ts';
import { median, runLoad } from './rounds.ts';
import { residentMb, type StartOptions, startServer } from './server-process.ts';
import { number, table, verdict } from './table.ts';
import * as targets from './targets.ts';

/** Of our mock and the others: cold start, memory, and what an installation puts on the disk. */
export async function measureFootprint(others: readonly OtherServer[], isQuick: boolean): Promise<string> {
  const times = isQuick ? 3 : 7;
  const own = await startOften(targets.ours(), times);
  const ownSize = packageSize();
  const rows = [row('casa-kit', own, { mb: ownSize.installedMb, packages: 1 }, own)];
  for (const { options, installed } of others) {
    const size = { mb: sizeMb(installed), packages: countPackages(installed) };
    rows.push(row(options.name, await startOften(options, 3), size, own));
  }
  const columns = ['server', 'start to first answer, ms', 'ratio', 'idle memory, MiB', 'installed, MB', 'packages'];
  return [
    '### Start, memory, size\n',
    table(columns, rows),
    verdict(own.coldMs < 150, 'first answer under 150 ms'),
    verdict(own.idleMb < 80, 'idle memory under 80 MiB'),
    verdict(ownSize.installedMb < 10, `installed under 10 MB (packed ${number(ownSize.packedMb, 2)})`),
    '',
  ].join('\n');
}

function row(name: string, start: Start, size: { mb: number; packages: number }, own: Start): string[] {
  const ratio = number(start.coldMs / own.coldMs, 1);
  return [name, number(start.coldMs), ratio, number(start.idleMb), number(size.mb, 1), number(size.packages)];
}

/** Medians of several starts. */
interface Start {
  readonly coldMs: number;
  readonly idleMb: number;
}

/** Memory half a second after the first answer, when the start is over. */
async function startOften(options: StartOptions, times: number): Promise<Start> {
  const starts: Start[] = [];
  for (let i = 0; i < times; i += 1) {
    const server = await startServer(options);
    await new Promise((resolve) => setTimeout(resolve, 500));
    starts.push({ coldMs: server.coldMs, idleMb: residentMb(server.pid) });
    await server.stop();
  }
  return { coldMs: median(starts.map(({ coldMs }) => coldMs)), idleMb: median(starts.map(({ idleMb }) => idleMb)) };
}

/**
 * Memory after each tenth of a million reads. The limiters are off: a raised one has to remember every request it let
 * in.
 */
export async function measureMillion(): Promise<string> {
  const server = await startServer(targets.ours('casa-kit', ['--relaxed']));
  try {
    const requestsFile = targets.requestsFile('million', [
      targets.getRequest('/api/v1/articles?limit=20', targets.keyOf(server)),
    ]);
    const memory: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      runLoad({
        port: server.port,
        serverPid: server.pid,
        requestsFile,
        connections: 50,
        warmMs: 0,
        ms: 0,
        requests: 100_000,
      });
      memory.push(residentMb(server.pid));
    }
    const half = memory.slice(5);
    const flat = Math.max(...half) - Math.min(...half) < 20;
    return `### Memory over a million requests, MiB after each 100,000\n\n${memory.map((mb) => number(mb)).join(', ')}\n\n${verdict(flat, 'flat')}\n`;
  } finally {
    await server.stop();
  }
}

/** As npm would pack it now. */
function packageSize(): { packedMb: number; installedMb: number } {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  // Old versions of npm give a list, new ones an object by name.
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { size: number; unpackedSize: number }>);
  const { size = 0, unpackedSize = Number.NaN } = packed ?? {};
  return { packedMb: size / 1e6, installedMb: unpackedSize / 1e6 };
}
