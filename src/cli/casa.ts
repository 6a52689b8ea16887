#!/usr/bin/env node
// The `casa` command: finds the sub-command and turns every error into one sentence and an exit code.
import module from 'node:module';
import { endWithOutput, type Output } from '../terminal/output.ts';
import { type commandNames, unknownCommand } from '../terminal/suggestion.ts';
import { readVersion } from '../terminal/version.ts';
import { visibleLines } from '../terminal/visible.ts';

const usage = `casa: mock server for the Content and Social Account service API

Usage
  casa <command> [flags]

Commands
  mock     Start the mock server
  try      Test how a client handles errors, formats and pages that the contract allows
  parity   Show what a calibrated mock knows about a deployment
  seed     Generate a data file for casa mock --data
  mutants  List the deliberate contract violations for casa mock --mutant
  mcp      Let an AI agent control a mock (MCP over stdin and stdout)
  ctl      Control a running mock from a shell
  health   Check that a mock is running

Flags
  -h, --help     Show this help
  -V, --version  Show the version

Run casa <command> --help for the flags of a command.
`;

type CommandName = (typeof commandNames.casa)[number];
type Load = () => Promise<(argv: string[], output: Output) => Promise<number>>;

const commands: Readonly<Record<CommandName, Load>> = {
  mock: async () => (await import('./mock.ts')).mock,
  try: async () => (await import('./try.ts')).tryCommand,
  parity: async () => (await import('./parity.ts')).parity,
  seed: async () => (await import('./seed.ts')).seed,
  mutants: async () => (await import('./mutants.ts')).mutants,
  mcp: async () => (await import('./mcp.ts')).mcp,
  ctl: async () => (await import('./ctl.ts')).ctl,
  health: async () => (await import('./health.ts')).health,
};

const output: Output = {
  write: (text) => void process.stdout.write(text),
  // Messages quote arguments, files and responses.
  error: (text) => void process.stderr.write(visibleLines(text)),
  unread: () => process.stdout.writableLength,
};

// Compiled code is stored for the next start. Node.js before 22.1 cannot do that.
module.enableCompileCache?.();

/** Each command is loaded on demand, so `casa --version` loads none. */
async function main([command, ...argv]: string[]): Promise<number> {
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    output.write(usage);
    return command === undefined ? 2 : 0;
  }
  if (command === '--version' || command === '-V') {
    output.write(`${readVersion()}\n`);
    return 0;
  }
  if (!Object.hasOwn(commands, command)) {
    output.error(`casa: ${unknownCommand('casa', command)}\n`);
    return 2;
  }
  return (await commands[command as CommandName]())(argv, output);
}

// `casa mock | head` closes our output: nobody reads on, so there is nothing to go on for.
endWithOutput('casa', process, () => process.exit(0));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  output.error(
    `casa: this is a bug of casa-kit, please report it: ${error instanceof Error ? error.message : error}\n`,
  );
  process.exitCode = 1;
}
