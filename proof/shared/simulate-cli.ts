// `npm run sandbox:simulate`: three replicas over a model of the stream, for thousands of virtual hours from seeds.
// `-- --seed N --hours H` plays one seed, `--seeds K` as many from there on, `--minutes M` as many as begin within so
// many minutes.
import { parseArgs } from 'node:util';
import { simulateShared } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    minutes: { type: 'string' },
    hours: { type: 'string', default: '100' },
  },
});
const number = (name: string, text: string): number => {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  process.stderr.write(`--${name} takes a number above 0, not "${text}".\n`);
  process.exit(2);
};
const hours = number('hours', values.hours);
const first = number('seed', values.seed ?? '1');
const minutes = values.minutes === undefined ? null : number('minutes', values.minutes);
const wanted = minutes !== null ? Infinity : number('seeds', values.seeds ?? (values.seed === undefined ? '20' : '1'));
const startMs = performance.now();
const isTimeLeft = () => minutes === null || performance.now() - startMs < minutes * 60_000;
let failures = 0;
const sums: Record<string, number> = {};
let seeds = 0;
for (; seeds < wanted && isTimeLeft(); seeds += 1) {
  const seed = first + seeds;
  const { failure, disturbances, ...counts } = await simulateShared({ seed, hours });
  const disturbed = Object.entries(disturbances).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(`${JSON.stringify(counts)} ${disturbed.join(', ')}\n`);
  for (const [name, count] of Object.entries({ ...counts, ...disturbances })) sums[name] = (sums[name] ?? 0) + count;
  if (failure === null) continue;
  failures += 1;
  process.stdout.write(`  seed ${seed} failed: ${failure}\n`);
}
const { seed: _seed, hours: _hours, ...told } = sums;
const spentS = (performance.now() - startMs) / 1000;
process.stdout.write(
  `${Object.entries(told)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')}\n`,
);
process.stdout.write(`${seeds} seeds, ${seeds * hours} virtual hours in ${spentS.toFixed(0)} s, ${failures} failed\n`);
process.exitCode = failures > 0 ? 1 : 0;
