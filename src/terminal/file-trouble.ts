// Errors of the file system for a file that the user named, in words.
import { closeSync, openSync, readSync } from 'node:fs';
import { count } from './count.ts';
import { UsageError } from './usage-error.ts';

const common: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder, not a file',
  ELOOP: 'is a symbolic link that leads in a circle',
  ENAMETOOLONG: 'has a name that is too long',
};

const reading: Readonly<Record<string, string>> = {
  ...common,
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is a file, not a folder',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
};

const writing: Readonly<Record<string, string>> = {
  ...common,
  ENOENT: 'cannot be written: its folder does not exist',
  ENOTDIR: 'cannot be written: a part of its path is a file, not a folder',
  EEXIST: 'cannot be written: a part of its path is a file, not a folder',
  EACCES: 'may not be written by this user',
  EPERM: 'may not be written by this user',
  EROFS: 'cannot be written: the file system is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the disk quota of this user is used up',
  EFBIG: 'cannot be written: the file is too large',
};

/** The kind of a file that a command must not write to: the end of a sentence. */
export class NotOurs extends Error {}

/** The text of a file that the user named, in UTF-8 or UTF-16. Throws a UsageError that begins with `name`. */
export function readNamed(name: string, file = name, bytesMax = usualBytesMax): string {
  return textOf(readNamedBytes(name, file, bytesMax));
}

/** Without a byte order mark, which editors and PowerShell write. */
export function textOf(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2);
  const order = mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(order).decode(bytes);
}

/** Reads in pieces, because a pipe or a device has no size. */
export function readNamedBytes(name: string, file = name, bytesMax = usualBytesMax): Buffer {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    const handle = openSync(file, 'r');
    try {
      while (bytes <= bytesMax) {
        const piece = Buffer.allocUnsafe(pieceBytes);
        const read = readSync(handle, piece);
        if (read === 0) return Buffer.concat(pieces, bytes);
        pieces.push(piece.subarray(0, read));
        bytes += read;
      }
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new UsageError(`${name} ${whyUnreadable(error)}.`);
  }
  throw new UsageError(`${name} is too large to be read: the maximum is ${count(bytesMax, 'byte')}.`);
}

const pieceBytes = 1_000_000;
const usualBytesMax = 200_000_000;

/** The end of a sentence that begins with the file's name, without its dot. */
export function whyUnreadable(error: unknown): string {
  const code = codeOf(error);
  return reading[code] ?? `cannot be read (${code})`;
}

/** The same of a file or a folder that was to be written. */
export function whyUnwritable(error: unknown): string {
  if (error instanceof NotOurs) return error.message;
  const code = codeOf(error);
  return writing[code] ?? `cannot be written (${code})`;
}

/** Anything may be thrown; what has no code is shown as text. */
function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? error);
}
