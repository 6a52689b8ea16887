// The command line of `conformance diff A B`. Options of a run that mean the same for both sides are taken over from
// the table of the kit.
import { describeFlags, type FlagTable, type FlagValues, parseWords } from '../../src/terminal/flag-parser.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Keys } from '../exchange/request.ts';
import { keyRows } from '../probe/capabilities.ts';
import { diffExitMeanings, type SideName, usualMinCompared } from '../report/difference.ts';
import { reportKinds } from '../report/outcome.ts';
import { type KitFlag, type ParsedFlags, settingFlags } from './flags.ts';

/** The variable that holds a key of one side, when no flag names another: CONFORMANCE_API_KEY_A. */
export function sideVariable(key: keyof Keys, side: SideName): string {
  return `${keyRows[key].variable}_${side}`;
}

/** The flag that names another variable: --key-a, --second-key-a. */
export function sideFlag(key: keyof Keys, side: SideName) {
  const letter = side === 'A' ? 'a' : 'b';
  return key === 'good' ? (`key-${letter}` as const) : (`${key}-key-${letter}` as const);
}

const ownFlags = {
  'key-a': { value: 'VARIABLE', help: `the variable with the key of A (${sideVariable('good', 'A')})` },
  'key-b': { value: 'VARIABLE', help: `the variable with the key of B (${sideVariable('good', 'B')})` },
  'second-key-a': {
    value: 'VARIABLE',
    help: `a key of another organization on A (${sideVariable('second', 'A')}); B needs one too`,
  },
  'second-key-b': { value: 'VARIABLE', help: `the same on B (${sideVariable('second', 'B')})` },
  'revoked-key-a': {
    value: 'VARIABLE',
    help: `a revoked key of A (${sideVariable('revoked', 'A')}); B needs one too`,
  },
  'revoked-key-b': { value: 'VARIABLE', help: `the same of B (${sideVariable('revoked', 'B')})` },
  'mcp-url-a': { value: 'URL', help: 'the MCP endpoint of A; B needs one too' },
  'mcp-url-b': { value: 'URL', help: 'the MCP endpoint of B' },
  report: {
    value: 'KIND=FILE',
    repeat: true,
    help: `write a report: ${reportKinds.slice(0, -1).join(', ')} or ${reportKinds.at(-1)}=FILE`,
  },
  'fail-on': { value: 'KIND', help: 'any: every difference fails (usual); illegal: only one against the contract' },
  'min-compared': {
    value: 'N%',
    help: `least share of behaviors that must have been compared (${usualMinCompared * 100}%)`,
  },
  config: { value: 'FILE', help: 'the config file with the named targets' },
  help: { short: 'h', help: 'this text' },
} as const satisfies FlagTable;

/** Of a run, the same for both sides. */
const sharedNames = [
  'insecure',
  'ca',
  'timeout',
  'max-time',
  'pace',
  'only',
  'skip',
  'seed',
  'gentle',
  'keep-bodies',
] as const;
const sharedFlags = Object.fromEntries(sharedNames.map((name) => [name, settingFlags[name] as KitFlag]));

const table: FlagTable = { ...ownFlags, ...sharedFlags };

export interface DiffCommandLine {
  readonly flags: FlagValues<typeof ownFlags>;
  /** Those that both runs get. */
  readonly shared: ParsedFlags;
  readonly a: string;
  readonly b: string;
}

/** Throws a UsageError; null if the user requests help. */
export function parseDiff(argv: readonly string[]): DiffCommandLine | null {
  const { values, words } = parseWords(argv, table, { isStrict: true, takesWords: true });
  const flags = values as FlagValues<typeof ownFlags>;
  if (flags.help) return null;
  const [a, b, ...rest] = words;
  if (a === undefined || b === undefined)
    throw new UsageError('conformance diff compares two sides: conformance diff A B (see conformance diff --help).');
  if (rest[0] !== undefined) throw new UsageError(`conformance diff takes two sides, so "${rest[0]}" is one too many.`);
  const shared = Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(sharedFlags, name)));
  return { flags, shared: shared as ParsedFlags, a, b };
}

export function diffHelpText(): string {
  const exits = Object.entries(diffExitMeanings).map(([code, meaning]) => `  ${code}  ${meaning}`);
  return `Usage
  conformance diff A B [flags]     tell two deployments apart

A and B are each one of
  https://host/api/v1     a deployment, with its own key
  NAME                    a target of the config file
  FILE.profile.json       a mock that behaves like this profile
  self                    the mock of this package

Asks both what an audit and calibrate ask: reads, and requests that the contract rejects without effect. Where they
differ it asks A, B and A again until A has agreed with itself and differed from B three times. Each side has its own
key and pace. A lone deployment may take its key from CONFORMANCE_API_KEY.

Flags
${describeFlags(ownFlags, table)}
For both sides
${describeFlags(sharedFlags, table)}
Exit codes
${exits.join('\n')}
`;
}
