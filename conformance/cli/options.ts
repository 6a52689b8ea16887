// From flags and environment to the options of a run and the rules of its end.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { oneOf } from '../../src/options/define-options.ts';
import { readNamed } from '../../src/terminal/file-trouble.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { RunOptions } from '../driver/options.ts';
import type { Keys } from '../exchange/request.ts';
import { type FailableKind, failableKinds } from '../judge/result.ts';
import type { ExitRules } from '../report/outcome.ts';
import { keyRows, type Options, readUrl, runTable } from '../scenarios/capabilities.ts';
import type { ParsedFlags } from './flags.ts';

/** The environment, handed in. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Throws a UsageError for every value that could not work, before anything is sent. */
export function runOptions(flags: ParsedFlags, env: Env): Omit<RunOptions, 'runId'> {
  const read = readOptions(flags);
  rejectLonelyOptions(read);
  return { ...read, baseUrl: readUrl(flags['base-url'] ?? '', 'base-url'), keys: readKeys(flags, env), env };
}

/** Only given values: the run fills in defaults, also for the programmatic entry. */
export function readOptions(flags: ParsedFlags): Options {
  const given = runTable.read(flags);
  const files = (['ca', 'cert', 'key'] as const).flatMap((name) => {
    const file = given[name];
    return file === undefined ? [] : [[name, readNamed(`--${name}: ${file}`, file)]];
  });
  const read: Options = { ...given, ...Object.fromEntries(files) };
  rejectInvalidCertificates(read);
  return read;
}

/** Cites 4.connect.reply.endpoint: a reply to the named review needs the permission to reply, and an account. */
function rejectLonelyOptions(given: Options): void {
  const { review, account, maxWrites, allowWrites = [] } = given;
  if (review !== undefined && !(account !== undefined && allowWrites.includes('replies')))
    throw new UsageError('--review needs --account ID and --allow-writes=replies.');
  if (maxWrites !== undefined && allowWrites.length === 0) throw new UsageError('--max-writes needs --allow-writes.');
  if (given.headers?.authorization !== undefined && given.keyHeader === undefined)
    throw new UsageError(
      '--header cannot set Authorization, which contains the API key. To send the key in another header, use --key-header.',
    );
  if (given.keyHeader !== undefined && !/^[!#$%&'*+.^_`|~\w-]+$/.test(given.keyHeader))
    throw new UsageError(`--key-header "${given.keyHeader}" is not the name of a header.`);
  if (given.key !== undefined && given.cert === undefined)
    throw new UsageError('--key needs --cert, because it is the key of a client certificate.');
}

/** Blanks around a key are cut, since shells add line ends. */
function readKeys(flags: ParsedFlags, env: Env): Keys {
  const keyFrom = (name: keyof Keys) => {
    return env[keyRows[name].variable]?.trim() || undefined;
  };
  const good = keyFrom('good');
  // A plan is made without a key, because nothing is sent.
  if (good === undefined && flags.plan) return { good: 'no_key' };
  if (good === undefined) throw new UsageError(`There is no API key: set ${keyRows.good.variable}.`);
  const [second, revoked] = [keyFrom('second'), keyFrom('revoked')];
  for (const key of [good, second, revoked]) {
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
      throw new UsageError('An API key contains spaces or characters that a header cannot contain.');
  }
  const others = { ...(second === undefined ? {} : { second }), ...(revoked === undefined ? {} : { revoked }) };
  rejectControlRequests(others, good);
  return { good, ...others };
}

/** The valid key cannot show what a second or a revoked key is there to show. */
function rejectControlRequests(others: Omit<Keys, 'good'>, good: string): void {
  for (const name of ['second', 'revoked'] as const) {
    if (others[name] !== good) continue;
    const { variable, wanted } = keyRows[name];
    throw new UsageError(`${variable} is the same key as ${keyRows.good.variable}: pass ${wanted}, or leave it out.`);
  }
}

/** Whether only new failures fail the run; this needs a history. */
function readFailOn(flags: ParsedFlags): { failOn: FailableKind[]; isOnlyNew: boolean } {
  const given = flags['fail-on'];
  const names =
    given === undefined ? [] : given.split(',').map((name) => oneOf([...failableKinds, 'new'])(name, 'fail-on'));
  const isOnlyNew = names.includes('new');
  if (isOnlyNew && flags.history === undefined)
    throw new UsageError('--fail-on new needs --history DIR, because it compares with the previous run.');
  if (isOnlyNew && names.includes('fail'))
    throw new UsageError('--fail-on: fail counts every failure, and new only new failures. Use one of them.');
  return { failOn: names.filter((name) => name !== 'new'), isOnlyNew };
}

/** A share of clauses is kept as a share: how many there are is known after the run. */
export function exitRules(flags: ParsedFlags): Omit<ExitRules, 'claims'> & { readonly isOnlyNew: boolean } {
  const minVerified = flags['min-verified'];
  const [, number, percent] = /^(\d+)(%?)$/.exec(minVerified ?? '') ?? [];
  if (minVerified !== undefined && number === undefined)
    throw new UsageError(`--min-verified "${minVerified}" is neither N nor N%.`);
  if (percent === '%' && Number(number) > 100)
    throw new UsageError(`--min-verified "${minVerified}" is more than all: it is N clauses, or a share up to 100%.`);
  return {
    ...readFailOn(flags),
    minVerified:
      number === undefined ? null : percent === '%' ? { share: Number(number) / 100 } : { count: Number(number) },
  };
}

// Checks the PEM files of --ca, --cert and --key before the first request: later, the TLS library would report errors
// in its own words.

/** Throws a UsageError for a file that is unsuitable for its flag. */
export function rejectInvalidCertificates({ ca, cert, key }: Options): void {
  if (ca !== undefined) certificateIn(ca, '--ca');
  if (cert === undefined) return;
  const certificate = certificateIn(cert, '--cert');
  const secret = privateKeyIn(key ?? cert);
  const isLacking = key === undefined && !cert.includes('PRIVATE KEY');
  if (isLacking)
    throw new UsageError('--cert names a certificate without its private key: name the file of the key with --key.');
  if (secret === null)
    throw new UsageError(
      'The private key of the certificate cannot be read: --key must be PEM, and without a passphrase.',
    );
  if (!certificate.checkPrivateKey(secret))
    throw new UsageError('The private key is not the key of the certificate: --cert and --key must belong together.');
}

function certificateIn(text: string, flag: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw new UsageError(`${flag} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).`);
  }
}

/** Null if there is no key, or only with a passphrase. */
function privateKeyIn(text: string): KeyObject | null {
  try {
    return createPrivateKey(text);
  } catch {
    return null;
  }
}
