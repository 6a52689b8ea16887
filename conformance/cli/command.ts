// `conformance`: flags in, report out, an exit code that a pipeline can trust.
import { coloured, plain } from '../../src/terminal/paint.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { readVersion } from '../../src/terminal/version.ts';
import { visible, visibleLines } from '../../src/terminal/visible.ts';
import { newRunId, planConformance, runConformance } from '../driver/audit.ts';
import { checkRecording, readHar } from '../driver/har.ts';
import { ownCatalog, type RunOptions } from '../driver/options.ts';
import { systemClock } from '../driver/pace/clock.ts';
import { tryAddresses } from '../driver/wire/agents.ts';
import { isLost } from '../exchange/exchange.ts';
import { furtherOf } from '../report/history.ts';
import { contractVersion, type ExitCode, type Report, toolName } from '../report/report.ts';
import { openersText, planText, showProgress } from '../reporters/progress.ts';
import { readUrl, runTable } from '../scenarios/capabilities.ts';
import { furtherMax } from '../scenarios/further.ts';
import { prepareCalibration, type RunAgain } from './calibrating.ts';
import { commandHelpText, explainText, listText } from './command-help.ts';
import { type Configured, configured } from './config.ts';
import { diffing } from './diffing.ts';
import { disputing } from './disputing.ts';
import { prepareEnd } from './ending.ts';
import { type CommandLine, type ParsedFlags, parseCommandLine } from './flags.ts';
import { openHar } from './har-file.ts';
import { historyTarget, openHistory, readHistory, trend } from './history-folder.ts';
import type { CommandIo, Io } from './io.ts';
import { type Env, readOptions, runOptions } from './options.ts';
import { replayHelpText, replayOf } from './replaying.ts';
import { trafficFileFor } from './traffic-file.ts';
import { verifying } from './verifying.ts';

/** Returns the exit code and never exits. Usage errors go to stderr; any other throw is a bug of the suite. */
export async function main(args: readonly string[], environment: Env, io: Io): Promise<ExitCode> {
  try {
    if (args[0] === 'trend') {
      io.out(trend(args.slice(1), io.hasColor ? coloured : plain, systemClock().now()));
      return 0;
    }
    if (args[0] === 'diff') return await diffing(args.slice(1), environment, io);
    if (args[0] === 'dispute') return disputing(args.slice(1), environment, io);
    if (args[0] === 'verify') return await verifying(args.slice(1), io);
    if (args[0] === 'replay') return await replaying(args.slice(1), environment, io);
    const line = parseCommandLine(args);
    return printInformation(line, io) ?? (await testDeployment(line, environment, io));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // Sentences about mistakes quote arguments and files.
    io.err.write(`${visibleLines(error.message)}\n`);
    return 2;
  }
}

/** An audit of the checks that failed, with another end. */
async function replaying(args: readonly string[], environment: Env, io: Io): Promise<ExitCode> {
  const replay = replayOf(args);
  if (replay !== null) {
    const { line, warning, end, requests } = replay;
    if (warning !== '') io.err.write(`${visibleLines(warning)}\n`);
    return testDeployment(line, environment, { ...io, requests, end: (report) => end(report, io.out) });
  }
  io.out(replayHelpText);
  return 0;
}

function printInformation({ flags, command }: CommandLine, io: Io): ExitCode | null {
  const { explain } = flags;
  if (flags.help !== undefined) io.out(commandHelpText(command ?? 'run', flags.help));
  else if (flags.version) io.out(`${toolName} ${readVersion()}, contract ${contractVersion}\n`);
  else if (flags.list) io.out(listText(ownCatalog, io.err.isTty ? io.err.columns : null));
  else if (explain !== undefined) io.out(explainText(explain, ownCatalog));
  else return null;
  return 0;
}

/** A recording, our own mock, or a deployment. */
async function testDeployment(line: CommandLine, environment: Env, io: CommandIo): Promise<ExitCode> {
  const { harFile } = line;
  const [calibrates, isOfMcpEndpoint] = [line.command === 'calibrate', line.command === 'mcp'];
  const flags = isOfMcpEndpoint ? forMcpEndpoint(line.flags) : line.flags;
  if (harFile !== null) {
    const finish = prepareEnd(flags, environment, io);
    const report = recordedReport(harFile, flags);
    const [lost] = report.exchanges.filter(isLost);
    if (lost !== undefined)
      io.err.write(`${visible(`${lost.method} ${lost.target} was not checked: ${lost.problemDetail}`)}.\n`);
    return await finish(report);
  }
  const { source, ...given } = await configured(flags, environment, io.folder);
  if (source !== null) io.err.write(`Target ${source.target} of ${source.file}.\n`);
  if (given.flags['base-url'] === undefined && flags.target === undefined)
    throw new UsageError(
      isOfMcpEndpoint
        ? '--url is missing: conformance mcp --url https://host/mcp (see --help).'
        : '--base-url is missing: conformance --base-url https://host/api/v1 (see --help).',
    );
  if (given.flags.target === undefined) {
    const commandIo = { ...io, configFile: source?.file, calibrates };
    return isOfMcpEndpoint ? auditMcpEndpoint(given, commandIo) : audit(given.flags, given.environment, commandIo);
  }
  const { startSelf } = await import('./self.ts');
  const self = await startSelf(flags, environment);
  io.err.write('This run tests the bundled mock: the result says nothing about a deployment.\n');
  try {
    const onClock = { ...io, ...(self.clock ? { clock: self.clock } : {}), calibrates };
    return await (isOfMcpEndpoint ? auditMcpEndpoint(self, onClock) : audit(self.flags, self.environment, onClock));
  } finally {
    await self.close();
  }
}

