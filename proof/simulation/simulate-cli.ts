// `npm run simulate`: thousands of virtual hours from seeds. `-- --seed N --hours H` plays one seed; `--seeds K` plays
// as many from there on; `--mutant NAME` plays a broken mock and `--mutants` all of them, to see that the invariants
// can fail.
import { parseArgs } from 'node:util';
import { mutantNamed, mutants } from '../../src/mutants/index.ts';
import { describeFailure, describeRun } from './report.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    hours: { type: 'string', default: '100' },
    only: { type: 'string' },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
  },
});
const number = (name: string, text: string): number => {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  process.stderr.write(`--${name} takes a number above 0, not "${text}".\n`);
  process.exit(2);
};
const say = (text: string) => process.stdout.write(`${text}\n`);
const hours = number('hours', values.hours);
const first = number('seed', values.seed ?? '1');
const seeds = number('seeds', values.seeds ?? (values.seed === undefined ? '30' : '1'));

await (values.mutants ? playMutants() : playSeeds());

async function playSeeds(): Promise<void> {
  const mutant = values.mutant === undefined ? undefined : mutantNamed(values.mutant);
  let failures = 0;
  let total = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const options = { seed, hours, mutant, only: values.only?.split(',') };
    const result = await simulate(options);
    total += result.virtualHours;
    say(describeRun(result));
    if (!result.failure) continue;
    failures += 1;
    say(describeFailure(values.only ? result : await shrink(result, options), values.mutant));
  }
  say(`${seeds} seeds, ${Math.round(total)} virtual hours, ${failures} failed`);
  process.exitCode = failures > 0 ? 1 : 0;
}

async function playMutants(): Promise<void> {
  const found = new Map<string, number>();
  const missed: string[] = [];
  for (const mutant of mutants) {
    let invariant: string | undefined;
    for (let seed = first; seed < first + Math.min(seeds, 3) && invariant === undefined; seed += 1) {
      invariant = (await simulate({ seed, hours, mutant })).failure?.invariant;
    }
    if (invariant === undefined) missed.push(`${mutant.name} (${mutant.breaks})`);
    else found.set(invariant, (found.get(invariant) ?? 0) + 1);
  }
  for (const [invariant, count] of found) say(`${invariant}: ${count} mutants`);
  say(`not seen: ${missed.join(', ') || 'none'}`);
  say(`${mutants.length - missed.length} of ${mutants.length} mutants break an invariant within ${hours} h`);
}
