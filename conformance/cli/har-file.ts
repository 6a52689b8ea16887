// The file of `conformance har`: a HAR, also compressed, or an archive with a HAR and the bodies that it names.
// Playwright writes both: `har.har` and its bodies in a .zip file, or next to each other in a folder.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { readNamedBytes, textOf } from '../../src/terminal/file-trouble.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { HarSource } from '../driver/har.ts';

const bytesMax = 200_000_000;

/** Throws a UsageError of one sentence. */
export function openHar(file: string): HarSource {
  const bytes = readNamedBytes(file);
  const start = bytes.toString('latin1', 0, 4);
  if (start === 'PK\x03\x04') return inArchive(bytes, file);
  const text = start.startsWith('\x1f\x8b')
    ? attempt(file, () => gunzipSync(bytes, { maxOutputLength: bytesMax }))
    : bytes;
  return { file, text: textOf(text), attached: (name, max) => besideFile(dirname(file), name, max) };
}

/** A name that leads out of the folder, also through a link, is as good as missing. */
function besideFile(folder: string, name: string, max: number): Buffer | null {
  try {
    const path = realpathSync(join(folder, name));
    const found = statSync(path);
    const isInside = path.startsWith(`${realpathSync(folder)}${sep}`);
    return isInside && found.isFile() && found.size <= max ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

function inArchive(bytes: Buffer, file: string): HarSource {
  const entries = attempt(file, () => entriesOf(bytes));
  const names = [...entries.keys()].filter((name) => /\.har$/i.test(name));
  const own = entries.has('har.har') ? 'har.har' : names[0];
  const entry = entries.get(own ?? '');
  if (own === undefined || entry === undefined || (own !== 'har.har' && names.length > 1))
    throw new UsageError(`${file} has ${names.length} HAR files, and must have one.`);
  const folder = own.slice(0, own.lastIndexOf('/') + 1);
  return {
    file,
    text: textOf(attempt(file, () => contentOf(bytes, entry, bytesMax))),
    attached(name, max) {
      const found = entries.get(`${folder}${name}`);
      try {
        return found === undefined ? null : contentOf(bytes, found, max);
      } catch {
        return null;
      }
    },
  };
}

function attempt<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new UsageError(`${file} is an archive that cannot be read: unpack it, and name the HAR file inside.`);
  }
}

// ZIP archives as APPNOTE.TXT describes them, without encryption and ZIP64. Every number in one can be wrong; reading
// past the end throws a RangeError.

interface ZipEntry {
  readonly method: number;
  readonly packedBytes: number;
  /** Of the local header. */
  readonly offset: number;
}

const endBytes = 22;
const commentBytesMax = 65_535;

function entriesOf(bytes: Buffer): Map<string, ZipEntry> {
  const tail = Math.max(0, bytes.length - endBytes - commentBytesMax);
  const found = bytes.subarray(tail).lastIndexOf('PK\x05\x06');
  if (found === -1) throw new RangeError('no end');
  const end = tail + found;
  const entries = new Map<string, ZipEntry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw new RangeError('no directory');
    const [nameBytes = 0, extraBytes = 0, commentBytes = 0] = [28, 30, 32].map((place) =>
      bytes.readUInt16LE(at + place),
    );
    const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes);
    entries.set(name, {
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

/** Throws for a content that is larger, encrypted, or packed in another way. */
function contentOf(bytes: Buffer, { method, packedBytes, offset }: ZipEntry, max: number): Buffer {
  const from = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const packed = bytes.subarray(from, from + packedBytes);
  const isEncrypted = (bytes.readUInt16LE(offset + 6) & 1) === 1;
  if (isEncrypted || packed.length < packedBytes) throw new RangeError('encrypted, or cut off');
  if (method === 8) return inflateRawSync(packed, { maxOutputLength: max });
  if (method !== 0 || packed.length > max) throw new RangeError('another method, or too large');
  return packed;
}
