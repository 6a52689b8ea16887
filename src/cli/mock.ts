// `casa mock`: reads flags and config, starts the mock, prints its address, then one line for each request until it
// stops.

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Engine } from '../engine/engine.ts';
import { redactKeys } from '../engine/redaction.ts';
import { basePath } from '../http/route.ts';
import type { Act } from '../mutants/index.ts';
import { whyUnwritable } from '../terminal/file-trouble.ts';
import { parseFlags } from '../terminal/flag-parser.ts';
import { helpOn } from '../terminal/help.ts';
import { createLog, type Output } from '../terminal/output.ts';
import { coloured, plain, wantsColour } from '../terminal/paint.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { readVersion } from '../terminal/version.ts';
import { visible } from '../terminal/visible.ts';
import { type BannerOptions, banner } from './banner.ts';
import { withErrors } from './command.ts';
import { readConfig, readReady } from './find-mock.ts';
import { mockFlags, mockTopics } from './mock-flags.ts';
import { describeMade, type MockProcess, startMockProcess } from './mock-process.ts';
import { type ChosenMutant, loadMutant, mutantLine, mutantNotices } from './mutant-flag.ts';
import { profileOf } from './profile.ts';
import { type LineOptions, requestLine } from './request-line.ts';
import { type MockSettings, settle } from './settings.ts';
import { loadWorld, type WorldSource, type WorldWish, watchFile } from './world-source.ts';

/** The exit code: 0 stopped, 1 failed while running, 2 a flag, the config or a file cannot be used. */
export const mock = withErrors('mock', run);

/** The order matters: settings are checked before the port opens, and signals are handled before data can be lost. */
async function run(argv: string[], output: Output): Promise<number> {
  const flags = parseFlags(argv, mockFlags);
  if (flags.help) {
    output.write(helpOn(flags.help as string | true, mockTopics));
    return 0;
  }
  const found = await readConfig(process.cwd());
  const settings = settle(flags, found?.config);
  const hasColour = wantsColour(process.env, process.stdout.isTTY === true);
  const paint = hasColour ? coloured : plain;
  const nowMs = Date.now();
  const mutant = await loadMutant(settings);
  const wish: WorldWish = { data: settings.data, world: settings.world ?? mutant?.world ?? null };
  const source = await loadWorld(wish);
  // Not before: a world that comes through a pipe may keep us waiting, and a signal then ends the process as usual.
  const stopping = stopSignal();
  const onNotice = (sentence: string) => output.error(`casa mock: ${sentence}\n`);
  const onAct = (act: Act) => {
    if (mutant && !settings.quiet) output.write(mutantLine(act, mutant.name, paint));
  };
  const ready = settings.readyFile === null ? null : openReadyFile(settings.readyFile);
  process.once('exit', () => ready?.withdraw());
  const running = await startMockProcess({
    settings,
    source,
    mutant,
    nowMs,
    onAct,
    onNotice,
    onShutdown: stopping.stop,
  });
  stopping.started();
  let watcher: ReturnType<typeof watchWorld> | null = null;
  let forgetSilence = () => {};
  try {
    const notices = [
      ...running.notices,
      ...settings.warnings,
      ...(mutant ? mutantNotices(mutant, settings) : []),
      ...(found ? [`settings from ${found.name}`] : []),
    ];
    const others = await otherUrls(running.server, settings);
    output.write(describe(running, { settings, mutant, paint, worldName: source.name, notices, others }));
    if (!settings.quiet) log(running.engine, output, { paint, isForwarding: settings.upstream !== null });
    const trouble = ready?.announce(running.server.baseUrl);
    if (trouble) {
      onNotice(trouble);
      process.exitCode = 1;
      stopping.stop();
    }
    if (!settings.quiet) forgetSilence = noticeSilence(running, onNotice);
    watcher = settings.watch ? watchWorld(running, { ...wish, stamp: source.stamp }, output) : null;
    await stopping.stopped;
  } finally {
    forgetSilence();
    watcher?.close();
    await running.stop();
    ready?.withdraw();
  }
  return Number(process.exitCode ?? 0);
}

interface Described extends Pick<BannerOptions, 'paint' | 'worldName' | 'notices' | 'others'> {
  readonly settings: MockSettings;
  readonly mutant: ChosenMutant | null;
}

function describe({ engine, server }: MockProcess, { settings, mutant, ...rest }: Described): string {
  const { publicUrl } = settings;
  return banner({
    ...rest,
    version: readVersion(),
    baseUrl: publicUrl === null ? server.baseUrl : `${publicUrl}${basePath}`,
    origin: publicUrl ?? new URL(server.baseUrl).origin,
    world: engine.world,
    cors: settings.cors,
    profile: profileOf(settings, mutant).phrases,
  });
}

