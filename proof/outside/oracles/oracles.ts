// `npm run oracles`: public contract-testing tools against the built mock. `-- dredd` runs one of them; `--mutant NAME`
// uses a faulty mock, to show that they detect it. Each complaint must be fixed or explained.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeResult } from '../../results.ts';
import { makeLiveDocuments } from './live-document.ts';
import { startMock } from './mock.ts';
import type { Oracle } from './oracle.ts';
import { oracles } from './tools.ts';

const args = process.argv.slice(2);
const mutantAt = args.indexOf('--mutant');
const flags = mutantAt === -1 ? [] : args.splice(mutantAt, 2);
const chosen = args.length === 0 ? oracles : oracles.filter(({ name }) => args.includes(name));
const runs: OracleRun[] = [];
for (const oracle of chosen) runs.push(await runOracle(oracle));
// Results for a deliberately faulty mock are not stored.
if (flags.length === 0) storeResult('oracles', runs, chosen.length === oracles.length);
process.exitCode = runs.some(({ unexplained }) => unexplained > 0) ? 1 : 0;

/** A tool, with how many of its complaints are unexplained. */
interface OracleRun {
  readonly tool: string;
  readonly tests: number;
  readonly complaints: number;
  readonly unexplained: number;
}

/** Runs a tool and prints its complaints. */
async function runOracle(oracle: Oracle): Promise<OracleRun> {
  const folder = mkdtempSync(join(tmpdir(), `casa-${oracle.name}-`));
  // A separate mock for each: writes of one tool must not affect the next.
  const mock = await startMock(flags);
  try {
    const documents = await makeLiveDocuments(mock);
    const { tests, complaints } = oracle.run({ mock, documents, folder });
    const reasonOf = (complaint: string) => oracle.explained.find(([pattern]) => pattern.test(complaint))?.[1];
    const unexplained = complaints.filter((complaint) => reasonOf(complaint) === undefined);
    process.stdout.write(
      `${oracle.name}: ${tests} tests, ${complaints.length} complaints, ${unexplained.length} unexplained\n`,
    );
    const reasons = oracle.explained
      .map(([, reason]) => ({ count: complaints.filter((one) => reasonOf(one) === reason).length, reason }))
      .filter(({ count }) => count > 0);
    for (const { count, reason } of reasons) process.stdout.write(`  ${count}: ${reason}\n`);
    for (const complaint of unexplained) process.stdout.write(`  ${complaint.slice(0, 240)}\n`);
    return { tool: oracle.name, tests, complaints: complaints.length, unexplained: unexplained.length };
  } finally {
    await mock.stop();
    rmSync(folder, { recursive: true });
  }
}
