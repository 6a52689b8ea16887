// One run from options to report, with everything it opens closed again.
import { checks as ownChecks } from '../checks/index.ts';
import type { KitClock } from '../pace/clock.ts';
import { openControl } from '../pace/control.ts';
import type { Report } from '../report/report.ts';
import { rules } from '../rules/index.ts';
import type { RunOptions } from './options.ts';
import { run } from './run.ts';
import { openSession } from './session.ts';

/**
 * Judges a deployment. `runId` is made up when absent.
 *
 * @throws UsageError when a glob names no check. Whatever the target does ends in the report, never in a throw.
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

async function clockOf({ control, baseUrl, env }: Omit<RunOptions, 'runId'>): Promise<KitClock | null> {
  return control === undefined ? null : openControl({ control, baseUrl, token: env?.CONFORMANCE_CONTROL_TOKEN });
}

export function newRunId(): string {
  return crypto.randomUUID().slice(0, 8);
}
