// The sentence of a dimension, with figures.
import { count } from '../terminal/count.ts';
import type { Dimension } from './cell.ts';
import type { Observation } from './cell-run.ts';
import { peakOf } from './judge.ts';

export function figureOf(dimension: Dimension, observations: readonly Observation[]): string {
  if (observations.length === 0) return 'The client made no request that these cells disturb.';
  if (dimension === 'load') {
    const most = Math.max(...observations.map(({ exchanges }) => peakOf(exchanges)));
    return `Sent at most ${count(Math.max(1, most), 'request')} at once.`;
  }
  if (['control', 'formats', 'pages', 'calls'].includes(dimension)) {
    const ended = observations.filter(({ ending }) => ending !== 'failed' && ending !== 'endless').length;
    const requests = observations.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
    return `Ended without an error in ${ended} of ${count(observations.length, 'cell')}, with ${count(requests, 'request')}.`;
  }
  return retries(observations);
}

/** How often, after how long and how many times the client sent a disturbed request again, by status. */
function retries(observations: readonly Observation[]): string {
  const byOutcome = new Map<string, { all: number; waits: number[]; most: number }>();
  for (const { exchanges } of observations) {
    const rows = new Map<string, number>();
    for (const [i, exchange] of exchanges.entries()) {
      if (!exchange.disturbed) continue;
      const found = byOutcome.get(exchange.outcome) ?? { all: 0, waits: [], most: 0 };
      byOutcome.set(exchange.outcome, found);
      found.all += 1;
      const next = exchanges.slice(i + 1).find(({ print }) => print === exchange.print);
      if (!next) continue;
      found.waits.push(next.atMs - exchange.atMs);
      const row = (rows.get(exchange.print) ?? 0) + 1;
      rows.set(exchange.print, row);
      found.most = Math.max(found.most, row);
    }
  }
  const sentences = [...byOutcome].map(([outcome, { all, waits, most }]) => {
    if (waits.length === 0) return `${outcome}: no retries.`;
    const [least, longest] = [Math.min(...waits), Math.max(...waits)].map((ms) => Number((ms / 1000).toFixed(1)));
    const range = least === longest ? `${least} s` : `${least}-${longest} s`;
    return `${outcome}: ${waits.length} of ${all} retried after ${range}, up to ${count(most, 'time')}.`;
  });
  return sentences.join(' ');
}
