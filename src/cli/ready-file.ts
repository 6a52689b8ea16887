// `--ready-file`: where the mock listens, for scripts that start it. A request to the port might reach another process.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { whyUnwritable } from '../terminal/file-trouble.ts';
import { UsageError } from '../terminal/usage-error.ts';

export interface ReadyFile {
  /** The file appears whole. Returns a sentence where it cannot. */
  announce(url: string): string | null;
  /** Removes the file unless another mock has taken its place. */
  withdraw(): void;
}

/** Removes what a killed mock left. Throws a `UsageError` for a file that is not ours, or cannot be written. */
export function openReadyFile(path: string): ReadyFile {
  const draft = `${path}.${process.pid}`;
  if (pidIn(path) === null)
    throw new UsageError(`--ready-file: ${path} is another file; name one that may be replaced.`);
  try {
    rmSync(path, { force: true });
    writeFileSync(draft, '', { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`--ready-file: ${path} ${whyUnwritable(error)}.`);
  }
  return {
    announce(url) {
      try {
        writeFileSync(draft, `${JSON.stringify({ url, pid: process.pid })}\n`);
        renameSync(draft, path);
        return null;
      } catch (error) {
        return `--ready-file: ${path} ${whyUnwritable(error)}.`;
      }
    },
    withdraw() {
      rmSync(draft, { force: true });
      if (pidIn(path) === process.pid) rmSync(path, { force: true });
    },
  };
}

/** Of the mock that wrote the file; 0 without a file, null for another kind of file. */
function pidIn(path: string): number | null {
  try {
    const { url, pid } = JSON.parse(readFileSync(path, 'utf8')) as { url?: unknown; pid?: unknown };
    return typeof url === 'string' && typeof pid === 'number' ? pid : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 0 : null;
  }
}
