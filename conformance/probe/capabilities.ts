// Everything that a user may give a run, one row each. The flag and its help, the field of RunOptions, the setting
// that checks read, the need that it meets and the line of the plan all come from the row: a new capability is a row
// and its use.

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
  /** Seconds for a person, milliseconds in the program. */
  seconds: number;
  pace: 'auto' | 'off' | PaceSettings;
  writes: readonly WriteKind[];
  headers: Readonly<Record<string, string>>;
  /** The name of a file for a person, its text in the program. */
  file: string | null;
}

/** Settings without a default. */
export const unset: Readonly<Forms> = {
  switch: false,
  text: null,
  texts: [],
  url: null,
  whole: 0,
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
  'rarer checks',
  'second key',
  'revoked key',
  'control',
] as const;
export type PlanLineName = (typeof planLines)[number];

/** Headings of `--help`, in its order. */
export const flagGroups = {
  target: 'The deployment and its keys',
  checks: 'Which checks',
  more: 'Further permissions and data',
  pace: 'Time',
  result: 'Results',
  tell: 'Information only',
} as const;
export type FlagGroup = keyof typeof flagGroups;

/** A condition of some checks, as the row that meets it describes it. */
export interface Need<Value> {
  /** How a person meets it; the flag and its value when absent. */
  readonly flag?: string;
  /** The audit when absent. */
  readonly line?: PlanLineName;
  /** Whether the value meets it; every value but the default does when absent. */
  isMet?(value: Value): boolean;
}

/** One capability; fields that are absent follow from the name and the form. */
export interface Row<Value, Opens> {
  readonly group: FlagGroup;
  readonly help: string;
  /** Its value in the help text. */
  readonly value?: string;
  /** The name of the field, in the words of a command line, when absent. */
  readonly flag?: string;
  /** The value of a run that was not given one. */
  readonly usual?: Value;
  readonly isForHar?: true;
  readonly opens?: Opens;
  /** Whether a run with this value has time for the rarer checks. */
  givesTime?(value: Value): boolean;
}

/** Keeps the literal types of a row, from which `Capability` and `Options` are derived. */
function option<Form extends keyof Forms, const Opens extends Readonly<Record<string, Need<Forms[Form]>>>>(
  form: Form,
  row: Row<Forms[Form], Opens>,
) {
  return { ...row, form };
}

const may = (kind: WriteKind) =>
  ({ flag: `--allow-writes=${kind}`, line: 'writes', isMet: (all: Forms['writes']) => all.includes(kind) }) as const;

/** Goes with --control: the admin token of that mock. */
export const controlTokenVariable = 'CONFORMANCE_CONTROL_TOKEN';

