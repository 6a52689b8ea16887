import type { IndependentMutant } from './mutants/mutant.ts';
import type { Wrongness } from './seams.ts';

export type { IndependentMutant, Need } from './mutants/mutant.ts';

/** Every deliberate wrongness of this server. */
export const independentMutants: readonly IndependentMutant[] = [];

export function wrongnessOf(name: string | undefined): Wrongness {
  if (name === undefined) return {};
  const found = independentMutants.find((mutant) => mutant.name === name);
  if (found === undefined) throw new Error(`no wrongness is called ${name}`);
  return found.wrong();
}
