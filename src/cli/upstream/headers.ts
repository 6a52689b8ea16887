// Which headers go on: all but those that belong to one connection, to the mock, or to the browser's view of it.

/** RFC 9110, 7.6.1: they end at each station. `Connection` names further ones. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The wire writes its own of these, or they are about the mock: its key, its cookies, the page that it serves. */
const ofTheMock = [
  'host',
  'content-length',
  'expect',
  'accept-encoding',
  'authorization',
  'cookie',
  'origin',
  'referer',
  'prefer',
  'forwarded',
];

/** The door of the mock writes lengths, encodings and CORS; cookies would be of another host. */
const ofTheAnswer = [
  'content-length',
  'content-encoding',
  'set-cookie',
  'alt-svc',
  'strict-transport-security',
  'vary',
];

/** Marks what a mock has forwarded, so that two mocks that name each other do not ask in a circle. */
export const forwardedHeader = 'x-casa-forwarded';

export function requestHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return without(headers, ofTheMock, /^(sec-|x-forwarded-|x-casa-|access-control-)/);
}

export function responseHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return without(headers, ofTheAnswer, /^access-control-/);
}

function without(
  headers: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
  form: RegExp,
): Record<string, string> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...hopByHop, ...names, ...named]);
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !dropped.has(name) && !form.test(name)) kept[name] = value;
  }
  return kept;
}

/** Without the parameters that speak to the mock (`__code`, `__delay`), and otherwise to the letter. */
export function targetQuery(query: string): string {
  if (!query.includes('__')) return query;
  return query
    .split('&')
    .filter((pair) => !/^__(code|example|delay)(=|$)/.test(pair))
    .join('&');
}
