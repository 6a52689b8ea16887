// The behavior of the client in a dimension, as figures and in a sentence.
import { count } from '../terminal/count.ts';
import type { Dimension } from './cell.ts';
import type { Observation } from './cell-run.ts';
import { peakOf } from './judge.ts';

/** How the client repeated disturbed requests with one outcome. */
export interface RetryFigure {
  /** A status, `late`, or the network fault. */
  readonly outcome: string;
  readonly requests: number;
  readonly retried: number;
  /** The most retries of one request. */
  readonly times: number;
  /** The shortest and the longest wait before a retry, in seconds; null without a retry. */
  readonly waitS: readonly [least: number, most: number] | null;
}

/** By outcome, in the order of the requests. */
export function retriesOf(observations: readonly Observation[]): RetryFigure[] {
  const byOutcome = new Map<string, { requests: number; waits: number[]; times: number }>();
  for (const { exchanges } of observations) {
    const repeats = new Map<string, number>();
    for (const [i, { disturbed, outcome, print, atMs }] of exchanges.entries()) {
      if (!disturbed || outcome === '200') continue;
      const found = byOutcome.get(outcome) ?? { requests: 0, waits: [], times: 0 };
      byOutcome.set(outcome, found);
      found.requests += 1;
      const next = exchanges.slice(i + 1).find((exchange) => exchange.print === print);
      if (!next) continue;
      found.waits.push(next.atMs - atMs);
      repeats.set(print, (repeats.get(print) ?? 0) + 1);
      found.times = Math.max(found.times, repeats.get(print) ?? 0);
    }
  }
  const inS = (ms: number) => Number((ms / 1000).toFixed(1));
  return [...byOutcome].map(([outcome, { requests, waits, times }]) => ({
    ...{ outcome, requests, retried: waits.length, times },
    waitS: waits.length === 0 ? null : [inS(Math.min(...waits)), inS(Math.max(...waits))],
  }));
}

export function sentenceOf(
  dimension: Dimension,
  observations: readonly Observation[],
  retries: readonly RetryFigure[],
): string {
  if (observations.length === 0) return 'The client made no request that these test cases disturb.';
  if (dimension === 'load') return `Sent at most ${count(atOnce(observations), 'request')} at once.`;
  if (['control', 'formats', 'pages', 'calls'].includes(dimension)) {
    const ended = observations.filter(({ ending }) => ending !== 'failed' && ending !== 'endless').length;
    const requests = observations.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
    return `Ended without an error in ${ended} of ${count(observations.length, 'test case')}, with ${count(requests, 'request')}.`;
  }
  const sentences = retries.map(({ outcome, requests, retried, times, waitS }) => {
    if (waitS === null) return `${outcome}: no retries.`;
    const range = waitS[0] === waitS[1] ? `${waitS[0]} s` : `${waitS[0]}-${waitS[1]} s`;
    return `${outcome}: ${retried} of ${requests} retried after ${range}, up to ${count(times, 'time')}.`;
  });
  return sentences.join(' ');
}

/** The most requests that were under way at once. */
export function atOnce(observations: readonly Observation[]): number {
  return Math.max(1, ...observations.map(({ exchanges }) => peakOf(exchanges)));
}
