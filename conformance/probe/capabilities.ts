// Everything that a user may give a run, one row each. The flag and its help, the field of RunOptions, the setting
// that checks read, the need that it meets and the line of the plan all come from the row: a new capability is a row
// and its use.

import { kebab } from '../../src/contract/words.ts';
import type { Keys } from '../exchange/request.ts';
import type { PaceSettings } from '../pace/lanes.ts';

/** Meaning of `--allow-writes` without a value; importing thousands of contacts needs its name. */
export const usualWrites = ['posts', 'replies', 'links'] as const;
/** Every kind of thing that the kit may leave on a target. */
export const writeKinds = [...usualWrites, 'contacts'] as const;
export type WriteKind = (typeof writeKinds)[number];

/** The kinds of value; the command line has a reader for each. */
export interface Forms {
  switch: boolean;
  text: string | null;
  texts: readonly string[];
  url: string | null;
  whole: number;
  /** At least 1; 0 if not set. */
  count: number;
  /** Seconds for a person, milliseconds in the program. */
  seconds: number;
  pace: 'auto' | 'off' | PaceSettings;
  writes: readonly WriteKind[];
  headers: Readonly<Record<string, string>>;
  /** The name of a file for a person, its text in the program. */
  file: string | null;
}

/** The address limiter admits ten requests from each, and a check sends up to 36 at once. */
const sourceAddressesMin = 4;

/** Settings without a default. */
const unset: Readonly<Forms> = {
  switch: false,
  text: null,
  texts: [],
  url: null,
  whole: 0,
  count: 0,
  seconds: 0,
  pace: 'auto',
  writes: [],
  headers: {},
  file: null,
};

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
interface Need<Value> {
  /** How a person meets it; the flag and its value when absent. */
  readonly flag?: string;
  /** The audit when absent. */
  readonly line?: PlanLineName;
  /** Whether the value meets it; every value but the default does when absent. */
  isMet?(value: Value): boolean;
}

/** One capability; fields that are absent follow from the name and the form. */
interface Row<Value, Opens> {
  /** Only `--help all` lists it. */
  readonly isRare?: true;
  /** No help lists it: only commands that reports print contain it. */
  readonly isHidden?: true;
  /** Absent for an option of `runConformance` without a flag. */
  readonly help?: string;
  /** Its value in the help text. */
  readonly value?: string;
  /** The name of the field, in the words of a command line, when absent. */
  readonly flag?: string;
  /** The value of a run that was not given one. */
  readonly usual?: Value;
  readonly isForHar?: true;
  readonly opens?: Opens;
}

/** Keeps the literal types of a row, from which `Capability` and `Options` are derived. */
function option<Form extends keyof Forms, const Opens extends Readonly<Record<string, Need<Forms[Form]>>>>(
  group: FlagGroup,
  form: Form,
  row: Row<Forms[Form], Opens>,
) {
  return { ...row, group, form };
}

const may = (kind: WriteKind) =>
  ({ flag: `--allow-writes=${kind}`, line: 'writes', isMet: (all: Forms['writes']) => all.includes(kind) }) as const;

/** Goes with --control: the admin token of that mock. */
export const controlTokenVariable = 'CONFORMANCE_CONTROL_TOKEN';

