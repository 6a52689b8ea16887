// Errors of the file system for a file that the user named, in words.
import { readFileSync, statSync } from 'node:fs';
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
};

/** The kind of a file that a command must not write to: the end of a sentence. */
export class NotOurs extends Error {}

/** The text of a file that the user named. Throws a UsageError that begins with `name`. */
export function readNamed(name: string, file = name, bytesMax = usualBytesMax): string {
  let text = null;
  try {
    if (statSync(file).size <= bytesMax) text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${name} ${whyUnreadable(error)}.`);
  }
  if (text !== null) return text;
  throw new UsageError(`${name} is too large to be read: the maximum is ${count(bytesMax, 'byte')}.`);
}

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
