// Identical requests whose responses differ in their records: several instances or caches, one of them out of date.
import type { Exchange } from '../../exchange/exchange.ts';
import { idsIn, listIn } from '../../exchange/records.ts';
import type { Finding, Unsteady } from '../../judge/result.ts';

/** Whether the finding is about the records of a list. Calls are left out, because they come and go by the minute. */
export function isListRead(each: Exchange, { pointer, clause }: Finding): boolean {
  const isRead = each.method === 'GET' && each.key === 'good' && each.status === 200 && listIn(each) !== null;
  return isRead && !/^(listCalls|null)$/.test(`${each.operation}`) && pointer !== '#status' && !/^8\./.test(clause);
}

/** Responses to identical reads of a list with the valid key, in the order of sending; those of the finding first. */
function readsFor(finding: Finding, exchanges: readonly Exchange[]): Exchange[][] {
  const own = exchanges.find(({ id }) => id === finding.exchange);
  if (own === undefined) return [];
  const groups = new Map<string, Exchange[]>([[own.target, []]]);
  for (const each of exchanges) {
    const isLike = each.operation === own.operation && !each.burst && isListRead(each, finding);
    if (isLike) groups.set(each.target, [...(groups.get(each.target) ?? []), each]);
  }
  return [...groups.values()];
}

/** A record that an earlier and a later response have: no change of the data explains that one lacks it (R59). */
function isReturning(id: string, reads: readonly Exchange[]): boolean {
  const having = reads.flatMap((each, at) => (idsIn(each).includes(id) ? at : []));
  return having.some((at, index) => index > 0 && at > (having[index - 1] ?? at) + 1);
}

/** Null where identical requests returned the same records, or where a change of the data explains the difference. */
export function unsteadyOf(finding: Finding, exchanges: readonly Exchange[]): Unsteady | null {
  for (const reads of readsFor(finding, exchanges)) {
    const found = unsteadyIn(reads, finding.expected);
    if (found !== null) return found;
  }
  return null;
}

/** `reads`: responses to identical requests. A record that `named` names explains more than another one. */
export function unsteadyIn(reads: readonly Exchange[], named = ''): Unsteady | null {
  const ids = [...new Set(reads.flatMap(idsIn))];
  const returning = ids.find((id) => isReturning(id, reads));
  if (returning === undefined) return null;
  const isMissing = (id: string) => named.includes(id) && reads.some((each) => !idsIn(each).includes(id));
  const record = ids.find(isMissing) ?? returning;
  const without = reads.filter((each) => !idsIn(each).includes(record)).map(({ id }) => id);
  return { record, exchanges: reads.map(({ id }) => id), without };
}

/** The last of several identical reads whose responses differ in their records; undefined where none does. */
export function differingRead(finding: Finding, exchanges: readonly Exchange[]): Exchange | undefined {
  const recordsOf = (each: Exchange) => [...idsIn(each)].sort().join();
  const reads = readsFor(finding, exchanges).find((each) => new Set(each.map(recordsOf)).size > 1);
  return reads?.at(-1);
}
