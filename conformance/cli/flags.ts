// The command line as data: one row for each flag, from which parsing, help and error messages are made.
import { nearest } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { exitMeanings } from '../report/outcome.ts';

type Group = 'target' | 'checks' | 'more' | 'pace' | 'result' | 'tell';

export interface Flag {
  readonly name: string;
  readonly group: Group;
  readonly help: string;
  readonly short?: string;
  /** The name of its value in the help; absent for a flag without one. */
  readonly value?: string;
  /** The value may be left out: `--flag` and `--flag=value`. */
  readonly isOptional?: boolean;
  readonly isRepeatable?: boolean;
  /** `conformance har` takes it too. */
  readonly isForHar?: boolean;
}

type Rest = Omit<Flag, 'name' | 'group' | 'help'>;

const inGroup =
  (group: Group) =>
  (name: string, help: string, rest: Rest = {}): Flag => ({ name, group, help, ...rest });

const [target, chosen, more, pace, result, tell] = (
  ['target', 'checks', 'more', 'pace', 'result', 'tell'] as const
).map(inGroup) as [Adder, Adder, Adder, Adder, Adder, Adder];
type Adder = ReturnType<typeof inGroup>;

export const flags: readonly Flag[] = [
  target('base-url', 'the deployment, /api/v1 included', { value: 'URL', isForHar: true }),
  target('target', 'self: start the mock of this package and judge that', { value: 'NAME' }),
  target('api-key-file', 'file with the key, in place of CONFORMANCE_API_KEY', { value: 'FILE' }),
  target('second-key-file', 'a key of another organization, or CONFORMANCE_SECOND_KEY', { value: 'FILE' }),
  target('revoked-key-file', 'a revoked key, or CONFORMANCE_REVOKED_KEY', { value: 'FILE' }),
  target('api-key', 'the key itself; better not, others can read the command line', { value: 'KEY' }),
  target('header', 'extra request header "Name: value"', { value: 'HEADER', isRepeatable: true }),
  target('insecure', 'accept any certificate'),
  target('ca', 'PEM file of a certificate authority to trust', { value: 'FILE' }),
  target('timeout', 'for one whole exchange (15)', { value: 'SECONDS' }),
  chosen('only', 'run only checks whose id matches', { value: 'GLOB', isRepeatable: true, isForHar: true }),
  chosen('skip', 'leave out checks whose id matches', { value: 'GLOB', isRepeatable: true, isForHar: true }),
  chosen('gentle', 'leave out bursts and large bodies'),
  chosen('bail', 'stop at the first failure'),
  more('account', 'a connected account to work with', { value: 'ID' }),
  more('review', 'the review that replies go to, with --account and --allow-writes=replies', { value: 'ID' }),
  more('allow-writes', 'allow posts, replies and links, or the kinds named; contacts must be named', {
    value: 'KINDS',
    isOptional: true,
  }),
  more('max-writes', 'most writes in one run (40)', { value: 'N' }),
  more('watch', 'wait in real time for calls to settle; opens the rarer checks as well'),
  more('call-id-field', 'member of a call record that identifies it', { value: 'NAME' }),
  more('call-ended-at-field', 'member of a call record with its end', { value: 'NAME' }),
  more('mcp-url', 'MCP door of the deployment, judged with the same key (with --target self: self)', { value: 'URL' }),
  pace('pace', 'auto (below the limits), off, or N/S for N requests in S seconds', { value: 'PACE' }),
  pace('source-address', 'local address to send from', { value: 'ADDRESS', isRepeatable: true }),
  pace('control', 'control plane of the mock at --base-url: moves its clock instead of waiting', { value: 'URL' }),
  result('report', 'write a report: json, junit, html, sarif, md or har=FILE', {
    value: 'KIND=FILE',
    isRepeatable: true,
    isForHar: true,
  }),
  result('baseline', 'JSON list of known failures: check, reason, until', { value: 'FILE', isForHar: true }),
  result('fail-on', 'verdicts that also fail the run: warn, note, inconclusive, excluded', {
    value: 'KINDS',
    isForHar: true,
  }),
  result('min-proven', 'fewest clauses to prove, as N or N%', { value: 'N', isForHar: true }),
  result('keep-bodies', 'keep bodies in reports; they may hold customer data', { isForHar: true }),
  tell('plan', 'tell what would be sent, and send nothing'),
  tell('list', 'list all checks and rules, and what they need'),
  tell('explain', 'tell all about a check, a clause or a ruling such as R19', { value: 'ID' }),
  tell('help', 'this text', { short: 'h', isForHar: true }),
  tell('version', 'version of the kit and of the contract', { short: 'V' }),
];

