// The body of a recorded response. A recorder can write it as text, in base64, compressed, in a separate file, or not
// at all; a body that cannot be read is inconclusive and never a failure.
import { isUtf8 } from 'node:buffer';
import { isObject, type Problem } from '../exchange/exchange.ts';
import { decodeBody as decodeText, readJson } from '../exchange/read-json.ts';
import { decodeBody as unpack } from './wire/body.ts';
import { usualBodyBytesMax } from './wire/http.ts';

/** Returns the bytes of a file that belongs to the recording, and null if it is missing or larger. */
export type Attached = (name: string, bytesMax: number) => Buffer | null;

export interface RecordedBody {
  readonly text: string;
  readonly json: unknown;
  readonly problem: Problem;
  readonly detail: string | null;
}

/** A response of a HAR, whose fields can have any type. */
export interface RecordedResponse {
  readonly content: unknown;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Files and unpacked bodies of one recording, so a small file cannot fill the memory. */
const bytesInAllMax = 200_000_000;

export function bodyReader(attached: Attached, inAllMax = bytesInAllMax): (response: RecordedResponse) => RecordedBody {
  let bytesLeft = inAllMax;
  const bytesMax = () => Math.min(usualBodyBytesMax, bytesLeft);
  const unpacked = (bytes: Buffer, headers: RecordedResponse['headers']): Buffer | RecordedBody => {
    const { body, problem, detail } = unpack(bytes, headers, Math.max(1, bytesMax()));
    bytesLeft -= problem === 'too-large' ? bytesMax() : body.byteLength;
    if (problem === 'none' && isReadable(body, {})) return body;
    return without(problem === 'too-large' ? problem : 'truncated', detail ?? unreadable);
  };
  return ({ content, headers }) => {
    if (!isObject(content)) return without('truncated', missing);
    const { _file: file, text } = content;
    let bytes: Buffer | null = null;
    if (typeof text === 'string') bytes = bytesOf(text, content.encoding);
    else if (typeof file === 'string') {
      bytes = attached(file, bytesMax());
      if (bytes === null) return without('truncated', `the recording lacks its file ${file}`);
      bytesLeft -= bytes.byteLength;
    }
    const isEmptied = bytes?.byteLength === 0 && statedBytes(content, headers) > 0;
    if (bytes === null || isEmptied) return without('truncated', missing);
    if (!isReadable(bytes, headers) && readJson(bytes.toString('utf8')).problem !== 'none') {
      const whole = unpacked(packedBytes(bytes), headers);
      if (!Buffer.isBuffer(whole)) return whole;
      bytes = whole;
    }
    return read(bytes, content);
  };
}

const missing = 'the recording does not hold the body';
const unreadable = 'the recording holds the body in a form that cannot be read';

function without(problem: Problem, detail: string): RecordedBody {
  return { text: '', json: undefined, problem, detail };
}

/** Firefox labels plain text as base64. */
function bytesOf(text: string, encoding: unknown): Buffer {
  const isBase64 = String(encoding ?? '').toLowerCase() === 'base64' && /^[\w+/\s-]*={0,2}\s*$/.test(text);
  const bytes = isBase64 ? Buffer.from(text, 'base64') : Buffer.from(text);
  // `true` and `null` have the alphabet of base64 too.
  return isBase64 && !isUtf8(bytes) && readJson(text).problem === 'none' ? Buffer.from(text) : bytes;
}

/** Whether it is text, and so not compressed. An invalid control character within JSON is a finding. */
function isReadable(bytes: Buffer, headers: RecordedResponse['headers']): boolean {
  if (!isUtf8(bytes)) return false;
  const text = bytes.toString('utf8');
  const isOurs = headers['content-encoding'] === undefined && /^\s*[[{]/.test(text);
  return !(isOurs ? /\ufffd/ : /\ufffd|(?!\s)\p{Cc}/u).test(text);
}

/** Some recorders write each byte as one character. */
function packedBytes(bytes: Buffer): Buffer {
  const packed = Buffer.from(bytes.toString('utf8'), 'latin1');
  return packed.toString('latin1') === bytes.toString('utf8') ? packed : bytes;
}

/** The size before the recorder cut the body; 0 if it is unknown. */
function statedBytes({ size }: Readonly<Record<string, unknown>>, headers: RecordedResponse['headers']): number {
  return Math.max(0, Number(size) || 0, Number(headers['content-length']) || 0);
}

function read(bytes: Buffer, content: Readonly<Record<string, unknown>>): RecordedBody {
  const { text, fault } = decodeText(bytes);
  const { json, problem, detail } = readJson(text);
  // Recorders cut long bodies.
  const isCut = problem === 'not-json' && /^\s*[[{]/.test(text) && statedBytes(content, {}) > bytes.byteLength;
  if (isCut) return without('truncated', 'the recording holds only the beginning of the body');
  return { text, json, problem, detail: problem === 'none' ? fault : detail };
}
