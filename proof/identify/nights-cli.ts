// `npm run nights`: false drift, missed changes and wrong causes of `calibrate --check`. Words are deployments, the
// rest are flags of the command.
import { deployments, type NightRow, runNights } from './nights.ts';

const words = process.argv.slice(2);
const chosen = deployments.filter(
  (name) => !words.some((word) => deployments.includes(word as 'plain')) || words.includes(name),
);
const flags = words.filter((word) => !deployments.includes(word as 'plain'));
const rows: NightRow[] = [];
for (const deployment of chosen) {
  const own = await runNights(deployment, flags);
  rows.push(...own);
  for (const { kind, truth, isRight, output } of own)
    if (!isRight) console.log(`${deployment} ${kind} ${truth}\n${output.trim().replaceAll(/^/gm, '    ')}`);
}
for (const kind of ['quiet', 'cause', 'legal', 'illegal'] as const) {
  const own = rows.filter((row) => row.kind === kind);
  console.log(`${kind.padEnd(8)} ${own.filter(({ isRight }) => isRight).length} of ${own.length} right`);
}
process.exitCode = rows.every(({ isRight }) => isRight) ? 0 : 1;
