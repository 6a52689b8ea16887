// The other end of the process: a person's terminal, a log, or another program.
import type { Io } from './command.ts';

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
    hasColour: wantsColour(env) ?? (stdout.isTTY === true && !isDumb),
  };
}

/** https://no-color.org: present and not empty; it is stronger than FORCE_COLOR. */
function wantsColour(env: NodeJS.ProcessEnv): boolean | null {
  if (env.NO_COLOR) return false;
  return env.FORCE_COLOR === undefined ? null : env.FORCE_COLOR !== '0';
}
