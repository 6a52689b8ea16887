// A reporter turns a finished run into text.
import type { Outcome } from './outcome.ts';
import type { Report } from './report.ts';

/** What `--report KIND=FILE` can write. */
export const reportKinds = ['json', 'junit', 'html', 'sarif', 'md', 'har'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** Turns a finished run into text for a file: a pure function. */
export interface Reporter {
  /** As named after `--report`. */
  readonly kind: ReportKind;
  /** Matches the beginning of what `render` makes: only such a file is replaced. */
  readonly start: RegExp;
  render(report: Report, outcome: Outcome): string;
}
