// `conformance diff A B`: two sides in, one difference out, and an exit code that a pipeline can trust.
import { oneOf } from '../../src/options/define-options.ts';
import { count } from '../../src/terminal/count.ts';
import { coloured, plain } from '../../src/terminal/paint.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { visible } from '../../src/terminal/visible.ts';
import { type DiffEvent, diff, type Side } from '../driver/diff/diff.ts';
import { concludeDiff, type Difference, type DiffRules } from '../report/difference.ts';
import type { ExitCode } from '../report/report.ts';
import { renderDiff, renderDiffTerminal } from '../reporters/diff-terminal.ts';
import { type DiffCommandLine, diffHelpText, openSides, parseDiff } from './diff-sides.ts';
import type { Io } from './io.ts';
import type { Env } from './options.ts';
import { fileKindOf, type Output, openOutputs, writeText } from './output-files.ts';

/** Everything that may be wrong with the command line is found out before the first request. */
export async function diffing(argv: readonly string[], environment: Env, io: Io): Promise<ExitCode> {
  const line = parseDiff(argv);
  if (line === null) {
    io.out(diffHelpText());
    return 0;
  }
  const outputs = openOutputs(line.flags.report ?? [], undefined);
  const rules = rulesOf(line);
  const [a, b] = await openSides(line, environment, io);
  try {
    const difference = await diff({
      a: onClock(a.side, io),
      b: onClock(b.side, io),
      ...(io.signal ? { signal: io.signal } : {}),
      onEvent: makeProgress(io),
    });
    return finish(difference, rules, { outputs, io });
  } finally {
    await Promise.all([a.close(), b.close()]);
  }
}

/** Our mock uses a clock that the suite controls. */
function onClock({ options, ...side }: Side, { clock }: Io): Side {
  return { ...side, options: clock === undefined || options.control !== undefined ? options : { ...options, clock } };
}

function rulesOf({ flags }: DiffCommandLine): DiffRules {
  const kind = flags['fail-on'] === undefined ? 'any' : oneOf(['any', 'illegal'])(flags['fail-on'], 'fail-on');
  const share = flags['min-compared'];
  const [, percent] = /^(\d+)%?$/.exec(share ?? '') ?? [];
  if (share !== undefined && !(Number(percent) <= 100))
    throw new UsageError(`--min-compared "${share}" is not a share: use N%, up to 100%.`);
  return { isLegalFine: kind === 'illegal', ...(percent === undefined ? {} : { minCompared: Number(percent) / 100 }) };
}

function finish(
  difference: Difference,
  rules: DiffRules,
  { outputs, io }: { outputs: readonly Output[]; io: Io },
): ExitCode {
  const ending = concludeDiff(difference, rules);
  // A report on standard output has it for itself.
  const isTaken = outputs.some(({ file }) => file === '-');
  const style = { paint: io.hasColor ? coloured : plain, columns: io.columns ?? null };
  const text = renderDiffTerminal(difference, ending, style);
  const problems = outputs.flatMap(({ kind, file }) => {
    const written = renderDiff(kind, difference, ending);
    if (file !== '-') return writeText(file, written, fileKindOf(kind));
    io.out(written);
    return [];
  });
  if (isTaken) io.err.write(text);
  else io.out(text);
  for (const problem of problems) io.err.write(`${visible(problem)}\n`);
  return problems.length > 0 && ending.exitCode !== 1 ? 4 : ending.exitCode;
}

const every = 40;
const lineMax = 200;

/** Two runs at once have no bar: one line for each run, and a count now and then. */
function makeProgress({ err }: Io): (event: DiffEvent) => void {
  const sent = { A: 0, B: 0 };
  err.write('Each side receives the requests of calibrate. With --only, it receives fewer.\n');
  return (event) => {
    if (event.kind === 'round') {
      const what = event.again.length === 0 ? 'all requests' : `repeats ${event.again.join(', ')}`;
      err.write(`${visible(`${event.side}, run ${event.round}: ${what}`.slice(0, lineMax))}\n`);
      return;
    }
    if (event.kind === 'end') {
      const { side, round, requests, seconds } = event;
      err.write(`${side}, run ${round}: done, ${count(requests, 'request')} in ${Math.round(seconds)} s\n`);
      return;
    }
    if (event.event.kind !== 'exchange') return;
    sent[event.side] += 1;
    if ((sent.A + sent.B) % every === 0) err.write(`  ${count(sent.A, 'request')} to A, ${sent.B} to B\n`);
  };
}
