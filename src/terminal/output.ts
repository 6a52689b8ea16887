// Where a command writes.
import { count } from './count.ts';

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
