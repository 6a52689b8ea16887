// `npm run mutants`: the kill matrix, printed and gated. Every mutant must be killed unless unkillable.ts says why nothing may
// show it, or open-mutants.json lists it as not killed yet. Checks that kill nothing are told.
// `-- NAME` judges the mutants whose name contains NAME; `--json FILE` writes the matrix as JSON.
import { writeFileSync } from 'node:fs';
import { buildMatrix, printMatrix } from './kill-matrix.ts';
import open from './open-mutants.json' with { type: 'json' };
import { allMutants } from './targets.ts';
import { idleChecks, unkillable } from './unkillable.ts';

const args = process.argv.slice(2);
const jsonAt = args.indexOf('--json');
const jsonFile = jsonAt === -1 ? null : (args.splice(jsonAt, 2)[1] ?? 'kill-matrix.json');
const [part = ''] = args;

const rows = allMutants().filter(({ name }) => name.includes(part));
let done = 0;
const matrix = await buildMatrix(rows, () => {
  done += 1;
  if (done % 50 === 0) process.stderr.write(`${done} of ${rows.length}\n`);
});
process.stdout.write(printMatrix(matrix));
if (jsonFile !== null) writeFileSync(jsonFile, `${JSON.stringify(matrix, null, 1)}\n`);

const excused = new Set([...Object.keys(unkillable), ...open.mutants]);
const alive = matrix.survivors.filter(({ mutant }) => !excused.has(mutant.name));
const dead = matrix.kills.filter(({ mutant, killers }) => killers.length > 0 && excused.has(mutant.name));
const known = new Set([...Object.keys(idleChecks), ...open.checks]);
const idle = part === '' ? matrix.idle.filter((id) => !known.has(id)) : [];
for (const { mutant } of alive) process.stdout.write(`Not killed: ${mutant.of} ${mutant.name} (${mutant.breaks})\n`);
for (const { mutant } of dead) process.stdout.write(`Killed after all, take it out of the list: ${mutant.name}\n`);
for (const id of idle) process.stdout.write(`Kills nothing: ${id}\n`);
// What is better than the lists say is told, and fails nothing.
process.exitCode = alive.length === 0 ? 0 : 1;
