// The plan as it is printed before the first request, and by --plan.

import { count } from '../../src/terminal/count.ts';
import { type Plan, type PlanLine, type Range, requestsInAll } from '../plan/plan.ts';
import type { Opener } from '../report/openers.ts';

/** A line for each part, and one for all when there are several. */
export function planText(plan: Plan): string {
  const all = { ...plan, name: 'in all', leaves: [] };
  const lines = plan.lines.length > 1 ? [...plan.lines, all] : plan.lines;
  const rows = lines.map((line) => [line.name, count(line.checks, 'check'), requestsOf(line), secondsOf(line)]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const drawn = `  Odd inputs are drawn by seed ${plan.seed}; --seed ${plan.seed} draws the same again`;
  return [...table.map((row) => `  ${row}`), ...onTop(plan), drawn, ...worstCase(plan)]
    .map((line) => `${line}\n`)
    .join('');
}

/** The clauses that stay open whatever the target shows, by what would open them. */
export function openersText(openers: readonly Opener[]): string {
  if (openers.length === 0) return '';
  const lines = openers.map(({ way, clauses: [first, ...others] }) => {
    const more = others.length === 0 ? '' : ` and ${count(others.length, 'other')}`;
    return `    ${way}: ${first}${more}\n`;
  });
  return `  Clauses that stay open, by the cheapest way to open them:\n${lines.join('')}`;
}

/** Not part of the plan, because a good server causes none of them. */
function onTop(plan: Plan): string[] {
  const again = plan.onTop.confirmations === 0 ? '' : ' and confirmations of wrong responses';
  return [`  At most ${count(requestsInAll(plan), 'request')} with repeats after a 429, 502 or 503${again}`];
}

/** The changes that the user has permitted, printed before any of them happens. */
function worstCase({ lines, writes }: Plan): string[] {
  if (writes === 0) return [];
  const leaves = [...new Set(lines.flatMap((line) => line.leaves))];
  return [`  At worst ${count(writes, 'write')}, none sent twice:`, ...leaves.map((sentence) => `    ${sentence}`)];
}

function requestsOf({ requests, writes }: PlanLine): string {
  const noun = requests.ceiling === 1 ? 'request' : 'requests';
  return `${words(requests)} ${noun}${writes === 0 ? '' : ` (${count(writes, 'write')} at most)`}`;
}

function secondsOf({ seconds }: PlanLine): string {
  return `${words(seconds)} s`;
}

function words({ floor, ceiling }: Range): string {
  return floor === ceiling ? `${floor}` : `${floor} to ${ceiling}`;
}
