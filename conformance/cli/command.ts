// `conformance`: flags in, report out, an exit code that a pipeline can trust.

import { coloured, plain } from '../../src/terminal/paint.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { readVersion } from '../../src/terminal/version.ts';
import { visible, visibleLines } from '../../src/terminal/visible.ts';
import { checks } from '../checks/index.ts';
import { type KitClock, systemClock } from '../pace/clock.ts';
import { trafficFileFor } from '../pace/traffic-file.ts';
import { applyBaseline, type BaselineEntry, parseBaseline, writeBaseline } from '../report/baseline.ts';
import { conclude, type Outcome } from '../report/outcome.ts';
import { contractVersion, type ExitCode, type Report, toolName } from '../report/report.ts';
import { renderAnnotations } from '../reporters/annotations.ts';
import { planText } from '../reporters/plan.ts';
import { type ProgressOutput, showProgress } from '../reporters/progress.ts';
import { renderTerminal } from '../reporters/terminal.ts';
import { rules } from '../rules/index.ts';
import { planConformance, runConformance } from '../run/audit.ts';
import { tryAddresses } from '../wire/source-addresses.ts';
import { askedBy } from './asked-by.ts';
import { configured } from './config.ts';
import { explainText, listText } from './explain.ts';
import { type CommandLine, helpText, type ParsedFlags, parseCommandLine } from './flags.ts';
import { type Env, exitRules, runOptions } from './options.ts';
import { type Output, openOutputs, refuseUnwritable, writeReports, writeText } from './output-files.ts';
import { readText } from './read-forms.ts';
import { recordedReport } from './recorded-file.ts';

/** The process as the command sees it, so that a test can be one. */
export interface Io {
  readonly out: (text: string) => void;
  /** Progress and mistakes. */
  readonly err: ProgressOutput;
  readonly hasColour: boolean;
  /** The width of the terminal that `out` goes to; absent where it goes to a file or a program. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** The clock of a run; that of the machine when absent. */
  readonly clock?: KitClock;
  /** The working folder, where a config file may lie; that of the process when absent. */
  readonly folder?: string;
}

/** The config file that asked for a run, for reports that are placed in a repository. */
interface Asked extends Io {
  readonly configFile?: string | undefined;
}

const catalogue = { checks, rules };
const ids = [...checks, ...rules].map(({ id }) => id);

/**
 * Gives back the exit code and never exits. Usage errors are told on the error stream; any other throw is a bug of
 * ours.
 */
export async function main(args: readonly string[], environment: Env, io: Io): Promise<ExitCode> {
  try {
    const line = parseCommandLine(args);
    return tell(line, io) ?? (await judge(line, environment, io));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // Sentences about mistakes quote arguments and files.
    io.err.write(`${visibleLines(error.message)}\n`);
    return 2;
  }
}

/** The flags that only tell something. */
function tell({ flags }: CommandLine, io: Io): ExitCode | null {
  const { explain } = flags;
  if (flags.help) io.out(helpText());
  else if (flags.version) io.out(`${toolName} ${readVersion()}, contract ${contractVersion}\n`);
  else if (flags.list) io.out(listText(catalogue, io.err.isTty ? io.err.columns : null));
  else if (explain !== undefined) io.out(explainText(explain, catalogue));
  else return null;
  return 0;
}

/** A recording, our own mock, or a deployment. */
async function judge({ flags, harFile }: CommandLine, environment: Env, io: Io): Promise<ExitCode> {
  if (harFile !== null) {
    const finish = prepareEnd(flags, environment, io);
    return finish(recordedReport(harFile, flags, rules));
  }
  const { source, ...given } = await configured(flags, environment, io.folder);
  if (source !== null) io.err.write(`Target ${source.target} of ${source.file}.\n`);
  if (given.flags['base-url'] === undefined && flags.target === undefined)
    throw new UsageError('--base-url is missing: conformance --base-url https://host/api/v1 (see --help).');
  if (given.flags.target === undefined)
    return audit(given.flags, given.environment, { ...io, configFile: source?.file });
  const { startSelf } = await import('./self.ts');
  const self = await startSelf(flags, environment);
  io.err.write('This is our own mock, started for this run: the result says nothing about a deployment.\n');
  try {
    return await audit(self.flags, self.environment, io);
  } finally {
    await self.close();
  }
}

/** A plan returns before anything is opened; source addresses are tried before the first request. */
async function audit(flags: ParsedFlags, environment: Env, io: Asked): Promise<ExitCode> {
  const given = runOptions(flags, environment);
  // The file tells of real time, which a mock that is moved does not live in.
  const options =
    given.control === undefined ? { ...given, trafficFile: trafficFileFor(new URL(given.baseUrl).host) } : given;
  const finish = prepareEnd(flags, environment, io);
  if (flags.plan) {
    io.out(`${planText(planConformance(options))}Nothing was sent.\n`);
    return 0;
  }
  await tryAddresses(options.sourceAddresses ?? []);
  if (flags['api-key'] !== undefined)
    io.err.write('Warning: a key on the command line can be read by others; use CONFORMANCE_API_KEY.\n');
  const report = await runConformance({
    ...options,
    onEvent: showProgress(io.err, io.hasColour ? coloured : plain),
    ...(io.signal ? { signal: io.signal } : {}),
    ...(io.clock ? { clock: io.clock } : {}),
  });
  return finish(report);
}

/** Everything about the end that may be wrong is found out before the first request. */
function prepareEnd(flags: ParsedFlags, environment: Env, io: Asked): (report: Report) => ExitCode {
  const outputs: readonly Output[] = openOutputs(flags.report ?? []);
  const exits = exitRules(flags);
  const entries = readBaseline(flags);
  const newBaseline = flags['write-baseline'];
  if (newBaseline !== undefined) refuseUnwritable('write-baseline', newBaseline);
  // A report on standard output has it for itself.
  const say = outputs.some(({ file }) => file === '-') ? (text: string) => io.err.write(text) : io.out;
  return (report) => {
    const baseline = applyBaseline(entries, report.checks, systemClock().now());
    const file = askedBy(environment, [io.configFile, flags.baseline]);
    const judged = { ...conclude(report, { ...exits, baseline }), ...(file === undefined ? {} : { askedBy: file }) };
    const places = { outputs, out: io.out, summaryFile: environment.GITHUB_STEP_SUMMARY };
    const problems = [
      ...writeReports(report, judged, places),
      ...(newBaseline === undefined ? [] : writeText('baseline', newBaseline, writeBaseline(report.checks, entries))),
    ];
    for (const problem of problems) io.err.write(`${visible(problem)}\n`);
    const outcome = withProblems(judged, problems);
    if (environment.GITHUB_ACTIONS === 'true') say(renderAnnotations(report, outcome));
    say(renderTerminal(report, outcome, { paint: io.hasColour ? coloured : plain, columns: io.columns ?? null }));
    return outcome.exitCode;
  };
}

/** A report that is missing outranks everything but a failure; the last line says what the exit code says. */
function withProblems(outcome: Outcome, [problem]: readonly string[]): Outcome {
  if (problem === undefined || outcome.exitCode === 1) return outcome;
  return { ...outcome, exitCode: 4, sentence: problem };
}

/** Read before the run: a mistake in the file must not cost a run. */
function readBaseline(flags: ParsedFlags): BaselineEntry[] {
  const file = flags.baseline;
  return file === undefined ? [] : parseBaseline(readText('baseline', file), ids);
}
