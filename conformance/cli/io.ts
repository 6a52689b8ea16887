// The process as the command sees it.
import type { KitClock } from '../pace/clock.ts';
import type { ProgressOutput } from '../reporters/progress.ts';

/** The process as the command sees it, so that a test can be one. */
export interface Io {
  readonly out: (text: string) => void;
  /** Progress and mistakes. */
  readonly err: ProgressOutput;
  readonly hasColour: boolean;
  /** The width of the terminal that `out` goes to; absent where it goes to a file or a program. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** The clock of a run; that of the machine when absent. */
  readonly clock?: KitClock;
  /** The working folder, where a config file may lie; that of the process when absent. */
  readonly folder?: string;
}

/** The config file that asked for a run, for reports that are placed in a repository. */
export interface Asked extends Io {
  readonly configFile?: string | undefined;
  /** The result is a profile, and further requests are sent for it. */
  readonly calibrates?: boolean;
  /** The target is an MCP door, which is judged by itself. */
  readonly isOfDoor?: boolean;
}
