// One line of a save file: JSON and a checksum of it, `{"change":…} #1a2b3c4d`. The checksum tells half a line, and one
// that somebody changed, from one of ours. A line without one is somebody else's, or an older version's: it is read,
// and looked at closely.
import { crc32 } from 'node:zlib';

/** What a line turns out to be; only `sealed` and `bare` hold something. */
export type Line =
  /** `sealed`: the checksum is there and right. */
  | { readonly kind: 'sealed' | 'bare'; readonly value: Readonly<Record<string, unknown>> }
  /** `altered`: the JSON is whole, and its checksum is another one's. */
  | { readonly kind: 'blank' | 'altered' | 'unreadable' };

const sealBytes = ' #1a2b3c4d'.length;

/** A record as a line, its end included. */
export function toLine(record: object): string {
  return seal(JSON.stringify(record));
}

/** CRC-32 and not a signature: it is there against accidents, and the user may edit the file. */
export function seal(json: string): string {
  return `${json} #${crc32(json).toString(16).padStart(8, '0')}\n`;
}

/** Reads a line, given without its end. */
export function readLine(bytes: Buffer): Line {
  const line = trim(bytes);
  if (line.length === 0) return { kind: 'blank' };
  const tail = line.toString('latin1', line.length - sealBytes);
  if (!/^ #[0-9a-f]{8}$/.test(tail)) return parse(line, 'bare');
  const json = line.subarray(0, line.length - sealBytes);
  const read = parse(json, 'sealed');
  if (read.kind !== 'sealed' || crc32(json) === Number.parseInt(tail.slice(2), 16)) return read;
  return { kind: 'altered' };
}

// Editors put a byte order mark at the start, carriage returns and blanks at ends.
function trim(bytes: Buffer): Buffer {
  const start = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let end = bytes.length;
  while (end > start && isBlank(bytes[end - 1] as number)) end -= 1;
  return bytes.subarray(start, end);
}

/** Blank, carriage return and tab. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09;
}

/** Only objects: a bare number or text is not a line of ours. */
function parse(bytes: Buffer, kind: 'sealed' | 'bare'): Line {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return { kind: 'unreadable' };
    return { kind, value: value as Readonly<Record<string, unknown>> };
  } catch {
    return { kind: 'unreadable' };
  }
}
