// One record, as a list shows it and as a request with its id returns it, as judgments.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { count } from '../../src/terminal/count.ts';
import {
  dataOf,
  type Exchange,
  errorCode,
  isLimiterRejection,
  isObstacle,
  isPlatformTrouble,
} from '../exchange/exchange.ts';
import type { Fields } from '../exchange/records.ts';
import { sameId } from '../exchange/same-id.ts';
import { agree, type Confirmable } from './confirmation.ts';
import { about, aboutStatus, hasStatus, isRejected, type Rejection, statusClause } from './expect.ts';
import type { Judgment } from './judge.ts';
import { show } from './ledger.ts';

/** The records of a claim, and the read that shows them once more. */
export type Witnessed = Required<Pick<Confirmable, 'rows' | 'witness'>>;
/** An account that a list shows. */
export function listedAccount(accountId: string): Witnessed {
  return { rows: [{ accountId }], witness: { operation: 'listAccounts' } };
}

type Found = Witnessed & Pick<Rejection, 'clause'> & Partial<Rejection>;

/**
 * The status of a response about a listed record: a success, unless a rejection is wanted. A record that is not found
 * may have been removed meanwhile. Returns whether the status is as it should be.
 */
export function* isFound(exchange: Exchange, { rows, witness, ...wanted }: Found): Generator<Judgment, boolean> {
  const { status = 200, clause } = wanted;
  if (exchange.status === 404 && status !== 404) {
    const words = { expected: String(status), message: 'a list shows this record' };
    yield { ...aboutStatus(exchange, clause), ...words, isTrue: false, of: [exchange], rows, witness };
    return false;
  }
  const tested = status === 200 ? hasStatus(exchange, 200, wanted) : isRejected(exchange, { ...wanted, status });
  if (tested === null) return false;
  yield tested;
  return !('doubt' in tested) && tested.isTrue;
}

/** A list of a record that has rows is not empty. */
export function* hasRows(
  exchange: Exchange,
  rows: number,
  { clause, ...witnessed }: Witnessed & { readonly clause: ClauseId },
): Iterable<Judgment> {
  const place = exchange.status === 200 ? about(exchange, clause, '/data') : aboutStatus(exchange, clause);
  const words = { actual: count(rows, 'record'), ...place, expected: 'records of the site' };
  yield { ...words, isTrue: rows > 0, of: [exchange], ...witnessed };
}

/** A response may show a record twice if it is written meanwhile, but not again and again. */
export function* onceEach(
  exchange: Exchange,
  { what, clause, ids }: { readonly what: string; readonly clause: ClauseId; readonly ids: readonly unknown[] },
): Iterable<Judgment> {
  const twice = repeatedIn(ids);
  const words = { expected: `each ${what} once`, actual: `${what} ${twice} twice` };
  if (twice !== undefined) yield { ...about(exchange, clause, '/data'), ...words, isTrue: false, of: [exchange] };
}

/** A finding for each of these fields that a read by id and the list show in two ways. */
export function differences(
  single: Exchange,
  { listed, list, clause }: { readonly listed: Fields; readonly list: Exchange; readonly clause: ClauseId },
  names: readonly string[],
): readonly (Confirmable & { readonly isTrue: false })[] {
  const shown = dataOf(single);
  if (single.status !== 200) return [];
  const message = 'the list has another value, before and after';
  return names
    .filter((name) => !agree(listed, shown, name))
    .map((name) => ({
      ...about(single, clause, `/data/${name}`),
      ...{ expected: show(listed[name]), actual: show(shown[name]), message, isTrue: false },
      ...{ of: [list, single], rows: [listed], fields: [name], witness: list },
    }));
}

function repeatedIn(ids: readonly unknown[]): string | undefined {
  const known = new Set<string>();
  for (const id of ids.map((one) => String(one).toLowerCase())) {
    if (known.has(id)) return id;
    known.add(id);
  }
  return undefined;
}

/** Each record of a list is of the site. */
export function* ofSite(
  exchange: Exchange,
  rows: readonly Fields[],
  { siteId, clause }: { readonly siteId: string; readonly clause: ClauseId },
): Iterable<Judgment> {
  for (const [index, row] of rows.entries()) {
    const place = about(exchange, clause, `/data/${index}/siteId`);
    yield { ...place, isTrue: sameId(row.siteId, siteId), expected: show(siteId), actual: show(row.siteId) };
  }
}

// A rejected request must not affect the valid request after it, on any connection, record or key.

interface Preceded {
  /** Names what was rejected just before. */
  readonly before: string;
  /** The clause of an unexpected status; the statuses of the endpoint if absent. */
  readonly clause?: ClauseId;
}

export function* isValidAgain(exchange: Exchange, { before, clause: usual }: Preceded): Iterable<Judgment> {
  // A limiter of the key may have others to count.
  if (isPlatformTrouble(exchange) || isObstacle(exchange) || isLimiterRejection(exchange)) return;
  if (exchange.operation === null) return;
  const isUnauthorized = errorCode(exchange) === 'unauthorized';
  const clause = isUnauthorized ? '7.code.unauthorized' : (usual ?? statusClause(exchange.operation));
  const [, accountId] = /^\/connect\/accounts\/([^/?]+)\//.exec(exchange.target) ?? [];
  // The record can be deleted meanwhile (R59).
  if (accountId !== undefined && exchange.status === 404) {
    yield* isFound(exchange, { clause, ...listedAccount(accountId) });
    return;
  }
  const message = `the request is valid and was sent after ${before}`;
  yield { ...aboutStatus(exchange, clause), expected: '200', message, proves: [], isTrue: exchange.status === 200 };
}

export function isValidKeyAgain(exchange: Exchange): Iterable<Judgment> {
  return isValidAgain(exchange, { before: 'requests with invalid keys' });
}
