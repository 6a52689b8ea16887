// Everything that a user may give a run, one row each. The flag and its help, the field of RunOptions, the setting
// that checks read, the need that it meets and the line of the plan all come from the row: a new capability is a row
// and its use.
import { newestSet, requirementNames } from '../../src/contract/generated/requirements.ts';
import {
  defineOptions,
  flagOf,
  noFlag,
  type Option,
  oneOf,
  rowsOf,
  type SettledOf,
  type ValuesOf,
} from '../../src/options/define-options.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { PaceSettings } from '../exchange/lanes.ts';
import type { Keys } from '../exchange/request.ts';

/** Meaning of `--allow-writes` without a value; importing thousands of contacts needs its name. */
export const usualWrites = ['posts', 'replies', 'links'] as const;
/** Every kind of thing that the kit may leave on a target. */
export const writeKinds = [...usualWrites, 'contacts'] as const;
export type WriteKind = (typeof writeKinds)[number];

/** The address limiter admits ten requests from each, and a scenario sends up to 36 at once. */
const sourceAddressesMin = 4;

/** The order of the lines of a plan; a scenario is on the line of the first of its needs. */
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
export const flagGroups = [
  'Deployment',
  'API keys',
  'TLS',
  'Checks to run',
  'Writes',
  'Data',
  'Timing',
  'Results',
  'Information',
] as const;

/** A condition of some checks, as the row that meets it describes it. */
interface Need {
  /** How a person meets it; the flag and its value when absent. */
  readonly flag?: string;
  /** The audit when absent. */
  readonly line?: PlanLineName;
  /** Whether the value meets it; every value but the default does when absent. */
  isMet?(value: never): boolean;
}

/** Seconds for a person, milliseconds in the program. */
export const readSeconds = (text: string): number | null => (Number(text) > 0 ? Number(text) * 1000 : null);

/** The columns of the suite. */
export interface OwnColumns {
  /** `conformance har` takes it too. */
  readonly isForHar?: true;
  readonly opens?: Readonly<Record<string, Need>>;
}
const { inGroup, toggle, text, texts, words, whole, pairs } = rowsOf<(typeof flagGroups)[number], OwnColumns>();

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
  ...inGroup('Deployment', {
    'base-url': text('URL', 'Deployment to test, including /api/v1', { isForHar: true }),
    url: text('URL', 'MCP endpoint to test', { hasNoField: true }),
    target: text('NAME', 'Target from the config file, or self for the bundled mock', { hasNoField: true }),
  }),
  ...inGroup('Results', {
    report: texts(
      'KIND=FILE',
      `Write a report: ${reportKinds.slice(0, -1).join(', ')} or ${reportKinds.at(-1)}. Repeatable`,
      { isForHar: true },
    ),
    'report-note': text('FILE', 'Print auditor, client, purpose and note from FILE (JSON, or text) in reports', {
      isRare: true,
      isForHar: true,
    }),
    claims: text('FILE', 'Compare the run with the capabilities and known failures in FILE', { isForHar: true }),
    'write-claims': text('FILE', 'Save capabilities and failures of this run; add the reasons yourself', {
      isForHar: true,
    }),
    'fail-on': words(
      'KINDS',
      'Also fail on warn, note, skipped or inconclusive. inconclusive:platform selects\n' +
        'checks that the platform or network blocked. new: see --history',
      { isForHar: true },
    ),
    'min-verified': text('N', 'Exit with 3 if fewer clauses (N or N%) were verified', { isRare: true, isForHar: true }),
    profile: text('FILE', 'Save the observed behavior for casa mock --profile', { isRare: true, isForHar: true }),
    check: text('FILE', 'List differences from this profile, and exit with 1 if there are any', { hasNoField: true }),
    history: text(
      'DIR',
      'Record this run in DIR, and compare it with earlier runs.\n--fail-on new: fail only on new failures',
    ),
  }),
  ...inGroup('Information', {
    plan: toggle('Show what a run would send, and exit', { hasNoField: true }),
    list: toggle('List all checks, with the flags and keys that they need', { hasNoField: true }),
    explain: text('ID', 'Explain a check, a clause or an interpretation such as R19', { hasNoField: true }),
    help: text('TOPIC', 'Show this help, or all flags with --help all', {
      short: 'h',
      optional: 'word',
      isForHar: true,
      hasNoField: true,
    }),
    version: toggle('Show the versions of casa-kit and of the contract', { short: 'V', hasNoField: true }),
  }),
};

