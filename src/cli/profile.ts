// The settings that bend the contract, in the words of the banner.
import { spellChoice } from './choice-flag.ts';
import type { ChosenMutant } from './mutant-flag.ts';
import type { MockSettings } from './settings.ts';

/** `name` is short, for the control plane; `phrases` are for the banner. */
export interface Profile {
  readonly name: string;
  readonly phrases: readonly string[];
}

/** Each setting that bends the contract is named, so that nobody takes a bent answer for production. */
export function profileOf(
  { limits, settleMs, strict, grease, faults, choices, save, saveSync }: MockSettings,
  mutant: ChosenMutant | null = null,
): Profile {
  const isContract = limits && settleMs === null;
  const name = !limits && settleMs === 0 ? 'relaxed' : isContract ? 'contract' : 'adjusted';
  const names = [name];
  const limited = limits ? '10 requests in 10 s per address, 60 a minute per key' : 'no rate limits';
  const settled = settleMs === 0 ? 'calls settle at once' : `calls settle after ${(settleMs ?? 300_000) / 1000} s`;
  const phrases = [`${name}: ${limited}, ${settled}`];
  if (strict) {
    names.push('strict');
    phrases.push('strict: each answer is validated against the contract');
  }
  if (grease !== null) {
    names.push('greased');
    phrases.push(`greased with seed ${grease}: whatever the contract leaves open varies`);
  }
  if (faults.length > 0) phrases.push(`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} from the start`);
  for (const [name, value] of Object.entries(choices)) phrases.push(`choice: ${spellChoice(name)} is ${value}`);
  if (save !== null) {
    const when = saveSync === 'always' ? ', on the disk before each answer' : '';
    phrases.push(`saved: changes by clients are kept in ${save} over a restart${when}`);
  }
  if (mutant) {
    const { name, breaks, shows, fact } = mutant;
    names.push(`mutant ${name}`);
    phrases.push(`mutant ${name}: ${shows}`, `  breaks ${breaks}: ${fact}`);
  }
  return { name: names.join(', '), phrases };
}
