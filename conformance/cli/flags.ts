// The command line: the rows of the capabilities, and the flags that only the command knows. Parsing, help and error
// messages are made from them.
import { type CommandWords, type Flag, type FlagValues, parseWords } from '../../src/terminal/flag-parser.ts';
import { unknownCommand } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { type FlagGroup, type Forms, flagOf, flagOptions } from '../probe/capabilities.ts';
import { reportKinds } from '../report/outcome.ts';

export interface KitFlag extends Flag {
  readonly group: FlagGroup;
  /** `conformance har` takes it too. */
  readonly isForHar?: true;
  /** Its value is a list with commas, which a config file may write as a list. */
  readonly isList?: true;
  /** No help lists it. */
  readonly isHidden?: true;
  /** A config file has no field for it. */
  readonly isCommandOnly?: true;
}

const commandFlags = {
  'base-url': { group: 'target', value: 'URL', help: 'Deployment to test, including /api/v1', isForHar: true },
  url: { group: 'target', value: 'URL', help: 'MCP endpoint to test', isCommandOnly: true },
  target: {
    group: 'target',
    value: 'NAME',
    help: 'Target from the config file, or self for the bundled mock',
    isCommandOnly: true,
  },
  report: {
    group: 'result',
    value: 'KIND=FILE',
    repeat: true,
    help: `Write a report: ${reportKinds.slice(0, -1).join(', ')} or ${reportKinds.at(-1)}. Repeatable`,
    isForHar: true,
  },
  baseline: { group: 'result', value: 'FILE', help: 'Ignore the known failures in FILE', isForHar: true },
  'write-baseline': {
    group: 'result',
    value: 'FILE',
    help: 'Save the current failures as a baseline; add the reasons yourself',
    isForHar: true,
  },
  'fail-on': {
    group: 'result',
    value: 'KINDS',
    help: 'Also fail on warn, note, skipped or inconclusive. inconclusive:platform selects\nchecks that the platform or network blocked. new: see --history',
    isList: true,
    isForHar: true,
  },
  'min-verified': {
    group: 'result',
    isRare: true,
    value: 'N',
    help: 'Exit with 3 if fewer clauses (N or N%) were verified',
    isForHar: true,
  },
  profile: {
    group: 'result',
    isRare: true,
    value: 'FILE',
    help: 'Save the observed behavior for casa mock --profile',
    isForHar: true,
  },
  check: {
    group: 'result',
    value: 'FILE',
    help: 'List differences from this profile, and exit with 1 if there are any',
    isCommandOnly: true,
  },
  history: {
    group: 'result',
    value: 'DIR',
    help: 'Record this run in DIR, and compare it with earlier runs.\n--fail-on new: fail only on new failures',
  },
  plan: { group: 'tell', help: 'Show what a run would send, and exit' },
  list: { group: 'tell', help: 'List all checks, with the flags and keys that they need' },
  explain: { group: 'tell', value: 'ID', help: 'Explain a check, a clause or an interpretation such as R19' },
  help: {
    group: 'tell',
    short: 'h',
    value: 'TOPIC',
    optional: 'word',
    help: 'Show this help, or all flags with --help all',
    isForHar: true,
  },
  version: { group: 'tell', short: 'V', help: 'Show the versions of casa-kit and of the contract' },
} as const satisfies Readonly<Record<string, KitFlag>>;

const manyForms: readonly (keyof Forms)[] = ['texts', 'headers'];

const optionFlags = flagOptions.map(([name, { form, ...row }]): [string, KitFlag] => [
  flagOf(name),
  {
    group: row.group,
    help: row.help ?? '',
    ...('value' in row && row.value !== undefined ? { value: row.value } : {}),
    ...(form === 'writes' ? { optional: true } : {}),
    ...(manyForms.includes(form) ? { repeat: true } : {}),
    ...('isRare' in row ? { isRare: true } : {}),
    ...('isHidden' in row ? { isHidden: true } : {}),
    ...(row.isForHar ? { isForHar: true } : {}),
  },
]);

export const flagTable: Readonly<Record<string, KitFlag>> = {
  ...commandFlags,
  ...Object.fromEntries(optionFlags),
};

/** Settings of a config file: all flags except keys and information. */
export const settingFlags: Readonly<Record<string, KitFlag>> = Object.fromEntries(
  Object.entries(flagTable).filter(
    ([, { group, isCommandOnly, isHidden }]) => group !== 'tell' && !isCommandOnly && !isHidden,
  ),
);

/** `--min-verified` is `minVerified` in a config file. */
export function fieldOf(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export type ParsedFlags = FlagValues<typeof commandFlags> & {
  readonly [flag: string]: string | readonly string[] | boolean | undefined;
};

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
