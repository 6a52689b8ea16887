// The command line as data: one row for each flag, from which parsing, help and error messages are made.
import { nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

interface Flag {
  readonly name: string;
  readonly short?: string;
  /** The name of its value in the help; absent for a flag without one. */
  readonly value?: string;
  /** The value may be left out: `--flag` and `--flag=value`. */
  readonly isOptional?: boolean;
  readonly isRepeatable?: boolean;
  readonly help: string;
}

const flag = (name: string, help: string, rest: Omit<Flag, 'name' | 'help'> = {}): Flag => ({ name, help, ...rest });

export const flags: readonly Flag[] = [
  flag('base-url', 'the deployment, /api/v1 included', { value: 'URL' }),
  flag('api-key-file', 'file with the key, in place of CONFORMANCE_API_KEY', { value: 'FILE' }),
  flag('second-key-file', 'file with a key of another organization (CONFORMANCE_SECOND_KEY)', { value: 'FILE' }),
  flag('revoked-key-file', 'file with a revoked key (CONFORMANCE_REVOKED_KEY)', { value: 'FILE' }),
  flag('api-key', 'the key itself; better not, others can read the command line', { value: 'KEY' }),
  flag('account', 'a connected account to work with', { value: 'ID' }),
  flag('review', 'a review that may be replied to', { value: 'ID' }),
  flag('allow-writes', 'allow posts, replies and links, or the kinds named', { value: 'KINDS', isOptional: true }),
  flag('max-writes', 'most writes in one run (20)', { value: 'N' }),
  flag('gentle', 'leave out bursts and large bodies'),
  flag('source-address', 'local address to send from', { value: 'ADDRESS', isRepeatable: true }),
  flag('watch', 'wait in real time for calls to settle'),
  flag('call-id-field', 'member of a call record that identifies it', { value: 'NAME' }),
  flag('call-ended-at-field', 'member of a call record with its end', { value: 'NAME' }),
  flag('pace', 'auto (below the limits), off, or N/S for N requests in S seconds', { value: 'PACE' }),
  flag('only', 'run only checks whose id matches', { value: 'GLOB', isRepeatable: true }),
  flag('skip', 'leave out checks whose id matches', { value: 'GLOB', isRepeatable: true }),
  flag('baseline', 'JSON list of known failures: check, reason, until', { value: 'FILE' }),
  flag('report', 'write a report: json=FILE', { value: 'KIND=FILE', isRepeatable: true }),
  flag('control', 'control plane of the mock', { value: 'URL' }),
  flag('mcp-url', 'MCP door of the deployment', { value: 'URL' }),
  flag('timeout', 'for one whole exchange (15)', { value: 'SECONDS' }),
  flag('header', 'extra request header "Name: value"', { value: 'HEADER', isRepeatable: true }),
  flag('insecure', 'accept any certificate'),
  flag('ca', 'PEM file of a certificate authority to trust', { value: 'FILE' }),
  flag('fail-on', 'verdicts that also fail the run: warn, note, inconclusive, excluded', { value: 'KINDS' }),
  flag('min-proven', 'fewest clauses to prove, as N or N%', { value: 'N' }),
  flag('bail', 'stop at the first failure'),
  flag('list', 'list all checks and rules'),
  flag('explain', 'tell all about one check', { value: 'ID' }),
  flag('plan', 'tell what would be sent, and send nothing'),
  flag('keep-bodies', 'keep response bodies in reports; they may hold customer data'),
  flag('help', 'this text', { short: 'h' }),
  flag('version', 'version of the kit and of the contract', { short: 'V' }),
];

/** Flag name -> its values in order; a flag without a value has one empty string. */
export type ParsedFlags = ReadonlyMap<string, readonly string[]>;

export function parseFlags(argv: readonly string[]): ParsedFlags {
  const parsed = new Map<string, string[]>();
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
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
  return parsed;
}

function findFlag(argument: string): { known: Flag; inline: string | null } {
  const short = flags.find((candidate) => candidate.short !== undefined && argument === `-${candidate.short}`);
  if (short) return { known: short, inline: null };
  const [, name = '', inline] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(argument) ?? [];
  const known = flags.find((candidate) => candidate.name === name);
  if (known) return { known, inline: inline ?? null };
  if (!argument.startsWith('-'))
    throw new UsageError(`"${argument}" is not expected here; every setting is a flag (see --help).`);
  const near = nearest(
    name,
    flags.map((candidate) => candidate.name),
  );
  throw new UsageError(`There is no flag ${argument.split('=')[0]}.${near === null ? '' : ` Did you mean --${near}?`}`);
}

export function helpText(): string {
  const rows = flags.map(({ name, short, value, isOptional, help }) => {
    const shown = value === undefined ? '' : isOptional ? `[=${value}]` : ` ${value}`;
    return `  ${`${short ? `-${short}, ` : ''}--${name}${shown}`.padEnd(28)} ${help}`;
  });
  return `Usage: conformance --base-url URL [flags]

Judges a deployment of the Content and Social Account service by its contract. Sends reads, and requests that
the contract refuses without effect; writes only with --allow-writes. The key comes from CONFORMANCE_API_KEY.

${rows.join('\n')}

Exit codes: 0 no failure, 1 contract failure, 2 usage, 3 nothing proven, 4 target unreachable or kit error.
`;
}
