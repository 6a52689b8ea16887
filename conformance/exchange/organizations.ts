// Two organizations in one history: the records that only the lists of one key show.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { leavesOf, toMs } from './call-fields.ts';
import { readTimestamp } from './call-timestamps.ts';
import type { Exchange, KeyName } from './exchange.ts';
import { type History, responsesTo } from './history.ts';
import { type Fields, recordsIn } from './records.ts';
import { isUniqueName, isUuid } from './same-id.ts';

export type Organization = Extract<KeyName, 'good' | 'second'>;

export const otherKey = (key: KeyName): Organization => (key === 'second' ? 'good' : 'second');

export const successesOf = (history: History, operation: OperationId | null, key: KeyName): readonly Exchange[] =>
  responsesTo(history, operation, key).filter(({ status }) => status === 200);

/** In lower case; null for one that two organizations can have by chance (R9). */
export function uniqueIdOf({ id, accountId }: Fields): string | null {
  const own = id ?? accountId;
  return isUniqueName(own) ? String(own).toLowerCase() : null;
}

/** Ids in the lists of a key. */
export function idsListedFor(history: History, key: KeyName): ReadonlySet<string> {
  const rows = successesOf(history, null, key).flatMap(recordsIn);
  return new Set(rows.flatMap((row) => uniqueIdOf(row) ?? []));
}

/** Records in responses to this key whose id no list of the other key shows. */
export function ownRecords(history: History, operation: OperationId, key: Organization): readonly Fields[] {
  const others = idsListedFor(history, otherKey(key));
  const isOwn = (row: Fields) => !others.has(uniqueIdOf(row) ?? '');
  return successesOf(history, operation, key)
    .flatMap(recordsIn)
    .filter((row) => uniqueIdOf(row) !== null && isOwn(row));
}

const ownedLists = ['listSites', 'listArticles', 'listAccounts'] as const;

/** Of each list that both keys were shown: the share of the records that are the same. */
function sharesOf(history: History): readonly number[] {
  const idsOf = (operation: OperationId, key: KeyName) =>
    new Set(
      successesOf(history, operation, key)
        .flatMap(recordsIn)
        .flatMap((row) => uniqueIdOf(row) ?? []),
    );
  return ownedLists.flatMap((operation) => {
    const [mine, theirs] = [idsOf(operation, 'good'), idsOf(operation, 'second')];
    const least = Math.min(mine.size, theirs.size);
    return least === 0 ? [] : [[...mine].filter((id) => theirs.has(id)).length / least];
  });
}

/** A key can be renewed, and data can change. */
export const areApart = (history: History) => sharesOf(history).some((share) => share < 1 / 2);

/** No isolation and two keys of one organization look the same (interpretation R65). */
export const areOfOne = (history: History) =>
  sharesOf(history).length > 0 && sharesOf(history).every((share) => share === 1);

/** Whether an id has the pattern of the inputs. Others may be rejected as malformed for every caller (R10). */
export const isAccountId = (id: string) => isUuid(id) && /^.{14}[1-8].{4}[89ab]/i.test(id);

/** A few equal records can have another reason. */
export const equalMin = 3;
const longText = 40;

/**
 * Whether a record holds enough data to rule out equality by chance: a long random id, a timestamp with a fraction of a
 * second, or a long text together with a timestamp (interpretation R56).
 */
export function isDistinctive(record: unknown): boolean {
  const values = [...leavesOf(record).values()];
  const timestamps = values.map(readTimestamp).filter((timestamp) => timestamp !== null);
  if (values.some(isUniqueName) || timestamps.some((timestamp) => toMs(timestamp) % 1000 !== 0)) return true;
  return timestamps.length > 0 && values.some((value) => typeof value === 'string' && value.length >= longText);
}
