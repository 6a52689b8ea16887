// `casa try`: runs a client against errors, formats and pages that the contract allows.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { count } from '../terminal/count.ts';
import { readNamed } from '../terminal/file-trouble.ts';
import { type FlagTable, type FlagValues, parseFlags } from '../terminal/flag-parser.ts';
import { describeExits, describeFlags } from '../terminal/help.ts';
import type { Output } from '../terminal/output.ts';
import { type FileKind, rejectUnwritable, writeOwn } from '../terminal/own-file.ts';
import { coloured, plain, wantsColour } from '../terminal/paint.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLines } from '../terminal/visible.ts';
import { ListenError } from '../transports/node.ts';
import type { ClientReport } from '../try/report.ts';
import type { Scenario } from '../try/run-in-process.ts';
import type { OnCell } from '../try/try-client.ts';

const flags = {
  scenario: { value: 'FILE', help: 'Run the function that FILE exports as default, in virtual time' },
  url: { value: 'URL', help: 'Open this URL of the client to start its requests. {port} becomes the port in PORT' },
  trigger: { value: 'COMMAND', help: 'Run a shell command that starts the requests of the client' },
  port: {
    short: 'p',
    value: 'N',
    help: 'Port of the mock for a client that is already running (with --url or --trigger)',
  },
  minutes: {
    value: 'N',
    help: 'Minutes per test case on the clock of the client (default: 10, or 2 to 7 in real time)',
  },
  cells: {
    value: 'TEXT',
    repeat: true,
    help: 'Run only test cases whose ID begins with TEXT, for example limits/. Repeatable',
  },
  parallel: {
    value: 'N',
    help: 'Test cases at the same time (default: 24 for a command, 8 for others, 4 with --speed)',
  },
  speed: { value: 'N', help: 'Run the timers and clock of a Node.js command N times as fast, up to 60 (default: 1)' },
  'in-place': { help: 'Run COMMAND in the current folder instead of a new folder for each test case' },
  report: { value: 'KIND=FILE', repeat: true, help: 'Write a report: json=FILE or md=FILE. Repeatable' },
  baseline: { value: 'FILE', help: 'Accept the violations of an earlier JSON report' },
  'fail-on': { value: 'WHAT', help: 'violation: exit with 1 if a violation is not in the baseline' },
  help: { short: 'h', help: 'Show this help' },
} as const satisfies FlagTable;

const usage = `casa try: test how a client handles errors, formats and pages that the contract allows

Usage
  casa try [flags] -- COMMAND...           Run a command in each test case
  casa try [flags] --scenario FILE         Run a function in each test case, in virtual time
  casa try --port 4010 --trigger COMMAND   Test a client that is already running

A test case is one run of the client. The first test case has no disturbance. Each other test case
has one, for example a 503 or a lost response. COMMAND gets CASA_BASE_URL and CASA_API_KEY. It prints
the IDs of the records that it handles, or writes them to files.

Examples
  casa try --scenario poll-calls.mjs
  casa try --fail-on violation -- node import-articles.mjs
  casa try --url http://127.0.0.1:{port}/ -- npm start

Flags
${describeFlags(flags)}
${describeExits({
  0: 'Done',
  1: 'A violation, with --fail-on violation',
  2: 'Invalid flag, or the client fails without a disturbance',
  3: 'The client did not start in a test case, or less than half of them were exercised',
  130: 'Stopped by SIGINT (Ctrl+C), or 143 by SIGTERM: the report is partial',
})}`;

type Flags = FlagValues<typeof flags>;

const kinds: Readonly<Record<string, FileKind>> = {
  json: { name: 'JSON report of casa try', start: /^\s*\{\s*"casaClient"/ },
  md: { name: 'Markdown report of casa try', start: /^# Client test/ },
};

/** Named by its file, because `try` is a word of the language. */
export async function tryCommand(argv: readonly string[], output: Output): Promise<number> {
  const stopping = new AbortController();
  const stop = (signal: (typeof signals)[number]) => stopping.abort(exitCodes[signal]);
  for (const name of signals) process.once(name, stop);
  try {
    const split = argv.indexOf('--');
    const given = parseFlags(split === -1 ? argv : argv.slice(0, split), flags);
    if (given.help) {
      output.write(usage);
      return 0;
    }
    const command = split === -1 ? undefined : argv.slice(split + 1);
    checkPlan(given, command);
    const accepted = readBaseline(given.baseline);
    const reports = (given.report ?? []).map(readTarget);
    const { signal } = stopping;
    const report = await run(given, command, { output, signal });
    const code = await write(report, { reports, accepted, failOn: given['fail-on'] !== undefined, output });
    const { noteOfMinutes } = await import('../try/texts.ts');
    output.write(noteOfMinutes(report, readNumber('minutes', given.minutes, minutesMax)));
    return signal.aborted ? signal.reason : code;
  } catch (error) {
    if (!isExpected(error)) throw error;
    output.error(`casa try: ${error.message}${error instanceof UsageError ? ' See casa try --help.' : ''}\n`);
    return stopping.signal.aborted ? stopping.signal.reason : 2;
  } finally {
    for (const name of signals) process.off(name, stop);
  }
}

/** A second signal ends the process at once. */
const signals = ['SIGINT', 'SIGTERM'] as const;
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

function isExpected(error: unknown): error is Error {
  const kinds = [UsageError, ListenError, RangeError];
  return kinds.some((kind) => error instanceof kind) || (error as Error).name === 'UntestableClient';
}

function checkPlan(
  { scenario, url, trigger, port, speed, 'in-place': inPlace, 'fail-on': failOn }: Flags,
  command?: readonly string[],
): void {
  const ways = [scenario, command, command ? undefined : (url ?? trigger)].filter((way) => way !== undefined);
  const isRunning = command === undefined && scenario === undefined;
  const isTimed = scenario !== undefined && (url ?? trigger ?? port ?? speed) !== undefined;
  const misuse: readonly (readonly [boolean | undefined, string])[] = [
    [failOn !== undefined && failOn !== 'violation', `--fail-on takes violation, not "${failOn}".`],
    [command?.length === 0, '-- needs a command after it.'],
    [isTimed, '--scenario takes no --url, --trigger, --port and --speed: the function runs in virtual time.'],
    [ways.length !== 1, 'Name one client: -- COMMAND, --scenario FILE, or --port with --trigger.'],
    [isRunning && port === undefined, 'A client that runs already needs --port: the port of its CASA_BASE_URL.'],
    [isRunning && speed !== undefined, '--speed needs -- COMMAND: a client that runs already has its own clock.'],
    [
      inPlace && (command === undefined || url !== undefined),
      '--in-place is for -- COMMAND without --url: applications run in the current folder.',
    ],
    [!isRunning && port !== undefined, '--port is for a client that runs already.'],
  ];
  const [, message] = misuse.find(([isMisused]) => isMisused) ?? [];
  if (message !== undefined) throw new UsageError(message);
}

function readNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= max) return Number(text);
  throw new UsageError(`--${name} takes a number up to ${max}, not "${text}".`);
}

