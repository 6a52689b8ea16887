// The call log as a history shows it: its pages, the gate before them, and the way from its beginning to its end.
import { callsLimit } from '../../src/contract/generated/limits.ts';
import { dayMs, formatTimestamp, hourMs, parseTimestamp, parseTimestampMs } from '../../src/contract/timestamps.ts';
import { areNamed, compareCalls, haveIds, isPrefix, type Likeness, markOf, type Seen, without } from './call-fields.ts';
import { directionOf, hardestCut, timestampFields } from './call-timestamps.ts';
import { dataOf, type Exchange, listOf } from './exchange.ts';
import { type Given, type History, labelled, oncePer, responsesTo } from './history.ts';
import { serverNowMs } from './stated-limits.ts';

export const limitMax = callsLimit.max;
export const limitDefault = callsLimit.preset;
const rowsMax = 5 * limitMax;
const minuteMs = 60_000;

/** A call with the text that identifies it (`markOf`). */
export type Marked = Seen & { readonly mark: string };

/** A page of the log, or a snapshot. */
export interface CallPage {
  readonly exchange: Exchange;
  /** The requested position; null in a snapshot. */
  readonly since: string | null;
  /** Null without one, and for text. */
  readonly limit: number | null;
  /** All calls of the page, unless the server sends far more than the maximum. */
  readonly calls: readonly unknown[];
  readonly seen: readonly Marked[];
  readonly marks: readonly string[];
  readonly count: number;
  readonly nextCursor: string | null;
}

interface Query {
  readonly since: string | null;
  readonly limit: number | null;
}

export const queryOf = oncePer(({ target }: Exchange): Query => {
  const params = new URLSearchParams(target.split('?')[1] ?? '');
  const limit = params.get('limit') ?? '';
  return { since: params.get('since'), limit: /^\d+$/.test(limit) ? Number(limit) : null };
});

export function makePage(
  exchange: Exchange,
  { since, limit, calls: all, nextCursor }: Query & Readonly<Record<'calls' | 'nextCursor', unknown>>,
  given: Pick<Given, 'callIdField'>,
): CallPage {
  const calls = listOf(all).slice(0, rowsMax);
  const atMs = serverNowMs(exchange) ?? exchange.receivedAt;
  const seen = calls.map((call) => ({ call, atMs, mark: markOf(call, given) }));
  const cursor = typeof nextCursor === 'string' ? nextCursor : null;
  const marks = seen.map(({ mark }) => mark);
  return { exchange, since, limit, calls, seen, marks, count: listOf(all).length, nextCursor: cursor };
}

/** Null for a response without a list of calls. */
export const pageOf = oncePer((exchange: Exchange, given: Pick<Given, 'callIdField'>): CallPage | null => {
  const { calls, nextCursor } = dataOf(exchange);
  const isPage = exchange.operation === 'listCalls' && exchange.status === 200 && Array.isArray(calls);
  return isPage ? makePage(exchange, { ...queryOf(exchange), calls, nextCursor }, given) : null;
});

export function pagesIn(history: History): CallPage[] {
  return responsesTo(history, 'listCalls').flatMap((one) => pageOf(one, history.given) ?? []);
}

/** Whole milliseconds in UTC, as the kit itself writes a timestamp. */
const plain = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Responses to a past `since` in a form that every server reads; other forms can return a snapshot (R38). */
export function deliveriesIn(history: History): CallPage[] {
  const pages = pagesIn(history);
  const cursors = new Set(pages.map(({ nextCursor }) => nextCursor));
  return pages.filter(({ since, exchange: { sentAt } }) => {
    if (since === null || !(plain.test(since) || (cursors.has(since) && parseTimestamp(since) !== null))) return false;
    return (parseTimestampMs(since) ?? sentAt) < sentAt;
  });
}

/** Responses without `since`, in valid requests. */
export function snapshotsIn(history: History): CallPage[] {
  const isValid = ({ since, limit, exchange: { target } }: CallPage) =>
    since === null && (limit === null ? !target.includes('?') : limit >= 1 && limit <= limitMax);
  return pagesIn(history).filter(isValid);
}

