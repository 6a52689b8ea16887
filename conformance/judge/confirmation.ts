// Which findings are confirmed. The driver sends the exact requests of a finding and a witness for each of its records
// again. The rest is a function of the history, so a saved run is judged in the same way (interpretation R59).
import { parseTimestamp } from '../../src/contract/timestamps.ts';
import { type Exchange, isObject, listOf } from '../exchange/exchange.ts';
import { type History, oncePer } from '../exchange/history.ts';
import { type RequestSpec, targetOf } from '../exchange/request.ts';
import { sameId } from '../exchange/same-id.ts';
import type { Claim } from './ledger.ts';
import type { Severity } from './result.ts';

type Row = Readonly<Record<string, unknown>>;

/** A claim that a change of the data, or one of several instances, can explain. */
export interface Confirmable extends Claim {
  readonly exchange: Exchange;
  readonly severity?: Severity;
  /** The requests that are sent again, in this order. */
  readonly of: readonly Exchange[];
  /** The records that a claim over several reads relies on. A claim about one response has none. */
  readonly rows?: readonly Row[];
  /** The fields of the records that it compares; none if it is about their place. */
  readonly fields?: readonly string[];
  /** Instead of `rows`, for records without ids: whether a response shows them as the claim knows them. */
  readonly isShownIn?: (exchange: Exchange) => boolean;
  /** The read that shows the records once more: a request, or an earlier exchange. */
  readonly witness?: RequestSpec | Exchange;
}

/** The findings of a history. Pure. */
export type FindingsIn = (history: History) => readonly Confirmable[];

/** Identical requests can reach several instances, and only one of them may be wrong. */
export const repeatsMax = 6;

/** `unsent`: its requests were not sent again. */
export type Confirmation =
  | { readonly kind: 'confirmed'; readonly finding: Confirmable }
  | { readonly kind: 'open' | 'unsent' };

const isExchange = (witness: RequestSpec | Exchange): witness is Exchange => 'receivedAt' in witness;

/** A write or a burst is judged once. */
function repeatable({ of }: Confirmable): readonly Exchange[] {
  return of.filter(({ method, burst, mcpEndpoint }) => !burst && (method === 'GET' || mcpEndpoint !== undefined));
}

/** Returns the requests that must be repeated in each round. */
export function requestsOf(finding: Confirmable): readonly (Exchange | RequestSpec)[] {
  const own = repeatable(finding);
  const { witness } = finding;
  return witness === undefined || own.some((one) => one === witness) ? own : [...own, witness];
}

/** Whether it relies on records, which can change, in several reads. */
export function isOfRecords({ rows, isShownIn }: Confirmable): boolean {
  return rows !== undefined || isShownIn !== undefined;
}

/** Records that changed have changed for good, so another repeat would show nothing new. */
export function roundsMax(finding: Confirmable): number {
  return isOfRecords(finding) ? 1 : repeatsMax;
}

/** How often all of its requests were sent again. */
export function roundsOf(finding: Confirmable, { exchanges }: History): number {
  const { witness } = finding;
  const countOf = (name: string) => exchanges.filter(({ confirms }) => confirms === name).length;
  const counts = repeatable(finding).map(({ id }) => countOf(id));
  // A write is not sent again: only its witness is.
  const witnesses = countOf(witness !== undefined && isExchange(witness) ? witness.id : 'witness');
  return counts.length > 0 ? Math.min(...counts) : Math.min(1, witnesses);
}

/** Whether its requests are still to be sent: another finding can have repeated them without its witness. */
export function isUnsent(finding: Confirmable, history: History): boolean {
  const [sent, most] = [roundsOf(finding, history), roundsMax(finding)];
  const { witness } = finding;
  if (requestsOf(finding).length === 0 || sent < most) return requestsOf(finding).length > 0;
  if (witness === undefined || repeatable(finding).length === 0 || sent > most) return false;
  const { confirms, target } = isExchange(witness)
    ? { confirms: witness.id, target: witness.target }
    : { confirms: 'witness', target: witness.path ?? targetOf(witness.operation ?? 'listSites', witness.params ?? {}) };
  return !history.exchanges.some((one) => one.confirms === confirms && one.target === target);
}

