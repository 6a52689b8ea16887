// What a run tells while it goes on.
import type { Check, CheckResult } from './check.ts';
import type { Exchange } from './exchange.ts';
import type { Outcome } from './outcome.ts';
import type { Plan, Step } from './plan.ts';
import type { Abort, Report } from './report.ts';

export type RunEvent =
  | { readonly kind: 'plan'; readonly plan: Plan; readonly steps: readonly Step[]; readonly target: string }
  | { readonly kind: 'preflight'; readonly abort: Abort | null }
  | { readonly kind: 'check-start'; readonly check: Check; readonly index: number; readonly total: number }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'waiting'; readonly ms: number; readonly why: string }
  | { readonly kind: 'announce'; readonly text: string }
  | { readonly kind: 'check-end'; readonly result: CheckResult; readonly index: number; readonly total: number }
  | { readonly kind: 'done'; readonly report: Report };

/** Turns a finished run into text for a file: a pure function. */
export interface Reporter {
  /** As named after `--report`. */
  readonly kind: string;
  render(report: Report, outcome: Outcome): string;
}
