// The kit's own effort: what an audit of the default world sends and how long it takes, against the floor that the
// limits set.
import { spawnSync } from 'node:child_process';
import { number, table } from './table.ts';

/** How close a run comes to the fastest that the limits allow. */
export function measureKit(): string {
  // Ten requests in any ten seconds of one address: the first ten at once, ten more with every further ten seconds.
  const floorS = (requests: number) => Math.max(0, Math.ceil(requests / 10) - 1) * 10;
  const { used, tookS } = run(['--target', 'self']);
  const quick = run(['--target', 'self', '--control', 'self']);
  const rows = [
    ['audit of our mock with all keys, real time', used.requests, tookS, floorS(used.requests)],
    ['the same and the slow checks, clock moved', quick.used.requests, quick.tookS, floorS(quick.used.requests)],
  ] as const;
  const cells = rows.map(([name, requests, seconds, floor]) => [
    name,
    number(requests),
    number(seconds, 1),
    number(floor),
    number(seconds / floor, 2),
  ]);
  const columns = ['run of the kit', 'requests', 'seconds', 'floor by the address limit, s', 'ratio'];
  return `### The kit\n\n${table(columns, cells)}`;
}

/** A run of the kit against its own mock. */
interface Run {
  readonly used: { readonly requests: number };
  readonly tookS: number;
}

/** Throws when the kit finds fault: the figures of a failed run compare with nothing. */
function run(flags: readonly string[]): Run {
  const args = ['dist/conformance-cli.js', ...flags, '--report', 'json=-'];
  const startMs = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`The kit found fault with the mock: ${stderr.slice(-1000)}`);
  const { used } = JSON.parse(stdout) as Pick<Run, 'used'>;
  return { used, tookS: (performance.now() - startMs) / 1000 };
}
