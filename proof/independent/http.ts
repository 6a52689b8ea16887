// Bytes in and out, without a framework, so every header and every chunk is the variant's choice.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Head, HttpResponse, PlainReply, Upload } from './types.ts';
import type { Variant } from './variants.ts';

/** Cites 8.body-rest. */
export const bodyCap = 2_500_000;
const drainMax = 64 * 1024 * 1024;

/** Reads the whole body, keeps at most `keep` bytes, and stops at a far larger bound. */
export function readUpload(request: IncomingMessage, keep: number): Promise<Upload> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (gone: boolean, endless: boolean): void => {
      request.removeAllListeners('data');
      resolve({ bytes: Buffer.concat(chunks), size, gone, endless });
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= keep) chunks.push(chunk);
      else chunks.length = 0;
      if (size > drainMax) {
        request.pause();
        finish(false, true);
      }
    });
    request.on('end', () => finish(false, false));
    request.on('error', () => finish(true, false));
    request.on('close', () => finish(!request.complete, false));
  });
}

/** Field order means nothing in JSON. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, reversed(field)]),
  );
}

/** Legal escapes that few serializers write. */
function escaped(text: string): string {
  return text
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');
}

/** Equal as a value in each of its spellings. */
export function encodeJson(value: unknown, variant: Variant): string {
  const ordered = variant.fieldOrder === 'reversed' ? reversed(value) : value;
  if (variant.json === 'airy') return `\r\n${JSON.stringify(ordered, null, '\t').replaceAll('\n', '\r\n')}\r\n`;
  const text = JSON.stringify(ordered);
  return variant.json === 'escaped' ? escaped(text) : text;
}

/** Names of headers have no case. */
export function cased(name: string, variant: Variant): string {
  if (variant.headerCase === 'lower') return name.toLowerCase();
  return variant.headerCase === 'upper' ? name.toUpperCase() : name;
}

/** One response with everything that is put on it last. */
export interface Outgoing {
  response: HttpResponse;
  headers: Record<string, string>;
  at: number;
  variant: Variant;
  close: boolean;
}

/** A `q=0` means no. */
function takesGzip(request: Head): boolean {
  return /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/i.test(String(request.headers['accept-encoding'] ?? ''));
}

/** Type, date, limits, length or chunks: everything of one response but the way it is written. */
export function rendered(request: Head, { response: apiResponse, headers, at, variant, close }: Outgoing): PlainReply {
  const plain = Buffer.from(apiResponse.text ?? encodeJson(apiResponse.body, variant), 'utf8');
  const zip = variant.gzip && takesGzip(request);
  const bytes = zip ? gzipSync(plain) : plain;
  const usual = apiResponse.status >= 400 ? variant.errorContentType : variant.contentType;
  const { contentType = usual } = apiResponse;
  const all: Record<string, string> = {
    Date: new Date(at).toUTCString(),
    ...(contentType === null ? {} : { 'Content-Type': contentType }),
    ...(zip ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } : {}),
    ...(variant.transfer === 'length' && apiResponse.stays !== true ? { 'Content-Length': String(bytes.length) } : {}),
    ...(variant.connection === 'close' || close ? { Connection: 'close' } : {}),
    ...headers,
  };
  return { status: apiResponse.status, headers: all, bytes };
}

/** Nothing here fails when the client has gone. */
export function send(request: IncomingMessage, response: ServerResponse, outgoing: Outgoing): void {
  const { response: apiResponse, variant } = outgoing;
  if (response.headersSent || response.destroyed) return;
  const { status, headers, bytes } = rendered(request, outgoing);
  response.sendDate = false;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(cased(name, variant), value);
  const half = variant.transfer === 'chunked' ? Math.floor(bytes.length / 2) : null;
  if (request.method === 'HEAD') response.end();
  else if (apiResponse.stays === true) response.write(bytes);
  else {
    if (half !== null) response.write(bytes.subarray(0, half));
    response.end(bytes.subarray(half ?? 0));
  }
}

/** The response to a connection whose bytes are not an HTTP request. */
export function rawRejection(at: number): string {
  const body = '{"error":{"code":"invalid_input","message":"not an HTTP request"}}';
  const head = ['HTTP/1.1 400 Bad Request', `Date: ${new Date(at).toUTCString()}`, 'Content-Type: application/json'];
  return [...head, `Content-Length: ${body.length}`, 'Connection: close', '', body].join('\r\n');
}
