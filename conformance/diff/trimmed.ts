// Instants whose fractions lose their trailing zeros: how many digits are left is data.
import { isTrimmed, wholeSeconds } from '../../src/contract/forms.ts';
import type { Relation } from './relation.ts';

/** Null where no form is trimmed, or where the rest differs. */
export function relateTrimmed(a: readonly string[], b: readonly string[]): Relation | null {
  if (![...a, ...b].some(isTrimmed)) return null;
  const whole = (forms: readonly string[]) => [...new Set(forms.map(wholeSeconds))].sort().join(' | ');
  if (whole(a) !== whole(b)) return null;
  return a.some(isTrimmed) && b.some(isTrimmed) ? { kind: 'same' } : { kind: 'open', why: 'fractions may be trimmed' };
}
