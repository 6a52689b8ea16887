// Errors of the file system in words, and the exit code that they mean.

/** A save file that cannot be used; its message is one sentence for the user. */
export class SaveFileError extends Error {}

/** A full or broken disk; its message is one sentence for the user. */
export class SaveDiskError extends Error {}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EFBIG: 'the file would be larger than allowed here',
  EIO: 'the disk reports an error (EIO)',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EROFS: 'the file system is read-only',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  ENAMETOOLONG: 'its name is too long',
  EBUSY: 'the system is using it (EBUSY)',
  ESTALE: 'another program moved, removed or changed it; restart casa mock',
};

const diskCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE']);

/** An error as the file system throws it. */
export function errorOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Returns the end of a sentence, without its dot. */
export function reasonOf(error: unknown): string {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? error);
  return reasons[code] ?? `the system reports ${code}`;
}

/** Returns the error for the user instead of one of the file system; other errors are returned unchanged. */
export function toSaveError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const sentence = `${path} cannot be written: ${reasonOf(error)}.`;
  return diskCodes.has(code) ? new SaveDiskError(sentence) : new SaveFileError(sentence);
}
