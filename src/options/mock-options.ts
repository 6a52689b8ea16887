// The options of the mock, one row each. The flag and its help, the field of the config file, the option of
// `createMock` and `startMock`, the default and the check of a value follow from the row: a new option is a row and its
// use.
import type { Flag } from '../terminal/flag-parser.ts';

/** The kinds of value, in the form of a config file. The command line, the config file and tests have a reader each. */
export interface Kinds {
  switch: boolean;
  text: string;
  texts: readonly string[];
  /** One text with commas on a command line. */
  names: readonly string[];
  whole: number;
  /** On a command line with a unit. */
  seconds: number;
  /** `true` is seed 1, `false` is none. */
  seed: boolean | number;
  /** NAME=VALUE on a command line. */
  pairs: Readonly<Record<string, string>>;
}
export type Kind = keyof Kinds;

/** One option; the fields of `Flag` are those of its flag. */
export interface Row<Value> extends Omit<Flag, 'repeat' | 'optional'> {
  /** The name of the option in kebab case when absent. */
  readonly flag?: string;
  /** The default; null when absent. */
  readonly usual?: Value;
  /** The largest number. */
  readonly max?: number;
  /** Completes the sentence `--flag takes …`. */
  readonly takes?: string;
  /** Whether the sentence must not quote the value. */
  readonly isSecret?: true;
  /** Returns the text in its usual form, or null for one that cannot be used. */
  readonly read?: (text: string) => string | null;
  /** Whether `createMock` and `startMock` have the option too. */
  readonly isForTests?: true;
  /** Whether the engine reads the option by this name. */
  readonly isForEngine?: true;
  /** Whether replicas that share a log may differ in it. */
  readonly isLocal?: true;
  /** The phrase of the banner, after the name of the option. */
  readonly banner?: string;
}

/** Keeps the literal types of a row, from which the types of the options are derived. */
function option<K extends Kind, const R extends Row<Kinds[K]>>(kind: K, row: R) {
  return { ...row, kind };
}

/** The largest seed. */
const SEED_MAX = 0xffff_ffff;