/** Equal, or one call whose address or age has moved on, or one call under its id that has changed. */
export function isSame(one: Marked, other: Marked | undefined): boolean {
  if (other === undefined || one.mark === other.mark) return other !== undefined;
  const { kind } = compareCalls(one, other);
  // A changed call is still the same call; calls/final checks changes (R36).
  return kind === 'moved' || kind === 'changed';
}

/** Whether the first calls are the beginning of the others, but for what moves with the clock. */
export function areFirstOf(start: readonly Marked[], whole: readonly Marked[]): boolean {
  return start.length <= whole.length && start.every((seen, index) => isSame(seen, whole[index]));
}

// The labels of requests by which checks and scenarios find them.
export const labels = {
  first: 'the first call',
  again: 'the first call again',
  third: 'the first call a third time',
  newest: 'the newest calls',
  elsewhere: 'a position with an offset',
  lastElsewhere: 'the last position with an offset',
  lastZero: 'the last position with the offset zero',
  seconds: 'the beginning without a fraction',
  afterLast: 'a poll after the last call',
  shown: 'a poll at the newest timestamp shown',
  invalid: 'an invalid query of the call log',
  valid: 'a poll after invalid queries',
  final: 'the last calls again',
  watchSnapshot: 'a snapshot of the watch',
  watchPoll: 'a poll of the watch',
  watchEnd: 'the calls of the watch again',
} as const;

/** One row from the beginning, read twice: a log that reads consume is left alone (interpretation R36). */
export interface Gate {
  readonly first: CallPage;
  /** Null when there was nothing to read. */
  readonly again: CallPage | null;
  readonly isOpen: boolean;
  /** How the row read again is like the row read first. */
  readonly likeness: Likeness | null;
}

const labelledPage = (history: History, label: string) =>
  labelled(history, label)
    .flatMap((one) => pageOf(one, history.given) ?? [])
    .at(-1);

/** Null without such a page. */
export function gateIn(history: History): Gate | null {
  const first = labelledPage(history, labels.first);
  const again = labelledPage(history, labels.again) ?? null;
  const [one] = first?.seen ?? [];
  if (first === undefined || (one !== undefined && again === null)) return null;
  if (one === undefined || again === null) return { first, again: null, isOpen: true, likeness: null };
  const [other] = again.seen;
  const alike = other === undefined ? null : compareCalls(one, other);
  const [third] = labelledPage(history, labels.third)?.seen ?? [];
  // A log that uses its rows up shows one row after the other; one that has changed a call shows the same call again.
  const isStill =
    alike?.kind !== 'changed' ||
    (other !== undefined && third !== undefined && compareCalls(other, third).kind !== 'other');
  const likeness = alike === null || isStill ? alike : { ...alike, kind: 'other' as const };
  const isOneCall = likeness !== null && likeness.kind !== 'other';
  return { first, again, likeness, isOpen: isPrefix(first.marks, again.marks) || isOneCall };
}

/** All that a run reads of a log: its beginning, and the way to its end. */
export interface CallLog {
  /** One row from the very beginning. */
  readonly first: CallPage;
  /** Up to 200 rows from the very beginning. */
  readonly head: CallPage;
  /** All pages by their cursors, up to the newest call; starts with `head` unless that is full. */
  readonly chain: readonly [CallPage, ...CallPage[]];
  /** An empty page, no cursor, a circle, an unread page, or a response without a list of calls. */
  readonly end: 'empty' | 'no-cursor' | 'circle' | 'unread' | Exchange;
}

