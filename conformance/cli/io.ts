// The process as the command sees it.

import { wantsColour } from '../../src/terminal/paint.ts';
import type { RunOptions } from '../driver/options.ts';
import type { KitClock } from '../driver/pace/clock.ts';
import type { ExitCode, Report } from '../report/report.ts';
import type { ProgressOutput } from '../reporters/progress.ts';

export interface Io {
  readonly out: (text: string) => void;
  /** Progress and mistakes. */
  readonly err: ProgressOutput;
  readonly hasColor: boolean;
  /** The width of the terminal of `out`; absent for a file or a program. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** The clock of a run; that of the machine when absent. */
  readonly clock?: KitClock;
  /** The working folder, where a config file may lie; that of the process when absent. */
  readonly folder?: string;
}

/** The config file that started a run, for reports with paths in a repository. */
export interface CommandIo extends Io {
  readonly configFile?: string | undefined;
  /** The result is a profile, and further requests are sent for it. */
  readonly calibrates?: boolean;
  /** The target is an MCP endpoint, which is checked by itself. */
  readonly isOfMcpEndpoint?: boolean;
  /** The requests of a replay. */
  readonly requests?: Pick<RunOptions, 'asks' | 'readsFirst'>;
  /** Replaces the reports at the end of a run. */
  readonly end?: (report: Report) => ExitCode;
}

// The other end of the process: a person's terminal, a log, or another program.

/** Decided once: each stream by itself, since one of them may be a file. */
export function terminalOf({
  stdout,
  stderr,
  env,
}: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>): Pick<Io, 'err' | 'hasColor' | 'columns'> {
  const isDumb = env.TERM === 'dumb';
  return {
    err: {
      // A log of CI keeps every version of a line that is written over.
      isTty: stderr.isTTY === true && !env.CI && !isDumb,
      columns: stderr.columns || 80,
      write: (text) => stderr.write(text),
    },
    ...(stdout.isTTY && !isDumb ? { columns: stdout.columns || 80 } : {}),
    hasColor: wantsColour(env, stdout.isTTY === true),
  };
}