/** Flag name -> its values in order; a flag without a value has one empty string. */
export type ParsedFlags = ReadonlyMap<string, readonly string[]>;

export interface CommandLine {
  readonly flags: ParsedFlags;
  /** The file after `har`; null for an audit. */
  readonly harFile: string | null;
}

export function parseCommandLine(argv: readonly string[]): CommandLine {
  const isHar = argv[0] === 'har';
  const { parsed, words } = parse(isHar ? argv.slice(1) : argv);
  if (!isHar) {
    if (words[0] !== undefined)
      throw new UsageError(`"${words[0]}" is not expected here; every setting is a flag (see --help).`);
    return { flags: parsed, harFile: null };
  }
  const idle = [...parsed.keys()].find((name) => flags.find((flag) => flag.name === name)?.isForHar !== true);
  if (idle !== undefined) throw new UsageError(`--${idle} means nothing to conformance har, which sends nothing.`);
  if (parsed.has('help')) return { flags: parsed, harFile: null };
  const [file, ...rest] = words;
  if (file === undefined) throw new UsageError('conformance har needs a file: conformance har FILE');
  if (rest[0] !== undefined) throw new UsageError(`conformance har takes one file, so "${rest[0]}" is one too many.`);
  return { flags: parsed, harFile: file };
}

function parse(argv: readonly string[]): { parsed: Map<string, string[]>; words: string[] } {
  const parsed = new Map<string, string[]>();
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    if (!argument.startsWith('-')) {
      words.push(argument);
      continue;
    }
    const { known, inline } = findFlag(argument);
    let value = inline ?? '';
    if (known.value === undefined && inline !== null) throw new UsageError(`--${known.name} takes no value.`);
    if (known.value !== undefined && inline === null && !known.isOptional) {
      index += 1;
      value = argv[index] ?? '';
      if (value === '' || value.startsWith('--'))
        throw new UsageError(`--${known.name} needs a value: --${known.name} ${known.value}`);
    }
    const values = parsed.get(known.name) ?? [];
    if (values.length > 0 && !known.isRepeatable) throw new UsageError(`--${known.name} stands twice.`);
    parsed.set(known.name, [...values, value]);
  }
  return { parsed, words };
}

function findFlag(argument: string): { known: Flag; inline: string | null } {
  const short = flags.find((candidate) => candidate.short !== undefined && argument === `-${candidate.short}`);
  if (short) return { known: short, inline: null };
  const [, name = '', inline] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(argument) ?? [];
  const known = flags.find((candidate) => candidate.name === name);
  if (known) return { known, inline: inline ?? null };
  const near = nearest(
    name,
    flags.map((candidate) => candidate.name),
  );
  throw new UsageError(
    `There is no flag ${argument.split('=')[0]}.${near === null ? ' --help names them all.' : ` Did you mean --${near}?`}`,
  );
}

const titles: readonly (readonly [Group, string])[] = [
  ['target', 'The deployment and its keys'],
  ['checks', 'Which checks'],
  ['more', 'What else they may use'],
  ['pace', 'Time'],
  ['result', 'What comes of it'],
  ['tell', 'Only telling'],
];

export function helpText(): string {
  const groups = titles.map(([group, title]) => {
    const rows = flags.filter((flag) => flag.group === group).map(helpRow);
    return `${title}\n${rows.join('\n')}`;
  });
  const exits = Object.entries(exitMeanings).map(([code, meaning]) => `  ${code}  ${meaning}`);
  return `Usage
  conformance --base-url URL [flags]     judge a deployment
  conformance har FILE [flags]           judge recorded traffic; nothing is sent

Judges a deployment of the Content and Social Account service by its contract. Sends reads, and requests that the
contract refuses without effect; writes only with --allow-writes. The key comes from CONFORMANCE_API_KEY.
Rarer checks need more time: they run with --watch, --allow-writes, --pace off or --control.

${groups.join('\n\n')}

Exit codes
${exits.join('\n')}

Environment
  CONFORMANCE_API_KEY, CONFORMANCE_SECOND_KEY, CONFORMANCE_REVOKED_KEY   the keys
  CONFORMANCE_CONTROL_TOKEN               admin token of the mock behind --control
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY       the way to the deployment
  NO_COLOR, FORCE_COLOR                   colours or none
  GITHUB_ACTIONS=true                     failures are printed as annotations too
`;
}

function helpRow({ name, short, value, isOptional, help }: Flag): string {
  const shown = value === undefined ? '' : isOptional ? `[=${value}]` : ` ${value}`;
  return `  ${`${short ? `-${short}, ` : ''}--${name}${shown}`.padEnd(28)} ${help}`;
}
