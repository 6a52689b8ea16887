// One record, as a list shows it and as a request with its id returns it.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { parseTimestamp } from '../../src/contract/timestamps.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { sameId } from '../exchange/same-id.ts';
import { type Claim, show } from '../judge/ledger.ts';
import { type Row, rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { about } from './claims.ts';

/** Whether a field is the same in both; one that either lacks is the business of the rules (R13). */
export function agree(left: Row, right: Row, name: string): boolean {
  const [one, other] = [left[name], right[name]];
  if (one === undefined || other === undefined || one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (name === 'siteId') return sameId(one, other);
  const timestamp = parseTimestamp(one);
  return timestamp !== null && timestamp === parseTimestamp(other);
}

/** One record from the list and by its id, each read twice. */
export interface RecordReads {
  readonly listed: Row;
  readonly single: Row;
  readonly listedAgain: Row;
  readonly singleAgain: Row;
}

/** Whether the two ways still differ, and that not because the record is on the move. */
export function isContradiction({ listed, single, listedAgain, singleAgain }: RecordReads, name: string): boolean {
  // A creation timestamp never changes, so any change is wrong.
  const isStill = agree(listed, listedAgain, name) && (/At$/.test(name) || agree(single, singleAgain, name));
  return isStill && !agree(listed, single, name) && !agree(listedAgain, singleAgain, name);
}

export function repeatedIn(ids: readonly unknown[]): string | undefined {
  const known = new Set<string>();
  for (const id of ids.map((one) => String(one).toLowerCase())) {
    if (known.has(id)) return id;
    known.add(id);
  }
  return undefined;
}

/** A fault counts if a second read shows it too; otherwise it can be a concurrent change. */
export function failIfAgain(probe: Probe, isAgain: boolean, claim: Claim): void {
  if (isAgain) probe.holds(false, claim);
  else probe.note({ ...claim, message: 'a repeated request did not show it' });
}

export function expectOfSite(
  probe: Probe,
  exchange: Exchange,
  { siteId, clause }: { siteId: string; clause: ClauseId },
) {
  probe.every(rowsOf(exchange, ['data']), (row, index) => ({
    ...about(exchange, clause, `/data/${index}/siteId`),
    isTrue: sameId(row.siteId, siteId),
    expected: show(siteId),
    actual: show(row.siteId),
  }));
}
