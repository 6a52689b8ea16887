// A request of the request log as a command that sends it again from a shell.
import { curlArguments } from '../../terminal/curl.ts';
import type { LoggedRequest } from './responses.ts';

/** What curl, or the connection, writes by itself. */
const ownHeaders =
  /^(host|content-length|connection|accept-encoding|user-agent|sec-.*|origin|referer|x-casa-replay-of)$/;

/** `keys` are those of the mock: the request log has the last characters only. */
export function curlOf({ request, key }: LoggedRequest, origin: string, keys: readonly string[]): string {
  const whole = keys.find((known) => key !== null && known.slice(-4) === key.slice(-4)) ?? '$CASA_API_KEY';
  const headers = Object.entries(request.headers)
    .filter(([name]) => !ownHeaders.test(name))
    .map(([name, value]) =>
      name === 'authorization' && key !== null
        ? ([name, `Bearer ${whole}`, /\$CASA_API_KEY/g] as const)
        : ([name, value] as const),
    );
  const url = `${origin}${request.path}${request.query === '' ? '' : `?${request.query}`}`;
  return ['curl', ...curlArguments({ method: request.method, url, headers, body: request.body })].join(' \\\n  ');
}
