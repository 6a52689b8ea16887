// `npm run oracles`: public contract-testing tools against the built mock. `-- dredd` runs one of them; `--mutant NAME`
// lets them judge a broken mock, to see that they can complain. Each complaint is ours to mend, or explained.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLiveDocuments } from './live-document.ts';
import { startMock } from './mock.ts';
import type { Oracle } from './oracle.ts';
import { oracles } from './tools.ts';

const args = process.argv.slice(2);
const mutantAt = args.indexOf('--mutant');
const flags = mutantAt === -1 ? [] : args.splice(mutantAt, 2);
const chosen = args.length === 0 ? oracles : oracles.filter(({ name }) => args.includes(name));
let open = 0;
for (const oracle of chosen) open += await hear(oracle);
process.exitCode = open > 0 ? 1 : 0;

/** How many complaints nobody has explained. */
async function hear(oracle: Oracle): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), `casa-${oracle.name}-`));
  // A mock of its own for each: what one tool writes must not meet the next.
  const mock = await startMock(flags);
  try {
    const documents = await makeLiveDocuments(mock);
    const { tests, complaints } = oracle.ask({ mock, documents, folder });
    const reasonOf = (complaint: string) => oracle.explained.find(([pattern]) => pattern.test(complaint))?.[1];
    const unexplained = complaints.filter((complaint) => reasonOf(complaint) === undefined);
    process.stdout.write(
      `${oracle.name}: ${tests} tests, ${complaints.length} complaints, ${unexplained.length} unexplained\n`,
    );
    for (const [, reason] of oracle.explained) {
      const count = complaints.filter((complaint) => reasonOf(complaint) === reason).length;
      if (count > 0) process.stdout.write(`  ${count}: ${reason}\n`);
    }
    for (const complaint of unexplained) process.stdout.write(`  ${complaint.slice(0, 240)}\n`);
    return unexplained.length;
  } finally {
    await mock.stop();
    rmSync(folder, { recursive: true });
  }
}
