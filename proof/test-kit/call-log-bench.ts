// Runs checks of the call log against the log model, faithful or not.
import type { Check } from '../../conformance/index.ts';
import { type Decisions, type Held, makeCall, makeCallLog, visibleBy } from './call-log-model.ts';
import { type Bench, bench, benchStartMs } from './check-bench.ts';

const minute = 60_000;
const start = benchStartMs;

/** The fields of a call of the model, as a user would name them. */
export const modelFields = { callIdField: 'id', callEndedAtField: 'endedAt' };

/** Settled calls seven minutes apart with a tie of three, then two that settle and two that run. */
export function usualCalls(count = 70): Held[] {
  const endOf = (index: number) => start - (count - (index > 4 && index < 7 ? 4 : index) + 2) * 7 * minute + 333;
  const settled = Array.from({ length: count }, (_, index) => makeCall(index, endOf(index)));
  const open = [start - 30_000, start - 100_000].map((ended, index) => makeCall(count + index, ended));
  return [...settled, ...open, makeCall(count + 2, null), makeCall(count + 3, null)];
}

/** Differences from a faithful log: its decisions, its calls, or the options of the run. */
export interface LogChanges {
  readonly decisions?: Partial<Decisions>;
  readonly held?: readonly Held[];
  readonly run?: Parameters<typeof bench>[0]['run'];
}

/** The calls are placed on the clock of the run, so they settle while the kit reads. */
export function benchLog(
  checks: readonly Check[],
  { decisions = {}, held = usualCalls(), run = {} }: LogChanges,
): Promise<Bench> {
  return bench({
    checks,
    run,
    spoil: (_, clock) => {
      const log = makeCallLog(clock.now, decisions);
      log.calls.push(...held);
      return log.spoil;
    },
  });
}

/** For `settled`: the right calls, sorted by another timestamp than that of becoming visible. */
export function sortedBy(timestamp: (held: Held) => number): Decisions['settled'] {
  return (held, nowMs) => held.filter(visibleBy(nowMs)).toSorted((a, b) => timestamp(a) - timestamp(b));
}

/** NaN for a call that runs: no settled list holds one. */
export const endedMs = ({ call }: Held) => Date.parse(call.endedAt ?? '');
