// The command line: the rows of the capabilities, and the flags that only the command knows. Parsing, help and error
// messages are made from them.
import {
  type CommandWords,
  describeFlags,
  type Flag,
  type FlagTable,
  type FlagValues,
  parseWords,
} from '../../src/terminal/flag-parser.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import {
  controlTokenVariable,
  type FlagGroup,
  type Forms,
  flagGroups,
  keyRows,
  options,
} from '../probe/capabilities.ts';
import { flagOf } from '../probe/needs.ts';
import { exitMeanings, reportKinds } from '../report/outcome.ts';

/** A flag of the shared parser, with its place in the help. */
export interface KitFlag extends Flag {
  readonly group: FlagGroup;
  /** `conformance har` takes it too. */
  readonly isForHar?: true;
  /** Its value names a file, which a config file names from its own folder. */
  readonly isFile?: true;
  /** Its value is a list with commas, which a config file may write as a list. */
  readonly isList?: true;
  /** A config file has no field for it. */
  readonly isCommandOnly?: true;
}

const commandFlags = {
  'base-url': { group: 'target', value: 'URL', help: 'the deployment, /api/v1 included', isForHar: true },
  url: { group: 'target', value: 'URL', help: 'MCP endpoint to test', isCommandOnly: true },
  target: {
    group: 'target',
    value: 'NAME',
    help: 'a target of the config file, or self: the mock of this package',
    isCommandOnly: true,
  },
  config: {
    group: 'target',
    value: 'FILE',
    help: 'the config file (conformance.config.json, .js, .mjs or .ts in this folder)',
    isCommandOnly: true,
  },
  'api-key': {
    group: 'target',
    value: 'KEY',
    help: 'the key itself; avoid it, others can read the command line',
    isCommandOnly: true,
  },
  report: {
    group: 'result',
    value: 'KIND=FILE',
    repeat: true,
    help: `write a report: ${reportKinds.slice(0, -1).join(', ')} or ${reportKinds.at(-1)}=FILE`,
    isForHar: true,
    isFile: true,
  },
  baseline: {
    group: 'result',
    value: 'FILE',
    help: 'JSON list of known failures: check, clause, pointer, reason, until',
    isForHar: true,
    isFile: true,
  },
  'write-baseline': {
    group: 'result',
    value: 'FILE',
    help: 'write such a list of what fails now; the reasons are yours to fill in',
    isForHar: true,
    isFile: true,
  },
  'fail-on': {
    group: 'result',
    value: 'KINDS',
    help:
      'results that also fail: warn, note, inconclusive or inconclusive:platform, skipped;\n' +
      'new counts only what did not fail in the run before (with --history)',
    isList: true,
    isForHar: true,
  },
  'min-verified': { group: 'result', value: 'N', help: 'fewest clauses to prove, as N or N%', isForHar: true },
  profile: {
    group: 'result',
    value: 'FILE',
    help: 'write the behaviors of the deployment, for casa mock --profile',
    isForHar: true,
    isFile: true,
  },
  check: {
    group: 'result',
    value: 'FILE',
    help: 'exit 1 if a behavior of this profile has changed, and list the changes',
    isCommandOnly: true,
  },
  history: {
    group: 'result',
    value: 'DIR',
    help: 'keep a line for this run there, and compare it with those before',
    isFile: true,
  },
  plan: { group: 'tell', help: 'tell what would be sent, and send nothing' },
  list: { group: 'tell', help: 'list all checks and rules, and what they need' },
  explain: { group: 'tell', value: 'ID', help: 'explain a check, a clause or an interpretation such as R19' },
  help: { group: 'tell', short: 'h', help: 'this text', isForHar: true },
  version: { group: 'tell', short: 'V', help: 'version of the kit and of the contract' },
} as const satisfies Readonly<Record<string, KitFlag>>;

const manyForms: readonly (keyof Forms)[] = ['texts', 'headers'];

const optionFlags = Object.entries(options).map(([name, { form, ...row }]): [string, KitFlag] => [
  flagOf(name),
  {
    group: row.group,
    help: row.help,
    ...('value' in row && row.value !== undefined ? { value: row.value } : {}),
    ...(form === 'writes' ? { optional: true } : {}),
    ...(manyForms.includes(form) ? { repeat: true } : {}),
    ...(row.isForHar ? { isForHar: true } : {}),
    ...(form === 'file' ? { isFile: true } : {}),
  },
]);

const keyFlags = Object.values(keyRows).map(({ flag, variable, help }): [string, KitFlag] => [
  flag,
  { group: 'target', value: 'FILE', help: `${help}, instead of ${variable}`, isCommandOnly: true },
]);

export const flagTable: Readonly<Record<string, KitFlag>> = {
  ...commandFlags,
  ...Object.fromEntries(keyFlags),
  ...Object.fromEntries(optionFlags),
};

/** Settings of a config file: all flags except keys and information. */
export const settingFlags: Readonly<Record<string, KitFlag>> = Object.fromEntries(
  Object.entries(flagTable).filter(([, { group, isCommandOnly }]) => group !== 'tell' && !isCommandOnly),
);

