// The options of the mock, one row each: flag, help, config field, option of `createMock` and `startMock`, default and
// validation follow from the row.
import { defineOptions, type Kinds, noFlag, type Option, rowsOf, type SettledOf } from './define-options.ts';

/** The largest seed. */
const seedMax = 0xffff_ffff;

/** Headings of `casa mock --help`, in its order. */
export const mockGroups = ['Server', 'Data', 'Behavior', 'Errors', 'Browsers (CORS)', 'Upstream', 'Output'] as const;

interface OwnColumns {
  /** Whether `createMock` and `startMock` have the option too. */
  readonly isForTests?: true;
  /** Whether the engine reads the option by this name. */
  readonly isForEngine?: true;
  /** The phrase of the banner, after the name of the option. */
  readonly banner?: string;
}
const { inGroup, toggle, text, texts, whole, seconds, seed, pairs } = rowsOf<(typeof mockGroups)[number], OwnColumns>();

/** The order within a group is that of `--help`. */
export const rows = {
  ...inGroup('Server', {
    port: whole('N', 'Port to listen on, or 0 for any free port (default: 4010)', {
      short: 'p',
      max: 65_535,
      usual: 4010,
    }),
    host: text('HOST', 'Address to listen on (default: 127.0.0.1)', {
      usual: '127.0.0.1',
      takes: 'an address or a host name without port and zone, such as 127.0.0.1',
      read: readHost,
    }),
    publicUrl: text('URL', 'URL at which clients reach the mock, for connect links', {
      takes: 'an address such as https://casa.example.com',
      read: readPublicUrl,
    }),
    adminToken: text('TOKEN', 'Token for the dashboard and admin API. With --host, other machines can use them', {
      takes: 'at least 8 visible ASCII characters without blanks',
      isSecret: true,
      read: (token: string) => (/^[\x21-\x7e]{8,}$/.test(token) ? token : null),
      isForEngine: true,
    }),
    trustProxy: toggle('Trust X-Forwarded-* headers of every sender (default: loopback only)', { isForEngine: true }),
    /**
     * Whether a request with a valid key can name another organization, in the header `x-casa-organization` or the
     * cookie `casa-organization`. Only for requests of this machine, or with the admin token.
     */
    organizationHeader: toggle('Let x-casa-organization choose the organization of a request, for tests', {
      isForTests: true,
      isForEngine: true,
    }),
    readyFile: text('FILE', 'Write URL and pid to FILE as JSON while the mock listens', { isRare: true }),
  }),
  ...inGroup('Data', {
    world: text('NAME', 'Built-in data: default, empty, tied-articles (equal timestamps) or unpaid (402)'),
    data: text('FILE', 'Load data from FILE; see casa seed'),
    watch: toggle('Reload --data when the file changes, and keep changes by clients'),
    save: text('FILE', 'Save changes in FILE across restarts'),
    saveSync: text('WHEN', 'When to flush to disk: interval (default, each second) or always', {
      usual: 'interval',
      takes: 'interval or always',
      read: (when: string) => (when === 'interval' || when === 'always' ? when : null),
    }),
    /** Seed of ids and random faults (default: the seed of the world). The same seed returns the same bytes. */
    seed: whole('N', noFlag, { max: seedMax, isForTests: true, isForEngine: true }),
  }),
  ...inGroup('Behavior', {
    /**
     * Whether rate limits are on: 10 requests in 10 s per address, 60 a minute per key. The default in tests is off,
     * because their clock is frozen: if you turn them on, advance the clock.
     */
    limits: toggle('Turn off the rate limits', { negatable: true, isOn: true, isForTests: true }),
    /** Seconds that a call must have been over before pollers see it; 300 when absent. Cites 4.calls.settled-only. */
    settleS: seconds('TIME', 'Time until the call log returns an ended call (default: 300s)', {
      flag: 'settle',
      field: 'settleS',
      takes: 'a time up to 24h, such as 0s or 5m',
      max: 86_400,
      isForTests: true,
    }),
    /** The same as `limits: false` and `settleS: 0`. */
    relaxed: toggle('Same as --no-limits --settle 0s', { isForTests: true }),
    /** By name, as in `{ "retryAfter": "always" }`. */
    behavior: pairs('NAME=VALUE', 'Choose an unspecified behavior; see --help behaviors. Repeatable', {
      takes: 'NAME=VALUE, such as retry-after=always',
    }),
    /** A file that conformance calibrate wrote. */
    profile: text('FILE', 'Behave like the deployment in FILE; see conformance calibrate'),
    /** Whether responses take as long as those of the deployment. Only a socket makes clients wait. */
    latency: toggle('Add the response times that are stored in --profile', { isForTests: true, isForEngine: true }),
    /** Seed of legal variation in all that the contract leaves open; `true` is 1. None when absent. */
    grease: seed('SEED', 'Vary unspecified behavior at random. The same SEED gives the same variation', {
      max: seedMax,
      isForTests: true,
    }),
    /** Whether each response is validated against the contract, and becomes a 500 when it breaks it. */
    strict: toggle('Return 500 if a response violates the contract, except custom responses', {
      isForTests: true,
      isForEngine: true,
      banner: 'each response is validated against the contract',
    }),
  }),
  ...inGroup('Errors', {
    respond: pairs('OPERATION=FILE', 'Return { status, body, headers } of a JSON file. Repeatable', {
      takes: 'OPERATION=FILE',
    }),
    fault: texts('SPEC', 'Inject errors or latency; see --help faults. Repeatable'),
    /** A deliberate contract violation from `casa mutants`, to test your checks. Some need `limits: true`. */
    mutant: text('NAME', 'Violate one clause of the contract on purpose; see casa mutants', { isForTests: true }),
  }),
  ...inGroup('Browsers (CORS)', {
    cors: toggle('Send no CORS headers; pages of other origins cannot read responses', {
      negatable: true,
      isOn: true,
      usual: true,
    }),
    corsOrigin: texts('ORIGIN', 'Allow only this origin, with credentials. Repeatable', {
      takes: 'an origin such as http://localhost:3000',
      read: readOrigin,
    }),
  }),
  ...inGroup('Upstream', {
    upstream: text('URL', 'Forward some operations to a deployment, and check its responses'),
    forward: texts('NAMES', 'Operations to forward: reads, writes, all, or names (default: reads)'),
    /** Names of variables, not keys. */
    upstreamKey: texts(
      'VARIABLE',
      'Environment variable with the API key of --upstream (default: CASA_UPSTREAM_KEY).\n' +
        'Use KEY=VARIABLE to choose a variable for one API key of the mock. Repeatable',
    ),
    record: text('FILE', 'Record forwarded traffic in FILE as HAR, without API keys'),
    learn: text('FILE', 'Write a profile of the deployment to FILE, from forwarded traffic only'),
  }),
  ...inGroup('Output', { quiet: toggle('Do not log requests') }),
};

