// `npm run sandbox:simulate`: three replicas over a model of the stream, for thousands of virtual hours from seeds.
// `-- --seed N --hours H` plays one seed, `--seeds K` as many from there on.
import { parseArgs } from 'node:util';
import { simulateShared } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
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
const seeds = number('seeds', values.seeds ?? (values.seed === undefined ? '20' : '1'));
let failures = 0;
for (let seed = first; seed < first + seeds; seed += 1) {
  const { failure, disturbances, ...counts } = await simulateShared({ seed, hours });
  const disturbed = Object.entries(disturbances).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(`${JSON.stringify(counts)} ${disturbed.join(', ')}\n`);
  if (failure === null) continue;
  failures += 1;
  process.stdout.write(`  seed ${seed} failed: ${failure}\n`);
}
process.stdout.write(`${seeds} seeds, ${seeds * hours} virtual hours, ${failures} failed\n`);
process.exitCode = failures > 0 ? 1 : 0;