/** `--url` names the whole target; in a config file, a named target has its MCP URL next to its base URL. */
function forMcpEndpoint({ url, ...flags }: ParsedFlags): ParsedFlags {
  if (url === undefined) return flags.target === 'self' ? { ...flags, 'mcp-url': 'self' } : flags;
  if (flags.target !== undefined) throw new UsageError('--target sets the address, so --url cannot be used with it.');
  const address = readUrl(url, 'url');
  return { ...flags, 'base-url': address, 'mcp-url': address };
}

/** The MCP endpoint is the target. Its name in a config file is the name of its deployment. */
function auditMcpEndpoint(
  { flags, environment }: Pick<Configured, 'flags' | 'environment'>,
  io: CommandIo,
): Promise<ExitCode> {
  const { 'mcp-url': address, ...rest } = flags;
  if (typeof address !== 'string')
    throw new UsageError('That target has no mcpUrl in the config file: add one, or pass --url https://host/mcp.');
  return audit({ ...rest, 'base-url': address }, environment, { ...io, isOfMcpEndpoint: true });
}

/** A plan returns before anything is opened; source addresses are tried before the first request. */
async function audit(flags: ParsedFlags, environment: Env, io: CommandIo): Promise<ExitCode> {
  const given = {
    ...runOptions(flags, environment),
    ...(io.isOfMcpEndpoint ? { mcpEndpoint: 'mcp' as const } : {}),
    ...sentBefore(flags),
    ...(io.calibrates ? { calibrate: true } : {}),
    ...io.requests,
  };
  // The file reports real time, which a mock that is moved does not live in.
  const options =
    given.control === undefined
      ? { ...given, trafficFile: trafficFileFor(new URL(given.baseUrl).host, environment) }
      : given;
  const finish = io.calibrates
    ? prepareCalibration(flags, io, options)
    : afterOne(io.end ?? prepareEnd(flags, environment, io));
  if (flags.plan) {
    // A choice of checks leaves the others open on purpose.
    const isWhole = (options.only ?? []).length === 0 && !io.calibrates;
    const { plan, openers } = planConformance(options);
    const open = isWhole ? openersText(openers) : '';
    io.out(`${planText(plan, io.calibrates ? furtherMax : 0)}${open}\nThis is a plan. No request was sent.\n`);
    return 0;
  }
  await tryAddresses(options.sourceAddresses ?? []);
  return finish((more) =>
    runConformance({
      ...options,
      onEvent: showProgress(io.err, io.hasColor ? coloured : plain),
      ...(io.signal ? { signal: io.signal } : {}),
      ...(io.clock ? { clock: io.clock } : {}),
      ...more,
    }),
  );
}

/** A short run of a nightly job begins with the checks that the last ones have not sent. */
function sentBefore(flags: ParsedFlags): Pick<RunOptions, 'sent'> {
  const { history, 'base-url': address } = flags;
  if (history === undefined || typeof address !== 'string') return {};
  openHistory(history);
  return { sent: [...furtherOf(readHistory(history, historyTarget(flags, new URL(address).href)).records)] };
}

/** An audit is one run. */
function afterOne(end: (report: Report) => Promise<ExitCode> | ExitCode) {
  return async (run: RunAgain) => end(await run({}));
}

// `conformance har FILE`: from the file to the report.

/** Throws a UsageError of one sentence for a file that cannot be checked. */
export function recordedReport(file: string, flags: ParsedFlags): Report {
  const wanted = flags['base-url'];
  const recording = readHar(openHar(file), wanted === undefined ? null : readUrl(wanted, 'base-url'));
  const settings = runTable.settle(readOptions(flags));
  return checkRecording(recording, {
    runId: newRunId(),
    nowMs: systemClock().now(),
    only: settings.only,
    skip: settings.skip,
    keepBodies: settings.keepBodies,
    requirements: settings.requirements,
  });
}
