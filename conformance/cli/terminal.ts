// The other end of the process: a person's terminal, a log, or another program.
import { wantsColour } from '../../src/terminal/paint.ts';
import type { Io } from './io.ts';

/** Decided once: each stream by itself, since one of them may be a file. */
export function terminalOf({
  stdout,
  stderr,
  env,
}: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>): Pick<Io, 'err' | 'hasColour' | 'columns'> {
  const isDumb = env.TERM === 'dumb';
  return {
    err: {
      // A log of CI keeps every version of a line that is written over.
      isTty: stderr.isTTY === true && !env.CI && !isDumb,
      columns: stderr.columns || 80,
      write: (text) => stderr.write(text),
    },
    ...(stdout.isTTY && !isDumb ? { columns: stdout.columns || 80 } : {}),
    hasColour: wantsColour(env, stdout.isTTY === true),
  };
}
