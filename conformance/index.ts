// The programmatic entry: one function, and the types of what goes in and comes out.
import { checks as ownChecks } from './checks/index.ts';
import type { RunOptions } from './options.ts';
import type { Report } from './report.ts';
import { rules } from './rules/index.ts';
import { run } from './run.ts';
import { openSession } from './session.ts';

export type {
  Capability,
  Check,
  CheckResult,
  Cost,
  Finding,
  Level,
  Phase,
  Severity,
  Verdict,
  VerdictKind,
} from './check.ts';
export type { KitClock } from './clock.ts';
export type { ClauseCoverage } from './coverage.ts';
export type { Reporter, RunEvent } from './events.ts';
export type { Exchange, KeyName, Problem } from './exchange.ts';
export type { RunOptions, WriteKind } from './options.ts';
export type { PaceSettings } from './pacer.ts';
export type { Probe } from './probe.ts';
export { conclude, type ExitRules, exitCodeOf, type Outcome } from './outcome.ts';
export type { ExitCode, Report } from './report.ts';

/**
 * Judges a deployment. `runId` is made up when absent.
 *
 * @throws UsageError when a glob names no check. Whatever the target does ends in the report, never in a throw.
 */
export async function runConformance(
  options: Omit<RunOptions, 'runId'> & { readonly runId?: string },
): Promise<Report> {
  const emit = options.onEvent ?? (() => undefined);
  const session = openSession({ ...options, runId: options.runId ?? newRunId() }, emit);
  try {
    return await run({
      session,
      checks: options.checks ?? ownChecks,
      rules,
      only: options.only ?? [],
      skip: options.skip ?? [],
      bail: options.bail ?? false,
      keepBodies: options.keepBodies ?? session.settings.isLoopback,
      emit,
    });
  } finally {
    session.close();
  }
}

export function newRunId(): string {
  return crypto.randomUUID().slice(0, 8);
}