/** Whether a finding is confirmed, from the copies of its requests that the history has. */
export function confirmationOf(finding: Confirmable, history: History, findingsIn: FindingsIn): Confirmation {
  const isStill = isOfRecords(finding);
  if (history.isRecorded) {
    const isProven = isStill ? still(finding, history.exchanges) : finding.of.length === 1;
    return isProven ? { kind: 'confirmed', finding } : { kind: 'open' };
  }
  if (requestsOf(finding).length === 0) return { kind: 'confirmed', finding };
  const again = repeatsOf(finding, history, findingsIn);
  const requests = roundsOf(finding, history) + 1;
  if (requests === 1) return { kind: 'unsent' };
  const isProven = isStill ? [finding, ...again].some((one) => still(one, history.exchanges)) : again.length > 0;
  if (!isProven) return { kind: requests > roundsMax(finding) ? 'open' : 'unsent' };
  const shown = new Set(again.map(({ exchange }) => exchange)).size + 1;
  const counted = { ...finding, message: `${shown} of ${requests} equal requests showed this` };
  return { kind: 'confirmed', finding: isStill || shown === requests ? finding : counted };
}

/** The same finding in histories that have the copies of one round instead of its requests. */
function repeatsOf(finding: Confirmable, history: History, findingsIn: FindingsIn): Confirmable[] {
  const { witness } = finding;
  const replaced = [...repeatable(finding), ...(witness !== undefined && isExchange(witness) ? [witness] : [])];
  const copies = replaced.map(({ id }) => history.exchanges.filter(({ confirms }) => confirms === id));
  const usual = history.exchanges.filter((one) => one.confirms === undefined && !replaced.includes(one));
  return Array.from({ length: roundsOf(finding, history) }).flatMap((_, round) => {
    const own = copies.flatMap((all) => all[round] ?? []);
    const found = findingsIn({ ...history, exchanges: [...usual, ...own] });
    return found.filter((one) => own.includes(one.exchange) && nameOf(one) === nameOf(finding));
  });
}

/** Whether each record was shown before and after the responses, to the same key, as the finding knows it. */
export function still(
  {
    exchange,
    of = [exchange],
    rows = [],
    fields = [],
    isShownIn,
  }: Partial<Confirmable> & Pick<Confirmable, 'exchange'>,
  history: readonly Exchange[],
): boolean {
  const places = of.map((one) => history.indexOf(one));
  const [before, after] = [history.slice(0, Math.min(...places)), history.slice(Math.max(...places) + 1)];
  if (isShownIn !== undefined) return before.some(isShownIn) && after.some(isShownIn);
  const names = [...datingFields, ...fields];
  const key = exchange.key === 'second' ? 'second' : 'good';
  const isShown = (row: Row) => (one: Exchange) => {
    if (one.key !== key) return false;
    const [shown] = namesOf(row).flatMap((name) => (rowsIn(one).has(name) ? [rowsIn(one).get(name)] : []));
    return shown !== undefined && names.every((name) => agree(row, shown, name));
  };
  return rows.every((row) => before.some(isShown(row)) && after.some(isShown(row)));
}

/** A record in which these are equal has not been edited, moved or replaced. */
const datingFields = ['createdAt', 'siteId', 'updatedAt'];
const idFields = ['id', 'accountId', 'reviewId'];

/** The records in a response, in a list or alone, by their ids. */
const rowsIn = oncePer(({ status, json, mcpEndpoint }: Exchange): ReadonlyMap<string, Row> => {
  if (status !== 200 || mcpEndpoint !== undefined || !isObject(json)) return new Map();
  const { data } = json;
  const rows = isObject(data) ? [data, ...Object.values(data).flatMap(listOf)] : listOf(data);
  const records = rows.filter(isObject) as readonly Row[];
  // Of two records with one id, the first counts.
  return new Map(records.toReversed().flatMap((row) => namesOf(row).map((name) => [name, row] as const)));
});

/** Its ids, each with the name of the field. */
function namesOf(row: Row): readonly string[] {
  return idFields.flatMap((name) => (typeof row[name] === 'string' ? [`${name} ${row[name].toLowerCase()}`] : []));
}

/** Whether a field is the same in both; one that either lacks is the business of the rules (R13). */
export function agree(left: Row, right: Row, name: string): boolean {
  const [one, other] = [left[name], right[name]];
  if (one === undefined || other === undefined || one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (name === 'siteId') return sameId(one, other);
  const timestamp = parseTimestamp(one);
  return timestamp !== null && timestamp === parseTimestamp(other);
}

/** Findings of one kind about the same records. */
export function nameOf({ clause, pointer = '', rows = [] }: Pick<Confirmable, 'clause' | 'pointer' | 'rows'>): string {
  return [
    clause,
    pointer.replace(/\/\d+(?=\/|$)/g, '/*'),
    ...rows.map((row) => idFields.map((name) => row[name])),
  ].join(' ');
}
