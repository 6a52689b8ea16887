// `casa mcp`: the controls of a mock for an agent, over standard streams. It starts a separate mock, or drives the
// one at --url. Standard output belongs to the protocol: everything else is said on the error stream.
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Ask } from '../admin/agent/tools.ts';
import { row } from '../options/define-options.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { askOverHttp } from '../transports/admin-ask.ts';
import { command } from './command.ts';
import { findMock, tokenHelp } from './find-mock.ts';

const { text, whole, toggle } = row;

/** Ends when the agent closes its end. */
export const mcp = command({
  name: 'mcp',
  usage: `casa mcp: let an AI agent control a mock (MCP over stdin and stdout)

Usage
  casa mcp [flags]            Start a mock; the tool casa_status returns its URL
  casa mcp --url URL [flags]  Control a running mock (also possible over HTTP, at /__admin/mcp)
`,
  options: {
    url: text('URL', 'Control the mock at URL instead of starting one (default: CASA_URL)'),
    'admin-token': text('TOKEN', tokenHelp),
    port: whole('N', 'Port of the new mock (default: any free port)', { short: 'p', max: 65_535 }),
    world: text('NAME', 'Built-in data of the new mock: default, empty, tied-articles or unpaid'),
    relaxed: toggle('Start the mock without rate limits, and list calls as soon as they end'),
  },
  exits: { 0: 'The agent closed the stream', 1: 'The port is in use', 2: 'Invalid flag' },
  async run({ flags }, output) {
    const url = flags.url ?? process.env.CASA_URL;
    const mock = url === undefined ? await startOwn(flags) : null;
    const { origin, token } = mock ? { origin: mock.origin, token: undefined } : await findMock({ ...flags, url });
    output.error(`casa mcp: ${mock ? 'a mock is' : 'commands go to the mock'} at ${origin}\n`);
    await serve(askOverHttp(origin, token));
    await mock?.close();
  },
});

/** On a clock that runs and under the limits of the contract: an agent's client meets what production shows. */
async function startOwn(flags: { port?: number; world?: string; relaxed?: boolean; 'admin-token'?: string }) {
  const { port = 0, world, relaxed } = flags;
  if (flags['admin-token'] !== undefined) throw new UsageError('--admin-token needs --url URL.');
  const { isWorldName, worldNames } = await import('../worlds/load.ts');
  if (world !== undefined && !isWorldName(world))
    throw new UsageError(`there is no world "${world}". Worlds: ${worldNames.join(', ')}.`);
  const { startMock } = await import('../testing/start-mock.ts');
  return startMock({
    clock: 'running',
    port,
    ...(world === undefined ? {} : { world }),
    ...(relaxed ? { relaxed: true } : { limits: true }),
  });
}

/** The SDK decides which revision of the protocol is spoken. */
async function serve(ask: Ask): Promise<void> {
  const { loadProtocol } = await import('../mcp/load-protocol.ts');
  await loadProtocol();
  const { createAgentServer } = await import('../admin/agent/server.ts');
  const transport = new StdioServerTransport(process.stdin, process.stdout);
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error'] as const) process.stdin.once(event, () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const handle = serveStdio(() => createAgentServer(ask), { transport });
  await ended;
  await handle.close();
}
