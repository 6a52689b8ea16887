// A reporter turns a finished run into text.
import type { Outcome } from './outcome.ts';
import type { Report } from './report.ts';

/** Turns a finished run into text for a file: a pure function. */
export interface Reporter {
  /** As named after `--report`. */
  readonly kind: string;
  render(report: Report, outcome: Outcome): string;
}
