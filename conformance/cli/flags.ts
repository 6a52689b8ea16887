// The command line: which commands there are, and which of the flags each takes.

import type { Given, Option } from '../../src/options/define-options.ts';
import { type CommandWords, type FlagValues, parseWords } from '../../src/terminal/flag-parser.ts';
import { unknownCommand } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { type commandOptions, kitTable, type OwnColumns } from '../scenarios/capabilities.ts';

export type KitFlag = Option & OwnColumns;
export const flagTable: Readonly<Record<string, KitFlag>> = kitTable.flags;

export type ParsedFlags = Given & FlagValues<typeof commandOptions>;

export interface CommandLine {
  readonly flags: ParsedFlags;
  /** `calibrate`: an audit whose result is a profile. `mcp`: the MCP endpoint by itself. Null for an audit. */
  readonly command: 'mcp' | 'har' | 'calibrate' | null;
  /** The file after `har`; null for the others. */
  readonly harFile: string | null;
}

/** What `conformance mcp` has no use for: it sends nothing to the REST service. */
export const idleAtMcpEndpoint = ['base-url', 'mcp-url', 'profile', 'check'] as const;

/** Throws a UsageError for an unknown flag, and for one that `har` has no use for. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const [calibrates, isOfMcpEndpoint] = [argv[0] === 'calibrate', argv[0] === 'mcp'];
  if (argv[0] !== 'har') {
    if (argv[0] !== undefined && /^[a-z]/i.test(argv[0]) && !calibrates && !isOfMcpEndpoint) rejectCommand(argv[0]);
    const { flags } = parse(calibrates || isOfMcpEndpoint ? argv.slice(1) : argv, { isStrict: true });
    if (!calibrates && flags.check !== undefined)
      throw new UsageError('--check belongs to conformance calibrate: conformance calibrate --check FILE');
    if (!isOfMcpEndpoint && flags.url !== undefined)
      throw new UsageError('--url belongs to conformance mcp. To test a deployment, use --base-url URL.');
    const idle = idleAtMcpEndpoint.find((name) => flags[name] !== undefined);
    if (isOfMcpEndpoint && idle !== undefined)
      throw new UsageError(
        `--${idle} cannot be used with conformance mcp, which tests only the MCP endpoint at --url.`,
      );
    return { flags, harFile: null, command: calibrates ? 'calibrate' : isOfMcpEndpoint ? 'mcp' : null };
  }
  const { flags, words } = parse(argv.slice(1), { isStrict: true, takesWords: true });
  const idle = Object.keys(flags).find((name) => flagTable[name]?.isForHar !== true);
  if (idle !== undefined)
    throw new UsageError(`--${idle} cannot be used with conformance har, which sends no requests.`);
  if (flags.help !== undefined) return { flags, harFile: null, command: 'har' };
  const [file, ...rest] = words;
  if (file === undefined) throw new UsageError('conformance har needs a file: conformance har FILE');
  if (rest[0] !== undefined) throw new UsageError(`conformance har takes one file, so "${rest[0]}" is one too many.`);
  return { flags, harFile: file, command: 'har' };
}

function rejectCommand(word: string): never {
  const message = unknownCommand('conformance', word);
  throw new UsageError(`${message} Without a command: conformance --base-url URL.`);
}

function parse(argv: readonly string[], rules: CommandWords): { flags: ParsedFlags; words: readonly string[] } {
  const { values, words } = parseWords(argv, flagTable, rules);
  return { flags: values as ParsedFlags, words };
}
