// Where the checks cut a page of the call log: between calls with equal timestamps if there are any. The page before
// the cut is requested with its position in another form, which tests that form without an extra request.
import { formatTimestamp, hourMs } from '../../../src/contract/timestamps.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Probe } from '../../probe/probe.ts';
import { areFirstOf, beginningElsewhere, beginningOf, type CallLog, type CallPage, readCalls, readLog } from './log.ts';
import { hardestCut } from './timestamps.ts';

/** A cut, and all that was read to find and try it. */
export interface Cut {
  readonly log: CallLog;
  readonly at: number;
  readonly isTie: boolean;
  /** The first `at` calls, with the cursor after them. */
  readonly before: CallPage;
  /** The position in other words, with an offset, and the response to it. */
  readonly requested: { readonly since: string; readonly limit: number };
  readonly elsewhere: Exchange;
  readonly position: string;
  /** One page before the cut, and its limit. */
  readonly page: CallPage;
  readonly limit: number;
  /** Whether that response equals the one to the position in its original form. */
  readonly isRead: boolean;
}

/**
 * The same timestamp with an offset of half a day, which reaches past the gaps of a quiet log, and with every digit of
 * its fraction; null for a form that is not read here.
 */
export function withOffset(cursor: string): string | null {
  const [, whole, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([.,]\d+)?(Z|[+-]\d\d:\d\d)$/i.exec(cursor) ?? [];
  if (whole === undefined || zone === undefined) return null;
  const [offset, hours] = zone === '+12:00' ? ['-11:00', -11] : ['+12:00', 12];
  const local = Date.parse(`${whole}${zone}`.toUpperCase()) + hours * hourMs;
  return Number.isNaN(local) ? null : `${formatTimestamp(local).slice(0, 19)}${fraction}${offset}`;
}

/** Near the hundredth call, where a server that reads in batches can lose one. */
const cutWanted = 100;

/** Reads the page before the cut from the cursor after the first call, in another form if the server accepts it. */
export async function readCut(probe: Probe): Promise<Cut> {
  const log = await readLog(probe);
  const { first, head } = log;
  if (head.calls.length < 2) return probe.stop('vacuous', 'needs at least two settled calls');
  const wanted = Math.min(cutWanted, Math.ceil(head.calls.length / 2));
  const { at, isTie } = hardestCut(head.calls, wanted) ?? { at: wanted, isTie: false };
  const since = await beginningOf(probe);
  const shifted = first.nextCursor === null ? null : withOffset(first.nextCursor);
  const [known, position] = shifted === null ? [[], since] : [[first], first.nextCursor ?? since];
  const limit = Math.max(1, at - known.length);
  const requested = { since: shifted ?? withOffset(since) ?? beginningElsewhere, limit };
  const elsewhere = await probe.get('listCalls', requested);
  const other = elsewhere.status === 200 ? await readCalls(probe, requested) : null;
  const isExpected = other !== null && other.calls.length > 0 && areFirstOf([...known, other], [head]);
  const page = isExpected ? other : await readCalls(probe, { since: position, limit });
  const isRead = other !== null && isReadAs(other, page, head);
  const before = at === known.length ? first : join(known, page);
  return { log, at, isTie, requested, elsewhere, position, page, limit, isRead, before };
}

/**
 * Whether the position in another form returns the same page. A time that is not a cursor can be inclusive (R35), from
 * the first call.
 */
export function isReadAs(other: CallPage, page: CallPage, head: CallPage): boolean {
  const isEqual = areFirstOf([other], [page]) && areFirstOf([page], [other]);
  return isEqual || (other.calls.length > 0 && areFirstOf([other], [head]));
}

/** As if it were one page: calls in a row, the cursor of the last. */
function join(known: readonly CallPage[], page: CallPage): CallPage {
  const pages = [...known, page];
  const calls = pages.flatMap((each) => each.calls);
  return { ...page, calls, count: calls.length, marks: pages.flatMap(({ marks }) => marks) };
}

/** The page after the cut, without a limit, so it shows the default too. */
export async function readAfter(probe: Probe, { before, log, page }: Cut): Promise<CallPage> {
  if (page.calls.length === 0) return page;
  if (before.calls.length >= log.head.calls.length) return probe.stop('precondition', 'blocked by calls/limit');
  if (before.nextCursor === null) return probe.stop('precondition', 'blocked by calls/next-cursor');
  return readCalls(probe, { since: before.nextCursor });
}