/** The order within a group is that of `--help`. Each name is a field of RunOptions: it is part of the interface. */
export const options = {
  headers: option('target', 'headers', {
    isRare: true,
    flag: 'header',
    value: 'HEADER',
    help: 'Send an additional header, "Name: value". Repeatable',
  }),
  /** For one whole exchange. */
  timeoutMs: option('target', 'seconds', {
    isRare: true,
    flag: 'timeout',
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
  ca: option('tls', 'file', { isRare: true, value: 'FILE', help: 'Trust this certificate authority (PEM)' }),
  /** PEM text. */
  cert: option('tls', 'file', { isRare: true, value: 'FILE', help: 'Client certificate (PEM)' }),
  /** PEM text; it may be in the file of the certificate. */
  key: option('tls', 'file', { isRare: true, value: 'FILE', help: 'Private key of the certificate (PEM)' }),
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
    opens: { burst: { flag: 'a run without --gentle', isMet: (isGentle) => !isGentle } },
  }),
  /** Which unexpected inputs a run sends; 0 takes the minute at which it starts. */
  seed: option('checks', 'whole', { isHidden: true, help: 'Select the inputs of the run with seed N', value: 'N' }),
  account: option('writes', 'text', { value: 'ID', help: 'Connected account to use', opens: { account: {} } }),
  allowWrites: option('writes', 'writes', {
    value: 'KINDS',
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
  minutes: option('checks', 'count', {
    value: 'N',
    help: 'Plan at most 60 × N requests (default: 2)',
  }),
  /** At most so many requests, instead of `minutes`. */
  requests: option('checks', 'count', {}),
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
  mcpUrl: option('target', 'url', {
    value: 'URL',
    help: 'MCP endpoint to test as well. With --target self, use the value self',
    opens: { mcp: { line: 'MCP' } },
  }),
  /** `auto`: below the contract's limits, evenly spaced. `off`: full speed. */
  pace: option('pace', 'pace', {
    value: 'PACE',
    help: 'auto (below the rate limits), off, or N/S: N requests in S seconds',
  }),
  /** For the whole run; the plan gives the default. */
  maxTimeMs: option('pace', 'seconds', {}),
  sourceAddresses: option('pace', 'texts', {
    isRare: true,
    flag: 'source-address',
    value: 'ADDRESS',
    help: 'Local address to send from. Repeatable',
    opens: {
      'source-addresses': {
        flag: `--source-address (${sourceAddressesMin} times or more)`,
        line: 'key window',
        isMet: (addresses) => addresses.length >= sourceAddressesMin,
      },
    },
  }),
  control: option('pace', 'url', {
    value: 'URL',
    help: 'Admin API of the mock: advance its clock instead of waiting',
    opens: { control: { line: 'control' } },
  }),
  keepBodies: option('result', 'switch', {
    isRare: true,
    isForHar: true,
    help: 'Keep complete bodies, with personal data, in JSON and HAR reports',
  }),
};

type Table = typeof options;
export type OptionName = keyof Table;
/** The needs that one row meets; none for a row that opens nothing. */
type NeedOf<Name extends OptionName> =
  Table[Name] extends Row<infer _, infer Opens> ? (string extends keyof Opens ? never : keyof Opens & string) : never;

/** The options of a run that are also flags. */
export type Options = { readonly [Name in OptionName]?: NonNullable<Forms[Table[Name]['form']]> };
/** The same with every default filled in. */
export type Settled = { readonly [Name in OptionName]: Forms[Table[Name]['form']] };

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

type AnyRow = Row<unknown, Readonly<Record<string, Need<unknown>>>> & {
  readonly group: FlagGroup;
  readonly form: keyof Forms;
};

const rows = Object.entries(options) as [OptionName, AnyRow][];

/** The options that are flags. */
export const flagOptions = rows.filter(([, { help }]) => help !== undefined);

/** `callIdField` is `--call-id-field`. */
export function flagOf(name: string): string {
  const { flag } = options[name as OptionName] as { flag?: string };
  return flag ?? kebab(name);
}

export function settle(given: Options): Settled {
  const entries = rows.map(([name]) => [name, given[name] ?? usualOf(name)]);
  return Object.fromEntries(entries) as Settled;
}

/** The value of a run that was not given one. */
function usualOf(name: OptionName): unknown {
  const { usual, form } = options[name] as { usual?: unknown; form: keyof Forms };
  return usual ?? unset[form];
}

/**
 * Derived from the rows, so a capability cannot be forgotten in one of its places. `extended` marks the checks that run
 * only if there are requests for them.
 */
export const needs = Object.fromEntries([
  ...rows.flatMap(([name, { value, opens = {} }]) =>
    Object.entries(opens).map(([need, { flag, line = 'audit', isMet }]): [string, KnownNeed] => {
      const isGiven = isMet ?? ((settled: unknown) => settled !== usualOf(name));
      const usualRequest = `--${flagOf(name)}${value === undefined ? '' : ` ${value}`}`;
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
