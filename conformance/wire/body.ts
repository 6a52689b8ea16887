// Reads a response's body up to a maximum, compressed or not, also of endless bodies and gzip bombs.

import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { isObject, type Problem } from '../exchange/exchange.ts';
import { jsonValuesMax, readJson } from '../exchange/read-json.ts';

/** The data that was read, also of a cut body: its head is still useful. */
export interface Collected {
  readonly body: Buffer;
  readonly problem: Problem;
  readonly detail: string | null;
}

/** Reads to the end, or until `isOver` returns true for a piece. */
export function collectBody(
  incoming: IncomingMessage,
  bytesMax: number,
  isOver: (piece: Buffer) => boolean = () => false,
): Promise<Collected> {
  return new Promise((resolve) => {
    // As large as the response states, or grown on arrival: pieces in a list would double the memory.
    let body: Buffer = Buffer.allocUnsafe(sizeFor(incoming.headers['content-length'], bytesMax));
    let [bytes, kept] = [0, 0];
    const finish = (problem: Problem, detail: string | null) => {
      resolve({ body: body.subarray(0, kept), problem, detail });
    };
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= bytesMax) {
        if (bytes > body.byteLength) body = grown(body.subarray(0, kept), Math.min(bytesMax, 2 * bytes));
        chunk.copy(body, kept);
        kept = bytes;
        if (!isOver(chunk)) return;
        finish('none', null);
        incoming.destroy();
        return;
      }
      finish('too-large', `the body is over ${bytesMax} bytes, reading stopped there`);
      incoming.destroy();
    });
    incoming.on('end', () => {
      if (incoming.complete) finish('none', null);
      else finish('truncated', 'the connection closed in the middle of the body');
    });
    incoming.on('error', (error) => finish('truncated', `the body is incomplete: ${error.message}`));
    incoming.on('close', () => finish('truncated', 'the connection closed in the middle of the body'));
  });
}

const usualBytes = 4096;

function sizeFor(declared: string | undefined, bytesMax: number): number {
  return /^\d{1,15}$/.test(declared ?? '') ? Math.min(bytesMax, Number(declared)) : usualBytes;
}

function grown(body: Buffer, bytes: number): Buffer {
  const larger = Buffer.allocUnsafe(bytes);
  body.copy(larger);
  return larger;
}

/** Each stops at the cap while it unpacks; the size that a header states is never believed. */
const decoders: Readonly<Record<string, (body: Buffer, bytesMax: number) => Buffer>> = {
  gzip: (body, maxOutputLength) => gunzipSync(body, { maxOutputLength }),
  'x-gzip': (body, maxOutputLength) => gunzipSync(body, { maxOutputLength }),
  deflate: (body, maxOutputLength) => inflateSync(body, { maxOutputLength }),
  br: (body, maxOutputLength) => brotliDecompressSync(body, { maxOutputLength }),
};

/** The suite requests `identity`; a server can still compress. */
export function decodeBody(body: Buffer, headers: Readonly<Record<string, string>>, bytesMax: number): Collected {
  let decoded = body;
  const encodings = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  for (const encoding of encodings.map((name) => name.trim()).reverse()) {
    if (encoding === '' || encoding === 'identity' || decoded.byteLength === 0) continue;
    const decode = decoders[encoding];
    if (!decode) return { body: decoded, problem: 'bad-encoding', detail: `unknown content-encoding "${encoding}"` };
    try {
      decoded = decode(decoded, bytesMax);
    } catch (error) {
      const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      const detail = tooLarge ? `the body unpacks to over ${bytesMax} bytes` : `the body is not valid ${encoding}`;
      return { body: Buffer.alloc(0), problem: tooLarge ? 'too-large' : 'bad-encoding', detail };
    }
  }
  return { body: decoded, problem: 'none', detail: null };
}

// JSON-RPC messages in the responses of the MCP endpoint, which may come as a JSON body or as a stream of events.

/** A JSON-RPC response: a result or an error. */
export type Response = Readonly<Record<string, unknown>>;

/** Parameters such as a charset may follow the type. */
export function isEventStream(contentType: string | undefined): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(contentType ?? '');
}

/** The first response in a stream of events; undefined if there is no response. */
export function responseIn(stream: string): Response | undefined {
  return readEvents(stream, jsonValuesMax).response;
}

/** The same, with the number of values that were read on the way; an event with more than `valuesMax` holds none. */
export function readEvents(stream: string, valuesMax: number): { response: Response | undefined; values: number } {
  let values = 0;
  for (const event of stream.split(/\r\n\r\n|\n\n|\r\r/)) {
    const read = readJson(dataOf(event), valuesMax);
    values += read.values;
    const response = responseOf(read.json);
    if (response !== undefined) return { response, values };
  }
  return { response: undefined, values };
}

/** The response of a JSON body, alone or in a batch. */
export function responseOf(json: unknown): Response | undefined {
  return (Array.isArray(json) ? json : [json]).find(isResponse);
}

const blanks = ['\n\n', '\r\n\r\n', '\r\r'];
const blankCharactersMax = 3;

/** Reads a stream piece by piece, and reports when a response has arrived. */
export function watchForResponse(): (piece: Buffer) => boolean {
  const decoder = new TextDecoder();
  // The pieces of an event whose end has not come, joined only then: a stream may drip a few bytes at a time.
  let open: string[] = [];
  let tail = '';
  return (piece) => {
    const text = decoder.decode(piece, { stream: true });
    open.push(text);
    const joint = tail + text;
    tail = joint.slice(-blankCharactersMax);
    if (!blanks.some((blank) => joint.includes(blank))) return false;
    const events = open.join('');
    const end = Math.max(...blanks.map((blank) => events.lastIndexOf(blank)));
    open = [events.slice(end)];
    return responseIn(events.slice(0, end)) !== undefined;
  };
}

/** By the rules of server-sent events: several `data:` lines are one text, without one space after the colon. */
function dataOf(event: string): string {
  return event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n');
}

/** Notifications and requests of the server pass by; a response has one of two fields. */
function isResponse(message: unknown): message is Response {
  return isObject(message) && (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'));
}
