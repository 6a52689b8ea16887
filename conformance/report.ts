// The result of a run as data; every reporter reads this and nothing else.
import { apiVersion } from '../src/contract/generated/operations.ts';
import type { BaselineOutcome } from './baseline.ts';
import type { CheckResult, VerdictKind } from './check.ts';
import type { ClauseCoverage } from './coverage.ts';
import type { Plan } from './plan.ts';
import type { StoredExchange } from './stored.ts';

export const toolName = 'casa-kit conformance';
export const contractVersion = apiVersion;

/** 0 ok, 1 contract failure, 2 usage, 3 nothing proven, 4 target unreachable or kit error. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

export interface Abort {
  readonly exitCode: ExitCode;
  /** One sentence for the user. */
  readonly sentence: string;
}

export interface Report {
  readonly tool: string;
  readonly contractVersion: string;
  readonly target: string;
  readonly runId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly plan: Plan;
  readonly used: { readonly requests: number; readonly seconds: number };
  readonly summary: Readonly<Record<VerdictKind, number>>;
  readonly checks: readonly CheckResult[];
  readonly coverage: readonly ClauseCoverage[];
  readonly exchanges: readonly StoredExchange[];
  /** Set when the run ended before its checks: preflight, or a stop by the user. */
  readonly abort: Abort | null;
  readonly keepsBodies: boolean;
}

export function summarize(checks: readonly CheckResult[]): Record<VerdictKind, number> {
  const summary: Record<VerdictKind, number> = {
    pass: 0,
    fail: 0,
    warn: 0,
    note: 0,
    inconclusive: 0,
    'not-applicable': 0,
    excluded: 0,
    error: 0,
  };
  for (const check of checks) summary[check.verdict.kind] += 1;
  return summary;
}

export interface ExitRules {
  /** Verdicts that count as failures beside `fail`. */
  readonly failOn: readonly VerdictKind[];
  readonly baseline: BaselineOutcome;
  /** Fewest clauses that must be proven, or a share of those a server can show. */
  readonly minProven: { readonly count: number } | { readonly share: number } | null;
}

const plainExit: ExitRules = { failOn: [], minProven: null, baseline: { excused: [], stale: [] } };

/** A failure outranks an error, because it is proven; an error outranks everything that was not looked at. */
export function exitCodeOf(report: Report, rules: ExitRules = plainExit): ExitCode {
  if (report.abort) return report.abort.exitCode;
  const { summary } = report;
  const { excused, stale } = rules.baseline;
  if (summary.fail > excused.length || stale.length > 0) return 1;
  if (rules.failOn.some((kind) => kind !== 'fail' && summary[kind] > 0)) return 1;
  if (summary.error > 0) return 4;
  const proven = report.coverage.filter(({ verdict }) => verdict === 'pass').length;
  const provable = report.coverage.filter(
    ({ seenBy, standing }) => seenBy === 'server' && standing !== 'silent',
  ).length;
  if (proven === 0) return 3;
  const { minProven } = rules;
  if (minProven === null) return 0;
  const isEnough = 'count' in minProven ? proven >= minProven.count : proven >= minProven.share * provable;
  return isEnough ? 0 : 3;
}
