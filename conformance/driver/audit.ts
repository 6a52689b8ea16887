// One run from options to report, with everything it opens closed again.
import { checks } from '../checks/index.ts';
import { rules } from '../checks/rules/index.ts';
import { type Opener, openersOf } from '../report/coverage.ts';
import type { Report, RunInputs } from '../report/report.ts';
import { controlTokenVariable } from '../scenarios/capabilities.ts';
import { scenarios } from '../scenarios/index.ts';
import type { Catalog, Plan } from '../scenarios/plan/plan.ts';
import type { RunOptions } from './options.ts';
import type { KitClock } from './pace/clock.ts';
import { openControl } from './pace/control.ts';
import { chosenFor, type Recording, reportAgain, run } from './run.ts';
import { openSession } from './session.ts';

/** The kit's own. */
export const ownCatalog: Catalog = { checks, scenarios, rules };

const catalogFor = ({
  checks = ownCatalog.checks,
  scenarios = ownCatalog.scenarios,
}: Pick<RunOptions, 'checks' | 'scenarios'>): Catalog => ({
  checks,
  scenarios,
  rules,
});

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
      ...catalogFor(options),
      emit,
      calibrate: options.calibrate ?? false,
      reads: options.reads ?? [],
      readsFirst: options.readsFirst ?? [],
    });
  } finally {
    session.close();
  }
}

/** Judges a recorded run again. Sends nothing. */
export function judgeRecorded({ inputs, baseUrl, runId, ...recording }: Recording & Place): Report {
  const session = openRecorded(inputs, { baseUrl, runId, keepBodies: true });
  return reportAgain({ session, ...ownCatalog }, recording);
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
  const session = openSession(isOfMcpEndpoint ? { ...given, mcpEndpoint: 'mcp' } : given, () => undefined);
  return { ...session, latencyMs };
}

/** The checks and rules of which such a run has results. */
export function plannedIds(baseUrl: string, inputs: RunInputs): string[] {
  const { checks, rules: own } = chosenFor({
    session: openRecorded(inputs, { baseUrl, runId: newRunId() }),
    ...ownCatalog,
  });
  return [...checks, ...own].map(({ id }) => id);
}

/** The plan of such a run, and the flags that would open the clauses that it leaves open. Sends nothing. */
export function planConformance(options: Omit<RunOptions, 'runId'>): {
  readonly plan: Plan;
  readonly openers: readonly Opener[];
} {
  const session = openSession({ ...options, runId: newRunId() }, () => undefined);
  const { planned, checks, plan } = chosenFor({ session, ...catalogFor(options) });
  const left = new Map(planned.map(({ scenario: { id }, skipped }) => [id, skipped]));
  const openers = openersOf(
    checks.map((check) => {
      const reasons = (check.scenarios ?? []).map((id) => left.get(id) ?? null);
      return { check, skipped: reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null };
    }),
    rules,
  );
  return { plan, openers };
}

/** Null for real time. */
async function clockOf({ control, baseUrl, env }: Omit<RunOptions, 'runId'>): Promise<KitClock | null> {
  return control === undefined ? null : openControl({ control, baseUrl, token: env?.[controlTokenVariable] });
}

/** Returns eight hexadecimal characters, short enough for the texts that a run writes. */
export function newRunId(): string {
  return crypto.randomUUID().slice(0, 8);
}
