// The words for the effects of a fault. The URL, the `Prefer` header, `--fault`, `casa.faults.add` and
// `/__admin/faults` read them here, so that a word means the same everywhere.
import { parseDuration } from '../terminal/duration.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { errorsOfWord, faultErrorNames, faultStatuses } from './errors-on-demand.ts';
import { type FaultRule, latencyMaxMs, networkFaults } from './faults.ts';

/** An error, a network fault and a delay can be combined. */
export type Effects = Pick<FaultRule, 'error' | 'network' | 'latencyMs'>;

/** Reads a status, a code or the name of an error. Returns one sentence for any other word. */
export function readErrorWord(word: string): Effects | string {
  const [error] = errorsOfWord(word);
  if (error !== undefined) return { error };
  const guess = didYouMean(word, faultErrorNames);
  const known = guess || ` Statuses: ${faultStatuses.join(', ')}. Errors: ${faultErrorNames.join(', ')}.`;
  return `There is no error "${word}".${known}`;
}

/** Reads the kind of a network fault. Returns one sentence for any other word. */
export function readNetworkWord(word: string): Effects | string {
  const network = networkFaults.find((known) => known === word);
  if (network !== undefined) return { network };
  const known = didYouMean(word, networkFaults) || ` Kinds: ${networkFaults.join(', ')}.`;
  return `There is no network fault "${word}".${known}`;
}

/** Reads a delay. `unitMs` is the unit of a number without one; null rejects such a number. */
export function readDelay(text: string, name: string, unitMs: number | null): Effects | string {
  const latencyMs = unitMs !== null && /^\d{1,9}$/.test(text) ? Number(text) * unitMs : parseDuration(text);
  if (latencyMs !== null && latencyMs <= latencyMaxMs) return { latencyMs };
  return `${name} takes a time up to ${latencyMaxMs / 1000} s, for example 2s or 250ms, not "${text}".`;
}

/** States which error a status with several errors stands for; null for any other word. */
export function ambiguity(word: string): string | null {
  const [first, ...others] = /^\d/.test(word) ? errorsOfWord(word) : [];
  return others.length === 0 ? null : `"${word}" means ${first}. It also fits ${others.join(', ')}.`;
}
