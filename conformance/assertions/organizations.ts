// An account of the first organization that the second one has none of.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { sameId } from '../exchange/same-id.ts';
import { segmentOf } from '../observe/look.ts';
import { type AccountRow, rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { isOfPattern } from './write-answers.ts';

/** One that `operation` has shown with the first key, and that the second organization's own list does not hold. */
export async function foreignAccount(probe: Probe, operation: OperationId): Promise<string | undefined> {
  const shown = probe.history().filter((one) => one.operation === operation && one.status === 200);
  const own = shown.filter(({ key }) => key === 'good').map((exchange) => segmentOf(exchange, 2));
  // An MCP door alone has no list to ask for.
  if (own.length === 0) return undefined;
  const theirs = await probe.get('listAccounts', {}, 'second');
  const others = rowsOf<AccountRow>(theirs, ['data', 'accounts'], ['accountId']);
  return own.find((id) => isOfPattern(id) && !others.some((row) => sameId(row.accountId, id)));
}

/** Every call that the first key has been shown in this run. */
export function callsOfFirst(probe: Probe): unknown[] {
  const logs = probe.history().filter(({ operation, status, key }) => {
    return operation === 'listCalls' && status === 200 && key === 'good';
  });
  return logs.flatMap((exchange) => rowsOf(exchange, ['data', 'calls']) as readonly unknown[]);
}
