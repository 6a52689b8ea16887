// What the kit may not, or cannot, notice: each name with the reason.

/** Mutants that no check can kill without failing a legal server, or without what no run is given. */
export const unkillable: Readonly<Record<string, string>> = {};

/** Checks of level must that kill no mutant, and why they stand all the same. */
export const idleChecks: Readonly<Record<string, string>> = {};
