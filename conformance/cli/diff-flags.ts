// The command line of `conformance diff A B`. Options of a run that mean the same for both sides are taken over from
// the table of the kit.
import { words } from '../../src/contract/words.ts';
import { rowsOf } from '../../src/options/define-options.ts';
import { type FlagTable, type FlagValues, parseWords } from '../../src/terminal/flag-parser.ts';
import { describeExits, describeGroups } from '../../src/terminal/help.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Keys } from '../exchange/request.ts';
import { diffExitMeanings, type SideName, usualMinCompared } from '../report/difference.ts';
import { commandOptions, keyRows } from '../scenarios/capabilities.ts';
import { flagTable, type KitFlag, type ParsedFlags } from './flags.ts';

/** The variable that holds a key of one side, when no flag names another: CONFORMANCE_API_KEY_A. */
export function sideVariable(key: keyof Keys, side: SideName): string {
  return `${keyRows[key].variable}_${side}`;
}

/** The flag that names another variable: --key-a, --second-key-a. */
export function sideFlag(key: keyof Keys, side: SideName) {
  const letter = side === 'A' ? 'a' : 'b';
  return key === 'good' ? (`key-${letter}` as const) : (`${key}-key-${letter}` as const);
}

const { inGroup, text, toggle } = rowsOf<(typeof groups)[number]>();
const variable = (key: keyof Keys, side: SideName, about: string) =>
  text('VARIABLE', `${about} (default: ${sideVariable(key, side)})`);

const groups = ['API keys', 'Deployments', 'Both runs', 'Results', 'Information'] as const;
const ownFlags = {
  ...inGroup('API keys', {
    'key-a': variable('good', 'A', 'Environment variable with the key of A'),
    'key-b': variable('good', 'B', 'Environment variable with the key of B'),
    'second-key-a': variable('second', 'A', "Second organization's key on A"),
    'second-key-b': variable('second', 'B', "Second organization's key on B"),
    'revoked-key-a': variable('revoked', 'A', 'Revoked key on A'),
    'revoked-key-b': variable('revoked', 'B', 'Revoked key on B'),
  }),
  ...inGroup('Deployments', {
    'mcp-url-a': text('URL', 'MCP endpoint of A; needs --mcp-url-b'),
    'mcp-url-b': text('URL', 'MCP endpoint of B; needs --mcp-url-a'),
  }),
  ...inGroup('Results', {
    report: commandOptions.report,
    'fail-on': text('KIND', 'any: fail on each difference (default). illegal: only on violations'),
    'min-compared': text('N%', `Exit with 3 if fewer behaviors were compared (default: ${usualMinCompared * 100}%)`),
  }),
  ...inGroup('Information', { help: toggle('Show this help', { short: 'h' }) }),
};

/** Of a run, the same for both sides. */
const sharedNames = words('insecure ca timeout pace only skip gentle keep-bodies');
const sharedFlags = Object.fromEntries(
  sharedNames.map((name) => [name, { ...(flagTable[name] as KitFlag), group: 'Both runs' }]),
);

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
  return `conformance diff: compare two deployments

Usage
  conformance diff A B [flags]

A and B are each one of
  https://host/api/v1     A deployment
  NAME                    A target of the config file
  FILE.profile.json       A mock with this profile
  self                    The bundled mock

Both sides get the requests of conformance calibrate. A difference is reported only if repeated
requests confirm it. If only one side is a deployment, its key can come from CONFORMANCE_API_KEY.

${describeGroups(table, groups)}${describeExits(diffExitMeanings)}`;
}
