import type { Capability } from '../check.ts';

/**
 * Checks that look for rarer faults than an hourly audit has requests for. They run with `--watch`, whose user has time,
 * and stand on its line of the plan.
 */
export const thorough = ['watch'] as const satisfies readonly Capability[];
