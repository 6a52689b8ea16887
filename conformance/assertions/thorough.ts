import type { Capability } from '../probe/capabilities.ts';

/**
 * Checks that look for rarer faults than an hourly audit has requests for. They run where time or requests are not
 * scarce, and stand on a line of their own in the plan.
 */
export const thorough = ['thorough'] as const satisfies readonly Capability[];
