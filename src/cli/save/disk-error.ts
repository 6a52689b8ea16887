// What the file system says, in words, and whose it is to mend.

/** A save file that cannot be used; its message is one sentence for the user. */
export class SaveFileError extends Error {}

/** The machine's trouble and not the user's: a full or broken disk. One sentence as well. */
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
  ELOOP: 'its symbolic links lead in a circle',
  EISDIR: 'it is a folder, not a file',
  EBUSY: 'something else holds it (EBUSY)',
};

const machineCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE']);

/** Anything may be thrown; what has no code is shown as text. */
export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? error);
}

/** The end of a sentence, without its dot. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return reasons[code] ?? `the system says ${code}`;
}

/** For the start: what the user reads instead of an error of the file system. Other errors stay what they are. */
export function toSaveError(path: string, error: unknown): unknown {
  if (error instanceof SaveFileError || error instanceof SaveDiskError) return error;
  const code = codeOf(error);
  if (!(error instanceof Error) || !/^E[A-Z0-9]+$/.test(code)) return error;
  const sentence = `${path} cannot be written: ${reasonOf(error)}.`;
  return machineCodes.has(code) ? new SaveDiskError(sentence) : new SaveFileError(sentence);
}
