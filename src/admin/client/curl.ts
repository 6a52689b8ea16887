// A request of the journal as a command that sends it again from a shell.
import type { JournalRecord } from './answers.ts';

/** What curl, or the connection, writes by itself. */
const ownHeaders =
  /^(host|content-length|connection|accept-encoding|user-agent|sec-.*|origin|referer|x-casa-replay-of)$/;

/** `keys` are those of the mock: the journal has the last characters only. */
export function curlOf({ request, key }: JournalRecord, origin: string, keys: readonly string[]): string {
  const whole = keys.find((known) => key !== null && known.slice(-4) === key.slice(-4)) ?? '$CASA_API_KEY';
  const headers = Object.entries(request.headers)
    .filter(([name]) => !ownHeaders.test(name))
    .map(([name, value]) => (name === 'authorization' && key !== null ? [name, `Bearer ${whole}`] : [name, value]))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const url = `${origin}${request.path}${request.query === '' ? '' : `?${request.query}`}`;
  return [
    request.method === 'GET' ? 'curl' : `curl -X ${quote(request.method)}`,
    ...headers,
    ...(request.body === null ? [] : [`--data-raw ${quote(request.body)}`]),
    quote(url),
  ].join(' \\\n  ');
}

/** A variable of the shell is read inside double quotes only; everything else stays as it is inside single ones. */
function quote(text: string): string {
  if (text === 'authorization: Bearer $CASA_API_KEY') return `"${text}"`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
