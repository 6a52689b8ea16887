// One run from options to report, with everything it opens closed again.
import { type Opener, openersOf } from '../report/coverage.ts';
import type { Report, RunInputs } from '../report/report.ts';
import { controlTokenVariable } from '../scenarios/capabilities.ts';
import type { Plan } from '../scenarios/plan/plan.ts';
import { ownCatalog, type RunOptions } from './options.ts';
import { openControl } from './pace/control.ts';
import { chosenFor, type Recording, reportAgain, run } from './run.ts';
import { openSession } from './session.ts';

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
  const { control, baseUrl, env } = options;
  const open = () => (control ? openControl({ control, baseUrl, token: env?.[controlTokenVariable] }) : null);
  const clock = options.clock ?? (await open());
  const session = openSession({ ...options, ...(clock ? { clock } : {}), runId: options.runId ?? newRunId() });
  try {
    return await run(session);
  } finally {
    session.close();
  }
}

/** Judges a recorded run again. Sends nothing. */
export function judgeRecorded({ inputs, baseUrl, runId, ...recording }: Recording & Place): Report {
  const session = openRecorded(inputs, { baseUrl, runId, keepBodies: true });
  return reportAgain(session, recording);
}

interface Place {
  readonly baseUrl: string;
  readonly runId: string;
  readonly inputs: RunInputs;
}

function openRecorded(
  { options, isOfMcpEndpoint, standIns, latencyMs }: RunInputs,
  more: Pick<RunOptions, 'baseUrl' | 'runId'> & { readonly keepBodies?: boolean },
) {
  const given = { ...options, ...more, keys: standIns };
  const session = openSession(isOfMcpEndpoint ? { ...given, mcpEndpoint: 'mcp' } : given);
  return { ...session, latencyMs };
}

/** The checks and rules of which such a run has results. */
export function plannedIds(baseUrl: string, inputs: RunInputs): string[] {
  const { checks, rules } = chosenFor(openRecorded(inputs, { baseUrl, runId: newRunId() }));
  return [...checks, ...rules].map(({ id }) => id);
}

/** The plan of such a run, and the flags that would open the clauses that it leaves open. Sends nothing. */
export function planConformance(options: Omit<RunOptions, 'runId'>): {
  readonly plan: Plan;
  readonly openers: readonly Opener[];
} {
  const { planned, checks, plan } = chosenFor(openSession({ ...options, runId: newRunId() }));
  const left = new Map(planned.map(({ scenario: { id }, skipped }) => [id, skipped]));
  const openers = openersOf(
    checks.map((check) => {
      const reasons = (check.scenarios ?? []).map((id) => left.get(id) ?? null);
      return { check, skipped: reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null };
    }),
    ownCatalog.rules,
  );
  return { plan, openers };
}

/** Returns eight hexadecimal characters, short enough for the texts that a run writes. */
export function newRunId(): string {
  return crypto.randomUUID().slice(0, 8);
}
