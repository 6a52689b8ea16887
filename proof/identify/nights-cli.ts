// `npm run nights`: false drift, missed changes and wrong causes of `calibrate --check`. Words are deployments, the
// rest are flags of the command, `--minutes 8` by default as in the action.
import { deployments, type NightRow, runNights } from './nights.ts';

const words = process.argv.slice(2);
const named = deployments.filter((name) => words.includes(name));
const chosen = named.length > 0 ? named : deployments;
const more = words.filter((word) => !deployments.includes(word as 'plain'));
const flags = more.length === 0 ? ['--minutes', '8'] : more;
const rows: NightRow[] = [];
for (const deployment of chosen) {
  const own = await runNights(deployment, flags);
  rows.push(...own);
  for (const { kind, truth, isRight, isHidden, output } of own)
    if (!isRight)
      console.log(
        `${deployment} ${kind}${isHidden ? ', hidden' : ''} ${truth}\n${output.trim().replaceAll(/^/gm, '    ')}`,
      );
}
for (const kind of ['quiet', 'cause', 'legal', 'illegal'] as const) {
  const own = rows.filter((row) => row.kind === kind && !row.isHidden);
  console.log(`${kind.padEnd(8)} ${own.filter(({ isRight }) => isRight).length} of ${own.length} right`);
}
console.log(`hidden   ${rows.filter(({ isHidden }) => isHidden).length} from every check`);
process.exitCode = rows.every(({ isRight, isHidden }) => isRight || isHidden) ? 0 : 1;