interface Running {
  readonly output: Output;
  readonly signal: AbortSignal;
}

async function run(
  given: Flags,
  command: readonly string[] | undefined,
  { output, signal }: Running,
): Promise<ClientReport> {
  const onCell = progressTo(output);
  const options = {
    signal,
    cells: given.cells ?? [],
    minutes: readNumber('minutes', given.minutes, minutesMax),
    parallel: readNumber('parallel', given.parallel, 100),
  };
  if (given.scenario !== undefined) {
    const { tryClient } = await import('../try/try-client.ts');
    return tryClient(await loadScenario(given.scenario), options);
  }
  const { tryCommands } = await import('../try/run-command.ts');
  const port = readNumber('port', given.port, 65_535);
  const speed = readNumber('speed', given.speed, speedMax) ?? 1;
  if (speed < 1) throw new UsageError(`--speed takes a number from 1 to ${speedMax}, not "${given.speed}".`);
  const plan = { command, url: given.url, trigger: given.trigger, port, inPlace: given['in-place'] };
  return tryCommands(plan, { ...options, onCell, speed });
}

const minutesMax = 1_440;
const quietMs = 60_000;

/** Prints the progress after each ten test cases, and after a minute. */
function progressTo(output: Output): OnCell {
  let [printedMs, calls] = [performance.now(), 0];
  return ({ done, all, skipped, repeats }) => {
    calls += 1;
    if (calls % 10 !== 0 && performance.now() - printedMs < quietMs) return;
    printedMs = performance.now();
    const state =
      repeats > 0
        ? `${count(repeats, 'violated test case')} repeated at a lower speed`
        : `${done} of ${all} test cases (${skipped} not exercised), without repeats`;
    output.error(`casa try: ${state}\n`);
  };
}

/** A timer fires up to a millisecond early, and retries may be early by 100 ms. */
const speedMax = 60;

async function loadScenario(file: string): Promise<Scenario> {
  let loaded: { readonly default?: unknown };
  if (!existsSync(file)) throw new UsageError(`--scenario: ${file} does not exist.`);
  try {
    loaded = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new UsageError(`--scenario: ${file} cannot be loaded: ${(error as Error).message.split('\n')[0]}.`);
  }
  if (typeof loaded.default === 'function') return loaded.default as Scenario;
  throw new UsageError(`--scenario: ${file} has to export a function as default.`);
}

function readBaseline(file: string | undefined): ReadonlySet<string> {
  if (file === undefined) return new Set();
  const text = readNamed(`--baseline: ${file}`, file);
  try {
    const { casaClient, violations } = JSON.parse(text) as Partial<ClientReport>;
    if (casaClient === 1 && Array.isArray(violations)) return new Set(violations.map(({ id }) => id));
  } catch {
    // Told below.
  }
  throw new UsageError(`--baseline: ${file} is not a JSON report of casa try.`);
}

function readTarget(text: string): { kind: string; file: string } {
  const [, kind = '', file = ''] = /^(json|md)=(.+)$/.exec(text) ?? [];
  if (file === '') throw new UsageError(`--report takes json=FILE or md=FILE, not "${text}".`);
  rejectUnwritable('report', file, kinds[kind] as FileKind);
  return { kind, file };
}

interface Writing {
  readonly reports: readonly { kind: string; file: string }[];
  readonly accepted: ReadonlySet<string>;
  readonly failOn: boolean;
  readonly output: Output;
}

async function write(report: ClientReport, { reports, accepted, failOn, output }: Writing): Promise<number> {
  const { markdownText, terminalText } = await import('../try/texts.ts');
  const { whyIncomplete } = await import('../try/report.ts');
  const isNew = ({ id }: { id: string }) => !accepted.has(id);
  const paint = wantsColour(process.env, process.stdout.isTTY) ? coloured : plain;
  output.write(terminalText(report, paint, isNew));
  for (const { kind, file } of reports) {
    writeOwn(
      file,
      kind === 'json' ? `${JSON.stringify(report, null, 2)}\n` : markdownText(report),
      kinds[kind] as FileKind,
    );
  }
  const why = whyIncomplete(report);
  if (why !== null) output.error(`casa try: ${visibleLines(why)}\n`);
  if (failOn && report.violations.some(isNew)) return 1;
  return why === null ? 0 : 3;
}
