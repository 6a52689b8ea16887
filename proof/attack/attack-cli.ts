// `npm run storm`: hostile requests of all kinds against `casa mock`, on loopback only; `-- --requests 1000000` is the
// whole of it. `npm run blocks`: the longest time that one request keeps the event loop busy. `npm run hostile`: the
// suite against targets that send hostile responses. `npm run crash`: kill -9 while clients write to a mock that saves,
// `--kills N` times. `--only PART` (repeatable) chooses attacks, and `--seed N` plays another storm or crash. What
// follows `--` goes to the mock of crash, such as `--save-sync always`. Exit code 1: a bound is exceeded.
import { parseArgs } from 'node:util';
import { setup as bundleCommand } from '../../fixtures/test-kit/bundled-command.ts';
import { crash } from '../../fixtures/test-kit/crash.ts';
import { measureBlocks } from './blocks.ts';
import { measureTargets } from './hostile.ts';
import { storm } from './storm.ts';

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { ...text, default: '60000' },
    seed: { ...text, default: '1' },
    kills: { ...text, default: '40' },
    only: { ...text, multiple: true, default: [] },
  },
});
const { only } = values;

/** Figures with one digit are enough to compare runs. */
const short = (_: string, value: unknown) => (typeof value === 'number' ? +value.toFixed(1) : value);
const print = (rows: object) => console.table(JSON.parse(JSON.stringify(rows), short));
const onProgress = (line: string) => process.stderr.write(`${line}\n`);

function isWithin(rows: readonly { readonly isOver: boolean }[]): boolean {
  print(rows);
  return !rows.some(({ isOver }) => isOver);
}

/** Each says whether it passed. */
const commands: Readonly<Record<string, () => Promise<boolean>>> = {
  async storm() {
    const result = await storm({ requests: Number(values.requests), seed: Number(values.seed), only, onProgress });
    for (const { options: flags, attacks, all, memory, faults } of result) {
      console.log(`\n${flags}`);
      print({ ...attacks, all });
      print(memory);
      for (const fault of faults) console.log(`FAULT: ${fault}`);
    }
    return result.every(({ faults }) => faults.length === 0);
  },
  blocks: async () => isWithin(await measureBlocks(only)),
  hostile: async () => isWithin(await measureTargets(only)),
  async crash() {
    const flags = positionals.slice(1);
    const result = await crash({ kills: Number(values.kills), seed: Number(values.seed), flags, onProgress });
    const { lost, acknowledged, ...figures } = result;
    print({ ...figures, ...acknowledged, lost: lost.length });
    for (const what of lost) console.log(`LOST ${what}`);
    return lost.length === 0;
  },
};

const run = commands[positionals[0] ?? ''];
if (run === undefined) throw new Error(`Name one of ${Object.keys(commands).join(', ')}.`);
await bundleCommand();
process.exitCode = (await run()) ? 0 : 1;
