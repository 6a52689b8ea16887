// Reads a response's body up to a maximum, compressed or not, also of endless bodies and gzip bombs.
import type { IncomingMessage } from 'node:http';
import zlib from 'node:zlib';
import type { Problem } from '../../exchange/exchange.ts';

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
    const { 'content-length': declared = '' } = incoming.headers;
    const size = /^\d{1,15}$/.test(declared) ? Math.min(bytesMax, Number(declared)) : usualBytes;
    let body: Buffer = Buffer.allocUnsafe(size);
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

function grown(body: Buffer, bytes: number): Buffer {
  const larger = Buffer.allocUnsafe(bytes);
  body.copy(larger);
  return larger;
}

type Decoder = (body: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** Each stops at the cap while it unpacks; the size that a header states is never believed. */
const decoders: Readonly<Record<string, Decoder | undefined>> = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  // Some servers omit the header of zlib, and clients accept both.
  deflate: (body, options) =>
    ((body[0] ?? 0) & 15) === 8 ? zlib.inflateSync(body, options) : zlib.inflateRawSync(body, options),
  br: zlib.brotliDecompressSync,
  // Node.js before 22.15 has none.
  zstd: zlib.zstdDecompressSync,
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
      decoded = decode(decoded, { maxOutputLength: bytesMax });
    } catch (error) {
      const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      const detail = tooLarge ? `the body unpacks to over ${bytesMax} bytes` : `the body is not valid ${encoding}`;
      return { body: Buffer.alloc(0), problem: tooLarge ? 'too-large' : 'bad-encoding', detail };
    }
  }
  return { body: decoded, problem: 'none', detail: null };
}
