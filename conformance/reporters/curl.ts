// A command that repeats a request in a shell. Keys are shell variables, and everything else is quoted.
import { curlArguments } from '../../src/terminal/curl.ts';
import type { StoredExchange } from '../report/report.ts';

const implied = new Set(['host', 'accept-encoding', 'content-length', 'user-agent']);

/** For example `${CONFORMANCE_API_KEY%?}`, which is an altered key. */
const keyVariable = /\$(?:CONFORMANCE_[A-Z_]+|\{CONFORMANCE_[A-Z_]+[#%^?*_]*\})/g;
const anyVariable = /\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*[#%^?*_]*\})/g;

/** A body that is not text comes from a command; without one, from a file of its size. */
export function curlOf({
  method,
  url,
  requestHeaders,
  requestBody: { text, bytes, command },
}: Pick<StoredExchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>): string {
  const headers = Object.entries(requestHeaders)
    .filter(([name]) => !implied.has(name))
    .map(([name, value]) => [name, value, /^authorization$/i.test(name) ? anyVariable : keyVariable] as const);
  const body = command === undefined ? (text ?? (bytes > 0 ? bytes : null)) : { command };
  const curl = ['curl -sS -i', ...curlArguments({ method, url, headers, body, variables: keyVariable })].join(' ');
  return command === undefined ? curl : `${command} | ${curl}`;
}
