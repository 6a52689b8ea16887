// Reads the call log. All reads go through the shared record, so all checks of a run use the same pages. Nothing larger
// than one row is read before the gate has shown that reads do not consume calls (interpretation R36).

import { callsLimit } from '../../../src/contract/generated/limits.ts';
import { dayMs, formatTimestamp, parseTimestamp } from '../../../src/contract/timestamps.ts';
import { dataOf, type Exchange, isObject, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import { oncePer } from '../../exchange/once.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import type { McpEndpoint } from '../../mcp/endpoint.ts';
import type { Probe } from '../../probe/probe.ts';
import { compareCalls, isPrefix, type Likeness, markOf, type Seen } from './fields.ts';
import { directionOf, timestampFields } from './timestamps.ts';

/** A page of the log, or a snapshot, with everything by which its calls are distinguished. */
export interface CallPage {
  readonly exchange: Exchange;
  /** The requested position; null in a snapshot. */
  readonly since: string | null;
  /** All calls of the page, unless the server sends far more than the maximum. */
  readonly calls: readonly unknown[];
  readonly count: number;
  readonly marks: readonly string[];
  readonly nextCursor: string | null;
}

/** All that a run reads of a log: its beginning, and the way to its end. */
export interface CallLog {
  /** One row from the very beginning. */
  readonly first: CallPage;
  /** Up to 200 rows from the very beginning. */
  readonly head: CallPage;
  /** All pages by their cursors, up to the newest call; starts with `head` unless that is full. */
  readonly chain: readonly [CallPage, ...CallPage[]];
  /** How the chain ended: with an empty page, without a cursor, in a circle, after too many pages, or rejected. */
  readonly end: 'empty' | 'no-cursor' | 'circle' | 'budget' | Exchange;
}

/** Before any call of a service. Its number is 0, which a server can mistake for no `since`. */
export const beginning = '1970-01-01T00:00:00.000Z';
/** The same timestamp in another form of ISO 8601. */
export const beginningElsewhere = '1970-01-01T02:00:00+02:00';
export const limitMax = callsLimit.max;
export const limitDefault = callsLimit.preset;
/** After `head`. */
const chainPagesMax = 3;
const rowsMax = 5 * limitMax;
const minuteMs = 60_000;

/** Far enough back for a log of some size, and then hardly beyond what any server keeps. */
const recentMs = [30 * dayMs, dayMs - 4 * 3_600_000] as const;

/** By then every call has settled that ended before. */
const settlingMs = 6 * minuteMs;

type Params = Readonly<Record<string, string | number>>;

/** The first position: the year 1970, or a month or hours ago if the server rejects older times. */
export async function beginningOf(probe: Probe): Promise<string> {
  const exchange = await probe.get('listCalls', { since: beginning, limit: 1 });
  if (exchange.status !== 400) return beginning;
  for (const since of laterBeginnings(exchange)) {
    const { status } = await probe.get('listCalls', { since, limit: 1 });
    if (status === 200) return since;
  }
  return beginning;
}

/** By the clock of the server that has rejected the oldest; the same for each check of a run. */
function laterBeginnings(rejected: Exchange): readonly string[] {
  const nowMs = serverNowMs(rejected) ?? rejected.receivedAt;
  return recentMs.map((ms) => formatTimestamp(Math.floor((nowMs - ms) / minuteMs) * minuteMs));
}

/** Uses the record: pages of other checks are not read again. Stops the check unless there is a list. */
export async function readCalls(probe: Probe, params: Params): Promise<CallPage> {
  return toPage(probe, await probe.get('listCalls', params), params);
}

/** Bypasses the record, for a read that must be later than another one. */
export async function readCallsAgain(probe: Probe, params: Params): Promise<CallPage> {
  return toPage(probe, await probe.send({ operation: 'listCalls', params }), params);
}

export function toPage(probe: Probe, exchange: Exchange, params: Params): CallPage {
  if (exchange.status !== 200) return probe.stop('precondition', `the call log returned ${nameOfResponse(exchange)}`);
  if (!Array.isArray(dataOf(exchange).calls)) {
    return probe.stop('precondition', 'the call log contains no list of calls');
  }
  return { ...pageOf(probe, exchange), since: typeof params.since === 'string' ? params.since : null };
}

/** The calls of a 200; empty if it has no list. */
export function pageOf(probe: Probe, exchange: Exchange): Omit<CallPage, 'since'> {
  const { calls, nextCursor } = dataOf(exchange);
  const looked = listOf(calls).slice(0, rowsMax);
  return {
    exchange,
    calls: looked,
    count: listOf(calls).length,
    marks: looked.map((call) => markOf(call, probe.settings)),
    nextCursor: typeof nextCursor === 'string' ? nextCursor : null,
  };
}

/** The calls of some pages, one page after the other. */
export function seenOn(pages: readonly CallPage[]): (Seen & { readonly mark: string })[] {
  return pages.flatMap(({ calls, marks, exchange }) => {
    const atMs = serverNowMs(exchange) ?? exchange.receivedAt;
    return calls.map((call, index) => ({ call, atMs, mark: marks[index] ?? '' }));
  });
}

/** Whether the calls of some pages are the first ones of others, but for what moves with the clock. */
export function areFirstOf(pages: readonly CallPage[], others: readonly CallPage[]): boolean {
  const [start, whole] = [seenOn(pages), seenOn(others)];
  return start.length <= whole.length && start.every((seen, index) => isSame(seen, whole[index]));
}

/** Equal, or one call whose address or age has moved on, or one call under its id that has changed. */
export function isSame(one: Seen & { mark: string }, other: (Seen & { mark: string }) | undefined): boolean {
  if (other === undefined || one.mark === other.mark) return other !== undefined;
  const { kind } = compareCalls(one, other);
  // A changed call is still the same call; calls/kept and calls/final check changes (R36).
  return kind === 'moved' || kind === 'changed';
}

/** Whether the same page with `limit=50` is full, and without `limit` as short as before. */
export async function isShortByDefault(probe: Probe, { count, since }: CallPage): Promise<boolean> {
  const params = since === null ? {} : { since };
  const isFull = async () => (await readCallsAgain(probe, { ...params, limit: limitDefault })).count === limitDefault;
  return (await isFull()) && (await readCallsAgain(probe, params)).count === count && (await isFull());
}

/** Ends the check where a page does not begin with the same calls any more: calls have no ids to find them by (R34). */
export async function confirmPage(probe: Probe, page: CallPage): Promise<void> {
  const again = await readCallsAgain(probe, { since: page.since ?? '', limit: limitMax });
  if (!areFirstOf([page], [again])) probe.stop('interference', 'the data changed during the check');
}

/** Result of two reads of one row. */
export interface Gate {
  readonly first: CallPage;
  /** The same again; null when there was nothing to read. */
  readonly again: CallPage | null;
  readonly isOpen: boolean;
  /** How the row read again is like the row read first. */
  readonly likeness: Likeness | null;
}

/** One row from the beginning, twice; once more where the second row is like the first but for one field. */
export async function tryGate(probe: Probe): Promise<Gate> {
  const since = await beginningOf(probe);
  const first = await readCalls(probe, { since, limit: 1 });
  if (first.calls.length === 0) return { first, again: null, isOpen: true, likeness: null };
  // The limit as text sends the same request, and is a new one for the record of exchanges. Otherwise the recorded
  // response would be returned instead of a new one.
  const again = await readCalls(probe, { since, limit: '1' });
  const [[one], [other]] = [seenOn([first]), seenOn([again])];
  const alike = one !== undefined && other !== undefined ? compareCalls(one, other) : null;
  const isStill = alike?.kind !== 'changed' || (await staysSo(probe, again, since));
  const likeness = alike !== null && !isStill ? { ...alike, kind: 'other' as const } : alike;
  const isOneCall = likeness !== null && likeness.kind !== 'other';
  return { first, again, likeness, isOpen: isPrefix(first.marks, again.marks) || isOneCall };
}

const readThird = oncePer((_second: Exchange, probe: Probe, since: string) =>
  readCallsAgain(probe, { since, limit: 1 }),
);

/** A log that uses its rows up shows one row after the other; one that has changed a call shows the same call again. */
async function staysSo(probe: Probe, { exchange, calls }: CallPage, since: string): Promise<boolean> {
  const third = await readThird(exchange, probe, since);
  const [[before], [now]] = [seenOn([{ ...third, exchange, calls }]), seenOn([third])];
  return before !== undefined && now !== undefined && compareCalls(before, now).kind !== 'other';
}

/** Every check that reads the log begins here. */
export async function passGate(probe: Probe): Promise<CallPage> {
  const { first, isOpen } = await tryGate(probe);
  return isOpen ? first : probe.stop('precondition', 'blocked by calls/re-read');
}

/** A short log from beginning to end; a long one only at both ends, since an audit has few requests. */
export async function readLog(probe: Probe): Promise<CallLog> {
  const first = await passGate(probe);
  if (first.calls.length === 0) return { first, head: first, chain: [first], end: 'empty' };
  const head = await readCalls(probe, { since: await beginningOf(probe), limit: limitMax });
  const isLong = head.calls.length >= limitMax;
  // A long log is not read through: its newest part has the end of the chain, and the calls that settle.
  const start = isLong ? await readCalls(probe, { since: await recentTimestamp(probe, head), limit: limitMax }) : head;
  const pagesMax = isLong ? chainPagesMax : chainPagesMax + 1;
  return { first, head, ...(await followCursors(probe, start, pagesMax)) };
}

/** A time before the calls of the snapshot, by their timestamps; a day ago if they have none. */
async function recentTimestamp(probe: Probe, head: CallPage): Promise<string> {
  const snapshot = await probe.get('listCalls');
  return timestampBefore(snapshot.status === 200 ? listOf(dataOf(snapshot).calls) : [], head);
}

/** A time before all calls of a snapshot; a day before `head` if they have no timestamps. */
function timestampBefore(calls: readonly unknown[], head: CallPage): string {
  const fields = timestampFields(calls.slice(0, rowsMax));
  const ordered = fields.filter(({ timestamps }) => directionOf(timestamps) !== 'level');
  const earliestMs = ordered.map(({ timestamps }) =>
    Math.min(...timestamps.map((timestamp) => Number(timestamp / 1_000_000n))),
  );
  const nowMs = serverNowMs(head.exchange) ?? head.exchange.receivedAt;
  if (earliestMs.length === 0) return formatTimestamp(nowMs - dayMs);
  const shownMs = Math.max(...earliestMs);
  // All of a busy snapshot may still settle: as long again before that, as many calls have, if the pages hold them.
  const [spanMs, agoMs] = [nowMs - shownMs, settlingMs + Math.min(settlingMs, nowMs - shownMs)];
  const isRoom = agoMs * calls.length < (chainPagesMax - 1) * limitMax * spanMs;
  return formatTimestamp(isRoom ? Math.min(shownMs, nowMs - agoMs) : shownMs);
}

/** Follows each cursor once: a repeated cursor is a cycle. */
async function followCursors(probe: Probe, start: CallPage, pagesMax: number): Promise<Pick<CallLog, 'chain' | 'end'>> {
  const chain: [CallPage, ...CallPage[]] = [start];
  const followed = new Set([start.since]);
  for (;;) {
    const { calls, nextCursor } = chain.at(-1) ?? start;
    if (calls.length === 0) return { chain, end: 'empty' };
    if (nextCursor === null) return { chain, end: 'no-cursor' };
    if (followed.has(nextCursor) || isStuck(chain)) return { chain, end: 'circle' };
    if (chain.length >= pagesMax) return { chain, end: 'budget' };
    followed.add(nextCursor);
    const params = { since: nextCursor, limit: limitMax };
    const exchange = await probe.get('listCalls', params);
    if (exchange.status !== 200) return { chain, end: exchange };
    chain.push(toPage(probe, exchange, params));
  }
}

/** The same calls again, and a cursor that names the same time in other words. */
function isStuck(chain: readonly CallPage[]): boolean {
  const [before, last] = chain.slice(-2);
  if (before === undefined || last === undefined || before.nextCursor === null || last.nextCursor === null)
    return false;
  const isSamePage = isPrefix(before.marks, last.marks) && isPrefix(last.marks, before.marks);
  return isSamePage && parseTimestamp(before.nextCursor) === parseTimestamp(last.nextCursor);
}

/** Both halves of the rule: null means nothing new, a string means something new. */
export function expectCursor(probe: Probe, { calls, nextCursor, exchange }: CallPage): void {
  const claim = { ...about(exchange, '4.calls.next-cursor-null', '/data/nextCursor'), actual: show(nextCursor) };
  if (calls.length === 0) probe.holds(nextCursor === null, { ...claim, expected: 'null without new calls' });
  else probe.holds(nextCursor !== null, { ...claim, clause: '4.calls.next-cursor-string', expected: 'a string' });
}

// The call log at the MCP endpoint. If both endpoints are checked, the REST API has shown that reads do not consume
// calls. Otherwise this file tests it (interpretation R36).

const monthMs = 30 * dayMs;

/** Where reading may begin, and the row that it begins with, if there is one. */
export interface Start {
  readonly since: string;
  readonly calls: readonly unknown[];
}

/** One row is read twice before anything else of the log; stops the check where it does not come again. */
export async function passGateAt(probe: Probe, mcpEndpoint: McpEndpoint): Promise<Start> {
  if (!probe.settings.isAlone) return { calls: (await passGate(probe)).calls, since: await beginningOf(probe) };
  return ownGate(mcpEndpoint, probe);
}

/** The log to compare with: that of the REST API, or one page of the MCP endpoint. */
export async function readLogAt(probe: Probe, mcpEndpoint: McpEndpoint): Promise<CallLog> {
  if (!probe.settings.isAlone) return readLog(probe);
  return ownLog(mcpEndpoint, probe);
}

const ownGate = oncePer(async (mcpEndpoint: McpEndpoint, probe: Probe): Promise<CallPage & Start> => {
  const oldest = await mcpEndpoint.call(probe, 'calls_log', { since: beginning, limit: 1 });
  // A server may reject what is so old.
  const monthAgo = formatTimestamp(Math.floor((oldest.exchange.receivedAt - monthMs) / 1000) * 1000);
  const since = oldest.outcome === 'rejected' ? monthAgo : beginning;
  const first = await pollPage(probe, mcpEndpoint, { since, limit: 1 });
  if (first.calls.length === 0) return { ...first, since };
  const again = await pollPage(probe, mcpEndpoint, { since, limit: 1 });
  if (!isPrefix(first.marks, again.marks)) {
    probe.stop('precondition', 'blocked by calls/re-read');
  }
  return { ...first, since };
});

const ownLog = oncePer(async (mcpEndpoint: McpEndpoint, probe: Probe): Promise<CallLog> => {
  const first = await ownGate(mcpEndpoint, probe);
  const head = await pollPage(probe, mcpEndpoint, { since: first.since, limit: limitMax });
  const newest = head.count < limitMax ? head : await readNewest(probe, mcpEndpoint, head);
  return { first, head, chain: [newest], end: newest.nextCursor === null ? 'no-cursor' : 'budget' };
});

/** A long log is not read through: its newest part has the calls that settle. */
async function readNewest(probe: Probe, mcpEndpoint: McpEndpoint, head: CallPage): Promise<CallPage> {
  const { data } = await mcpEndpoint.call(probe, 'calls_log', {});
  const since = timestampBefore(isObject(data) ? listOf(data.calls) : [], head);
  return pollPage(probe, mcpEndpoint, { since, limit: limitMax });
}

/** Returns the page in the format of REST checks, so both endpoints have the same checks. */
export async function pollPage(
  probe: Probe,
  mcpEndpoint: McpEndpoint,
  input: { since: string; limit: number },
): Promise<CallPage & Start> {
  const { outcome, words, data, exchange } = await mcpEndpoint.call(probe, 'calls_log', input);
  if (outcome !== 'taken') probe.stop('precondition', `calls_log with ${show(input)}: ${words}`);
  if (!isObject(data) || !Array.isArray(data.calls)) probe.stop('precondition', 'calls_log returned no list of calls');
  const { calls, nextCursor } = data;
  const marks = calls.map((call) => markOf(call, probe.settings));
  const cursor = typeof nextCursor === 'string' ? nextCursor : null;
  return { exchange, since: input.since, calls, count: calls.length, marks, nextCursor: cursor };
}
