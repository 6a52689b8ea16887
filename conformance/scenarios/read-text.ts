// From the text after a flag to the value of an option. Null, or a `UsageError`, for a text that cannot be used.

import { UsageError } from '../../src/terminal/usage-error.ts';
import type { PaceSettings } from '../exchange/lanes.ts';

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

/** Seconds for a person, milliseconds in the program. */
export const readSeconds = (text: string): number | null => (Number(text) > 0 ? Number(text) * 1000 : null);

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