/** `--min-verified` is `minVerified` in a config file. */
export function fieldOf(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The flags of a command line by name. */
export type ParsedFlags = FlagValues<typeof commandFlags> & {
  readonly [flag: string]: string | readonly string[] | boolean | undefined;
};

/** Arguments with checked names; values are parsed later. */
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
      throw new UsageError('--url belongs to conformance mcp; a whole deployment is checked with --base-url URL.');
    const idle = idleAtMcpEndpoint.find((name) => flags[name] !== undefined);
    if (isOfMcpEndpoint && idle !== undefined)
      throw new UsageError(`--${idle} means nothing to conformance mcp, which checks the MCP endpoint at --url alone.`);
    return { flags, harFile: null, command: calibrates ? 'calibrate' : isOfMcpEndpoint ? 'mcp' : null };
  }
  const { flags, words } = parse(argv.slice(1), { isStrict: true, takesWords: true });
  const idle = Object.keys(flags).find((name) => flagTable[name]?.isForHar !== true);
  if (idle !== undefined) throw new UsageError(`--${idle} means nothing to conformance har, which sends nothing.`);
  if (flags.help) return { flags, harFile: null, command: 'har' };
  const [file, ...rest] = words;
  if (file === undefined) throw new UsageError('conformance har needs a file: conformance har FILE');
  if (rest[0] !== undefined) throw new UsageError(`conformance har takes one file, so "${rest[0]}" is one too many.`);
  return { flags, harFile: file, command: 'har' };
}

/** Those that begin a command line; without one a deployment is checked. */
const commands = ['mcp', 'har', 'calibrate', 'diff', 'trend'];

function rejectCommand(word: string): never {
  const hint = didYouMean(word, commands);
  throw new UsageError(
    `There is no command "${word}".${hint} Commands: ${commands.join(', ')}; without one: conformance --base-url URL.`,
  );
}

function parse(argv: readonly string[], rules: CommandWords): { flags: ParsedFlags; words: readonly string[] } {
  const { values, words } = parseWords(argv, flagTable as FlagTable, rules);
  return { flags: values as ParsedFlags, words };
}

/** In the help of the command that takes them. */
const ofCommands = ['url', 'check'];

/** Variables next to those of the keys. */
const environment: readonly (readonly [names: string, help: string])[] = [
  ['HTTP_PROXY, HTTPS_PROXY, NO_PROXY', 'the way to the deployment'],
  ['NO_COLOR, FORCE_COLOR', 'colors or none'],
  ['GITHUB_ACTIONS=true', 'failures are printed as annotations too'],
];

/** Made of the same tables as the parser, so no flag can be missing. At most 120 columns. */
export function helpText(): string {
  const groups = Object.entries(flagGroups).map(([group, title]) => {
    const ofGroup = Object.entries(flagTable).filter(
      ([name, flag]) => flag.group === group && !ofCommands.includes(name),
    );
    return `${title}\n${describeFlags(Object.fromEntries(ofGroup), flagTable)}`;
  });
  const exits = Object.entries(exitMeanings).map(([code, meaning]) => `  ${code}  ${meaning}`);
  const keys = Object.values(keyRows).map(({ variable }) => variable);
  const variables: readonly (readonly [names: string, help: string])[] = [
    [keys.join(', '), 'the keys'],
    [controlTokenVariable, 'admin token of the mock of --control'],
    ...environment,
  ];
  const width = Math.max(...variables.map(([names]) => names.length));
  return `Usage
  conformance --base-url URL [flags]     judge a deployment
  conformance [--target NAME] [flags]    judge a target of the config file
  conformance mcp --url URL [flags]      judge an MCP endpoint by itself; nothing is sent to the REST service
  conformance har FILE [flags]           judge recorded traffic; nothing is sent
  conformance calibrate [flags]          learn how a deployment reads the contract: a profile for casa mock
  conformance diff A B [flags]           tell two deployments apart
  conformance trend DIR                  tell what --history has kept

Each command has its own help: conformance mcp --help.

Judges a deployment of the Content and Social Account service by its contract. Sends reads, and requests that the
contract rejects without effect; writes only with --allow-writes. The key comes from ${keyRows.good.variable}.
Rarer checks need more time: they run with --watch, --allow-writes, --pace off or --control.

${groups.join('\n')}
Exit codes
${exits.join('\n')}

Environment
${variables.map(([names, help]) => `  ${names.padEnd(width)}  ${help}`).join('\n')}

Files
  conformance.config.json
      named targets: { "targets": { "staging": { "baseUrl": URL, "keys": { "good": VARIABLE } } } }; every flag that is
      not about a key has a field, --min-verified as minVerified; \${NAME} is a variable; .js, .mjs and .ts too
  casa-kit/traffic in your cache directory (XDG_CACHE_HOME, ~/.cache, ~/Library/Caches or %LOCALAPPDATA%)
      the requests of the last minute, so the next run follows the limits too; may be removed
`;
}
