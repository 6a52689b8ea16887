// Start, memory and size.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { median, runLoad } from './rounds.ts';
import { residentMb, type StartOptions, startServer } from './server-process.ts';
import { number, table, verdict } from './table.ts';
import * as targets from './targets.ts';

export async function measureFootprint(facts: targets.Facts, isQuick: boolean): Promise<string> {
  const times = isQuick ? 3 : 7;
  const own = await startOften(targets.ours(), times);
  const prism = targets.prism(facts);
  const other = prism ? await startOften(prism, 3) : null;
  const row = (name: string, { coldMs, idleMb }: Start) => [name, number(coldMs), number(idleMb)];
  return [
    '### Start and memory\n',
    table(
      ['server', 'start to first answer, ms', 'idle memory, MiB'],
      [row('casa-kit', own), ...(other ? [row('Prism', other)] : [])],
    ),
    verdict(own.coldMs < 150, 'first answer under 150 ms'),
    verdict(own.idleMb < 80, 'idle memory under 80 MiB'),
    '',
  ].join('\n');
}

interface Start {
  readonly coldMs: number;
  readonly idleMb: number;
}

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

/** Memory after each tenth of a million reads. The limiters are off: a raised one has to remember every request it let in. */
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

export function measurePackage(): string {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [packed] = JSON.parse(stdout) as { size: number; unpackedSize: number }[];
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies?: Record<string, string> };
  const dependencies = Object.keys(manifest.dependencies ?? {}).length;
  const mb = (bytes = 0) => number(bytes / 1e6, 2);
  return [
    '### Size\n',
    table(
      ['packed, MB', 'installed, MB', 'dependencies'],
      [[mb(packed?.size), mb(packed?.unpackedSize), String(dependencies)]],
    ),
    verdict(dependencies === 0 && (packed?.unpackedSize ?? Number.NaN) < 10e6, 'installed under 10 MB'),
  ].join('\n');
}
