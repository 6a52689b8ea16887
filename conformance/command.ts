// `conformance`: flags in, report out, an exit code that a pipeline can trust.
import { writeFileSync } from 'node:fs';
import { applyBaseline, type BaselineEntry, parseBaseline } from './baseline.ts';
import { checks } from './checks/index.ts';
import { type Env, exitRules, readText, runOptions } from './cli-options.ts';
import { explainText, listText, planText } from './cli-texts.ts';
import { helpText, type ParsedFlags, parseFlags } from './flags.ts';
import { newRunId, runConformance } from './index.ts';
import { makePlan } from './plan.ts';
import { contractVersion, type ExitCode, exitCodeOf, type Report, toolName } from './report.ts';
import { reporters } from './reporters/index.ts';
import { coloured, type Paint, plain } from './reporters/paint.ts';
import { type ProgressOutput, showProgress } from './reporters/progress.ts';
import { renderTerminal } from './reporters/terminal.ts';
import { rules } from './rules/index.ts';
import { planChecks } from './run.ts';
import { openSession } from './session.ts';
import { trafficFileFor } from './traffic-file.ts';
import { UsageError } from './usage-error.ts';

export interface Io {
  readonly out: (text: string) => void;
  /** Progress and mistakes. */
  readonly err: ProgressOutput;
  readonly hasColour: boolean;
  readonly signal?: AbortSignal;
}

export async function main(args: readonly string[], environment: Env, io: Io): Promise<ExitCode> {
  try {
    const flags = parseFlags(args);
    return tell(flags, io) ?? (await audit(flags, environment, io));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.err.write(`${error.message}\n`);
    return 2;
  }
}

/** The flags that only tell something. */
function tell(flags: ParsedFlags, io: Io): ExitCode | null {
  const explained = flags.get('explain')?.[0];
  if (flags.has('help')) io.out(helpText());
  else if (flags.has('version')) io.out(`${toolName}, contract ${contractVersion}\n`);
  else if (flags.has('list')) io.out(listText(checks, rules));
  else if (explained !== undefined) io.out(explainText(explained, checks, rules));
  else if (!flags.has('base-url')) {
    io.err.write(`--base-url is missing.\n\n${helpText()}`);
    return 2;
  } else return null;
  return 0;
}

async function audit(flags: ParsedFlags, environment: Env, io: Io): Promise<ExitCode> {
  const options = runOptions(flags, environment, checks);
  const outputs = (flags.get('report') ?? []).map(readOutput);
  const exits = exitRules(flags);
  const baseline = readBaseline(flags);
  if (flags.has('plan')) return showPlan(options, io);
  if (flags.has('api-key'))
    io.err.write('Warning: a key on the command line can be read by others; use CONFORMANCE_API_KEY.\n');
  const paint: Paint = io.hasColour ? coloured : plain;
  const report = await runConformance({
    ...options,
    trafficFile: trafficFileFor(new URL(options.baseUrl).host),
    onEvent: showProgress(io.err, paint),
    ...(io.signal ? { signal: io.signal } : {}),
  });
  io.out(renderTerminal(report, paint));
  const outcome = applyBaseline(baseline, report.checks, Date.parse(report.startedAt));
  for (const { check, reason } of outcome.excused) io.out(`known failure ${check}: ${reason}\n`);
  for (const { check } of outcome.stale) io.out(`${check} no longer fails: take it out of the baseline.\n`);
  const isWritten = outputs.every((output) => writeReport(report, output, io));
  const code = exitCodeOf(report, { ...exits, baseline: outcome });
  return isWritten || code === 1 ? code : 4;
}

function showPlan(options: ReturnType<typeof runOptions>, io: Io): ExitCode {
  const session = openSession({ ...options, runId: newRunId() }, () => undefined);
  const planned = planChecks({ session, checks, rules, only: options.only ?? [], skip: options.skip ?? [] });
  const chosen = planned.filter(({ excluded }) => excluded === null).map(({ check }) => check);
  io.out(`${planText(makePlan(chosen, session.pace, session.settings.maxWrites))}; nothing was sent.\n`);
  return 0;
}

interface Output {
  readonly kind: string;
  readonly file: string;
}

function readOutput(text: string): Output {
  const [, kind = text, file] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!reporters.some((reporter) => reporter.kind === kind)) {
    throw new UsageError(
      `--report: there is no report of kind "${kind}", only ${reporters.map((each) => each.kind).join(', ')}.`,
    );
  }
  if (file === undefined) throw new UsageError(`--report ${kind} needs a file: --report ${kind}=FILE`);
  return { kind, file };
}

function writeReport(report: Report, { kind, file }: Output, io: Io): boolean {
  try {
    writeFileSync(file, reporters.find((reporter) => reporter.kind === kind)?.render(report) ?? '');
    return true;
  } catch (error) {
    io.err.write(`The ${kind} report could not be written to ${file}: ${(error as Error).message}\n`);
    return false;
  }
}

function readBaseline(flags: ParsedFlags): BaselineEntry[] {
  const file = flags.get('baseline')?.[0];
  return file === undefined
    ? []
    : parseBaseline(
        readText('baseline', file),
        [...checks, ...rules].map(({ id }) => id),
      );
}
