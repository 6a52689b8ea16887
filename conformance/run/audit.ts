// One run from options to report, with everything it opens closed again.
import { checks as ownChecks } from '../checks/index.ts';
import type { KitClock } from '../pace/clock.ts';
import { openControl } from '../pace/control.ts';
import type { Plan } from '../plan/plan.ts';
import { controlTokenVariable } from '../probe/capabilities.ts';
import { type Opener, openersOf } from '../report/coverage.ts';
import type { Report } from '../report/report.ts';
import { rules } from '../rules/index.ts';
import type { RunOptions } from './options.ts';
import { planChecks, planOf, run } from './run.ts';
import { openSession } from './session.ts';
import { catalogOf } from './target.ts';

/**
 * Tests a deployment and returns the report. `runId` is generated when absent.
 *
 * @example
 * const report = await runConformance({ baseUrl: 'https://api.example.com/api/v1', keys: { good: apiKey } });
 * process.exitCode = exitCodeOf(report);
 *
 * @throws UsageError when a glob names no check. Errors of the target are part of the report.
 */
export async function runConformance(
  options: Omit<RunOptions, 'runId'> & { readonly runId?: string },
): Promise<Report> {
  const emit = options.onEvent ?? (() => undefined);
  const clock = options.clock ?? (await clockOf(options));
  const session = openSession({ ...options, ...(clock ? { clock } : {}), runId: options.runId ?? newRunId() }, emit);
  try {
    return await run({
      session,
      checks: options.checks ?? ownChecks,
      rules,
      emit,
      calibrate: options.calibrate ?? false,
      reads: options.reads ?? [],
    });
  } finally {
    session.close();
  }
}

/** The plan of such a run; nothing is sent. */
export function planConformance(options: Omit<RunOptions, 'runId'>): Plan {
  const session = openSession({ ...options, runId: newRunId() }, () => undefined);
  const planned = planChecks(session, catalogOf(session.target, { checks: options.checks ?? ownChecks, rules }));
  return planOf(planned, session);
}

/** Flags that would open the clauses that such a run leaves open. Sends nothing. */
export function openConformance(options: Omit<RunOptions, 'runId'>): Opener[] {
  const session = openSession({ ...options, runId: newRunId() }, () => undefined);
  return openersOf(
    planChecks(session, catalogOf(session.target, { checks: options.checks ?? ownChecks, rules })),
    rules,
  );
}

/** Null for real time. */
async function clockOf({ control, baseUrl, env }: Omit<RunOptions, 'runId'>): Promise<KitClock | null> {
  return control === undefined ? null : openControl({ control, baseUrl, token: env?.[controlTokenVariable] });
}

/** Returns eight hexadecimal characters, short enough for the texts that a run writes. */
export function newRunId(): string {
  return crypto.randomUUID().slice(0, 8);
}
