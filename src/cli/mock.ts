// `casa mock`: reads flags and config, starts the mock, prints where it is, then one line a request until it is stopped.
import { ListenError } from '../doors/node.ts';
import type { Engine } from '../engine/engine.ts';
import { redactKeys } from '../engine/redaction.ts';
import type { Act } from '../mutants/index.ts';
import { parseFlags } from '../terminal/flag-parser.ts';
import type { Output } from '../terminal/output.ts';
import { createPaint, type Paint, wantsColor } from '../terminal/paint.ts';
import { RunError, UsageError } from '../terminal/usage-error.ts';
import { readVersion } from '../terminal/version.ts';
import { visible } from '../terminal/visible.ts';
import { type BannerOptions, banner } from './banner.ts';
import { readConfig } from './config-file.ts';
import { mockFlags, mockHelp } from './mock-flags.ts';
import { type MockProcess, startMockProcess } from './mock-process.ts';
import { type ChosenMutant, loadMutant, mutantLine, mutantNotices } from './mutant-flag.ts';
import { profileOf } from './profile.ts';
import { requestLine } from './request-line.ts';
import { SaveFileError } from './save-file.ts';
import { type MockSettings, settle } from './settings.ts';
import { loadWorld, type WorldWish } from './world-source.ts';
import { watchFile } from './world-watch.ts';

export async function mock(argv: string[], output: Output): Promise<number> {
  try {
    return await run(argv, output);
  } catch (error) {
    if (error instanceof UsageError || error instanceof SaveFileError) {
      output.error(`casa mock: ${error.message} See casa mock --help.\n`);
      return 2;
    }
    if (error instanceof RunError || error instanceof ListenError) {
      output.error(`casa mock: ${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

async function run(argv: string[], output: Output): Promise<number> {
  const flags = parseFlags(argv, mockFlags);
  if (flags.help) {
    output.write(mockHelp());
    return 0;
  }
  const found = await readConfig(process.cwd());
  const settings = settle(flags, found?.config);
  const colored = wantsColor({ flag: !flags['no-color'], env: process.env, isTty: process.stdout.isTTY === true });
  const paint = createPaint(colored);
  const stopping = stopSignal();
  const nowMs = Date.now();
  const mutant = await loadMutant(settings);
  const wish: WorldWish = { data: settings.data, world: settings.world ?? mutant?.world ?? null };
  const source = await loadWorld(wish, nowMs);
  const onAct = (act: Act) => {
    if (mutant && !settings.quiet) output.write(mutantLine(act, mutant.name, paint));
  };
  const running = await startMockProcess({ settings, source, mutant, nowMs, onAct, onShutdown: stopping.stop });
  const notices = [
    ...running.notices,
    ...(mutant ? mutantNotices(mutant, settings) : []),
    ...(found ? [`settings from ${found.name}`] : []),
  ];
  output.write(describe(running, { settings, mutant, paint, worldName: source.name, notices }));
  if (!settings.quiet) log(running.engine, output, { paint, verbose: settings.verbose });
  const watcher = settings.watch ? watchWorld(running, wish, output) : null;
  await stopping.stopped;
  watcher?.close();
  await running.stop();
  return 0;
}

interface Described extends Pick<BannerOptions, 'paint' | 'worldName' | 'notices'> {
  readonly settings: MockSettings;
  readonly mutant: ChosenMutant | null;
}

function describe({ engine, server }: MockProcess, { settings, mutant, ...rest }: Described): string {
  return banner({
    ...rest,
    version: readVersion(),
    baseUrl: server.baseUrl,
    origin: new URL(server.baseUrl).origin,
    world: engine.world,
    profile: profileOf(settings, mutant).phrases,
  });
}

function log(engine: Engine, output: Output, options: { paint: Paint; verbose: boolean }): void {
  engine.subscribe((event) => {
    if (event.type === 'exchange') output.write(requestLine(event.entry, options));
    if (event.type !== 'verdict') return;
    const { rule, message, clause } = event.verdict;
    output.write(
      `         ${options.paint.bad(`client: ${visible(redactKeys(message))}`)} ${options.paint.dim(`(${rule}, ${clause})`)}\n`,
    );
  });
}

function watchWorld(running: MockProcess, wish: WorldWish, output: Output) {
  const file = wish.data as string;
  return watchFile(file, () => {
    loadWorld(wish, running.engine.clock.now())
      .then((next) => {
        const kept = running.reload(next);
        output.write(
          `         ${visible(file)} changed: the world is loaded again; ${kept} changes by clients were made again.\n`,
        );
      })
      .catch((error: Error) => output.error(`casa mock: ${error.message} The mock goes on with the world it has.\n`));
  });
}

/** The first signal asks for a stop, the second ends the process at once. */
function stopSignal(): { readonly stopped: Promise<void>; readonly stop: () => void } {
  let asked = false;
  let stop: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(130);
      asked = true;
      stop();
    });
  }
  return { stopped, stop };
}
