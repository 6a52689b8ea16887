// `npm run storm`: the hostile storm against `casa mock`, on loopback only. `-- --requests 1000000` is the whole of it;
// the default takes a minute. `--json FILE` writes all figures; `--only PART` takes the attacks whose name contains
// PART; `--seed N`. Exit code 1: an answer was an error that nobody asked for, memory does not level off, or the mock
// died.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setup as bundleCommand } from '../rigs/bundled-command.ts';
import { attacks } from './attacks/index.ts';
import { type StormOf, storm } from './storm.ts';
import type { Told } from './tally.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    requests: { ...text, default: '60000' },
    seed: { ...text, default: '1' },
    json: text,
    only: { ...text, multiple: true, default: [] },
  },
});

await bundleCommand();
const results = await storm({
  requests: Number(values.requests),
  seed: Number(values.seed),
  only: values.only,
  onProgress: (line) => process.stderr.write(`${line}\n`),
});
for (const result of results) print(result);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`);
process.exitCode = results.some(({ faults }) => faults.length > 0) ? 1 : 0;

/** For each set of flags: the attacks, the memory over time, the faults. */
function print({ options, seconds, attacks: told, all, memory, faults }: StormOf): void {
  const rows = [
    ['attack', 'requests', '5xx', 'reset', 'unanswered', 'p50 ms', 'p99 ms', 'max ms', 'answers'],
    ...attacks.flatMap(({ name }) => (told[name] ? [row(name, told[name])] : [])),
    row('all', all),
  ];
  const measured = [
    ['memory', 'rss MB', 'held MB', 'loop p99 ms', 'loop max ms'],
    ...memory.map(({ when, ...rest }) => [when, ...Object.values(rest).map((value) => value.toFixed(1))]),
  ];
  process.stdout.write(`\n${options} (${seconds.toFixed(0)} s)\n${table(rows)}\n${table(measured)}\n`);
  for (const fault of faults) process.stdout.write(`FAULT: ${fault}\n`);
}

function row(name: string, { requests, unwanted, resets, unanswered, latencyMs, statuses }: Told): string[] {
  const { p50, p99, max } = latencyMs;
  const answers = Object.entries(statuses).map(([status, count]) => `${status}:${count}`);
  return [
    name,
    ...[requests, unwanted, resets, unanswered].map(String),
    ...[p50, p99, max].map((ms) => ms.toFixed(1)),
    answers.join(' '),
  ];
}

/** Figures to the right, words to the left. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) =>
      column === 0 || column > 7 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
  return rows
    .map((cells) => line(cells).join('  ').trimEnd())
    .join('\n')
    .concat('\n');
}
