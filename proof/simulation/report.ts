// The report of a run.
import type { SimulationResult } from './simulate.ts';

/** One line a seed. */
export function describeRun({
  seed,
  setting,
  exchanges,
  blocked,
  forced,
  restorations,
  virtualHours,
}: SimulationResult): string {
  const counts = `${exchanges} requests, ${blocked} blocked, ${forced} forced errors, ${restorations} restorations`;
  return `seed ${seed} (${setting}): ${virtualHours.toFixed(1)} h, ${counts}`;
}

/** The failure with the last steps before it, and the command that shows it again. */
export function describeFailure({ seed, failure }: SimulationResult, mutant?: string): string {
  if (!failure) return '';
  const { invariant, message, step, hours, steps, clients } = failure;
  const only = failure.shrunk ? ` --only ${clients.join(',')}` : '';
  const flags = `--seed ${seed} --hours ${Math.ceil(hours * 100 + 1) / 100}${only}${mutant === undefined ? '' : ` --mutant ${mutant}`}`;
  return [
    `seed ${seed} failed at request ${step}, after ${hours.toFixed(2)} h: ${invariant}`,
    `  ${message}`,
    `  clients: ${clients.join(', ')}`,
    '  the last requests:',
    ...steps.map((line) => `    ${line}`),
    `  again: npm run simulate -- ${flags}`,
  ].join('\n');
}