/** Null if the gate is closed, or the beginning is missing. */
export function logIn(history: History): CallLog | null {
  const gate = gateIn(history);
  if (gate === null || !gate.isOpen) return null;
  const { first } = gate;
  if (first.calls.length === 0) return { first, head: first, chain: [first], end: 'empty' };
  const reads = responsesTo(history, 'listCalls').filter((one) => queryOf(one).limit === limitMax);
  const readAt = (since: string | null) => reads.find((one) => queryOf(one).since === since);
  const beginning = readAt(first.since);
  const head = beginning === undefined ? null : pageOf(beginning, history.given);
  if (head === null) return null;
  const chain: [CallPage, ...CallPage[]] = [
    (head.count >= limitMax ? labelledPage(history, labels.newest) : undefined) ?? head,
  ];
  const followed = new Set([chain[0].since]);
  for (;;) {
    const { calls, nextCursor } = chain.at(-1) ?? chain[0];
    const log = { first, head, chain };
    if (calls.length === 0) return { ...log, end: 'empty' };
    if (nextCursor === null) return { ...log, end: 'no-cursor' };
    if (followed.has(nextCursor) || isStuck(chain)) return { ...log, end: 'circle' };
    followed.add(nextCursor);
    const next = readAt(nextCursor);
    const page = next === undefined ? null : pageOf(next, history.given);
    if (page === null) return { ...log, end: next ?? 'unread' };
    chain.push(page);
  }
}

/** The same calls again, and a cursor that names the same time in other words. */
function isStuck(chain: readonly CallPage[]): boolean {
  const [before, last] = chain.slice(-2);
  if (before?.nextCursor == null || last?.nextCursor == null) return false;
  const isSamePage = isPrefix(before.marks, last.marks) && isPrefix(last.marks, before.marks);
  return isSamePage && parseTimestamp(before.nextCursor) === parseTimestamp(last.nextCursor);
}

/** The last page of the log that has calls. */
export function lastPageOf({ head, chain }: CallLog): CallPage {
  return [head, ...chain].findLast(({ calls }) => calls.length > 0) ?? head;
}

// Positions to begin at, and where to cut a page.

/** Before any call of a service. Its number is 0, which a server can mistake for no `since`. */
export const beginning = '1970-01-01T00:00:00.000Z';
/** The same timestamp in another form of ISO 8601. */
export const beginningElsewhere = '1970-01-01T02:00:00+02:00';
/** After the first page of the chain. */
export const chainPagesMax = 3;

/** Far enough back for a log of some size, and then hardly beyond what any server keeps. */
const recentMs = [30 * dayMs, 20 * hourMs] as const;

/** By then every call has settled that ended before. */
const settlingMs = 6 * minuteMs;

/** A month or hours ago, by the clock of the server that has rejected the oldest position. */
export function laterBeginnings(rejected: Exchange): readonly string[] {
  const nowMs = serverNowMs(rejected) ?? rejected.receivedAt;
  return recentMs.map((ms) => formatTimestamp(Math.floor((nowMs - ms) / minuteMs) * minuteMs));
}

