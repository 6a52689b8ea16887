// A request of the request log as code that sends it again: for a shell, in JavaScript and as a test.
import { curlArguments } from '../../terminal/curl.ts';
import type { LoggedRequest } from './responses.ts';

/** What curl, or the connection, writes by itself. */
const ownHeaders =
  /^(host|content-length|connection|accept-encoding|user-agent|sec-.*|origin|referer|x-casa-replay-of)$/;

/** `keys` are those of the mock: the request log has the last characters only. */
export function curlOf({ request, key }: LoggedRequest, origin: string, keys: readonly string[]): string {
  const whole = wholeKey(key, keys) ?? '$CASA_API_KEY';
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

function wholeKey(key: string | null, keys: readonly string[]): string | undefined {
  return keys.find((known) => key !== null && known.slice(-4) === key.slice(-4));
}

const quote = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The arguments of `fetch` after the URL; `authorization` is code. */
function initOf({ request }: LoggedRequest, authorization: string): string {
  const type = request.body ? ", 'content-type': 'application/json'" : '';
  const lines = [
    ...(request.method === 'GET' ? [] : [`method: ${quote(request.method)},`]),
    `headers: { authorization: ${authorization}${type} },`,
    ...(request.body ? [`body: ${quote(request.body)},`] : []),
  ];
  return `{\n${lines.map((line) => `  ${line}\n`).join('')}}`;
}

const targetOf = ({ request: { path, query } }: LoggedRequest) => path + (query === '' ? '' : `?${query}`);

export function fetchOf(record: LoggedRequest, origin: string, keys: readonly string[]): string {
  const key = wholeKey(record.key, keys);
  const authorization = key === undefined ? `\`Bearer \${process.env.CASA_API_KEY}\`` : quote(`Bearer ${key}`);
  return `const response = await fetch(${quote(origin + targetOf(record))}, ${initOf(record, authorization)});\n`;
}

/** JSON is a literal of JavaScript too. */
function literalOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return quote(text);
  }
}

/** A forced error is forced in the test too. */
export function testOf(record: LoggedRequest): string {
  const { request, response, operation, fault, blockedBy } = record;
  const isForced = operation !== null && (fault !== null || blockedBy !== null) && !response.bodyCut;
  const body = isForced ? `, body: ${literalOf(response.body ?? '')}` : '';
  const respond = `  casa.respond('${operation}', { status: ${response.status}${body} }, { times: 1 });\n`;
  const init = initOf(record, `\`Bearer \${casa.keys.good}\``).replaceAll('\n', '\n  ');
  return `import { casaTest } from 'casa-kit/vitest';
import { expect } from 'vitest';

casaTest(${quote(`${request.method} ${request.path} returns ${response.status}`)}, async ({ casa }) => {
${isForced ? respond : ''}  const response = await casa.fetch(${quote(targetOf(record))}, ${init});
  expect(response.status).toBe(${response.status});
});
`;
}
