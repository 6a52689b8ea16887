// One line that repeats a request in a shell. Keys are shell variables, everything else is quoted.
import { curlArguments } from '../../src/terminal/curl.ts';
import type { StoredExchange } from '../report/stored.ts';

/** Set by curl itself, or by the connection. */
const IMPLIED = new Set(['host', 'accept-encoding', 'content-length', 'user-agent']);
/** Spoilt keys are `${CONFORMANCE_API_KEY%?}` and its like. */
const KEY_VARIABLE = /\$(?:CONFORMANCE_[A-Z_]+|\{CONFORMANCE_[A-Z_]+[#%^?*_]*\})/g;
const ANY_VARIABLE = /\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*[#%^?*_]*\})/g;

/** A long body is named as a file of that size, because it would not fit a command line. */
export function curlOf({
  method,
  url,
  requestHeaders,
  requestBody: { text, bytes },
}: Pick<StoredExchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>): string {
  const headers = Object.entries(requestHeaders)
    .filter(([name]) => !IMPLIED.has(name))
    // A header for the key is ours: no target has a say in it.
    .map(([name, value]) => [name, value, /^authorization$/i.test(name) ? ANY_VARIABLE : KEY_VARIABLE] as const);
  const body = text ?? (bytes > 0 ? bytes : null);
  return ['curl -sS -i', ...curlArguments({ method, url, headers, body, variables: KEY_VARIABLE })].join(' ');
}
