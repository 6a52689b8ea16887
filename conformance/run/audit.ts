// One run from options to report, with everything it opens closed again.
import { checks as ownChecks } from '../checks/index.ts';
import type { KitClock } from '../pace/clock.ts';
import { openControl } from '../pace/control.ts';
import { type Plan, selectFrom } from '../plan/plan.ts';
import { controlTokenVariable } from '../probe/capabilities.ts';
import { type Opener, openersOf } from '../report/coverage.ts';
import type { Report, RunInputs } from '../report/report.ts';
import { rules } from '../rules/index.ts';
import { catalogOf, type RunEvent, type RunOptions } from './options.ts';
import type { RecordedRequests } from './playback.ts';
import { planChecks, planOf, run } from './run.ts';
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
      readsFirst: options.readsFirst ?? [],
    });
  } finally {
    session.close();
  }
}

/** Repeats a recorded run offline. `divergence`: the first request that differs from the recorded one. */
export async function repeatConformance(
  options: Pick<RunOptions, 'baseUrl' | 'runId'> & Required<Pick<RunOptions, 'seed' | 'keepBodies'>>,
  recorded: RecordedRequests & { readonly stopsAfter: number | null },
): Promise<{ report: Report; divergence: string | null }> {
  const { inputs, stopsAfter } = recorded;
  const stop = new AbortController();
  let ended = 0;
  const emit = ({ kind }: RunEvent) => {
    if (kind === 'check-end') ended += 1;
    if (kind !== 'plan' && ended === stopsAfter) stop.abort();
  };
  const given = { ...inputs.options, ...options, keys: inputs.standIns, signal: stop.signal };
  const way = inputs.isOfMcpEndpoint ? { ...given, mcpEndpoint: 'mcp' as const } : given;
  const session = openSession(way, emit, { ...recorded, onEnd: () => stopsAfter !== null && stop.abort() });
  const report = await run({ session, checks: ownChecks, rules, emit });
  return { report, divergence: session.findDivergence() };
}

/** The checks and rules of which such a run has results. */
export function plannedIds(baseUrl: string, { options, isOfMcpEndpoint, standIns }: RunInputs): string[] {
  const given = { ...options, baseUrl, keys: standIns, runId: newRunId() };
  const session = openSession(isOfMcpEndpoint ? { ...given, mcpEndpoint: 'mcp' } : given, () => undefined);
  const all = catalogOf(session.target, { checks: ownChecks, rules });
  const { isSelected } = selectFrom(all, session.settings);
  return [
    ...planChecks(session, all).map(({ check }) => check.id),
    ...all.rules.map(({ id }) => id).filter(isSelected),
  ];
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
