// `npm run networks`: the built suite against a faithful server through real proxies and bad networks.
// Prints a table, and ends with 1 when a result is wrong.
//   --install   installs the Debian packages that are missing (as root)
//   --only WORD set-ups whose name holds the word (again for more)
//   --jobs N    how many at a time (8)
//   --kit FILE  another build of the kit
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hasCommand } from '../../../fixtures/test-kit/own-process.ts';
import { table } from '../../results.ts';
import { setUps } from './proxies.ts';
import { problemsOf, type Row, type SetUp } from './run-kit.ts';

const { values } = parseArgs({
  options: {
    install: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '8' },
    kit: { type: 'string', default: fileURLToPath(new URL('../../../dist/conformance-cli.js', import.meta.url)) },
  },
});

const wanted = setUps.filter(({ name }) => values.only.length === 0 || values.only.some((word) => name.includes(word)));

if (!existsSync(values.kit)) {
  process.stderr.write(`${values.kit} is not there: run npm run build first.\n`);
  process.exit(2);
}
const missing = missingPackages(wanted);
if (missing.length > 0 && values.install) install(missing);
const stillMissing = missingPackages(wanted);
if (stillMissing.length > 0) {
  const command = `apt-get install --no-install-recommends ${stillMissing.join(' ')}`;
  process.stderr.write(
    `Not installed: ${stillMissing.join(', ')}. As root: ${command}\n(or: npm run networks -- --install)\n`,
  );
}
const present = wanted.filter(({ needs }) => needs === undefined || hasCommand(needs.command));
const rows = await checkAll(present, Number(values.jobs));
print(rows);
const failed = rows.filter((row) => row.problem !== null).length;
process.stdout.write(
  `${rows.length} set-ups, ${failed} wrong results${present.length < wanted.length ? `, ${wanted.length - present.length} not run` : ''}\n`,
);
process.exitCode = failed > 0 || stillMissing.length > 0 ? 1 : 0;

/** Debian's names, each once. */
function missingPackages(setUps: readonly SetUp[]): string[] {
  const needed = setUps.flatMap(({ needs }) =>
    needs === undefined || hasCommand(needs.command) ? [] : [needs.debian],
  );
  return [...new Set(needed)];
}

/** As root only; without --install the command is printed instead. */
function install(packages: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { stdio: 'inherit', env });
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { stdio: 'inherit', env });
}

/** Several at a time, rows in the order of the set-ups. */
async function checkAll(setUps: readonly SetUp[], jobs: number): Promise<Row[]> {
  const rows = new Map<SetUp, Row>();
  const queue = [...setUps];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const row = await problemsOf(next, values.kit);
      rows.set(next, row);
      process.stderr.write(`${row.problem === null ? 'right' : 'WRONG'}  ${row.name}  ${row.problem ?? ''}\n`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return setUps.flatMap((setUp) => rows.get(setUp) ?? []);
}

/** The table first, then each wrong result with the last line that the kit wrote. */
function print(rows: readonly Row[]): void {
  const cells = rows.map(({ name, exitCode, failing, errors, seconds, problem }) => [
    name,
    String(exitCode),
    failing.length > 3 ? `${failing.length} checks` : failing.join(' ') || '-',
    String(errors),
    seconds.toFixed(0),
    problem === null ? 'right' : 'WRONG',
  ]);
  process.stdout.write(table(['set-up', 'exit', 'failing', 'errors', 'seconds', 'result'], cells));
  for (const { name, problem, lastLine } of rows) {
    if (problem !== null) process.stdout.write(`\n${name}: ${problem}\n  ${lastLine}\n`);
  }
}
