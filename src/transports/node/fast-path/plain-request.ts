// Reads a request from the bytes of one read, if it is complete and plain. This is not an HTTP parser: it accepts only
// requests that every parser reads alike, and leaves the rest to node's.

/** The used fields of node's request, with the body. */
export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null when absent. */
  readonly body: Uint8Array | null;
}

/** Heads of programs have a few hundred bytes, those of browsers a thousand or two. */
const headBytesMax = 4_096;

const requestLine = /^(GET|POST) (\/[\w\-.~%/?&=:+,;@!$'()*]*) HTTP\/1\.1$/;
/**
 * Printable ASCII, each line ended by CRLF, no blank before a colon, at most one before a value and none after it, no
 * tab, no folded line, only letters, digits and hyphens in a name: parsers differ in the rest.
 */
const headerLines = /^(?:[A-Za-z\d-]+: ?(?:[!-~]+(?: +[!-~]+)*)?\r\n)+$/;
const bodyLength = /^(?:0|[1-9]\d{0,7})$/;

/** Headers that change what follows. */
const headersLeft: ReadonlySet<string> = new Set([
  'expect',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Its value is remembered, so it must not be a part of the head, which would stay in memory with it. */
const remembered = 'x-forwarded-for';

/** Returns null for other input: a part of a request or more than one, a repeated header, anything unusual. */
export function readPlain(bytes: Buffer): PlainRequest | null {
  const text = bytes.toString('latin1', 0, headBytesMax);
  const lines = text.indexOf('\r\n') + 2;
  const end = text.indexOf('\r\n\r\n') + 2;
  const [, method, url] = requestLine.exec(text.slice(0, Math.max(0, lines - 2))) ?? [];
  if (method === undefined || url === undefined || end < lines) return null;
  const headers = readHeaders(text.slice(lines, end));
  if (headers?.host === undefined) return null;
  const { connection, 'content-length': length = '0' } = headers;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return null;
  if (!bodyLength.test(length) || bytes.length !== end + 2 + Number(length)) return null;
  return { method, url, headers, body: length === '0' ? null : bytes.subarray(end + 2) };
}

function readHeaders(lines: string): Record<string, string> | null {
  if (!headerLines.test(lines)) return null;
  const headers: Record<string, string> = {};
  for (let at = 0; at < lines.length; ) {
    const colon = lines.indexOf(':', at);
    const end = lines.indexOf('\r\n', colon);
    const name = lines.slice(at, colon).toLowerCase();
    // Given twice, or a name that every object has.
    if (headers[name] !== undefined || headersLeft.has(name)) return null;
    const value = lines.slice(lines.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1, end);
    headers[name] = name === remembered ? Buffer.from(value, 'latin1').toString('latin1') : value;
    at = end + 2;
  }
  return headers;
}
