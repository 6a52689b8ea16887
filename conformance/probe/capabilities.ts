// Everything that a user may give a run, one row each. The flag and its help, the field of RunOptions, the setting
// that checks read, the need that it meets and the line of the plan all come from the row: a new capability is a row
// and its use.

import {
  defineOptions,
  flagOf,
  type Option,
  oneOf,
  rowsOf,
  type SettledOf,
  type ValuesOf,
} from '../../src/options/define-options.ts';
import type { Keys } from '../exchange/request.ts';
import { readHeader, readPace, readSeconds, readUrl } from './read-text.ts';

/** Meaning of `--allow-writes` without a value; importing thousands of contacts needs its name. */
export const usualWrites = ['posts', 'replies', 'links'] as const;
/** Every kind of thing that the kit may leave on a target. */
export const writeKinds = [...usualWrites, 'contacts'] as const;
export type WriteKind = (typeof writeKinds)[number];

/** The address limiter admits ten requests from each, and a check sends up to 36 at once. */
const sourceAddressesMin = 4;

/** The order of the lines of a plan; a check is on the line of the first of its needs. */
export const planLines = [
  'audit',
  'writes',
  'key window',
  'MCP',
  'watch',
  'second key',
  'revoked key',
  'control',
] as const;
type PlanLineName = (typeof planLines)[number];

/** Headings of `--help`, in its order. */
export const flagGroups = {
  target: 'Deployment',
  keys: 'API keys',
  tls: 'TLS',
  checks: 'Checks to run',
  writes: 'Writes',
  data: 'Data',
  pace: 'Timing',
  result: 'Results',
  tell: 'Information',
} as const;
export type FlagGroup = keyof typeof flagGroups;

/** A condition of some checks, as the row that meets it describes it. */
interface Need {
  /** How a person meets it; the flag and its value when absent. */
  readonly flag?: string;
  /** The audit when absent. */
  readonly line?: PlanLineName;
  /** Whether the value meets it; every value but the default does when absent. */
  isMet?(value: never): boolean;
}

/** The columns of the suite. */
export interface OwnColumns {
  /** `conformance har` takes it too. */
  readonly isForHar?: true;
  readonly opens?: Readonly<Record<string, Need>>;
}
const option = rowsOf<typeof flagGroups, OwnColumns>();

const may = (kind: WriteKind) =>
  ({
    flag: `--allow-writes=${kind}`,
    line: 'writes',
    isMet: (all: readonly WriteKind[]) => all.includes(kind),
  }) as const;

/** Kinds of report, for `--report`. */
export const reportKinds = ['json', 'junit', 'html', 'sarif', 'md', 'har'] as const;

/** Goes with --control: the admin token of that mock. */
export const controlTokenVariable = 'CONFORMANCE_CONTROL_TOKEN';

/** The flags that only the command knows. */
export const commandOptions = {
  'base-url': option('target', 'text', { value: 'URL', help: 'Deployment to test, including /api/v1', isForHar: true }),
  url: option('target', 'text', { value: 'URL', help: 'MCP endpoint to test', hasNoField: true }),
  target: option('target', 'text', {
    value: 'NAME',
    help: 'Target from the config file, or self for the bundled mock',
    hasNoField: true,
  }),
  report: option('result', 'texts', {
    value: 'KIND=FILE',
    help: `Write a report: ${reportKinds.slice(0, -1).join(', ')} or ${reportKinds.at(-1)}. Repeatable`,
    isForHar: true,
  }),
  baseline: option('result', 'text', { value: 'FILE', help: 'Ignore the known failures in FILE', isForHar: true }),
  'write-baseline': option('result', 'text', {
    value: 'FILE',
    help: 'Save the current failures as a baseline; add the reasons yourself',
    isForHar: true,
  }),
  'fail-on': option('result', 'words', {
    value: 'KINDS',
    help: 'Also fail on warn, note, skipped or inconclusive. inconclusive:platform selects\nchecks that the platform or network blocked. new: see --history',
    isForHar: true,
  }),
  'min-verified': option('result', 'text', {
    isRare: true,
    value: 'N',
    help: 'Exit with 3 if fewer clauses (N or N%) were verified',
    isForHar: true,
  }),
  profile: option('result', 'text', {
    isRare: true,
    value: 'FILE',
    help: 'Save the observed behavior for casa mock --profile',
    isForHar: true,
  }),
  check: option('result', 'text', {
    value: 'FILE',
    help: 'List differences from this profile, and exit with 1 if there are any',
    hasNoField: true,
  }),
  history: option('result', 'text', {
    value: 'DIR',
    help: 'Record this run in DIR, and compare it with earlier runs.\n--fail-on new: fail only on new failures',
  }),
  plan: option('tell', 'switch', { help: 'Show what a run would send, and exit', hasNoField: true }),
  list: option('tell', 'switch', { help: 'List all checks, with the flags and keys that they need', hasNoField: true }),
  explain: option('tell', 'text', {
    value: 'ID',
    help: 'Explain a check, a clause or an interpretation such as R19',
    hasNoField: true,
  }),
  help: option('tell', 'text', {
    short: 'h',
    value: 'TOPIC',
    optional: 'word',
    help: 'Show this help, or all flags with --help all',
    isForHar: true,
    hasNoField: true,
  }),
  version: option('tell', 'switch', {
    short: 'V',
    help: 'Show the versions of casa-kit and of the contract',
    hasNoField: true,
  }),
};

