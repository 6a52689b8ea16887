// Runs a client that is a command, or an application that something makes act, in a cell. Its time is real or scaled.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { readJson } from '../mutants/hooks/rewrite.ts';
import { listen } from '../transports/node.ts';
import type { Cell, Restart } from './cell.ts';
import {
  addFaults,
  type Before,
  type CellOptions,
  numbersIn,
  type Observation,
  type OpenCell,
  openCell,
  readLine,
  timingOf,
} from './cell-run.ts';
import { makeOwnFolder, type OwnFolder } from './own-folder.ts';
import type { ClientReport } from './report.ts';
import { scaledEnvironment } from './scaled-time.ts';
import { type RunCell, type RunOptions, tryCells, UntestableClient } from './try-client.ts';
import { inside, lowestOf, realNowMs, realPause, replaceTime, scaledTime } from './virtual-time.ts';

/** How to make a client act. */
export interface CommandPlan {
  /** Starts the client: a command that ends, or an application that is stopped when it has acted. */
  readonly command?: readonly string[] | undefined;
  /** An address of the application, which is opened once it responds. `{port}` is the value of PORT. */
  readonly url?: string | undefined;
  /** A shell command that makes the application act. */
  readonly trigger?: string | undefined;
  /** Runs the command in the current folder, and not in a folder of each test case that links to its files. */
  readonly inPlace?: boolean | undefined;
  /** The port of the mock for an application that runs already; any free port when absent. */
  readonly port?: number | undefined;
}

const startMaxMs = 30_000;
const outputMax = 1_000_000;
/** A poller shows some mistakes after several polls only. */
const minutes = { command: 2, polls: 7, app: 2, scaled: 10 } as const;
/** Clients of real time wait most of it, but an application needs memory. Speed multiplies delays of a busy machine. */
const parallel = { command: 24, app: 8, scaled: 4 } as const;

/** Options of a run of commands. */
export interface CommandOptions extends Omit<RunOptions, 'time'> {
  /** How much faster than real time the clocks run. Above 1, the client is a command on Node.js. */
  readonly speed: number;
}

/** Runs a command in each cell. Rejects with a `ListenError` when the port is in use, or as `tryClient`. */
export async function tryCommands(plan: CommandPlan, { speed, ...options }: CommandOptions): Promise<ClientReport> {
  const mode = speed === 1 ? 'real' : 'scaled';
  const kind = speed > 1 ? 'scaled' : isApp(plan) ? 'app' : 'command';
  const mark = join(mkdtempSync(join(tmpdir(), 'casa-try-')), 'scaled');
  const restore = replaceTime();
  const run: RunCell = async (cell, shared) => {
    const observation = await inside(scaledTime(shared.speed ?? speed), () => runCommand(cell, shared, { plan, mark }));
    if (speed > 1 && observation.exchanges.length > 0 && !existsSync(mark))
      throw new UntestableClient('--speed needs a command on Node.js, which sends its own requests. Remove the flag.');
    return observation;
  };
  try {
    return await tryCells(run, {
      ...{ ...options, time: { mode, speed }, minutes: options.minutes ?? minutes[kind] },
      pollMinutes: options.minutes ?? (kind === 'command' ? minutes.polls : 0),
      restarts: plan.command !== undefined && plan.url === undefined && !plan.inPlace,
      parallel: plan.port === undefined ? (options.parallel ?? parallel[kind]) : 1,
    });
  } finally {
    restore();
    rmSync(dirname(mark), { recursive: true, force: true });
  }
}

const isApp = ({ url, trigger }: CommandPlan) => (url ?? trigger) !== undefined;