/** A time before all calls of a snapshot; a day before `head` if they have no timestamps. */
export function timestampBefore(calls: readonly unknown[], head: Exchange): string {
  const fields = timestampFields(calls.slice(0, rowsMax));
  const ordered = fields.filter(({ timestamps }) => directionOf(timestamps) !== 'level');
  const earliestMs = ordered.map(({ timestamps }) =>
    Math.min(...timestamps.map((timestamp) => Number(timestamp / 1_000_000n))),
  );
  const nowMs = serverNowMs(head) ?? head.receivedAt;
  if (earliestMs.length === 0) return formatTimestamp(nowMs - dayMs);
  const shownMs = Math.max(...earliestMs);
  // All of a busy snapshot may still settle: as long again before that, as many calls have, if the pages hold them.
  const [spanMs, agoMs] = [nowMs - shownMs, settlingMs + Math.min(settlingMs, nowMs - shownMs)];
  const isRoom = agoMs * calls.length < (chainPagesMax - 1) * limitMax * spanMs;
  return formatTimestamp(isRoom ? Math.min(shownMs, nowMs - agoMs) : shownMs);
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

/** The first calls up to a cut, as a request from the cursor after the first call. */
export interface Cut {
  readonly at: number;
  /** The first call, if the position is its cursor. */
  readonly known: readonly Marked[];
  readonly position: string;
  readonly elsewhere: string;
  readonly limit: number;
}

/** Between calls with equal timestamps if there are any. */
export function cutOf({ first, head }: CallLog): Cut {
  const wanted = Math.min(cutWanted, Math.ceil(head.calls.length / 2));
  const { at } = hardestCut(head.calls, wanted) ?? { at: wanted };
  const since = first.since ?? beginning;
  const shifted = first.nextCursor === null ? null : withOffset(first.nextCursor);
  const [known, position] = shifted === null ? [[], since] : [first.seen, first.nextCursor ?? since];
  const elsewhere = shifted ?? withOffset(since) ?? beginningElsewhere;
  return { at, known, position, elsewhere, limit: Math.max(1, at - known.length) };
}

/** Whether a response to the valid key shows these calls in a row. */
export function showsInRow(calls: readonly Marked[], { given }: History): (exchange: Exchange) => boolean {
  return (exchange) => {
    const { seen } = (exchange.key === 'good' && pageOf(exchange, given)) || { seen: [] };
    const place = seen.findIndex((one) => calls[0] !== undefined && isSame(calls[0], one));
    return place >= 0 && areFirstOf(calls, seen.slice(place));
  };
}

// A later reading of delivered calls: a call that settled late and took its place before a position already handed out
// is lost for every client that polls, and no page by itself shows it.

/** How a later reading of a page differs from the first; `at` is the place of the first difference. */
export type Replay =
  | { readonly kind: 'kept' }
  /** Between calls that had been delivered. */
  | { readonly kind: 'inserted'; readonly at: number; readonly marks: readonly string[] }
  | { readonly kind: 'reordered' | 'changed' | 'gone'; readonly at: number };

/** `most` is the maximum of the later page. */
export function compareReplay(before: readonly string[], after: readonly string[], most: number = limitMax): Replay {
  if (isPrefix(before, after)) return { kind: 'kept' };
  const at = before.findIndex((mark, index) => mark !== after[index]);
  if (at >= after.length) return { kind: 'gone', at };
  const isCut = after.length >= most;
  const missing = without(before, after);
  const isReplaced = missing.includes(before[at] ?? '') && !before.includes(after[at] ?? '');
  if (missing.length > 0 && !isCut)
    return { kind: isReplaced && before.length <= after.length ? 'changed' : 'gone', at };
  const kept = before.filter((mark) => after.includes(mark));
  const inOrder = after.filter((mark) => before.includes(mark));
  if (!isPrefix(inOrder, kept) && !isPrefix(kept, inOrder)) return { kind: 'reordered', at };
  const lastKept = after.lastIndexOf(inOrder.at(-1) ?? '');
  return { kind: 'inserted', at, marks: without(after.slice(0, lastKept), before) };
}

/** A page that shows new calls between two that another page shows next to each other. */
export interface Inserted {
  readonly page: CallPage;
  readonly at: number;
  readonly marks: readonly string[];
}

/** The first such place of each page, and how many pairs of calls were delivered twice. */
export function insertedIn(history: History): { readonly found: readonly Inserted[]; readonly compared: number } {
  const later = new Map<string, string>();
  const found: Inserted[] = [];
  let compared = 0;
  for (const page of deliveriesIn(history)) {
    const { calls, marks } = page;
    // Calls that look alike cannot be distinguished (R34).
    if (new Set(marks).size < marks.length || !(areNamed(calls, history.given) || haveIds(calls))) continue;
    const places = new Map(marks.map((mark, at) => [mark, at]));
    for (const [at, mark] of marks.entries()) {
      const known = later.get(mark);
      const place = known === undefined ? undefined : places.get(known);
      if (place !== undefined) compared += 1;
      if (place !== undefined && place > at + 1 && found.at(-1)?.page !== page)
        found.push({ page, at: at + 1, marks: marks.slice(at + 1, place) });
      const next = marks[at + 1];
      if (next !== undefined && known === undefined) later.set(mark, next);
    }
  }
  return { found, compared };
}

/** Whether a page after these calls shows the new ones too: then no client has lost them. */
export function areDelivered(history: History, { nextCursor }: CallPage, marks: readonly string[]): boolean {
  const later = deliveriesIn(history).filter(({ since }) => since !== null && since === nextCursor);
  return later.some((page) => without(marks, page.marks).length === 0);
}
