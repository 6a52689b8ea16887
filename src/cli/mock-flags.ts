// The flags of `casa mock`, as data: the parser, the help text and the tests read the same table.

import { faultGrammar } from '../engine/fault-spec.ts';
import { preferGrammar } from '../http/prefer.ts';
import { describeFlags, type FlagTable, type FlagValues } from '../terminal/flag-parser.ts';
import { choiceSpellings } from './choice-flag.ts';

/** The order is that of the help text. */
export const mockFlags = {
  port: { short: 'p', value: 'N', help: 'port to listen on; 0 takes a free one (default 4010)' },
  host: { value: 'HOST', help: 'address to listen on (default 127.0.0.1)' },
  cors: { negatable: true, help: 'whether browsers of other origins may read answers (default: they may)' },
  'cors-origin': {
    value: 'ORIGIN',
    repeat: true,
    help: 'let browsers of this origin alone read answers, with credentials; may be given more than once',
  },
  'cors-headers': {
    value: 'NAMES',
    help: 'allow only these further request headers, such as X-Request-Id,Traceparent (default: any, nearby)',
  },
  'cors-credentials': {
    negatable: true,
    help: "whether pages may use credentials: 'include' (default: those of --cors-origin)",
  },
  world: { value: 'NAME', help: 'built-in world: default, empty, tied-articles, unpaid, huge' },
  data: {
    value: 'FILE',
    help: 'world file instead of a built-in world; casa seed makes one, and parts of one are filled',
  },
  watch: {
    help: 'load the --data file again when it changes; what clients created is made again on it, with --save too',
  },
  save: { value: 'FILE', help: 'keep posts, replies, links and accounts in FILE over a restart' },
  'save-sync': {
    value: 'WHEN',
    help:
      'interval (default): a killed mock loses nothing, a power failure at most the last second;\n' +
      'always: each change is on the disk before its answer, so that a power failure loses nothing either',
  },
  shared: {
    value: 'URL',
    help:
      'be one mock with all replicas that share a log on Redis: redis://HOST:6379/NAME, see docs/shared.md;\n' +
      'needs the package @redis/client',
  },
  drain: {
    value: 'TIME',
    help: 'how long a shared mock still answers after SIGTERM, while /__ready says 503 (default 0s)',
  },
  upstream: {
    value: 'URL',
    help:
      'let a deployment answer some operations, such as https://staging.example.com/api/v1; its answers and your\n' +
      'client are judged as they pass, see docs/upstream.md',
  },
  forward: {
    value: 'NAMES',
    repeat: true,
    help: 'what the deployment answers: operations such as listReviews,listCalls, or reads, writes, all (default reads)',
  },
  'upstream-key': {
    value: 'VARIABLE',
    repeat: true,
    help:
      'variable of the environment with the key of the deployment (default CASA_UPSTREAM_KEY);\n' +
      'KEY=VARIABLE for the clients that send KEY; may be given more than once',
  },
  record: { value: 'FILE', help: 'write what passes to and from the deployment as HAR, without keys' },
  seed: { value: 'N', help: 'seed of everything random (default: the one of the world)' },
  relaxed: { help: 'the same as --no-limits --settle 0s' },
  limits: { negatable: true, help: 'whether the rate limits of the contract are enforced (default: they are)' },
  settle: { value: 'TIME', help: 'how long a call must have been over before pollers see it (default 300s)' },
  strict: { help: 'validate each answer against the contract; an answer that breaks it becomes a 500' },
  grease: { value: 'SEED', optional: true, help: 'vary everything that the contract leaves open' },
  profile: { value: 'FILE', help: 'answer like the deployment that conformance calibrate wrote FILE about' },
  latency: { help: 'answers take as long as those of the deployment of --profile' },
  fault: { value: 'SPEC', repeat: true, help: 'make requests fail, see below; may be given more than once' },
  mutant: {
    value: 'NAME',
    help: 'break one clause, to prove contract checks of your own; casa mutants lists the names',
  },
  choice: { value: 'NAME=VALUE', repeat: true, help: 'another reading of the contract, see below; may be repeated' },
  'trust-proxy': {
    help:
      'take the client address from X-Forwarded-For of every sender (default: loopback only),\n' +
      'and the address of the mock from X-Forwarded-Proto and X-Forwarded-Host',
  },
  'public-url': { value: 'URL', help: 'where clients reach the mock from outside; connect links lead there' },
  'admin-token': {
    value: 'TOKEN',
    help: 'token that /__admin asks for; needed to reach it when --host is not loopback',
  },
  'ready-file': {
    value: 'FILE',
    help: 'write URL and pid to FILE as JSON once the mock listens; removed when it ends',
  },
  verbose: { help: 'show bodies and journal ids as well' },
  quiet: { help: 'no line for each request' },
  'no-color': { help: 'no colours; NO_COLOR, or an output that is not a terminal, does the same' },
  help: { short: 'h', help: 'this text' },
} as const satisfies FlagTable;

export type MockFlagValues = FlagValues<typeof mockFlags>;

/** Grammar of faults and choices included, so that nobody has to leave the terminal. */
export function mockHelp(): string {
  const choices = choiceSpellings.map((spelling) => `  ${spelling}\n`).join('');
  return `casa mock: start the mock of the Content and Social Account service API

Usage
  casa mock [flags]

  casa mock                            the default world on http://127.0.0.1:4010/api/v1
  casa mock --port 0 --relaxed         a free port, no rate limits
  casa mock --save casa.state          what clients create outlives a restart
  casa mock --fault '*=503@0.1'        one request in ten, at random, gets a 503
  casa mock --upstream https://staging.example.com/api/v1   reads are answered by a deployment

Flags
${describeFlags(mockFlags)}
${faultGrammar}
${preferGrammar}
Choices (the first value is the default; spec/readings.yaml says what they mean)
${choices}
Config file
  casa.config.json, .js, .mjs or .ts in the working directory holds the same settings by the names of the flags in
  camel case, such as { "port": 4020, "fault": ["createPost=transient@1x"], "trustProxy": true }. Flags win over it.

Exit codes
  0  stopped by SIGINT or SIGTERM    1  failed while running    2  a flag, the config or a file cannot be used
`;
}