/** The timers of this function and of the mock are those of the cell. */
async function runCommand(
  cell: Cell,
  options: CellOptions,
  { plan, mark }: { plan: CommandPlan; mark: string },
): Promise<Observation> {
  const timers: NodeJS.Timeout[] = [];
  let isOver = false;
  const speed = options.speed ?? 1;
  const open = await openCell(cell, options, (ms, work) => void timers.push(setTimeout(work, ms)));
  const address = { host: '127.0.0.1', port: plan.port ?? 0 };
  const server = await listen(open.served, { ...address, fastPath: false, timing: timingOf(cell) });
  const port = String(await freePort());
  const env = {
    ...{ ...process.env, CASA_BASE_URL: server.baseUrl, CASA_API_KEY: open.key, PORT: port },
    ...(speed > 1 && scaledEnvironment({ ...open.opened, speed, mark, lowest: lowestOf(cell) })),
  };
  const url = plan.url?.replaceAll('{port}', port);
  const heard: Heard = { seen: [], complaints: [], numbers: new Set() };
  const folder = plan.inPlace || plan.command === undefined || url !== undefined ? null : makeOwnFolder();
  const [children, startsMs]: [Child[], number[]] = [[], []];
  const start = (words: readonly string[]) => {
    const child = spawnClient(words, { env, cwd: folder?.path }, heard);
    children.push(child);
    startsMs.push(open.engine.clock.now());
    return child;
  };
  const app = plan.command && start(plan.command);
  const running: Running = { open, app, start, heard, isOver: () => isOver };
  const acting = isApp(plan) ? act({ ...plan, url }, running) : app?.ended;
  const [{ restart }, { everyS }] = [cell, options];
  const giveUpMs = realNowMs() + startMaxMs;
  const isLate = (graceS = 0) => {
    const endsAtMs = open.endsAtMs();
    return endsAtMs === null ? realNowMs() > giveUpMs : open.engine.clock.now() > endsAtMs + graceS * 1_000;
  };
  const again = () => {
    if (isOver) throw new Error('The test case is over.');
    return start(plan.command ?? []);
  };
  let before: Before | null = null;
  const onStopped = () => {
    before = { files: filesOf(folder, heard), reports: heard.seen.length, atMs: open.engine.clock.now() };
    addFaults(cell, options, open.engine, restart?.fault);
    restart?.between?.(open.engine);
  };
  const job = app && { ...running, app, again, onStopped, isLate, timers };
  const acts = restart && job ? actAgain(restart, job) : everyS && job ? actEach(everyS, job) : acting;
  const observe = (end?: End | 'endless') => {
    const ofJob = { runs: children.length - (plan.command && plan.trigger ? 1 : 0), ...(everyS && { startsMs }) };
    const files = filesOf(folder, heard);
    const isDown = isApp(plan) && startsMs.length === 1 && typeof end === 'object' && end.error !== null;
    const ending = { ...endingOf(end, port), notStarted: isDown ? app?.lastOutput() : undefined };
    return open.observe({ ...ending, files, before, ...ofJob, ...heard });
  };
  const end = await Promise.race([
    acts,
    until(() => isLate(everyS ?? restart?.everyS), timers),
    until(open.isEndless, timers).then(() => 'endless' as const),
    until(() => options.signal?.aborted === true, timers),
  ]);
  isOver = true;
  for (const timer of timers) clearTimeout(timer);
  for (const child of children) stop(child.process);
  await Promise.all(children.map(({ ended }) => ended));
  const observation = observe(end);
  folder?.remove();
  await server.close();
  return observation;
}

interface End {
  /** Null for success. */
  readonly error: string | null;
  /** Whether a later run succeeded. */
  readonly recovers?: boolean;
}

function endingOf(end: End | 'endless' | undefined, port: string): Pick<Observation, 'ending' | 'error' | 'recovers'> {
  if (typeof end !== 'object') return { ending: end ?? 'running', error: null };
  if (end.error === null) return { ending: 'returned', error: null };
  // The same sentence in each run.
  return { ending: 'failed', error: end.error.replaceAll(`:${port}/`, ':{port}/'), recovers: end.recovers };
}

function until(isTrue: () => boolean, timers: NodeJS.Timeout[]): Promise<undefined> {
  return new Promise((resolve) => void timers.push(setInterval(() => isTrue() && resolve(undefined), 500).unref()));
}

/** The records and errors that a client shows. */
interface Heard {
  readonly seen: unknown[];
  readonly complaints: string[];
  /** As the client wrote them. */
  readonly numbers: Set<string>;
}

/** A client in a test case, and what starts and ends it. */
interface Running {
  readonly open: OpenCell;
  readonly app: Child | undefined;
  readonly start: (words: readonly string[]) => Child;
  readonly heard: Heard;
  readonly isOver: () => boolean;
}

interface Restarting extends Running {
  readonly app: Child;
  readonly again: () => Child;
  readonly onStopped: () => void;
  readonly isLate: () => boolean;
  readonly timers: NodeJS.Timeout[];
}

/** Starts a job again after each `everyS`, as by cron, also after a run that failed. The first error is the result. */
async function actEach(everyS: number, { open: { engine }, app, again, isLate, timers }: Restarting) {
  let [end, error]: [End, string | null] = [await app.ended, null];
  for (;;) {
    error ??= end.error;
    const endedMs = engine.clock.now();
    await until(() => isLate() || engine.clock.now() > endedMs + everyS * 1_000, timers);
    if (isLate()) return { error, recovers: error !== null && end.error === null };
    end = await again().ended;
  }
}

/** Stops the command, and starts it again after a pause; a job that ends, until the time is over. */
async function actAgain(
  { afterS, downS, everyS, signal = 'SIGTERM', overlaps }: Restart,
  { open: { engine, restartsFromMs }, app, again, onStopped, isLate, isOver, timers }: Restarting,
): Promise<End> {
  const after = (fromMs: () => number, s: number) =>
    until(() => isOver() || engine.clock.now() > fromMs() + s * 1_000, timers);
  await Promise.race([app.ended, after(() => restartsFromMs() ?? Number.POSITIVE_INFINITY, afterS)]);
  if (overlaps) {
    const [end] = await Promise.all([again().ended, app.ended]);
    return end;
  }
  const isJob = app.process.exitCode !== null;
  stop(app.process, signal);
  const stoppedMs = engine.clock.now();
  await after(() => stoppedMs, downS);
  stop(app.process);
  for (const { rule } of engine.faults.list()) engine.faults.remove(rule.id);
  onStopped();
  for (;;) {
    const end = await again().ended;
    if (everyS === undefined || !isJob || end.error !== null) return end;
    const endedMs = engine.clock.now();
    await Promise.race([after(() => endedMs, everyS), until(isLate, timers)]);
    if (isLate()) return end;
  }
}

