// Requests to the admin API of a mock in another process.
import type { AdminAsk, HttpResponse } from '../admin/reply.ts';
import { anyWidth, whyNotParsed } from '../http/json-size.ts';
import { failureOf, readBytes } from '../terminal/response-text.ts';

const responseBytesMax = 50_000_000;
const timeoutMs = 30_000;

/** Returns the origin of a URL of a mock, or null for a text that is no HTTP URL. */
export function originOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) && url.username === '' ? url.origin : null;
}

/** The routes of the mock at `origin`. A failure of the network is a response too: 502 with the code `unreachable`. */
export function askOverHttp(origin: string, token: string | undefined) {
  return async ({ method, path, query = '', body }: AdminAsk): Promise<HttpResponse> => {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { 'x-casa-admin-token': token }),
    };
    try {
      const response = await fetch(`${origin}/__admin${path}${query === '' ? '' : `?${query}`}`, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, body: parse(await readBytes(response, responseBytesMax)) };
    } catch (error) {
      const isOther = error instanceof SyntaxError;
      const message = isOther
        ? `${origin} is not a casa mock: its response to ${method} /__admin${path} is not JSON. Check the URL.`
        : `No response of a casa mock at ${origin}: ${failureOf(error)}. Check that it runs and has the URL that casa mock printed.`;
      return { status: 502, body: { error: { code: 'unreachable', message } } };
    }
  };
}

/** Throws a SyntaxError, also for a deep text, which only an attacker sends. */
function parse(body: Uint8Array): unknown {
  const problem = whyNotParsed(body, anyWidth);
  if (problem !== null) throw new SyntaxError(problem);
  return JSON.parse(new TextDecoder().decode(body));
}
