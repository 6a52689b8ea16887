// The two ways in which a check ends before its last line. Both are caught by the run, and neither is a failure of the
// target.
import type { InconclusiveReason } from '../judge/result.ts';

/** Ends a check early as inconclusive. Its findings so far are kept. */
export class Stop extends Error {
  readonly reason: InconclusiveReason;
  constructor(reason: InconclusiveReason, message: string) {
    super(message);
    this.name = 'Stop';
    this.reason = reason;
  }
}

/** The network or the kit failed, not the contract. */
export class NoResponse extends Error {}
