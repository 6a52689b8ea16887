// While some checks still send: a check that is a function of the history, as the run of today executes it.
import { copyOf } from '../exchange/request.ts';
import { nextToConfirm } from '../judge/judge.ts';
import { requestsOf } from '../judge/standing.ts';
import type { Check, HistoryCheck, Phase } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { scenarios } from '../scenarios/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { drive } from './drive.ts';

const known = new Map(scenarios.map((scenario) => [scenario.id, scenario]));

export function scenarioOf(id: string): Scenario {
  const scenario = known.get(id);
  if (scenario === undefined) throw new Error(`There is no scenario ${id}.`);
  return scenario;
}

const isExtended = ({ needs = [] }: Scenario) => needs.includes('extended');

/** A check costs what its scenarios cost; the first check of a scenario has its waits and writes. */
export function fromHistory(phase: Phase, checks: readonly HistoryCheck[]): Check[] {
  return checks.map((row) => {
    const { clauses, level = 'must', scenarios: ids = [] } = row;
    const all = ids.map(scenarioOf);
    const needs = (all[0]?.needs ?? []).filter((need) => all.every((one) => one.needs?.includes(need)));
    const isMore = needs.includes('extended');
    const first = isMore ? all : all.filter((one) => !isExtended(one));
    const more = all.filter((one) => !first.includes(one));
    const waits = all.reduce((sum, { cost }) => sum + (cost.seconds ?? 0), 0);
    const changes = all.flatMap((one) => one.changes ?? []);
    const writes = all.reduce((sum, { changes: trace, cost }) => sum + (trace === undefined ? 0 : cost.most), 0);
    return {
      ...row,
      ...(needs.length === 0 ? {} : { needs }),
      ...(changes[0] === undefined ? {} : { mutates: changes[0] }),
      ...{ cites: clauses, level, phase },
      cost: {
        requests: 0,
        ...(all.length === 0 ? {} : { confirms: confirmsMax, uses: first }),
        ...(more.length === 0 ? {} : { withTime: { requests: 0, uses: more } }),
        ...(waits === 0 ? {} : { seconds: waits }),
        ...(writes === 0 ? {} : { writes }),
      },
      run: (probe) => judgeAfter(probe, row, probe.sendsAll ? all : first),
    };
  });
}

/** For tests, which name checks of both forms. */
export function asChecks(checks: readonly (Check | HistoryCheck)[]): Check[] {
  return checks.flatMap((one) => ('run' in one ? one : fromHistory('after bursts', [one])));
}

/** Most requests that confirm the findings of one check. */
const confirmsMax = 8;

async function judgeAfter(probe: Probe, check: HistoryCheck, all: readonly Scenario[]): Promise<void> {
  let error: unknown = null;
  for (const scenario of all) {
    if ((scenario.needs ?? []).every(probe.has)) error ??= (await drive(probe, scenario)).error;
  }
  try {
    await confirm(probe, check);
  } finally {
    probe.judgeHistory(check);
  }
  if (error !== null) throw error;
}

/** Sends the requests of findings again, until one of them stands. */
export async function confirm(probe: Probe, check: HistoryCheck): Promise<void> {
  for (;;) {
    const finding = nextToConfirm(check, probe.soFar());
    if (finding === null) return;
    for (const one of requestsOf(finding)) {
      await probe.send('receivedAt' in one ? copyOf(one) : { ...one, confirms: 'witness' });
    }
  }
}
