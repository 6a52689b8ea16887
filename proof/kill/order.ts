// The order of the checks: those that find the most known defects per request come first, each defect once.

import type { Check } from '../../conformance/index.ts';
import type { PriorityStep } from '../../conformance/plan/priority.ts';
import type { MutantRow } from '../../fixtures/test-kit/targets.ts';
import type { AuditOutcome } from './plain-audit.ts';

export interface Defect {
  readonly row: MutantRow;
  readonly by: ReadonlySet<string>;
}

/** The requests that checks send in addition to those of the checks placed before them. */
export interface Requests {
  of(ids: readonly string[]): number;
  place(id: string): void;
}

/** A check was written for a class of defects, so it is worth one that is not known. Those that only warn are not. */
const unknownDefects = 1;

/** A check that sends nothing itself still needs what others send. */
const requestsMin = 0.2;

/** Less than one in ten runs sends a request. */
const freeMax = 0.1;

/**
 * Greedy: each step is the best check per request, after those that it follows, and before those that are free then.
 * Defects of one clause are alike, so each further one counts less. Those of access do not: each endpoint can be open
 * by itself.
 */
export function orderOf(
  some: readonly Check[],
  { defects, requests }: { readonly defects: readonly Defect[]; readonly requests: Requests },
): PriorityStep[] {
  const order: PriorityStep[] = [];
  const placed = new Set<string>();
  const found = new Map<string, number>();
  let left = defects;
  for (let open = some; open.length > 0; open = open.filter(({ id }) => !placed.has(id))) {
    const valued = open.map((check) => {
      const group = groupOf(check, open, requests);
      const ids = group.map(({ id }) => id);
      const own = left.filter(({ by }) => ids.some((id) => by.has(id)));
      const value = worthOf(own, found) + group.reduce((sum, { level }) => sum + priorOf(level), 0);
      return { ids, own, perRequest: value / Math.max(requestsMin, requests.of(ids)) };
    });
    const best = valued.reduce((one, other) => (other.perRequest > one.perRequest ? other : one));
    for (const id of best.ids) {
      const own = left.filter(({ by }) => by.has(id));
      order.push({ check: id, requests: Math.round(requests.of([id])) });
      for (const { row } of own) found.set(row.breaks, (found.get(row.breaks) ?? 0) + 1);
      left = left.filter((each) => !own.includes(each));
      placed.add(id);
      requests.place(id);
    }
  }
  return order;
}

/** The checks of keys send what the burst has not sent, and alone they leave out half of the endpoints. */
const burst = 'limits/address-burst';

function isBefore(other: Check, { id, after }: Check): boolean {
  return after?.includes(other.id) === true || (other.id === burst && id.startsWith('auth/'));
}

/** A check with those that it follows and those that need no further request. */
function groupOf(check: Check, open: readonly Check[], requests: Requests): readonly Check[] {
  const group = new Map<string, Check>();
  const add = (one: Check) => {
    for (const other of open) if (isBefore(other, one) && !group.has(other.id)) add(other);
    group.set(one.id, one);
  };
  add(check);
  const needed = requests.of([...group.keys()]);
  for (const other of open) {
    if (group.has(other.id) || open.some((one) => isBefore(one, other) && !group.has(one.id))) continue;
    if (requests.of([...group.keys(), other.id]) - needed <= freeMax) group.set(other.id, other);
  }
  return [...group.values()];
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

/** The mean of these runs. An exchange counts once, and also for the checks that use what its check gives. */
export function requestsOfRuns(some: readonly Check[], runs: readonly AuditOutcome['used'][]): Requests {
  const given = new Map(
    some.map(({ id, cost }) => {
      const givers = some.filter((other) => other.cost.gives?.some((read) => cost.uses?.includes(read)));
      return [id, [id, ...givers.map((giver) => giver.id)]];
    }),
  );
  const sent = runs.map(() => new Set<string>());
  const newOf = (ids: readonly string[], run: number) =>
    ids
      .flatMap((id) => given.get(id) ?? id)
      .flatMap((id) => runs[run]?.[id] ?? [])
      .filter((exchange) => !sent[run]?.has(exchange));
  return {
    of: (ids) => runs.reduce((sum, _, run) => sum + new Set(newOf(ids, run)).size, 0) / Math.max(1, runs.length),
    place(id) {
      for (const [run, before] of sent.entries()) for (const exchange of newOf([id], run)) before.add(exchange);
    },
  };
}

export function isOfAccess({ breaks }: MutantRow): boolean {
  return /^(5\.|4\.bearer)/.test(breaks);
}

/** Access to data first, then lost or repeated data, then everything else. */
function weightOf(row: MutantRow): number {
  if (isOfAccess(row)) return 3;
  return /cursor|exactly|lost|isolat|idempot/.test(row.breaks) ? 2 : 1;
}
