// From the text after a flag to the value of an option. Every mistake is one sentence and exit code 2.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readNamed } from '../../src/terminal/file-trouble.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { type Forms, type Options, usualWrites, writeKinds } from '../probe/capabilities.ts';

/** As the parser hands it over: `true` for a flag without its optional value. */
type Given = string | readonly string[] | true;

/** A form without its reader does not compile. */
export const readers: { readonly [Form in keyof Forms]: (given: Given, flag: string) => Forms[Form] } = {
  switch: () => true,
  text: (given) => String(given),
  texts: (given) => [given].flat() as string[],
  url: (given, flag) => readUrl(flag, String(given)),
  whole: (given, flag) => {
    if (!/^\d+$/.test(String(given))) throw new UsageError(`--${flag} "${given}" is not a whole number of at least 0.`);
    return Number(given);
  },
  count: (given, flag) => {
    if (!/^[1-9]\d{0,5}$/.test(String(given)))
      throw new UsageError(`--${flag} "${given}" is not a whole number from 1 to 999999.`);
    return Number(given);
  },
  seconds: (given, flag) => {
    if (!(Number(given) > 0)) throw new UsageError(`--${flag} "${given}" is not a number of seconds above 0.`);
    return Number(given) * 1000;
  },
  pace: (given, flag) => {
    if (given === 'auto' || given === 'off') return given;
    const [, requests, seconds] = /^(\d+)\/(\d+(?:\.\d+)?)$/.exec(String(given)) ?? [];
    const [limit, windowMs] = [Number(requests), Number(seconds) * 1000];
    if (!(limit > 0 && windowMs > 0))
      throw new UsageError(`--${flag} "${given}" is not auto, off or N/S, for example 5/10.`);
    return { spacingMs: windowMs / limit, address: { limit, windowMs }, key: null };
  },
  writes: (given, flag) => (given === true ? usualWrites : readNames(flag, String(given), writeKinds)),
  headers: (given) => Object.fromEntries(([given].flat() as string[]).map(readHeader)),
  file: (given, flag) => readNamed(`--${flag}: ${given}`, String(given)),
};

/**
 * Throws a UsageError that guesses at a missing scheme. Credentials in the address are rejected, because addresses end
 * up in reports.
 */
export function readUrl(flag: string, text: string): string {
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

/** Throws a UsageError that names the first word that is not in the list. */
export function readNames<Name extends string>(flag: string, text: string, names: readonly Name[]): Name[] {
  return text.split(',').map((part) => {
    const found = names.find((name) => name === part.trim());
    if (found !== undefined) return found;
    const hint = didYouMean(part, names, (name) => name);
    throw new UsageError(`--${flag}: "${part}" is not one of ${names.join(', ')}.${hint}`);
  });
}

/** The value is visible ASCII, as HTTP/1.1 carries it; the name is kept in lower case. */
function readHeader(line: string): [name: string, value: string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`--header "${line.split(':')[0]}" is not of the form "Name: value".`);
  return [name.toLowerCase(), value];
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