/** Opens the address of the application, then runs the trigger. */
async function act({ url, trigger }: CommandPlan, { app, start, heard, isOver }: Running): Promise<End> {
  if (url !== undefined) {
    const early = app?.ended.then(({ error }): End => ({ error: error ?? 'the application ended without a response' }));
    const opening = openUrl(url, heard, isOver);
    const opened = await (early ? Promise.race([opening, early]) : opening);
    if (opened.error !== null || trigger === undefined) return opened;
  }
  return start(['sh', '-c', trigger ?? '']).ended;
}

/** A line of output that reports a failure: in usual words, or in others where it names an operation. */
function isComplaint(line: string): boolean {
  return line.match(errorWords) !== null || (ownWords.test(line) && operationWords.test(line));
}

const ownWords =
  /\b(skip\w*|ignor\w*|drop\w*|omit\w*|abort\w*|reject\w*|refus\w*|denied|unable|unreachable|timed? ?out|giv\w+ up|gave up|(http|status)\W*[45]\d\d|[45]\d\d [a-z]|not (load|publish|post|sen|read|import|update|sav|creat)\w*)/i;
const operationWords =
  /\b(sites?|articles?|keywords?|accounts?|reviews?|post(s|ed|ing)?|publish\w*|repl(y|ied|ies)|insights?|metrics|calls?|polls?|links?|invites?)\b/i;
const errorWords = /\b(errors?|fail\w*|unavailable|try again|sorry|could not|cannot|limit\w*)\b/gi;

/** Tries until the application listens. */
async function openUrl(url: string, { seen, complaints }: Heard, isOver: () => boolean): Promise<End> {
  const endMs = realNowMs() + startMaxMs;
  for (;;) {
    try {
      const response = await fetch(url);
      const text = (await response.text()).slice(0, outputMax);
      // A page shows records by their ids.
      seen.push(readLine(text));
      complaints.push(...(text.match(errorWords) ?? []));
      return { error: response.ok ? null : `${url} responded with ${response.status}` };
    } catch (error) {
      if (realNowMs() > endMs || isOver()) return { error: `${url} did not respond: ${(error as Error).message}` };
      await realPause(200);
    }
  }
}

function filesOf(folder: OwnFolder | null, { numbers }: Heard): Record<string, unknown> {
  const texts = [...(folder?.changed() ?? [])];
  for (const digits of texts.flatMap(([, text]) => numbersIn(text))) numbers.add(digits);
  return Object.fromEntries(texts.map(([name, text]) => [name, readText(text)]));
}

/** A file of the client: JSON, or lines. */
function readText(text: string): unknown {
  return text.split('\n').length > 1 && readJson(text) === undefined ? text.split('\n').map(readLine) : readLine(text);
}

/** Standard output names the records of the client. */
function spawnClient(
  [file = '', ...words]: readonly string[],
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string | undefined },
  { seen, complaints, numbers }: Heard,
) {
  // In its own process group, because the children of `npm start` have to end too.
  const child = spawn(file, words, {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let [rest, errors, shown, bytes] = ['', '', '', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    bytes += text.length;
    shown = (shown + text).slice(-errorsMax);
    if (bytes > outputMax) return;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) keep(line);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-errorsMax);
  });
  const keep = (line: string) => {
    seen.push(readLine(line));
    for (const digits of numbersIn(line)) numbers.add(digits);
    if (readJson(line) === undefined && isComplaint(line)) complaints.push(line);
  };
  const ended = new Promise<End>((resolve) => {
    child.on('error', ({ message }) => resolve({ error: `${file} cannot be started: ${message}` }));
    child.on('close', (code, signal) => {
      keep(rest);
      complaints.push(...errors.split('\n').filter((line) => line.trim() !== ''));
      const why = errorLine(errors) ?? `${file} ended with ${code === null ? signal : `code ${code}`}`;
      resolve({ error: code === 0 ? null : why });
    });
  });
  return { process: child, ended, lastOutput: () => lastLines(errors.trim() === '' ? shown : errors) };
}

/** A stack trace of one error, at most. */
const lastLines = (text: string) =>
  stripVTControlCharacters(text).trimEnd().split('\n').slice(-12).join('\n') || 'It printed nothing.';

type Child = ReturnType<typeof spawnClient>;

const errorsMax = 4_000;

/** The line that names the error, of the output of a language that also prints where it was thrown. */
function errorLine(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const named = lines.filter((line) => /^(Uncaught )?[\w.]*(Error|Exception|panic)\b.*:/.test(line)).at(-1);
  const worded = lines.filter((line) => line.match(errorWords)).at(-1);
  const line = named ?? worded ?? lines.filter((each) => each !== '' && !/^(at |Node\.js v|[}\])])/.test(each)).at(-1);
  return line?.slice(0, 200);
}

function stop({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid === undefined || exitCode !== null) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** A port that was free a moment ago, for an application that needs one. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
