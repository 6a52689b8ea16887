// From flags and environment to the options of a run. Every mistake is one sentence and exit code 2.
import { readFileSync } from 'node:fs';
import { nearest } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Keys } from '../exchange/request.ts';
import { verdictKinds } from '../judge/verdict.ts';
import type { PaceSettings } from '../pace/lanes.ts';
import type { Capability, Check } from '../probe/check.ts';
import type { ExitRules } from '../report/outcome.ts';
import type { RunOptions, WriteKind } from '../run/options.ts';
import type { ParsedFlags } from './flags.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** What --allow-writes stands for without a value: thousands of contacts are imported by name only. */
const USUAL_WRITES: readonly WriteKind[] = ['posts', 'replies', 'links'];
const WRITE_KINDS: readonly WriteKind[] = [...USUAL_WRITES, 'contacts'];

const WRITE_CAPABILITIES = WRITE_KINDS.map((kind): Capability => `writes:${kind}`);

/** Flags that open the way for certain checks only. */
const OPENERS: Readonly<Record<string, readonly Capability[]>> = {
  account: ['account'],
  review: ['writes:replies'],
  'allow-writes': WRITE_CAPABILITIES,
  'max-writes': WRITE_CAPABILITIES,
  watch: ['watch', 'thorough'],
  'call-id-field': ['call-id-field'],
  'call-ended-at-field': ['call-ended-at-field'],
  'mcp-url': ['mcp'],
};

type Wanted = Omit<RunOptions, 'runId'>;

export function runOptions(flags: ParsedFlags, env: Env, checks: readonly Check[]): Wanted {
  refuseIdleFlags(flags, checks);
  const one = (name: string) => flags.get(name)?.[0];
  const all = (name: string) => flags.get(name) ?? [];
  const allowWrites = readWrites(one('allow-writes'));
  refuseLonelyFlags(flags, allowWrites ?? []);
  const options: { -readonly [Name in keyof Wanted]: Wanted[Name] | undefined } = {
    baseUrl: readUrl('base-url', one('base-url') ?? ''),
    keys: readKeys(flags, env),
    env,
    only: all('only'),
    skip: all('skip'),
    bail: flags.has('bail'),
    gentle: flags.has('gentle'),
    watch: flags.has('watch'),
    insecure: flags.has('insecure'),
    account: one('account'),
    review: one('review'),
    allowWrites,
    maxWrites: readWhole('max-writes', one('max-writes')),
    sourceAddresses: all('source-address'),
    callIdField: one('call-id-field'),
    callEndedAtField: one('call-ended-at-field'),
    pace: readPace(one('pace')),
    control: one('control') === undefined ? undefined : readUrl('control', one('control') ?? ''),
    mcpUrl: one('mcp-url') === undefined ? undefined : readUrl('mcp-url', one('mcp-url') ?? ''),
    timeoutMs: readSeconds('timeout', one('timeout')),
    headers: readHeaders(all('header')),
    ca: one('ca') === undefined ? undefined : readText('ca', one('ca') ?? ''),
    keepBodies: flags.has('keep-bodies') ? true : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as unknown as Wanted;
}

/** A flag that no check would heed is refused: nobody shall think that it did something. */
function refuseIdleFlags(flags: ParsedFlags, checks: readonly Check[]): void {
  const used = new Set(checks.flatMap((check) => check.needs ?? []));
  for (const [name, capabilities] of Object.entries(OPENERS)) {
    if (flags.has(name) && !capabilities.some((capability) => used.has(capability))) {
      throw new UsageError(`--${name}: no check makes use of it in this version.`);
    }
  }
}

/** Cites 4.connect.reply.endpoint: the review that is named is replied to, which takes leave and an account. */
function refuseLonelyFlags(flags: ParsedFlags, allowWrites: readonly WriteKind[]): void {
  if (flags.has('review') && !(flags.has('account') && allowWrites.includes('replies')))
    throw new UsageError('--review names a review to reply to: give --account ID and --allow-writes=replies as well.');
  if (flags.has('max-writes') && allowWrites.length === 0)
    throw new UsageError('--max-writes caps what --allow-writes allows: give that as well.');
}

export function readUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--${name} "${text}" is no http or https address.${hintOf(text)}`);
  if (url.username !== '') throw new UsageError(`--${name} must not hold a user name or password; use --header.`);
  if (url.search !== '' || url.hash !== '') throw new UsageError(`--${name} must end with its path.`);
  return url.href;
}

/** `localhost:4010/api/v1` lacks its scheme, and reads as an address with a scheme of that name. */
function hintOf(text: string): string {
  if (!/^[\w.-]+(:\d+)?(\/|$)/.test(text) && !/^\[[\da-f:]+\]/i.test(text)) return '';
  const [host = ''] = text.split(/[:/]/);
  const scheme = /^(localhost|127\.|\[)/.test(`${host}${text.startsWith('[') ? '[' : ''}`) ? 'http' : 'https';
  return ` Did you mean ${scheme}://${text}?`;
}