/** The order within a group is that of `--help`. Each name is a field of RunOptions: it is part of the interface. */
export const options = {
  headers: option('headers', { group: 'target', flag: 'header', value: 'HEADER', help: 'extra header "Name: value"' }),
  insecure: option('switch', { group: 'target', help: 'accept any certificate' }),
  /** PEM text. */
  ca: option('file', { group: 'target', value: 'FILE', help: 'PEM file of a certificate authority to trust' }),
  /** PEM text. */
  cert: option('file', { group: 'target', value: 'FILE', help: 'PEM file of a client certificate' }),
  /** PEM text; it can be in the file of the certificate. */
  key: option('file', { group: 'target', value: 'FILE', help: 'PEM file of the key of that certificate' }),
  /** A header whose value a gateway forwards as `Authorization`, which then is free for the gateway. */
  keyHeader: option('text', {
    group: 'target',
    value: 'NAME',
    help: 'send "Bearer KEY" in this header, where a gateway has Authorization for itself',
  }),
  /** For one whole exchange. */
  timeoutMs: option('seconds', {
    group: 'target',
    flag: 'timeout',
    value: 'SECONDS',
    usual: 15_000,
    help: 'time for one whole exchange (15)',
  }),
  /** For the whole run; the plan gives the default. */
  maxTimeMs: option('seconds', {
    group: 'pace',
    flag: 'max-time',
    value: 'SECONDS',
    help: 'most time for the whole run (five minutes more than twice the plan)',
  }),
  only: option('texts', { group: 'checks', value: 'GLOB', help: 'run only checks whose id matches', isForHar: true }),
  skip: option('texts', { group: 'checks', value: 'GLOB', help: 'do not run checks whose id matches', isForHar: true }),
  /** Which unexpected inputs a run sends; 0 takes the minute at which it starts. */
  seed: option('whole', {
    group: 'checks',
    value: 'N',
    help: 'draw the unexpected inputs of the run with seed N again',
  }),
  /** Leaves out bursts and large bodies. */
  gentle: option('switch', {
    group: 'checks',
    help: 'send no bursts and no large bodies',
    opens: { burst: { flag: 'a run without --gentle', isMet: (isGentle) => !isGentle } },
  }),
  bail: option('switch', { group: 'checks', help: 'stop at the first failure' }),
  account: option('text', {
    group: 'more',
    value: 'ID',
    help: 'a connected account to work with',
    opens: { account: {} },
  }),
  review: option('text', {
    group: 'more',
    value: 'ID',
    help: 'the review to reply to, with --account and --allow-writes=replies',
  }),
  allowWrites: option('writes', {
    group: 'more',
    value: 'KINDS',
    help: 'allow posts, replies and links, or the named kinds; name contacts',
    opens: {
      'writes:posts': may('posts'),
      'writes:replies': may('replies'),
      'writes:links': may('links'),
      'writes:contacts': may('contacts'),
    },
    givesTime: (kinds) => kinds.length > 0,
  }),
  maxWrites: option('whole', { group: 'more', value: 'N', usual: 40, help: 'most writes in one run (40)' }),
  watch: option('switch', {
    group: 'more',
    help: 'wait in real time for calls to settle; opens the rarer checks too',
    opens: { watch: { line: 'watch' } },
    givesTime: (isWatching) => isWatching,
  }),
  seededAlike: option('switch', {
    group: 'more',
    help: 'equal records under both keys only warn: the two organizations were seeded alike',
  }),
  callIdField: option('text', {
    group: 'more',
    value: 'NAME',
    help: 'field of a call record that identifies it',
    opens: { 'call-id-field': {} },
  }),
  callEndedAtField: option('text', {
    group: 'more',
    value: 'NAME',
    help: 'field of a call record with its end',
    opens: { 'call-ended-at-field': {} },
  }),
  mcpUrl: option('url', {
    group: 'more',
    value: 'URL',
    help: 'MCP endpoint to judge with the same key (with --target self: self)',
    opens: { mcp: { line: 'MCP' } },
  }),
  /** `auto`: below the contract's limits, evenly spaced. `off`: full speed. */
  pace: option('pace', {
    group: 'pace',
    value: 'PACE',
    help: 'auto (below the limits), off, or N/S for N requests in S seconds',
    givesTime: (pace) => pace === 'off',
  }),
  sourceAddresses: option('texts', {
    group: 'pace',
    flag: 'source-address',
    value: 'ADDRESS',
    help: 'local address to send from; repeatable',
    opens: {
      'source-addresses': {
        flag: '--source-address (twice or more)',
        line: 'key window',
        isMet: (addresses) => addresses.length > 1,
      },
    },
  }),
  control: option('url', {
    group: 'pace',
    value: 'URL',
    help: 'admin API of the mock at --base-url: moves its clock, no waiting',
    opens: { control: { line: 'control' } },
    givesTime: (control) => control !== null,
  }),
  /** Keep bodies in reports even when the target is not on this machine. */
  keepBodies: option('switch', {
    group: 'result',
    isForHar: true,
    help: 'keep bodies in reports; they may hold customer data',
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

/** A key comes from a variable or a file, because other users of the machine can read a command line. */
interface KeyRow {
  readonly flag: string;
  readonly variable: string;
  readonly help: string;
  readonly need?: string;
  readonly line?: PlanLineName;
  /** Set if this key must differ from the main key. */
  readonly wanted?: string;
}

/** The keys of a run: each comes from a variable of the environment, or from the file that a flag names. */
export const keyRows = {
  good: { flag: 'api-key-file', variable: 'CONFORMANCE_API_KEY', help: 'file with the key' },
  second: {
    flag: 'second-key-file',
    variable: 'CONFORMANCE_SECOND_KEY',
    help: 'file with a key of another organization',
    need: 'second-key',
    line: 'second key',
    wanted: 'the key of another organization',
  },
  revoked: {
    flag: 'revoked-key-file',
    variable: 'CONFORMANCE_REVOKED_KEY',
    help: 'file with a revoked key',
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