/** The order within a group is that of `--help`. Each name is a field of RunOptions: it is part of the interface. */
export const options = {
  ...inGroup('Deployment', {
    headers: pairs('HEADER', 'Send an additional header, "Name: value". Repeatable', {
      isRare: true,
      flag: 'header',
      takes: '"Name: value"',
      isSecret: true,
      read: readHeader,
    }),
    /** For one whole exchange. */
    timeoutMs: text('SECONDS', 'Time limit for one request and its response (default: 15)', {
      isRare: true,
      flag: 'timeout',
      usual: 15_000,
      takes: 'a number of seconds above 0',
      read: readSeconds,
    }),
    mcpUrl: text('URL', 'MCP endpoint to test as well. With --target self, use the value self', {
      read: readUrl,
      opens: { mcp: { line: 'MCP' } },
    }),
  }),
  ...inGroup('API keys', {
    /** Whose value a gateway forwards as `Authorization`, which then is free for the gateway. */
    keyHeader: text('NAME', 'Send "Bearer KEY" in this header instead of Authorization', { isRare: true }),
  }),
  ...inGroup('TLS', {
    /** PEM text. */
    ca: text('FILE', 'Trust this certificate authority (PEM)', { isRare: true }),
    /** PEM text. */
    cert: text('FILE', 'Client certificate (PEM)', { isRare: true }),
    /** PEM text; it may be in the file of the certificate. */
    key: text('FILE', 'Private key of the certificate (PEM)', { isRare: true }),
    insecure: toggle('Accept any server certificate', { isRare: true }),
  }),
  ...inGroup('Checks to run', {
    only: texts('GLOB', 'Run only checks whose id matches. Repeatable', { isForHar: true }),
    skip: texts('GLOB', 'Skip checks whose id matches. Repeatable', { isForHar: true }),
    /** Later clauses are tested and not counted. */
    requirements: text('SET', `Count the clauses of this requirement set (default: ${newestSet})`, {
      isRare: true,
      isForHar: true,
      usual: newestSet,
      read: oneOf(requirementNames),
    }),
    /** Leaves out bursts and large bodies. */
    gentle: toggle('Skip bursts and large bodies', {
      opens: { burst: { flag: 'a run without --gentle', isMet: (isGentle: boolean) => !isGentle } },
    }),
    /** The requests that the rate limits of the contract allow in so many minutes, at any pace. */
    minutes: whole('N', 'Plan at most 60 × N requests (default: 2)', { min: 1, max: 999_999, usual: 0 }),
    /** At most so many requests, instead of `minutes`. */
    requests: whole('N', noFlag, { hasNoField: true, usual: 0 }),
    watch: toggle('Run all checks (about 8 minutes). With both --call-*-field flags, wait for new calls', {
      opens: { watch: { line: 'watch' } },
    }),
  }),
  ...inGroup('Writes', {
    account: text('ID', 'Connected account to use', { opens: { account: {} } }),
    allowWrites: words(
      'KINDS',
      `Allow posts, replies and links. KINDS allows only: posts, replies, links or contacts`,
      {
        optional: true,
        bare: usualWrites,
        read: oneOf(writeKinds),
        opens: {
          'writes:posts': may('posts'),
          'writes:replies': may('replies'),
          'writes:links': may('links'),
          'writes:contacts': may('contacts'),
        },
      },
    ),
    review: text('ID', 'Review to reply to; needs --account and --allow-writes=replies', { isRare: true }),
    maxWrites: whole('N', 'Maximum number of writes (default: 40)', { isRare: true, usual: 40 }),
  }),
  ...inGroup('Data', {
    callIdField: text('NAME', 'Field that identifies a call', { isRare: true, opens: { 'call-id-field': {} } }),
    callEndedAtField: text('NAME', 'Field that holds the end of a call', {
      isRare: true,
      opens: { 'call-ended-at-field': {} },
    }),
    seededAlike: toggle('Only warn about equal records, because both organizations have the same test data', {
      isRare: true,
    }),
  }),
  ...inGroup('Timing', {
    /** `auto`: below the contract's limits, evenly spaced. `off`: full speed. */
    pace: text('PACE', 'auto (below the rate limits), off, or N/S: N requests in S seconds', {
      usual: 'auto',
      takes: 'auto, off or N/S, for example 5/10',
      read: readPace,
    }),
    /** For the whole run; the plan gives the default. */
    maxTimeMs: whole('MS', noFlag, { hasNoField: true, usual: 0 }),
    sourceAddresses: texts('ADDRESS', 'Local address to send from. Repeatable', {
      isRare: true,
      flag: 'source-address',
      opens: {
        'source-addresses': {
          flag: `--source-address (${sourceAddressesMin} times or more)`,
          line: 'key window',
          isMet: (addresses: readonly string[]) => addresses.length >= sourceAddressesMin,
        },
      },
    }),
    control: text('URL', 'Admin API of the mock: advance its clock instead of waiting', {
      read: readUrl,
      opens: { control: { line: 'control' } },
    }),
  }),
  ...inGroup('Results', {
    keepBodies: toggle('Keep complete bodies, with personal data, in JSON and HAR reports', {
      isRare: true,
      isForHar: true,
    }),
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

/**
 * The keys of a run. A key comes from a variable, because other users of the machine can read a command line. `wanted`
 * is set if a key must differ from the main key.
 */
export const keyRows = {
  good: { variable: 'CONFORMANCE_API_KEY' },
  second: {
    variable: 'CONFORMANCE_SECOND_KEY',
    need: 'second-key',
    line: 'second key',
    wanted: 'the key of another organization',
  },
  revoked: { variable: 'CONFORMANCE_REVOKED_KEY', need: 'revoked-key', line: 'revoked key', wanted: 'a revoked key' },
} as const satisfies Record<keyof Keys, Readonly<Partial<Record<string, string>>> & { line?: PlanLineName }>;

/** Something a run has only when the user gives it. A check whose needs are unmet is skipped. */
export type Capability = { [Name in OptionName]: NeedOf<Name> }[OptionName] | 'second-key' | 'revoked-key' | 'rest';

// The needs of checks and the settings of a run, read off the table of capabilities.

/** A need as a plan, a listing and a rejection describe it. */
type KnownNeed = { readonly flag: string; readonly line: PlanLineName; isMet(settled: Settled, keys: Keys): boolean };

const optionRows: readonly (readonly [OptionName, Option & OwnColumns])[] = runTable.rows;

/**
 * Derived from the rows, so a capability cannot be forgotten in one of its places.
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
]) as Readonly<Record<Capability, KnownNeed>>;

/** The capabilities that a claims file can name, with the needs of their checks. */
export const claimable = {
  writes: ['writes:posts', 'writes:replies', 'writes:links'],
  contacts: ['writes:contacts'],
  mcp: ['mcp'],
  secondOrganization: ['second-key'],
  revokedKey: ['revoked-key'],
  rateLimits: ['burst'],
  callDelay: ['call-ended-at-field'],
} as const satisfies Readonly<Record<string, readonly [Capability, ...Capability[]]>>;
export type ClaimableCapability = keyof typeof claimable;

/** The needs that this run meets; the REST service is out of reach of one that checks the MCP endpoint alone. */
export function capabilitiesOf(settled: Settled, keys: Keys, isAlone = false): Set<Capability> {
  const names = Object.keys(needs) as Capability[];
  return new Set(names.filter((need) => needs[need].isMet(settled, keys) && !(isAlone && need === 'rest')));
}

// From the text after a flag to the value of an option. Null, or a `UsageError`, for a text that cannot be used.

/**
 * Throws a UsageError that guesses at a missing scheme. Credentials in the address are rejected, because addresses end
 * up in reports.
 */
export function readUrl(text: string, flag: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--${flag} "${text}" is not an http or https address.${hintOf(text)}`);
  if (url.username !== '') throw new UsageError(`--${flag} must not contain a user name or password; use --header.`);
  if (url.search !== '' || url.hash !== '') throw new UsageError(`--${flag} must not contain a query or a fragment.`);
  return url.href;
}

/** `localhost:4010/api/v1` lacks its scheme, and reads as an address with a scheme of that name. */
function hintOf(text: string): string {
  if (!/^[\w.-]+(:\d+)?(\/|$)/.test(text) && !/^\[[\da-f:]+\]/i.test(text)) return '';
  const [host = ''] = text.split(/[:/]/);
  const scheme = /^(localhost|127\.|\[)/.test(`${host}${text.startsWith('[') ? '[' : ''}`) ? 'http' : 'https';
  return ` Did you mean ${scheme}://${text}?`;
}

export function readPace(text: string): 'auto' | 'off' | PaceSettings | null {
  if (text === 'auto' || text === 'off') return text;
  const [, requests, seconds] = /^(\d+)\/(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const [limit, windowMs] = [Number(requests), Number(seconds) * 1000];
  return limit > 0 && windowMs > 0 ? { spacingMs: windowMs / limit, address: { limit, windowMs }, key: null } : null;
}

/** The value is visible ASCII, as HTTP/1.1 carries it; the name is kept in lower case. */
export function readHeader(line: string): [name: string, value: string] | null {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? null : [name.toLowerCase(), value];
}
