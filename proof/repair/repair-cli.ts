// `npm run repair -- DIR --contract FILE`: cases for coding agents, 30 in each of three report formats (`--cases N`).
// DIR must be outside the repository. `npm run repair -- --score DIR`: the repaired share, when the agents are done.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { interval, table } from '../results.ts';
import { formats, prepare, type Score, scoresIn } from './repair.ts';

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { score: text, contract: text, cases: text },
});
const [folder] = positionals;

if (values.score !== undefined) printScores(await scoresIn(resolve(values.score)));
else if (folder === undefined || values.contract === undefined) {
  console.error('Usage: npm run repair -- DIR --contract FILE [--cases N], then: npm run repair -- --score DIR');
  process.exitCode = 2;
} else {
  const cases = Math.max(1, Number(values.cases) || 30);
  const done = await prepare(resolve(folder), { contract: values.contract, cases });
  console.log(
    `${done} cases in ${Object.keys(formats)
      .map((format) => `${folder}/${format}`)
      .join(', ')}`,
  );
}

function printScores(scores: readonly Score[]): void {
  for (const { format, name, isFixed, wrongFiles, left } of scores) {
    const files = wrongFiles.length === 0 ? '' : `; wrong files: ${wrongFiles.join(', ')}`;
    console.log(`${format.padEnd(7)} ${name} ${isFixed ? 'fixed' : `not fixed: ${left.slice(0, 200)}`}${files}`);
  }
  const rows = Object.keys(formats).map((format) => {
    const own = scores.filter((score) => score.format === format);
    const fixed = own.filter(({ isFixed }) => isFixed).length;
    const wrong = own.filter(({ wrongFiles }) => wrongFiles.length > 0).length;
    const sizes = own.map(({ characters }) => characters).sort((one, other) => one - other);
    const tried = own.filter(({ isTouched }) => isTouched).length;
    return [
      format,
      `${tried} of ${own.length}`,
      `${fixed}`,
      interval(fixed, own.length),
      `${wrong}`,
      `${sizes[sizes.length >> 1] ?? 0}`,
    ];
  });
  console.log(table(['report', 'tried', 'fixed', '95 % interval', 'wrong files', 'characters'], rows));
}
