// Records of two organizations: whether both keys are shown the same, and an account that only the first one has.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { articlesLimit, callsLimit } from '../../src/contract/generated/limits.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { count } from '../../src/terminal/count.ts';
import { canonical } from '../exchange/canonical.ts';
import { dataOf, type Exchange, type KeyName } from '../exchange/exchange.ts';
import { oncePer } from '../exchange/once.ts';
import { listIn, recordsIn } from '../exchange/records.ts';
import { isUniqueName, sameId } from '../exchange/same-id.ts';
import { about } from '../judge/claims.ts';
import { type Claim, show } from '../judge/ledger.ts';
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

export const proves = ['1.organization-scope', '5.key-organization'] as const satisfies readonly ClauseId[];

/** The clause of a claim, where the records are, and why they are equal. */
interface Words {
  readonly clause: ClauseId;
  readonly where?: string;
  readonly message?: string;
}

/** No record of a response to the second key is one that the first key has been shown. */
export function expectApart(probe: Probe, exchange: Exchange, { clause, where, message }: Words): void {
  const rows = recordsIn(exchange);
  if (rows.length === 0) return;
  const known = recordsOfFirst(probe);
  const shared = rows.filter((row) => known.has(canonical(row)));
  // These can hold little, so they can be equal by chance (R34).
  const isOpaque = exchange.operation === 'listCalls' || exchange.mcpEndpoint !== undefined;
  const equal = isOpaque ? shared.filter(isDistinctive) : shared;
  const example = equal.length === 0 ? '' : `, for example ${show(equal[0])}`;
  const claim: Claim = {
    ...about(exchange, clause, listIn(exchange)?.pointer),
    proves: [...new Set([clause, ...proves])],
    expected: `no records of the first key${where === undefined ? '' : ` (${where})`}`,
    actual: `${equal.length} of ${count(rows.length, 'record')} also in responses to the first key${example}`,
  };
  const isLeak = equal.filter(isDistinctive).length >= equalMin;
  if (equal.length === 0) probe.holds(true, claim);
  else if (!isLeak)
    probe.warn({ ...claim, message: 'only a warning, because the records are too few or too short (R56)' });
  else if (probe.settings.seededAlike) probe.warn({ ...claim, message: 'only a warning because of --seeded-alike' });
  else probe.holds(false, { ...claim, message: message ?? seededWords });
}

const marksIn = oncePer((exchange: Exchange) => recordsIn(exchange).map((row) => canonical(row)));

function recordsOfFirst(probe: Probe): ReadonlySet<string> {
  const all = [...probe.history(), ...probe.history('mcp')];
  return new Set(all.flatMap((one) => (one.key === 'good' && one.status === 200 ? marksIn(one) : [])));
}

/** Whether two responses show the same records, in any order. */
export function isAlike(one: Exchange, other: Exchange): boolean {
  return [...marksIn(one)].sort().join() === [...marksIn(other)].sort().join();
}

/** If both keys are shown a few equal records: reads of the same lists, because more of them decide (R56). */
export function readsOfShared(probe: Probe) {
  const tellingOf = (name: KeyName) => {
    const all = probe.history().filter(({ key, status }) => key === name && status === 200);
    const rows = all.flatMap((one) => recordsIn(one).map((row) => [row, one] as const));
    return new Map(rows.filter(([row]) => isDistinctive(row)).map(([row, one]) => [canonical(row), one]));
  };
  const [mine, theirs] = [tellingOf('good'), tellingOf('second')];
  const shared = [...mine.keys()].filter((mark) => theirs.has(mark));
  if (shared.length >= equalMin) return [];
  return shared.flatMap((mark) => [mine, theirs].flatMap((side) => readAfter(side.get(mark) as Exchange) ?? []));
}

const limits = { listArticles: articlesLimit.max, listCalls: callsLimit.max } as const;

/** The same list with the other key; reviews of an account belong to one, so the next page of them. */
function readAfter(exchange: Exchange) {
  const { operation, target, key } = exchange;
  if (operation === null) return null;
  const params = Object.fromEntries(new URLSearchParams(target.split('?')[1]));
  const other: KeyName = key === 'good' ? 'second' : 'good';
  if (operation !== 'listReviews') {
    const limit = operation in limits ? { limit: limits[operation as keyof typeof limits] } : {};
    return { operation, params: { ...params, ...limit }, key: other };
  }
  const { nextCursor } = dataOf(exchange);
  const accountId = segmentOf(exchange, 2);
  return typeof nextCursor === 'string' ? { operation, params: { accountId, cursor: nextCursor }, key } : null;
}
