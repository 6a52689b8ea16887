// `npm run crash`: kill -9 while clients write to `casa mock --save`, 40 times. `-- --kills N`, `--seed N`; what
// follows `--` goes to the mock, such as `--save-sync always`. Exit code 1 when a write that was acknowledged is gone.
import { parseArgs } from 'node:util';
import { setup as bundleCommand } from '../../fixtures/test-kit/bundled-command.ts';
import { crash } from '../../fixtures/test-kit/crash.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { kills: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
});

await bundleCommand();
const result = await crash({
  kills: Number(values.kills),
  seed: Number(values.seed),
  flags: positionals,
  onProgress: (line) => process.stderr.write(`${line}\n`),
});
const { kills, acknowledged, lost, fileMb, slowestStartMs } = result;
const counts = Object.entries(acknowledged).map(([what, count]) => `${count} ${what}`);
process.stdout.write(
  `${kills} kills; acknowledged: ${counts.join(', ')}; lost: ${lost.length}; ` +
    `file ${fileMb.toFixed(1)} MB, slowest start ${slowestStartMs.toFixed(0)} ms\n${lost.map((what) => `LOST ${what}\n`).join('')}`,
);
process.exitCode = lost.length === 0 ? 0 : 1;
