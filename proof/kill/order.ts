// The order of the checks: those that find the most known defects per request come first, each defect once.

import type { Check } from '../../conformance/index.ts';
import type { PriorityStep } from '../../conformance/plan/priority.ts';
import type { MutantRow } from '../../fixtures/test-kit/targets.ts';

export interface Defect {
  readonly row: MutantRow;
  readonly by: ReadonlySet<string>;
}

/** A check was written for a class of defects, so it is worth one that is not known. Those that only warn are not. */
const unknownDefects = 1;

/**
 * Greedy: each step is the best check per request, after those that it follows.
 * Defects of one clause are alike, so each further one counts less. Those of access do not: each endpoint can be open
 * by itself.
 */
export function orderOf(
  some: readonly Check[],
  { defects, requestsOf }: { readonly defects: readonly Defect[]; requestsOf(id: string): number },
): PriorityStep[] {
  const order: PriorityStep[] = [];
  const placed = new Set<string>();
  const found = new Map<string, number>();
  let left = defects;
  for (let open = some; open.length > 0; open = open.filter(({ id }) => !placed.has(id))) {
    const valued = open.map((check) => {
      const group = groupOf(check, open);
      const ids = group.map(({ id }) => id);
      const own = left.filter(({ by }) => ids.some((id) => by.has(id)));
      const value = worthOf(own, found) + group.reduce((sum, { level }) => sum + priorOf(level), 0);
      return { ids, own, perRequest: value / ids.reduce((sum, id) => sum + requestsOf(id), 0) };
    });
    const best = valued.reduce((one, other) => (other.perRequest > one.perRequest ? other : one));
    for (const id of best.ids) {
      const own = left.filter(({ by }) => by.has(id));
      order.push({ check: id, requests: requestsOf(id) });
      for (const { row } of own) found.set(row.breaks, (found.get(row.breaks) ?? 0) + 1);
      left = left.filter((each) => !own.includes(each));
      placed.add(id);
    }
  }
  return order;
}

/** The checks of keys send what the burst has not sent, and alone they leave out half of the endpoints. */
const burst = 'limits/address-burst';

function isBefore(other: Check, { id, after }: Check): boolean {
  return after?.includes(other.id) === true || (other.id === burst && id.startsWith('auth/'));
}

/** A check with those that it follows. */
function groupOf(check: Check, open: readonly Check[]): readonly Check[] {
  const before = open.filter((other) => isBefore(other, check));
  return [...new Set([...before.flatMap((one) => groupOf(one, open)), check])];
}

function worthOf(defects: readonly Defect[], found: ReadonlyMap<string, number>): number {
  const counted = new Map(found);
  return defects.reduce((sum, { row }) => {
    const before = counted.get(row.breaks) ?? 0;
    counted.set(row.breaks, before + 1);
    return sum + weightOf(row) / (isOfAccess(row) ? 1 : 1 + before);
  }, 0);
}

function priorOf(level: Check['level']): number {
  return level === 'should' ? 0.01 : unknownDefects;
}

export function isOfAccess({ breaks }: MutantRow): boolean {
  return /^(5\.|4\.bearer)/.test(breaks);
}

/** Access to data first, then lost or repeated data, then everything else. */
function weightOf(row: MutantRow): number {
  if (isOfAccess(row)) return 3;
  return /cursor|exactly|lost|isolat|idempot/.test(row.breaks) ? 2 : 1;
}
