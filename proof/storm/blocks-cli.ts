// `npm run blocks`: the worst block of the event loop by one request of each kind, in milliseconds of processor time.
// `-- WORD` takes the kinds that have it in their names. Exit code 1: a kind that is open to clients blocks longer than
// the bound.
import { setup as bundleCommand } from '../rigs/bundled-command.ts';
import { type BlockedMock, startBlockedMock } from './blocked-mock.ts';
import { type Kind, kinds } from './blocking-requests.ts';

/** Longer than this, other clients of the same mock would notice. */
const boundMs = 50;
const times = 5;

await bundleCommand();
const word = process.argv[2] ?? '';
const chosen = kinds.filter(({ name }) => name.includes(word));
process.stdout.write('| request | answer | median ms | worst ms | |\n|---|---|---|---|---|\n');
for (const kind of chosen) {
  const mock = await startBlockedMock(kind.flags ?? []);
  try {
    process.stdout.write(`${await measure(kind, mock)}\n`);
  } finally {
    await mock.stop();
  }
}

/** Five times each, after one that is not counted; a row of the table. */
async function measure({ name, prepare, request, because }: Kind, mock: BlockedMock): Promise<string> {
  await prepare?.(mock);
  // The first one compiles; a mock that has just started may take longer once.
  await mock.ask(request(mock, -1));
  const blocks: number[] = [];
  let answer = '';
  for (let i = 0; i < times; i += 1) {
    await mock.settle();
    const { status, bytes, blockMs } = await mock.ask(request(mock, i));
    blocks.push(blockMs);
    answer = `${status}, ${bytes.toLocaleString('en')} bytes`;
  }
  const sorted = blocks.sort((a, b) => a - b);
  const worst = sorted.at(-1) ?? 0;
  const isOver = worst > boundMs;
  if (isOver && because === undefined) process.exitCode = 1;
  const note = isOver ? (because ?? 'OVER') : '';
  return `| ${name} | ${answer} | ${(sorted[2] ?? 0).toFixed(0)} | ${worst.toFixed(0)} | ${note} |`;
}
