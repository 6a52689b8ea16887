// Which sliding windows a run of lumps may have met. An exact log holds sixty requests of any minute. Approximations
// are about as common: coarser logs, and two fixed windows weighted by their overlap (rulings R3, R44).
import { contractWindows } from '../pace/lanes.ts';

const { limit, windowMs } = contractWindows.key;

/** Requests sent at one instant, and how many of them were let in. */
export interface Lump {
  readonly atMs: number;
  readonly sent: number;
  readonly admitted: number;
}

const PHASE_STEP_MS = 500;
/** Rounding, and the time that a lump takes. */
const TOLERANCE = 3;

/** Whether two fixed windows, wherever they begin, would have let in about as many of each lump. */
export function looksLikeTwoWindows(lumps: readonly Lump[]): boolean {
  const phases = Array.from({ length: windowMs / PHASE_STEP_MS }, (_, i) => i * PHASE_STEP_MS);
  return phases.some((phaseMs) =>
    [false, true].some((countsBlocked) => {
      const admitted = admittedByTwoWindows(lumps, phaseMs, countsBlocked);
      return lumps.every((lump, i) => Math.abs(lump.admitted - (admitted[i] ?? 0)) <= TOLERANCE);
    }),
  );
}

function admittedByTwoWindows(lumps: readonly Lump[], phaseMs: number, countsBlocked: boolean): number[] {
  let index = Number.NEGATIVE_INFINITY;
  let [before, current] = [0, 0];
  return lumps.map(({ atMs, sent }) => {
    const place = (atMs - phaseMs) / windowMs;
    const now = Math.floor(place);
    if (now !== index) [index, before, current] = [now, now === index + 1 ? current : 0, 0];
    const free = Math.floor(limit - before * (1 - (place - now)) - current);
    const admitted = Math.min(sent, Math.max(0, free));
    current += countsBlocked ? sent : admitted;
    return admitted;
  });
}

/** The least that two fixed windows, wherever they begin, may still count of requests let in at these instants. */
export function leastCounted(instantsMs: readonly number[], nowMs: number): number {
  const phases = Array.from({ length: windowMs / PHASE_STEP_MS }, (_, i) => nowMs - i * PHASE_STEP_MS);
  const counts = phases.map((startMs) => {
    const weight = 1 - (nowMs - startMs) / windowMs;
    let [before, within] = [0, 0];
    for (const at of instantsMs) {
      if (at >= startMs) within += 1;
      else if (at >= startMs - windowMs) before += 1;
    }
    return within + weight * before;
  });
  return Math.min(...counts);
}
