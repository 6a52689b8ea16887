// The help of `conformance` and its commands. `--help` has the flags that most runs need, `--help all` has all of them.
import type { FlagTable } from '../../src/terminal/flag-parser.ts';
import { describeExits, describeFlags, describeGroups, helpOn } from '../../src/terminal/help.ts';
import { controlTokenVariable, flagGroups, keyRows } from '../probe/capabilities.ts';
import { exitMeanings } from '../report/outcome.ts';
import type { ExitCode } from '../report/report.ts';
import { furtherMax } from '../run/further.ts';
import { flagTable, idleAtMcpEndpoint, type KitFlag } from './flags.ts';

/** Commands with the flags of a run; `diff` and `trend` have separate tables. */
type RunCommand = 'run' | 'mcp' | 'har' | 'calibrate';

interface CommandHelp {
  readonly head: string;
  /** Its documentation. */
  readonly page: string;
  /** The flags of the first page in their order. All that are not rare, in groups, when absent. */
  readonly main?: readonly string[];
  takes(name: string, flag: KitFlag): boolean;
  readonly exits?: Readonly<Partial<Record<ExitCode, string>>>;
  /** Texts that differ in this command. */
  readonly helpOf?: Readonly<Record<string, Pick<KitFlag, 'help'>>>;
}

const key = keyRows.good.variable;

const helps: Readonly<Record<RunCommand, CommandHelp>> = {
  run: {
    head: `conformance: test a deployment of the Content and Social Account service API

Usage
  conformance --base-url URL [flags]
  conformance <command> [flags]

Commands
  (none)     Test a deployment
  mcp        Test an MCP endpoint on its own
  har        Test recorded traffic
  calibrate  Save the behavior of a deployment as a profile for casa mock
  diff       Compare two deployments
  replay     Test whether the defects of a report are fixed
  verify     Detect changes in a report
  dispute    Report a finding that you think is wrong
  trend      Show the results of earlier runs

Examples
  conformance --target self --control self                   Test the bundled mock
  conformance --base-url https://staging.example.com/api/v1  Test a deployment
  conformance --base-url URL --plan                          Show what a run would send

The API key comes from ${key}. A run sends reads and invalid requests. It creates data
only with --allow-writes. With more --minutes, it finds more: --plan shows how much.
--watch, --pace off and --control remove the request limit, unless --minutes is set.`,
    page: 'docs/conformance.md',
    takes: (name) => name !== 'url' && name !== 'check',
  },
  mcp: {
    head: `conformance mcp: test an MCP endpoint on its own

Usage
  conformance mcp --url URL [flags]
  conformance mcp --target NAME [flags]    Test the mcpUrl of a target in the config file

The API key comes from ${key}. A run sends reads and invalid calls to the MCP endpoint.
It creates data only with --allow-writes.`,
    page: 'docs/conformance.md',
    main: ['url', 'target', 'only', 'skip', 'gentle', 'allow-writes', 'pace', 'report', 'baseline', 'plan', 'help'],
    takes: (name) => !idleAtMcpEndpoint.some((idle) => idle === name),
  },
  har: {
    head: `conformance har: test recorded traffic

Usage
  conformance har FILE [flags]

FILE is an HTTP Archive (HAR) of a browser, a proxy or an end-to-end test. Each recorded response
below /api/v1 is tested. No request is sent.`,
    page: 'docs/conformance.md',
    main: ['base-url', 'only', 'skip', 'report', 'baseline', 'fail-on', 'profile', 'help'],
    takes: (_, { isForHar }) => isForHar === true,
    helpOf: { 'base-url': { help: 'Base URL of the API in the recording, including /api/v1' } },
    exits: {
      0: exitMeanings[0],
      1: exitMeanings[1],
      2: 'Invalid flag or file',
      3: 'Too little was verified',
    },
  },
  calibrate: {
    head: `conformance calibrate: save the behavior of a deployment as a profile for casa mock

Usage
  conformance calibrate --base-url URL --profile FILE    Save the profile
  conformance calibrate --base-url URL --check FILE      Compare the deployment with a saved profile

The API key comes from ${key}. A run sends reads and invalid requests, then at most
${furtherMax} more reads. Without --profile and --check, it prints the profile.`,
    page: 'docs/calibrate.md',
    main: ['base-url', 'target', 'profile', 'check', 'api-key-file', 'pace', 'max-time', 'plan', 'help'],
    takes: (name, { group }) =>
      ['target', 'keys', 'tls', 'checks', 'pace'].includes(group) && !['url', 'mcp-url', 'watch'].includes(name),
    exits: {
      ...exitMeanings,
      0: 'The profile was saved. With --check: no behavior changed',
      1: 'With --check: a behavior changed, or a clause is violated that the profile does not list',
      3: 'The organization is empty or unpaid, rate limits rejected the requests, or too little was compared',
    },
  },
};

const environment: Readonly<Record<string, string>> = {
  [Object.values(keyRows)
    .map(({ variable }) => variable)
    .join(', ')]: 'API keys',
  [controlTokenVariable]: 'Admin token of the mock at --control',
  'HTTP_PROXY, HTTPS_PROXY, NO_PROXY': 'Proxy settings',
  'NO_COLOR, FORCE_COLOR': 'Turn colors off or on',
  'GITHUB_ACTIONS=true': 'Print failures as annotations too',
};

const files = `Files
  conformance.config.json
      Named targets: { "targets": { "staging": { "baseUrl": URL, "keys": { "good": VARIABLE } } } }
      Flags are fields in camel case, except keys: --min-verified is minVerified. \${NAME} is an
      environment variable. The file can also be .js, .mjs or .ts.
  casa-kit/traffic in your cache directory
      Times of the requests of the last minute, so that the next run stays below the rate limits.
      You can delete it.
`;

/** Returns the help of a command. Throws a `UsageError` for an unknown topic. */
export function commandHelpText(command: RunCommand, topic: string | true): string {
  const { head, page, main, takes, exits = exitMeanings, helpOf } = helps[command];
  const own = Object.entries(flagTable)
    .filter(([name, flag]) => main?.includes(name) || takes(name, flag))
    .map(([name, flag]) => [name, { ...flag, ...helpOf?.[name] }]);
  const table: FlagTable = Object.fromEntries(own);
  const tail = describeExits(exits);
  const more = `\nDocumentation: ${page}. All flags: conformance ${command === 'run' ? '' : `${command} `}--help all\n`;
  const first = () =>
    main === undefined
      ? describeGroups(table, flagGroups, false)
      : `Flags\n${describeFlags(Object.fromEntries(main.map((name) => [name, { ...(flagTable[name] as KitFlag), ...helpOf?.[name] }])))}\n`;
  const all = () => {
    const width = Math.max(...Object.keys(environment).map(({ length }) => length));
    const rows = Object.entries(environment).map(([name, help]) => `  ${name.padEnd(width)}  ${help}\n`);
    const rest = command === 'run' ? `\nEnvironment\n${rows.join('')}\n${files}` : '';
    return `${head}\n\n${describeGroups(table, flagGroups)}${tail}${rest}`;
  };
  return helpOn(topic, { '': () => `${head}\n\n${first()}${tail}${more}`, all });
}
