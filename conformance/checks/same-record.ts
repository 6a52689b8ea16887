// One record, as a list shows it and as it is answered by its id.
import { parseInstant } from '../../src/contract/instants.ts';
import { sameId } from '../exchange/same-id.ts';
import type { Row } from '../probe/facts.ts';

/** Whether a member is the same in both; one that either lacks is the business of the rules (R13). */
export function agree(left: Row, right: Row, name: string): boolean {
  const [one, other] = [left[name], right[name]];
  if (one === undefined || other === undefined || one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (name === 'siteId') return sameId(one, other);
  const instant = parseInstant(one);
  return instant !== null && instant === parseInstant(other);
}

/** What was read of one record: in the list, by its id, and both once more. */
export interface Reading {
  readonly listed: Row;
  readonly single: Row;
  readonly listedAgain: Row;
  readonly singleAgain: Row;
}

/** Whether the two ways still differ, and that not because the record is on the move. */
export function isContradiction({ listed, single, listedAgain, singleAgain }: Reading, name: string): boolean {
  // An instant of creation never moves: one that does is wrong whatever it is next.
  const isStill = agree(listed, listedAgain, name) && (/At$/.test(name) || agree(single, singleAgain, name));
  return isStill && !agree(listed, single, name) && !agree(listedAgain, singleAgain, name);
}

/** The first id that stands twice. */
export function repeatedIn(ids: readonly unknown[]): string | undefined {
  const known = new Set<string>();
  for (const id of ids.map((one) => String(one).toLowerCase())) {
    if (known.has(id)) return id;
    known.add(id);
  }
  return undefined;
}
