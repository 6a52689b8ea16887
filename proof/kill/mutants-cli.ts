// `npm run mutants`: the kill matrix, printed and gated, without the exceptions of unkillable.ts. `-- NAME` checks the
// mutants whose name or clause contains NAME; `--whole` runs every check against every mutant; `--json FILE` writes the
// matrix to a file; `--jobs N` sets the number of processes (one more than there are processors by default).
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isSameFact } from '../../conformance/report/diagnosis/same-fact.ts';
import { allMutants, type MutantRow } from '../../fixtures/test-kit/targets.ts';
import { storeResult } from '../results.ts';
import type { Kill } from './kill.ts';
import { counting, excuses, gate, idleMusts, keyOf, printMatrix } from './kill-gate.ts';
import { checkRows, type Matrix, runCleanServers } from './kill-matrix.ts';
import { killAll } from './kill-workers.ts';

/** Mutants of one round that looks for kills of idle checks. */
const againAtOnce = 12;

/** Exits with 2 for an option that there is not. */
function readArguments() {
  const file = { type: 'string' } as const;
  try {
    const flag = { type: 'boolean', default: false } as const;
    const options = { json: file, jobs: file, whole: flag } as const;
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    const usage = 'Usage: npm run mutants -- [NAME ...] [--whole] [--json FILE] [--jobs N]';
    process.stderr.write(`mutants: ${(error as Error).message}\n${usage}\n`);
    return process.exit(2);
  }
}

const { values, positionals } = readArguments();

const startedMs = performance.now();
const isWhole = positionals.length === 0;
const rows = allMutants().filter(
  ({ name, breaks }) => isWhole || positionals.some((part) => name.includes(part) || breaks.includes(part)),
);
// A kit that fails where nothing is wrong kills every mutant: minutes that would say nothing.
const mock = await runCleanServers(0, 1);
const alarms = mock.flatMap(({ failures }) => failures.map((failure) => `  ${failure}\n`)).join('');
if (alarms !== '') {
  process.stderr.write(`mutants: no mutant was checked, because the kit finds faults in the mock itself.\n${alarms}`);
  process.exit(1);
}
const show = (text: string) => process.stderr.write(text);
const jobs = Math.max(1, Number(values.jobs) || availableParallelism() + 1);
const [short, others] = await Promise.all([
  killAll(rows, { jobs, isWhole: values.whole, onKill: counting(rows.length, show) }),
  isWhole ? runCleanServers(1) : [],
]);
const kills = isWhole && !values.whole ? await withIdleChecks(short) : short;
const seconds = (performance.now() - startedMs) / 1000;
const matrix: Matrix = { kills, checks: checkRows, clean: [...mock, ...others], seconds };
const result = gate(matrix, excuses, isWhole);
storeResult('kill', { ...matrix, gate: result }, isWhole);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ ...matrix, gate: result }, null, 1)}\n`);
// A mutant can leave handles open: the process exits when all output is written.
process.stdout.write(printMatrix(matrix, result), () => process.exit(result.broken.length === 0 ? 0 : 1));

/**
 * A check that killed nothing may kill mutants of clauses that it does not cite: the whole kit checks those it cites
 * first, then its section, then all others, until each check has one.
 */
async function withIdleChecks(found: readonly Kill[]): Promise<readonly Kill[]> {
  const kills = new Map(found.map((kill) => [keyOf(kill.mutant), kill]));
  const idleNow = () => {
    const ids = idleMusts({ kills: [...kills.values()], checks: checkRows });
    return new Set(ids.filter((id) => !(id in excuses.idleChecks)));
  };
  const idle = idleNow();
  const sectionOf = (clause: string) => clause.split('.').slice(0, 2).join('.');
  const cited = checkRows.filter(({ id }) => idle.has(id)).flatMap(({ cites }): readonly string[] => cites);
  const sections = new Set(cited.map(sectionOf));
  const distance = ({ breaks }: MutantRow) =>
    cited.some((clause) => isSameFact(clause, breaks)) ? 0 : sections.has(sectionOf(breaks)) ? 1 : 2;
  // Causes show that the whole kit has checked it already.
  const left = rows.filter((row) => kills.get(keyOf(row))?.causes === undefined);
  const again = left.sort((one, other) => distance(one) - distance(other));
  while (again.length > 0 && idleNow().size > 0) {
    const some = await killAll(again.splice(0, againAtOnce), { jobs, isWhole: true, onKill: () => undefined });
    for (const kill of some) kills.set(keyOf(kill.mutant), kill);
  }
  return [...kills.values()];
}
