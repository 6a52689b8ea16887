// An account of the first organization that the second one has none of.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { isUniqueName, sameId } from '../exchange/same-id.ts';
import type { Claim } from '../judge/ledger.ts';
import { segmentOf } from '../observe/look.ts';
import { type AccountRow, rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { leavesOf } from './call-log/fields.ts';
import { readTimestamp } from './call-log/timestamps.ts';
import { isOfPattern } from './writes.ts';

/** One that `operation` has shown with the first key, and that the second organization's own list does not hold. */
export async function foreignAccount(probe: Probe, operation: OperationId): Promise<string | undefined> {
  const own = probe.shown(operation).map((exchange) => segmentOf(exchange, 2));
  // An MCP endpoint alone has no REST lists.
  if (own.length === 0) return undefined;
  const theirs = await probe.get('listAccounts', {}, 'second');
  const others = rowsOf<AccountRow>(theirs, ['data', 'accounts'], ['accountId']);
  return own.find((id) => isOfPattern(id) && !others.some((row) => sameId(row.accountId, id)));
}

/** Every call that the first key has been shown in this run. */
export function callsOfFirst(probe: Probe): unknown[] {
  return probe.shown('listCalls').flatMap((exchange) => rowsOf(exchange, ['data', 'calls']) as readonly unknown[]);
}

// Whether a record holds enough data to rule out equality by chance (interpretation R56).

/** A few equal records can have another reason. */
export const equalMin = 3;
const longText = 40;
const secondNs = 1_000_000_000n;

/** A long random id, a timestamp with a fraction of a second, or a long text together with a timestamp. */
export function isDistinctive(record: unknown): boolean {
  const values = [...leavesOf(record).values()];
  const timestamps = values.map(readTimestamp).filter((timestamp) => timestamp !== null);
  if (values.some(isUniqueName) || timestamps.some((timestamp) => timestamp % secondNs !== 0n)) return true;
  return timestamps.length > 0 && values.some((value) => typeof value === 'string' && value.length >= longText);
}

export const seededWords = 'if both organizations have the same test data, add --seeded-alike';

/** Equal records of two organizations are a leak, unless the user seeded both alike. */
export function expectNoneEqual(probe: Probe, isTrue: boolean, claim: Claim): void {
  if (isTrue) probe.holds(true, claim);
  else if (!probe.settings.seededAlike) probe.holds(false, { message: seededWords, ...claim });
  else probe.warn({ ...claim, message: 'only a warning because of --seeded-alike' });
}

/** Three or more distinctive equal records are a leak; fewer only warn. */
export function checkEqual(probe: Probe, equal: readonly unknown[], claim: Claim): void {
  const isLeak = equal.filter(isDistinctive).length >= equalMin;
  if (isLeak || equal.length === 0) expectNoneEqual(probe, !isLeak, claim);
  else probe.warn({ ...claim, message: 'only a warning, because the records are too few or too short (R56)' });
}
