// One record, as a list shows it and as a request with its id returns it.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { count } from '../../src/terminal/count.ts';
import { dataOf, type Exchange, isObject, listOf } from '../exchange/exchange.ts';
import { sameId } from '../exchange/same-id.ts';
import { about, aboutStatus } from '../judge/claims.ts';
import type { Rejection } from '../judge/expect.ts';
import { show } from '../judge/ledger.ts';
import { agree } from '../judge/standing.ts';
import type { Judged } from '../probe/confirm.ts';
import { type Row, rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';

/** The records of a claim, and the read that shows them once more. */
export type Witnessed = Required<Pick<Judged, 'rows' | 'witness'>>;

/**
 * The status of a response about a record: a success, unless a rejection is wanted. False where it is a failure. A
 * record that is not found may have been removed meanwhile.
 */
export async function expectFound(
  probe: Probe,
  exchange: Exchange,
  { rows, witness, ...wanted }: Witnessed & Pick<Rejection, 'clause'> & Partial<Rejection>,
): Promise<boolean> {
  const { status = 200, clause } = wanted;
  if (exchange.status !== 404 && status !== 200) return probe.expectRejection(exchange, { ...wanted, status });
  if (exchange.status !== 404) return probe.expectStatus(exchange, 200, wanted);
  const witnessed = { rows, witness };
  const words = { expected: String(status), message: 'a list shows this record' };
  const judge = ([one]: readonly [Exchange]) => [
    { ...aboutStatus(one, clause), ...witnessed, ...words, isTrue: one.status === 200 },
  ];
  return (await probe.judge([exchange], judge)) !== 'stands';
}

/** A list of a record that has rows is empty. */
export async function expectRows(
  probe: Probe,
  exchange: Exchange,
  { clause, ...witnessed }: Witnessed & { readonly clause: ClauseId },
): Promise<void> {
  await probe.judge([exchange], ([one]) => {
    const isList = one.status === 200;
    const rows = isList && isObject(one.json) ? listOf(one.json.data).length : 0;
    const place = isList ? { ...about(one, clause, '/data'), actual: count(rows, 'record') } : aboutStatus(one, clause);
    return [{ ...place, ...witnessed, isTrue: rows > 0, expected: 'records of the site' }];
  });
}

/** A response may show a record twice if it is written meanwhile, but not again and again. */
export async function expectOnce(
  probe: Probe,
  exchange: Exchange,
  {
    what,
    clause,
    idsOf,
  }: { readonly what: string; readonly clause: ClauseId; idsOf(page: Exchange): readonly unknown[] },
): Promise<void> {
  await probe.judge([exchange], ([page]) => {
    const twice = repeatedIn(idsOf(page));
    const words = { expected: `each ${what} once`, actual: `${what} ${twice} twice` };
    return twice === undefined ? [] : [{ ...about(page, clause, '/data'), ...words }];
  });
}

/** A finding for each of these fields that a read by id and the list show in two ways. */
export function differences(
  single: Exchange,
  { listed, list, clause }: { readonly listed: Row | undefined; readonly list: Exchange; readonly clause: ClauseId },
  names: readonly string[],
): readonly Judged[] {
  const shown = dataOf(single);
  if (single.status !== 200 || listed === undefined) return [];
  const message = 'the list has another value, before and after';
  return names
    .filter((name) => !agree(listed, shown, name))
    .map((name) => ({
      ...about(single, clause, `/data/${name}`),
      ...{ expected: show(listed[name]), actual: show(shown[name]), message },
      ...{ rows: [listed], fields: [name], witness: list },
    }));
}

export function repeatedIn(ids: readonly unknown[]): string | undefined {
  const known = new Set<string>();
  for (const id of ids.map((one) => String(one).toLowerCase())) {
    if (known.has(id)) return id;
    known.add(id);
  }
  return undefined;
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