function readKeys(flags: ParsedFlags, env: Env): Keys {
  const keyFrom = (flagName: string, variable: string) => {
    const file = flags.get(flagName)?.[0];
    const value = file === undefined ? env[variable] : readText(flagName, file);
    return value?.trim() || undefined;
  };
  const good = flags.get('api-key')?.[0] ?? keyFrom('api-key-file', 'CONFORMANCE_API_KEY');
  // A plan is made without a key, because nothing is sent.
  if (good === undefined && flags.has('plan')) return { good: 'no_key' };
  if (good === undefined) throw new UsageError('There is no API key: set CONFORMANCE_API_KEY or give --api-key-file.');
  const second = keyFrom('second-key-file', 'CONFORMANCE_SECOND_KEY');
  const revoked = keyFrom('revoked-key-file', 'CONFORMANCE_REVOKED_KEY');
  for (const key of [good, second, revoked]) {
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
      throw new UsageError('An API key holds blanks or characters that no header can carry.');
  }
  refuseTwins({ CONFORMANCE_SECOND_KEY: second, CONFORMANCE_REVOKED_KEY: revoked }, good);
  return { good, ...(second === undefined ? {} : { second }), ...(revoked === undefined ? {} : { revoked }) };
}

/** What a second or a revoked key is there to show, the same key cannot. */
function refuseTwins(others: Readonly<Record<string, string | undefined>>, good: string): void {
  for (const [name, key] of Object.entries(others)) {
    if (key !== good) continue;
    const wanted = name === 'CONFORMANCE_REVOKED_KEY' ? 'a revoked key' : 'the key of another organization';
    throw new UsageError(`${name} is the same key as CONFORMANCE_API_KEY: give ${wanted}, or leave it out.`);
  }
}

export function readText(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--${name}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function readWrites(text: string | undefined): WriteKind[] | undefined {
  if (text === undefined) return undefined;
  return text === '' ? [...USUAL_WRITES] : readNames('allow-writes', text, WRITE_KINDS);
}

function readNames<Name extends string>(flagName: string, text: string, names: readonly Name[]): Name[] {
  return text.split(',').map((part) => {
    const found = names.find((name) => name === part.trim());
    if (found !== undefined) return found;
    const near = nearest(part, names);
    throw new UsageError(
      `--${flagName}: "${part}" is none of ${names.join(', ')}.${near === null ? '' : ` Did you mean ${near}?`}`,
    );
  });
}

function readPace(text: string | undefined): 'auto' | 'off' | PaceSettings | undefined {
  if (text === undefined || text === 'auto' || text === 'off') return text;
  const [, requests, seconds] = /^(\d+)\/(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const [limit, windowMs] = [Number(requests), Number(seconds) * 1000];
  if (!(limit > 0 && windowMs > 0))
    throw new UsageError(`--pace "${text}" is none of auto, off and N/S, for example 5/10.`);
  return { spacingMs: windowMs / limit, address: { limit, windowMs }, key: null };
}

function readSeconds(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!(Number(text) > 0)) throw new UsageError(`--${name} "${text}" is no number of seconds.`);
  return Number(text) * 1000;
}

function readWhole(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--${name} "${text}" is no whole number.`);
  return Number(text);
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`--header "${line.split(':')[0]}" is not of the form "Name: value".`);
      if (name.toLowerCase() === 'authorization')
        throw new UsageError('--header cannot set Authorization; the key goes there.');
      return [name.toLowerCase(), value];
    }),
  );
}

export function exitRules(flags: ParsedFlags): Omit<ExitRules, 'baseline'> {
  const failOn = flags.get('fail-on')?.[0];
  const minProven = flags.get('min-proven')?.[0];
  const [, number, percent] = /^(\d+)(%?)$/.exec(minProven ?? '') ?? [];
  if (minProven !== undefined && number === undefined)
    throw new UsageError(`--min-proven "${minProven}" is neither N nor N%.`);
  if (percent === '%' && Number(number) > 100)
    throw new UsageError(`--min-proven "${minProven}" is more than all: it is N clauses, or a share up to 100%.`);
  return {
    failOn: failOn === undefined ? [] : readNames('fail-on', failOn, verdictKinds),
    minProven:
      number === undefined ? null : percent === '%' ? { share: Number(number) / 100 } : { count: Number(number) },
  };
}
