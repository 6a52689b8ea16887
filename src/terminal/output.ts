// Where a command writes.
import { count } from './count.ts';
import { whyUnwritable } from './file-trouble.ts';

export interface Output {
  write(text: string): void;
  error(text: string): void;
  /** Bytes that were written and not read yet, if known. */
  unread?(): number;
}

const unreadMax = 1024 * 1024;

/** A log that drops lines while its pipe is not read, and then prints their number. */
export function createLog(output: Output): (line: string) => void {
  let dropped = 0;
  return (line) => {
    if ((output.unread?.() ?? 0) > unreadMax) {
      dropped += 1;
      return;
    }
    if (dropped > 0)
      output.write(`         Dropped ${count(dropped, 'line')} of the log, because they were not read in time.\n`);
    dropped = 0;
    output.write(line);
  };
}

/** The exit code of a command whose output cannot be written, for example because the disk is full. */
export const outputLost = 4;

/** Ends the command in one sentence. `onClosed` is called if nobody reads the output, as after `| head`. */
export function endWithOutput(
  name: string,
  { stdout, stderr, exit }: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'exit'>,
  onClosed: () => void,
): void {
  // Without a place for messages, the exit code is all that is left.
  stderr.on('error', () => undefined);
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || (error.code === 'EIO' && stdout.isTTY)) return onClosed();
    stderr.write(`${name}: the standard output ${whyUnwritable(error)}.\n`);
    exit(outputLost);
  });
}