/** The order within a group is that of `--help`. Each name is a field of RunOptions: it is part of the interface. */
export const options = {
  headers: option('target', 'pairs', {
    isRare: true,
    flag: 'header',
    takes: '"Name: value"',
    isSecret: true,
    read: readHeader,
    value: 'HEADER',
    help: 'Send an additional header, "Name: value". Repeatable',
  }),
  /** For one whole exchange. */
  timeoutMs: option('target', 'text', {
    isRare: true,
    flag: 'timeout',
    takes: 'a number of seconds above 0',
    read: readSeconds,
    value: 'SECONDS',
    usual: 15_000,
    help: 'Time limit for one request and its response (default: 15)',
  }),
  /** Whose value a gateway forwards as `Authorization`, which then is free for the gateway. */
  keyHeader: option('keys', 'text', {
    isRare: true,
    value: 'NAME',
    help: 'Send "Bearer KEY" in this header instead of Authorization',
  }),
  /** PEM text. */
  ca: option('tls', 'text', { isRare: true, value: 'FILE', help: 'Trust this certificate authority (PEM)' }),
  /** PEM text. */
  cert: option('tls', 'text', { isRare: true, value: 'FILE', help: 'Client certificate (PEM)' }),
  /** PEM text; it may be in the file of the certificate. */
  key: option('tls', 'text', { isRare: true, value: 'FILE', help: 'Private key of the certificate (PEM)' }),
  insecure: option('tls', 'switch', { isRare: true, help: 'Accept any server certificate' }),
  only: option('checks', 'texts', {
    value: 'GLOB',
    help: 'Run only checks whose id matches. Repeatable',
    isForHar: true,
  }),
  skip: option('checks', 'texts', { value: 'GLOB', help: 'Skip checks whose id matches. Repeatable', isForHar: true }),
  /** Leaves out bursts and large bodies. */
  gentle: option('checks', 'switch', {
    help: 'Skip bursts and large bodies',
    opens: { burst: { flag: 'a run without --gentle', isMet: (isGentle: boolean) => !isGentle } },
  }),
  /** Which unexpected inputs a run sends; 0 takes the minute at which it starts. */
  seed: option('checks', 'whole', {
    isHidden: true,
    hasNoField: true,
    usual: 0,
    value: 'N',
    help: 'Select the inputs of the run with seed N',
  }),
  account: option('writes', 'text', { value: 'ID', help: 'Connected account to use', opens: { account: {} } }),
  allowWrites: option('writes', 'words', {
    value: 'KINDS',
    bare: usualWrites,
    read: oneOf(writeKinds),
    help: 'Allow posts, replies and links. KINDS allows only: posts, replies, links or contacts',
    opens: {
      'writes:posts': may('posts'),
      'writes:replies': may('replies'),
      'writes:links': may('links'),
      'writes:contacts': may('contacts'),
    },
  }),
  review: option('writes', 'text', {
    isRare: true,
    value: 'ID',
    help: 'Review to reply to; needs --account and --allow-writes=replies',
  }),
  maxWrites: option('writes', 'whole', {
    isRare: true,
    value: 'N',
    usual: 40,
    help: 'Maximum number of writes (default: 40)',
  }),
  /** The requests that the rate limits of the contract allow in so many minutes, at any pace. */
  minutes: option('checks', 'whole', {
    value: 'N',
    min: 1,
    max: 999_999,
    usual: 0,
    help: 'Plan at most 60 × N requests (default: 2)',
  }),
  /** At most so many requests, instead of `minutes`. */
  requests: option('checks', 'whole', { hasNoField: true, usual: 0 }),
  watch: option('checks', 'switch', {
    help: 'Run all checks (about 8 minutes). With both --call-*-field flags, wait for new calls',
    opens: { watch: { line: 'watch' } },
  }),
  callIdField: option('data', 'text', {
    isRare: true,
    value: 'NAME',
    help: 'Field that identifies a call',
    opens: { 'call-id-field': {} },
  }),
  callEndedAtField: option('data', 'text', {
    isRare: true,
    value: 'NAME',
    help: 'Field that holds the end of a call',
    opens: { 'call-ended-at-field': {} },
  }),
  seededAlike: option('data', 'switch', {
    isRare: true,
    help: 'Only warn about equal records, because both organizations have the same test data',
  }),
  mcpUrl: option('target', 'text', {
    value: 'URL',
    read: readUrl,
    help: 'MCP endpoint to test as well. With --target self, use the value self',
    opens: { mcp: { line: 'MCP' } },
  }),
  /** `auto`: below the contract's limits, evenly spaced. `off`: full speed. */
  pace: option('pace', 'text', {
    value: 'PACE',
    usual: 'auto',
    takes: 'auto, off or N/S, for example 5/10',
    read: readPace,
    help: 'auto (below the rate limits), off, or N/S: N requests in S seconds',
  }),
  /** For the whole run; the plan gives the default. */
  maxTimeMs: option('pace', 'whole', { hasNoField: true, usual: 0 }),
  sourceAddresses: option('pace', 'texts', {
    isRare: true,
    flag: 'source-address',
    value: 'ADDRESS',
    help: 'Local address to send from. Repeatable',
    opens: {
      'source-addresses': {
        flag: `--source-address (${sourceAddressesMin} times or more)`,
        line: 'key window',
        isMet: (addresses: readonly string[]) => addresses.length >= sourceAddressesMin,
      },
    },
  }),
  control: option('pace', 'text', {
    value: 'URL',
    read: readUrl,
    help: 'Admin API of the mock: advance its clock instead of waiting',
    opens: { control: { line: 'control' } },
  }),
  keepBodies: option('result', 'switch', {
    isRare: true,
    isForHar: true,
    help: 'Keep complete bodies, with personal data, in JSON and HAR reports',
  }),
};

