// One line that repeats a request in a shell. Keys are shell variables, everything else is quoted.
import type { StoredExchange } from '../report/stored.ts';

/** Set by curl itself, or by the connection. */
const IMPLIED = new Set(['host', 'accept-encoding', 'content-length', 'user-agent']);

/** A long body is named as a file of that size, because it would not fit a command line. */
export function curlOf(exchange: Pick<StoredExchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>): string {
  const parts = ['curl', '-sS', '-i'];
  if (exchange.method !== 'GET') parts.push('-X', exchange.method);
  for (const [name, value] of Object.entries(exchange.requestHeaders)) {
    // A header for the key is ours: no target has a say in it.
    const ownNames = /^authorization$/i.test(name) ? anyVariable : keyVariable;
    if (!IMPLIED.has(name)) parts.push('-H', quote(`${name}: ${value}`, ownNames));
  }
  const { text, bytes } = exchange.requestBody;
  if (text !== null) parts.push('--data-raw', quote(text));
  else if (bytes > 0) parts.push(`--data-binary @body-of-${bytes}-bytes`);
  parts.push(quote(exchange.url));
  return parts.join(' ');
}

const keyVariable = /\$(?:CONFORMANCE_[A-Z_]+|\{CONFORMANCE_[A-Z_]+[#%^?*_]*\})/g;
const anyVariable = /\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*[#%^?*_]*\})/g;

/**
 * Keys are shell variables, spoilt ones `${CONFORMANCE_API_KEY%?}` and its like: they have to stand in double quotes.
 */
function quote(text: string, keys: RegExp = keyVariable): string {
  const single = `'${text.replaceAll("'", `'\\''`)}'`;
  if (text.search(keys) === -1) return single;
  const isPlain = !/["\\`$!]/.test(text.replace(keys, ''));
  return isPlain ? `"${text}"` : single.replace(keys, (name) => `'"${name}"'`);
}