export const mockOptions = defineOptions(rows);
/** The rows without their literal types. */
export const optionRows: readonly (readonly [keyof Table, Option & OwnColumns])[] = mockOptions.rows;

type Table = typeof rows;
type Given<Name extends keyof Table> = Kinds[Table[Name]['kind']];

/** The fields of casa.config.json and casa.config.ts. */
export type CasaConfig = { readonly [Name in keyof Table]?: Given<Name> | undefined };
/** Every option with its default filled in. */
export type Settled = SettledOf<Table>;
/** Options that `createMock` and `startMock` share with the command line. */
export type TestOptions = {
  readonly [Name in keyof Table as Table[Name] extends { isForTests: true } ? Name : never]?: Given<Name> | undefined;
};
/** Options that reach the engine unchanged. */
export type EngineSettings = {
  readonly [Name in keyof Table as Table[Name] extends { isForEngine: true } ? Name : never]?:
    | Given<Name>
    | null
    | undefined;
};

/** Returns the host as a URL has it, without brackets: the base URL of the mock contains it. */
export function readHost(text: string): string | null {
  const [, bracketed = text] = /^\[(.*:.*)\]$/.exec(text) ?? [];
  const url = `http://${bracketed.includes(':') ? `[${bracketed}]` : bracketed}`;
  return /^[^\s/?#@%\\]+$/.test(text) && URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : null;
}

/** Returns the origin of a server. "All addresses" is nothing that a client could connect to everywhere. */
export function originAt(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Returns the origin as browsers send it: in lower case, without the default port of its scheme. */
export function readOrigin(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^\/?$/.test(url.pathname) || `${url.search}${url.hash}${url.username}${url.password}` !== '')
    return null;
  // Schemes of apps have no origin in the URL standard, but web views send one.
  const origin = (url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin).toLowerCase();
  return /^[a-z][a-z0-9+.-]*:\/\/[\w.:[\]-]+$/.test(origin) ? origin : null;
}

function readPublicUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && /^https?:$/.test(url.protocol) && `${url.search}${url.hash}${url.username}` === '';
  return isPlain ? `${url.origin}${url.pathname}`.replace(/\/$/, '') : null;
}