/** A run: its flags give its options. */
export const runTable = defineOptions(options);
/** The command: the flags and the fields of its config file. */
export const kitTable = defineOptions({ ...commandOptions, ...options }, { isLoose: true });

type Table = typeof options;
export type OptionName = keyof Table;
type NeedOf<Name extends OptionName> = Table[Name] extends { opens: infer Opens } ? keyof Opens & string : never;

/** The options of a run that are also flags. */
export type Options = ValuesOf<Table>;
/** The same with every default filled in. */
export type Settled = SettledOf<Table>;

/** A key comes from a variable, because other users of the machine can read a command line. */
interface KeyRow {
  readonly variable: string;
  readonly need?: string;
  readonly line?: PlanLineName;
  /** Set if this key must differ from the main key. */
  readonly wanted?: string;
}

/** The keys of a run. */
export const keyRows = {
  good: { variable: 'CONFORMANCE_API_KEY' },
  second: {
    variable: 'CONFORMANCE_SECOND_KEY',
    need: 'second-key',
    line: 'second key',
    wanted: 'the key of another organization',
  },
  revoked: {
    variable: 'CONFORMANCE_REVOKED_KEY',
    need: 'revoked-key',
    line: 'revoked key',
    wanted: 'a revoked key',
  },
} as const satisfies Record<keyof Keys, KeyRow>;

/** Something a run has only when the user gives it. A check whose needs are unmet is skipped. */
export type Capability =
  | { [Name in OptionName]: NeedOf<Name> }[OptionName]
  | 'second-key'
  | 'revoked-key'
  | 'extended'
  | 'rest';

// The needs of checks and the settings of a run, read off the table of capabilities.

/** A need as a plan, a listing and a rejection describe it. */
interface KnownNeed {
  readonly flag: string;
  readonly line: PlanLineName;
  isMet(settled: Settled, keys: Keys): boolean;
}

const optionRows: readonly (readonly [OptionName, Option & OwnColumns])[] = runTable.rows;

/**
 * Derived from the rows, so a capability cannot be forgotten in one of its places. `extended` marks the checks that run
 * only if there are requests for them.
 */
export const needs = Object.fromEntries([
  ...optionRows.flatMap(([name, { opens = {}, ...row }]) =>
    Object.entries(opens).map(([need, { flag, line = 'audit', isMet }]): [string, KnownNeed] => {
      const isGiven = (isMet ?? Boolean) as (value: unknown) => boolean;
      const usualRequest = `--${flagOf(name, row)}${row.value === undefined ? '' : ` ${row.value}`}`;
      return [need, { flag: flag ?? usualRequest, line, isMet: (settled) => isGiven(settled[name]) }];
    }),
  ),
  ...(['second', 'revoked'] as const).map((key): [string, KnownNeed] => {
    const { need, line, variable } = keyRows[key];
    return [need, { flag: variable, line, isMet: (_, keys) => keys[key] !== undefined }];
  }),
  ['rest', { flag: '--base-url URL', line: 'audit', isMet: () => true } satisfies KnownNeed],
  ['extended', { flag: '--minutes 8', line: 'audit', isMet: () => true } satisfies KnownNeed],
]) as Readonly<Record<Capability, KnownNeed>>;

/** The needs that this run meets; the REST service is out of reach of one that checks the MCP endpoint alone. */
export function capabilitiesOf(settled: Settled, keys: Keys, isAlone = false): Set<Capability> {
  const names = Object.keys(needs) as Capability[];
  return new Set(names.filter((need) => needs[need].isMet(settled, keys) && !(isAlone && need === 'rest')));
}