/** The order is that of the help text. */
export const mockOptions = {
  port: option('whole', {
    short: 'p',
    value: 'N',
    max: 65_535,
    usual: 4010,
    isLocal: true,
    help: 'port to listen on; 0 takes a free one (default 4010)',
  }),
  host: option('text', {
    value: 'HOST',
    usual: '127.0.0.1',
    isLocal: true,
    help: 'address to listen on (default 127.0.0.1)',
  }),
  cors: option('switch', {
    negatable: true,
    usual: true,
    isLocal: true,
    help: 'whether browsers of other origins may read responses (default: they may)',
  }),
  corsOrigin: option('texts', {
    value: 'ORIGIN',
    takes: 'an origin such as http://localhost:3000',
    read: readOrigin,
    isLocal: true,
    help: 'let browsers of this origin alone read responses, with credentials; may be given more than once',
  }),
  corsHeaders: option('names', {
    value: 'NAMES',
    takes: 'names of headers such as X-Request-Id,Traceparent',
    read: (name) => (/^[\w!#$%&'*+.^`|~-]+$/.test(name) ? name : null),
    isLocal: true,
    help: 'allow only these further request headers, such as X-Request-Id,Traceparent (default: any, nearby)',
  }),
  corsCredentials: option('switch', {
    negatable: true,
    isLocal: true,
    help: "whether pages may use credentials: 'include' (default: those of --cors-origin)",
  }),
  world: option('text', {
    value: 'NAME',
    help: 'built-in world: default, empty, tied-articles, unpaid, huge',
  }),
  data: option('text', {
    value: 'FILE',
    isLocal: true,
    help: 'world file instead of a built-in world; casa seed makes one, and parts of one are filled',
  }),
  watch: option('switch', {
    usual: false,
    help: 'load the --data file again when it changes; what clients created is made again on it, with --save too',
  }),
  save: option('text', { value: 'FILE', help: 'keep posts, replies, links and accounts in FILE over a restart' }),
  saveSync: option('text', {
    value: 'WHEN',
    usual: 'interval',
    takes: 'interval or always',
    read: (when) => (when === 'interval' || when === 'always' ? when : null),
    help:
      'interval (default): a killed mock loses nothing, a power failure at most the last second;\n' +
      'always: each change is on the disk before its response, so a power failure loses nothing either',
  }),
  shared: option('text', {
    value: 'URL',
    isLocal: true,
    help:
      'be one mock with all replicas that share a log on Redis: redis://HOST:6379/NAME, see docs/shared.md;\n' +
      'needs the package @redis/client',
  }),
  drainS: option('seconds', {
    flag: 'drain',
    value: 'TIME',
    takes: 'a time up to 5m, such as 5s',
    max: 300,
    usual: 0,
    isLocal: true,
    help: 'how long a shared mock still responds after SIGTERM, while /__ready says 503 (default 0s)',
  }),
  upstream: option('text', {
    value: 'URL',
    help:
      'let a deployment response some operations, such as https://staging.example.com/api/v1; its responses and your\n' +
      'client are checked as they pass, see docs/upstream.md',
  }),
  forward: option('texts', {
    value: 'NAMES',
    help: 'requests to forward: operations such as listReviews,listCalls, or reads, writes, all (default reads)',
  }),
  /** Names of variables, not keys. */
  upstreamKey: option('texts', {
    value: 'VARIABLE',
    help:
      'variable of the environment with the key of the deployment (default CASA_UPSTREAM_KEY);\n' +
      'KEY=VARIABLE for the clients that send KEY; may be given more than once',
  }),
  record: option('text', {
    value: 'FILE',
    help: 'write what passes to and from the deployment as HAR, without keys',
  }),
  /**
   * Seed of ids and of faults that strike by chance; that of the world when absent. The same seed gives the same bytes.
   */
  seed: option('whole', {
    value: 'N',
    max: SEED_MAX,
    isForTests: true,
    isForEngine: true,
    help: 'seed of everything random (default: the one of the world)',
  }),
  /** The same as `limits: false` and `settleS: 0`. */
  relaxed: option('switch', {
    usual: false,
    isForTests: true,
    help: 'the same as --no-limits --settle 0s',
  }),
  /**
   * Whether the limits of the contract are enforced: 10 requests in 10 s per address, 60 a minute per key. Tests have
   * them off when absent, because with a frozen clock a full window never moves on: advance the clock when you turn
   * them on.
   */
  limits: option('switch', {
    negatable: true,
    isForTests: true,
    help: 'whether the rate limits of the contract are enforced (default: they are)',
  }),
  /** Seconds that a call must have been over before pollers see it; 300 when absent. Cites 4.calls.settled-only. */
  settleS: option('seconds', {
    flag: 'settle',
    value: 'TIME',
    takes: 'a time up to 24h, such as 0s or 5m',
    max: 86_400,
    isForTests: true,
    help: 'how long a call must have been over before pollers see it (default 300s)',
  }),
  /** Whether each response is validated against the contract, and becomes a 500 when it breaks it. */
  strict: option('switch', {
    usual: false,
    isForTests: true,
    isForEngine: true,
    banner: 'each response is validated against the contract',
    help: 'validate each response against the contract; a response that breaks it becomes a 500',
  }),
  /** Seed of legal variation in all that the contract leaves open; `true` is 1. None when absent. */
  grease: option('seed', {
    value: 'SEED',
    max: SEED_MAX,
    usual: false,
    isForTests: true,
    help: 'vary everything that the contract leaves open',
  }),
  /** A file that conformance calibrate wrote. */
  profile: option('text', {
    value: 'FILE',
    help: 'response like the deployment that conformance calibrate wrote FILE about',
  }),
  /** Whether responses take as long as those of the deployment; false when absent. Only a socket makes clients wait. */
  latency: option('switch', {
    usual: false,
    isForTests: true,
    isForEngine: true,
    help: 'responses take as long as those of the deployment of --profile',
  }),
  fault: option('texts', { value: 'SPEC', help: 'make requests fail, see below; may be given more than once' }),
  /**
   * The mock made wrong in one fact, to prove checks of your own: a name that `casa mutants` lists. None when absent.
   * Mutants of the limits show only with `limits: true`.
   */
  mutant: option('text', {
    value: 'NAME',
    isForTests: true,
    help: 'break one clause, to test your contract checks; casa mutants lists the names',
  }),
  /** By name, as in `{ "retryAfter": "always" }`. */
  behavior: option('pairs', {
    flag: 'behavior',
    value: 'NAME=VALUE',
    takes: 'NAME=VALUE, such as retry-after=always',
    help: 'choose another legal behavior, see below; may be repeated',
  }),
  trustProxy: option('switch', {
    usual: false,
    isForEngine: true,
    help:
      'take the client address from X-Forwarded-For of every sender (default: loopback only),\n' +
      'and the address of the mock from X-Forwarded-Proto and X-Forwarded-Host',
  }),
  publicUrl: option('text', {
    value: 'URL',
    takes: 'an address such as https://casa.example.com',
    read: readPublicUrl,
    isLocal: true,
    help: 'public address of the mock, used in connect links',
  }),
  adminToken: option('text', {
    value: 'TOKEN',
    takes: 'at least 8 visible ASCII characters without blanks',
    isSecret: true,
    read: (token) => (/^[\x21-\x7e]{8,}$/.test(token) ? token : null),
    isForEngine: true,
    isLocal: true,
    help: 'token that /__admin asks for; needed to reach it when --host is not loopback',
  }),
  readyFile: option('text', {
    value: 'FILE',
    isLocal: true,
    help: 'write URL and pid to FILE as JSON once the mock listens; removed when it ends',
  }),
  verbose: option('switch', { usual: false, isLocal: true, help: 'show bodies and request log ids as well' }),
  quiet: option('switch', { usual: false, isLocal: true, help: 'no line for each request' }),
};

type Table = typeof mockOptions;
export type OptionName = keyof Table;
export type ValueOf<Name extends OptionName> = Kinds[Table[Name]['kind']];

/** The fields of casa.config.json and casa.config.ts, and what flags are read to. */
export type CasaConfig = { readonly [Name in OptionName]?: ValueOf<Name> | undefined } & {
  /** An older name of `choices`. */
  readonly behavior?: Readonly<Record<string, string>> | undefined;
};
/** The same with every default filled in. */
export type Settled = {
  readonly [Name in OptionName]: ValueOf<Name> | (Table[Name] extends { usual: unknown } ? never : null);
};
/** Options that `createMock` and `startMock` share with the command line. */
export type TestOptions = {
  readonly [Name in OptionName as Table[Name] extends { isForTests: true } ? Name : never]?: ValueOf<Name> | undefined;
};
/** Options that reach the engine as they are. */
export type EngineSettings = {
  readonly [Name in OptionName as Table[Name] extends { isForEngine: true } ? Name : never]?:
    | ValueOf<Name>
    | null
    | undefined;
};

/** The rows without their literal types. */
export const optionRows = Object.entries(mockOptions) as readonly [
  OptionName,
  Row<unknown> & { readonly kind: Kind },
][];

function readOrigin(text: string): string | null {
  const origin = text.replace(/\/$/, '').toLowerCase();
  return /^[a-z][a-z0-9+.-]*:\/\/[\w.:[\]-]+$/.test(origin) ? origin : null;
}

function readPublicUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && /^https?:$/.test(url.protocol) && `${url.search}${url.hash}${url.username}` === '';
  return isPlain ? `${url.origin}${url.pathname}`.replace(/\/$/, '') : null;
}
