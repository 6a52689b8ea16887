// `conformance mcp --help`, `har --help` and `calibrate --help`: the flags that each command takes, and its exit codes.
import { describeFlags } from '../../src/terminal/flag-parser.ts';
import { keyRows } from '../probe/capabilities.ts';
import { exitMeanings } from '../report/outcome.ts';
import type { ExitCode } from '../report/report.ts';
import { furtherMax } from '../run/further.ts';
import { flagTable, idleAtMcpEndpoint, type KitFlag } from './flags.ts';

/** Commands with the flags of an audit; `diff` and `trend` have separate tables. */
export type AuditCommand = 'mcp' | 'har' | 'calibrate';

interface CommandHelp {
  readonly usage: string;
  readonly text: string;
  /** Listed first. */
  readonly main: readonly string[];
  /** The others that the command takes. */
  takes(name: string, flag: KitFlag): boolean;
  readonly exits: Readonly<Record<ExitCode, string>>;
}

const runGroups: readonly string[] = ['target', 'checks', 'pace'];
const key = keyRows.good.variable;

const helps: Readonly<Record<AuditCommand, CommandHelp>> = {
  mcp: {
    usage: `conformance mcp: test an MCP endpoint on its own

Usage
  conformance mcp --url URL [flags]
  conformance mcp --target NAME [flags]    a target of the config file that has mcpUrl`,
    text: `No request is sent to the REST API. A run reads and sends invalid calls; it writes only with --allow-writes.
The key comes from ${key}.`,
    main: ['url', 'target', 'allow-writes', 'plan', 'help'],
    takes: (name, { group }) => group !== 'tell' && !idleAtMcpEndpoint.some((idle) => idle === name),
    exits: exitMeanings,
  },
  har: {
    usage: `conformance har: test recorded traffic

Usage
  conformance har FILE [flags]`,
    text: `Reads an HTTP Archive (HAR) from a browser, a proxy or an end-to-end test, and tests each recorded response.
No request is sent. Without --base-url the requests below /api/v1 are tested.`,
    main: ['base-url', 'report', 'profile', 'help'],
    takes: (_, { isForHar }) => isForHar === true,
    exits: exitMeanings,
  },
  calibrate: {
    usage: `conformance calibrate: save how a deployment behaves where the contract leaves room

Usage
  conformance calibrate --base-url URL --profile FILE    learn how a deployment reads the contract
  conformance calibrate --base-url URL --check FILE      has it moved since?`,
    text: `Sends what an audit sends, reads and requests that the contract rejects without effect, and at most ${furtherMax} further reads.
The file is written as a whole at the end; without --profile and --check the profile goes to standard output.
casa mock --profile FILE responses by it. The key comes from ${key}.`,
    main: ['profile', 'check', 'plan', 'help'],
    takes: (name, { group }) => runGroups.includes(group) && name !== 'url',
    exits: {
      0: 'the profile is learnt; with --check: no behavior has moved',
      1: 'with --check: a behavior has moved, or a clause is violated that the profile does not list',
      2: exitMeanings[2],
      3: 'a rate limit rejects every request, the organization is empty, or less than half of the profile was compared',
      4: exitMeanings[4],
    },
  },
};

/** At most 120 columns. */
export function commandHelpText(command: AuditCommand): string {
  const { usage, text, main, takes, exits } = helps[command];
  const rows = Object.entries(flagTable);
  const first = main.flatMap((name) => rows.filter(([each]) => each === name));
  const others = rows.filter(([name, flag]) => !main.includes(name) && takes(name, flag));
  const all = Object.fromEntries([...first, ...others]);
  return `${usage}

${text}

Flags
${describeFlags(Object.fromEntries(first), all)}
More flags
${describeFlags(Object.fromEntries(others), all)}
Exit codes
${Object.entries(exits)
  .map(([code, meaning]) => `  ${code}  ${meaning}`)
  .join('\n')}
`;
}