/** The base URLs in addition to the first: for other machines, when the mock listens on all addresses. */
async function otherUrls(
  { host, port, baseUrl }: MockProcess['server'],
  { publicUrl }: MockSettings,
): Promise<readonly string[]> {
  const own = publicUrl === null ? [] : [`${baseUrl}  on this machine`];
  if (host !== '0.0.0.0' && host !== '::') return own;
  const { networkInterfaces } = await import('node:os');
  const found = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const reachable = found.filter(({ family, internal }) => family === 'IPv4' && !internal);
  return [...own, ...reachable.map(({ address }) => `http://${address}:${port}${basePath}  from other machines`)];
}

/** Violations follow their request. */
function log(engine: Engine, output: Output, options: LineOptions): void {
  const write = createLog(output);
  engine.subscribe((event) => {
    if (event.type === 'exchange') write(requestLine(event.entry, options));
    if (event.type !== 'violation') return;
    const { rule, message, clause } = event.violation;
    write(
      `         ${options.paint('red', `client: ${visible(redactKeys(message))}`)} ${options.paint('dim', `(${rule}, ${clause})`)}\n`,
    );
  });
}

const silenceMs = 30_000;
type Timer = (act: () => void, ms: number) => () => void;

const realTimer: Timer = (act, ms) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/** Notifies a user whose client does not use the mock, after a while without a request. Returns a way to prevent it. */
export function noticeSilence(
  { engine, server: { baseUrl } }: Pick<MockProcess, 'engine' | 'server'>,
  notify: (sentence: string) => void,
  after: Timer = realTimer,
): () => void {
  return after(() => {
    if (engine.requestLog.count > 0) return;
    const { origin } = new URL(baseUrl);
    notify(
      `no request in ${silenceMs / 1000} seconds. Check that your client uses the base URL ${baseUrl}. ` +
        `GET ${origin}/ returns 200 here: if your client gets 404 for /, another server responds to it.`,
    );
  }, silenceMs);
}

/** A file that cannot be used changes nothing: the mock keeps its world. */
function watchWorld(running: MockProcess, wish: WorldWish & Pick<WorldSource, 'stamp'>, output: Output) {
  const file = wish.data as string;
  return watchFile(file, wish.stamp, () => {
    loadWorld(wish)
      .then((next) => {
        const made = describeMade(running.reload(next));
        output.write(`         ${visible(file)} changed: the world is loaded again; ${made}.\n`);
      })
      .catch((error: Error) => output.error(`casa mock: ${error.message} The mock keeps its current world.\n`));
  });
}

interface StopSignal {
  readonly stopped: Promise<void>;
  readonly stop: () => void;
  /** Until then there is nothing to finish, and a signal ends the process at once. */
  readonly started: () => void;
}

/** The first signal asks for a stop, the second ends the process at once. */
function stopSignal(): StopSignal {
  let state: 'starting' | 'running' | 'asked' = 'starting';
  let stop: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (state === 'starting') process.exit(0);
      if (state === 'asked') process.exit(130);
      state = 'asked';
      stop();
    });
  }
  const started = () => {
    state = 'running';
  };
  return { stopped, stop, started };
}

// `--ready-file`: where the mock listens, for scripts that start it. A request to the port might reach another process.

interface ReadyFile {
  /** The file appears whole. Returns a sentence where it cannot. */
  announce(url: string): string | null;
  /** Removes the file unless another mock has taken its place. */
  withdraw(): void;
}

/** Removes what a killed mock left. Throws a `UsageError` for a file that is not ours, or cannot be written. */
function openReadyFile(path: string): ReadyFile {
  const draft = `${path}.${process.pid}`;
  if (readReady(path) === null)
    throw new UsageError(`--ready-file: ${path} is another file; name one that may be replaced.`);
  try {
    rmSync(path, { force: true });
    writeFileSync(draft, '', { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`--ready-file: ${path} ${whyUnwritable(error)}.`);
  }
  return {
    announce(url) {
      try {
        writeFileSync(draft, `${JSON.stringify({ url, pid: process.pid })}\n`);
        renameSync(draft, path);
        return null;
      } catch (error) {
        return `--ready-file: ${path} ${whyUnwritable(error)}.`;
      }
    },
    withdraw() {
      rmSync(draft, { force: true });
      if (readReady(path)?.pid === process.pid) rmSync(path, { force: true });
    },
  };
}
