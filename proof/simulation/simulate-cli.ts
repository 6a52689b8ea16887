// `npm run simulate`: thousands of virtual hours from seeds. `-- --seed N --hours H` plays one seed, `--seeds K` as
// many from there on; `--mutant NAME` plays a broken mock, `--only NAME,NAME` some of the clients.
import { parseArgs } from 'node:util';
import { mutantNamed } from '../../src/mutants/index.ts';
import { describeRun, simulate } from './simulate.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { seed: text, seeds: text, hours: text, only: text, mutant: text } });
const number = (name: 'seed' | 'seeds' | 'hours', usual: number): number => {
  const value = Number(values[name] ?? usual);
  if (value > 0) return value;
  process.stderr.write(`--${name} must be a number above 0, not "${values[name]}".\n`);
  process.exit(2);
};
const first = number('seed', 1);
const seeds = number('seeds', values.seed === undefined ? 30 : 1);
const mutant = values.mutant === undefined ? undefined : mutantNamed(values.mutant);
let failures = 0;
for (let seed = first; seed < first + seeds; seed += 1) {
  const result = await simulate({ seed, hours: number('hours', 100), mutant, only: values.only?.split(',') });
  if (result.failure) failures += 1;
  process.stdout.write(`${describeRun(result)}\n`);
}
process.stdout.write(`${seeds} seeds, ${failures} failed\n`);
process.exitCode = failures > 0 ? 1 : 0;
