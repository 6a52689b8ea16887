// `casa mock`: reads the flags, starts the server, prints where it is, then one line a request.
import { parseArgs } from 'node:util';
import { listen, type NodeServer } from '../adapters/node.ts';
import { createEngine } from '../control/engine.ts';
import { createClock } from '../domain/clock.ts';
import { contractLimits } from '../domain/limits.ts';
import { builtInWorld } from '../worlds/load.ts';
import { rebase } from '../worlds/rebase.ts';
import { banner, requestLine } from './banner.ts';
import type { Output } from './casa.ts';

const usage = `casa mock: start the mock of the Content and Social Account service API

Usage
  casa mock [flags]

Flags
  -p, --port N      port to listen on; 0 takes a free one (default 4010)
      --host H      address to listen on (default 127.0.0.1)
      --world NAME  built-in world: default, empty, tied-articles, unpaid, huge
      --relaxed     no rate limits
      --seed N      seed of everything random
      --quiet       no line for each request
  -h, --help        this text
`;

export async function mock(argv: string[], output: Output): Promise<number> {
  let values: ReturnType<typeof parseFlags>;
  try {
    values = parseFlags(argv);
  } catch (error) {
    output.error(`casa mock: ${(error as Error).message} See casa mock --help.\n`);
    return 2;
  }
  if (values.help) {
    output.write(usage);
    return 0;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    output.error(`casa mock: --port takes a number from 0 to 65535, not "${values.port}".\n`);
    return 2;
  }
  const clock = createClock(Date.now);
  const engine = createEngine({
    data: rebase(await builtInWorld(values.world), clock.now()),
    clock,
    seed: values.seed === undefined ? undefined : Number(values.seed),
    limits: { ...contractLimits, enforced: !values.relaxed },
    onExchange: values.quiet ? undefined : (entry) => output.write(requestLine(entry)),
  });
  let server: NodeServer;
  try {
    server = await listen(engine, { host: values.host, port });
  } catch (error) {
    output.error(`casa mock: ${describeListenError(error as NodeJS.ErrnoException, port)}\n`);
    return 1;
  }
  output.write(
    banner({ baseUrl: server.baseUrl, world: engine.world, worldName: values.world, relaxed: values.relaxed }),
  );
  await untilStopped();
  await server.close();
  return 0;
}

function parseFlags(argv: string[]) {
  return parseArgs({
    args: argv,
    options: {
      port: { type: 'string', short: 'p', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      world: { type: 'string', default: 'default' },
      relaxed: { type: 'boolean', default: false },
      seed: { type: 'string' },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;
}

function describeListenError({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'EADDRINUSE') return `port ${port} is in use; choose another with --port, or --port 0 for a free one.`;
  if (code === 'EACCES') return `port ${port} needs more rights; choose one above 1023 with --port.`;
  return `cannot listen: ${message}.`;
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
