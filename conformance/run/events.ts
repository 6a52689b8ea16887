// The events of a run while it goes on.

import type { Exchange } from '../exchange/exchange.ts';
import type { CheckResult } from '../judge/verdict.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Check } from '../probe/check.ts';
import type { Abort, Report } from '../report/report.ts';

/**
 * What a progress display or a caller may follow. An exchange in it is as it was, keys included; results and the report
 * are redacted.
 */
export type RunEvent =
  | { readonly kind: 'plan'; readonly plan: Plan; readonly steps: readonly Step[]; readonly target: string }
  | { readonly kind: 'preflight'; readonly abort: Abort | null }
  | { readonly kind: 'check-start'; readonly check: Check; readonly index: number; readonly total: number }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'waiting'; readonly ms: number; readonly why: string }
  | { readonly kind: 'announce'; readonly text: string }
  | { readonly kind: 'check-end'; readonly result: CheckResult; readonly index: number; readonly total: number }
  | { readonly kind: 'done'; readonly report: Report };
