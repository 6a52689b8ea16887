// The call log: its first call twice, then its pages to the end, one hard cut, the snapshot, polls after the end, and
// invalid queries. Nothing larger than one row is read before reads are known not to consume calls (R36).
import { formatTimestamp } from '../../src/contract/timestamps.ts';
import { watchIn } from '../exchange/call-ends.ts';
import { compareCalls, toMs } from '../exchange/call-fields.ts';
import * as callLog from '../exchange/call-log.ts';
import { shownTimestamps } from '../exchange/call-timestamps.ts';
import { dataOf, type Exchange, listOf, nameOfResponse } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { serverNowMs } from '../exchange/stated-limits.ts';
import { callQueries, rareCallQueries } from './inputs.ts';
import {
  type Asks,
  announce,
  get,
  type Row,
  type Scenario,
  type SoFar,
  scenario,
  send,
  sendInvalid,
  wait,
} from './scenario.ts';

type Params = Readonly<Record<string, string | number>>;

const poll = (params: Params, label?: string) =>
  send({ operation: 'listCalls', params, ...(label === undefined ? {} : { label }) });
const countOf = (exchange: Exchange) => listOf(dataOf(exchange).calls).length;

const listing = scenario('calls/listing', { least: 1, most: 5 }, function* ({ history }) {
  const first = callLog.pageOf(yield* readFirst(), history().given);
  const [one] = first?.seen ?? [];
  if (first === null || one === undefined) return;
  const params = { since: first.since ?? callLog.beginning, limit: 1 };
  const [other] = callLog.pageOf(yield* poll(params, callLog.labels.again), history().given)?.seen ?? [];
  const isChanged = other !== undefined && compareCalls(one, other).kind === 'changed';
  if (isChanged) yield* poll(params, callLog.labels.third);
});

/** The age of a log is not specified. */
function* readFirst(): Asks<Exchange> {
  let first = yield* poll({ since: callLog.beginning, limit: 1 }, callLog.labels.first);
  for (const since of first.status === 400 ? callLog.laterBeginnings(first) : []) {
    if (first.status !== 200) first = yield* poll({ since, limit: 1 }, callLog.labels.first);
  }
  return first;
}

/** To its end, a long one only at both ends. Equal reads of other scenarios are not sent again. */
function* readLog({ history }: SoFar): Asks<callLog.CallLog | string> {
  const passed = callLog.gateIn(history());
  if (passed === null) return 'the call log could not be read';
  if (!passed.isOpen) return 'blocked by calls/re-read';
  const { first } = passed;
  if (first.calls.length > 0) {
    const head = yield* get('listCalls', { since: first.since ?? callLog.beginning, limit: callLog.limitMax });
    if (callLog.pageOf(head, history().given) === null) return `the call log returned ${nameOfResponse(head)}`;
    if (
      countOf(head) >= callLog.limitMax &&
      !history().exchanges.some(({ label }) => label === callLog.labels.newest)
    ) {
      const snapshot = listOf(dataOf(yield* get('listCalls')).calls);
      yield* poll({ since: callLog.timestampBefore(snapshot, head), limit: callLog.limitMax }, callLog.labels.newest);
    }
  }
  for (;;) {
    const log = callLog.logIn(history());
    if (log === null) return 'the call log could not be read';
    const { chain, head, end } = log;
    const since = chain.at(-1)?.nextCursor ?? '';
    const pagesMax = chain[0] === head ? callLog.chainPagesMax + 1 : callLog.chainPagesMax;
    if (end !== 'unread' || chain.length >= pagesMax) return log;
    yield* get('listCalls', { since, limit: callLog.limitMax });
  }
}

/** A scenario about a log with at least so many settled calls. */
function ofLog(
  id: string,
  row: Row & { readonly calls?: number },
  ask: (log: callLog.CallLog, run: SoFar) => Asks,
): Scenario {
  const { calls: callsMin = 0, ...rest } = row;
  return scenario(id, rest, function* (run) {
    const log = yield* readLog(run);
    if (typeof log === 'string') return log;
    if (log.head.calls.length >= callsMin) return yield* ask(log, run);
    return callsMin > 1 ? 'needs at least two settled calls' : 'no call has settled';
  });
}

const whole = ofLog('calls/log', { most: 4 }, function* () {
  yield* [];
});

const cut = ofLog('calls/cut', { calls: 2, most: 6 }, function* (log, { history }) {
  const { given } = history();
  const { first, head } = log;
  const { at, known, position, elsewhere, limit } = callLog.cutOf(log);
  // The position in another form, which tests that form without an extra request.
  const other = callLog.pageOf(yield* poll({ since: elsewhere, limit }, callLog.labels.elsewhere), given);
  const isNext = other !== null && other.count > 0 && callLog.areFirstOf([...known, ...other.seen], head.seen);
  const page = isNext ? other : callLog.pageOf(yield* get('listCalls', { since: position, limit }), given);
  if (page === null) return 'the call log returned no page';
  const isRead =
    other !== null && (callLog.areFirstOf(other.seen, page.seen) || callLog.areFirstOf(other.seen, head.seen));
  if (isRead && !isNext) yield* askForLast(log, limit);
  const [last, calls] = at === known.length ? [first, known.length] : [page, known.length + page.count];
  if (page.count === 0 || calls >= head.count) return undefined;
  if (last.nextCursor === null) return 'blocked by calls/next-cursor';
  // Without a limit, so it shows the default too.
  const after = yield* get('listCalls', { since: last.nextCursor });
  if (head.count - calls >= callLog.limitDefault) yield* askForDefault(after, { since: last.nextCursor });
  return undefined;
});

/** A time with an offset may be inclusive (R35), but not hours earlier. */
function* askForLast({ head }: callLog.CallLog, limit: number): Asks {
  const cursor = head.nextCursor ?? '';
  const [since, zero] = [callLog.withOffset(cursor), cursor.replace(/Z$/i, '+00:00')];
  if (since === null || zero === cursor) return;
  yield* poll({ since, limit }, callLog.labels.lastElsewhere);
  yield* poll({ since: zero, limit }, callLog.labels.lastZero);
}

/** A page can be short, unless the same server fills it when the limit is explicit. */
function* askForDefault(page: Exchange, params: Params): Asks {
  if (page.status === 200 && countOf(page) < callLog.limitDefault)
    yield* get('listCalls', { ...params, limit: callLog.limitDefault });
}

const snapshot = ofLog('calls/snapshot', { least: 1, most: 4 }, function* ({ head }) {
  const all = yield* get('listCalls');
  if (all.status !== 200) return `the call log returned ${nameOfResponse(all)}`;
  if (head.count >= callLog.limitDefault) yield* askForDefault(all, {});
  if (countOf(all) < 2) return undefined;
  const one = yield* get('listCalls', { limit: 1 });
  // A snapshot can repeat: reading one must not use it up.
  if (one.status === 200 && countOf(one) === 0) yield* poll({});
  return undefined;
});

const firstPoll = ofLog('calls/first-poll', { most: 3 }, function* (log) {
  const { exchange: last } = log.chain.at(-1) ?? log.head;
  const now = yield* poll({ since: formatTimestamp(serverNowMs(last) ?? last.receivedAt) }, callLog.labels.afterLast);
  if (now.status !== 400) return;
  // The clock of the service can be late; a timestamp that it has shown itself is in its past (R38, R43).
  const all = yield* poll({});
  const nowMs = serverNowMs(all) ?? all.receivedAt;
  const shown = shownTimestamps(listOf(dataOf(all).calls)).map(toMs);
  const newestMs = Math.max(0, ...shown.filter((ms) => ms <= nowMs));
  if (newestMs > 0) yield* poll({ since: formatTimestamp(newestMs) }, callLog.labels.shown);
});

/** With and without a limit, as a client may change it between polls. */
const keptPosition = ofLog('calls/kept-position', { calls: 1, most: 2 }, function* ({ chain, end }) {
  const last = chain.at(-1);
  // Needs an empty page after a page with calls.
  if (end !== 'empty' || last?.since == null || chain.length < 2) return;
  yield* poll({ since: last.since }, callLog.labels.afterLast);
  yield* poll({ since: last.since, limit: 1 }, callLog.labels.afterLast);
});

/** As many as there are, one more, and one less: at its end a server can lose a call or the cursor. */
const exactPage = ofLog('calls/exact-page', { calls: 2, most: 4 }, function* (log, { history }) {
  const { since, count } = callLog.lastPageOf(log);
  if (since === null || count < 2 || count >= callLog.limitMax) return;
  for (const limit of [count, count + 1]) yield* poll({ since, limit });
  const most = callLog.pageOf(yield* poll({ since, limit: count - 1 }), history().given);
  if (most?.nextCursor != null) yield* poll({ since: most.nextCursor, limit: 1 });
});

/** Page sizes that a server might handle specially; the smallest twice. */
const sizes = [1, 2, 10, 25, 1] as const;
/** Enough to go past the first edge of a page of 200. */
const pagesMax = 6;

/** Every position and several sizes; the cut tests one edge. */
const smallPagesRow = { calls: 2, most: 2 * pagesMax + 2 } as const;
const smallPages = ofLog('calls/small-pages', smallPagesRow, function* ({ first, head }, { history }) {
  const start = first.since ?? callLog.beginning;
  yield* poll({ since: start.replace('.000', ''), limit: 1 }, callLog.labels.seconds);
  if (head.nextCursor !== null) yield* get('listCalls', { since: head.nextCursor, limit: callLog.limitMax });
  const limits = [...Array.from({ length: pagesMax }, () => null), ...sizes];
  let since: string | null = start;
  for (const [index, limit] of limits.entries()) {
    // The small sizes begin where the first page ends.
    if (index === pagesMax) since = first.nextCursor;
    if (since === null) continue;
    const page = callLog.pageOf(
      yield* get('listCalls', { since, ...(limit === null ? {} : { limit }) }),
      history().given,
    );
    since = page === null || page.count === 0 ? null : page.nextCursor;
  }
});

const future = '2096-02-29T12:00:00.000Z';
const unusualLimits = ['abc', '0', '-1', String(callLog.limitMax + 1), '1e9'] as const;
const withLimit = (since: string, limit: string) => `since=${encodeURIComponent(since)}&limit=${limit}`;

function* sendQueries(queries: readonly string[]): Asks {
  for (const query of queries)
    yield* sendInvalid({ path: `/connect/calls/log?${query}`, label: callLog.labels.invalid });
}

const invalid = ofLog('calls/invalid', { most: 3 }, ({ first, head }) => {
  // Only more calls than the maximum can show that a limit over it removes it.
  const limit = head.count >= callLog.limitMax ? String(callLog.limitMax + 1) : 'abc';
  const since = first.since ?? callLog.beginning;
  return sendQueries([withLimit(since, limit), withLimit(since, '0'), ...callQueries.slice(0, 1)]);
});

const queries = [...callQueries.slice(1), ...rareCallQueries];
const rareInvalidRow = { most: queries.length + unusualLimits.length + 4 } as const;
const rareInvalid = ofLog('calls/rare-invalid', rareInvalidRow, function* ({ first }) {
  const since = first.since ?? callLog.beginning;
  const limits = unusualLimits.map((limit) => withLimit(since, limit));
  for (const some of [queries, [...limits, `limit=${callLog.limitMax + 1}`, `since=${future}`]]) {
    yield* sendQueries(some);
    yield* poll({ since, limit: 1 }, callLog.labels.valid);
  }
});

/** The last page that had calls, as late in the run as can be: there late ones are likeliest to come in. */
const final = ofLog('calls/final', { calls: 1, most: 3 }, function* (log, { history }) {
  const before = callLog.lastPageOf(log);
  // A page with exactly as many rows as exist is full, but it has a cursor.
  const params = { since: before.since ?? callLog.beginning, limit: Math.min(callLog.limitMax, before.count) };
  const after = callLog.pageOf(yield* poll(params, callLog.labels.final), history().given);
  const isKept = after !== null && callLog.areFirstOf(before.seen, after.seen);
  if (!isKept && before.nextCursor !== null) yield* poll({ since: before.nextCursor, limit: callLog.limitMax });
  const [inserted] = callLog.insertedIn(history()).found;
  const since = inserted?.page.nextCursor ?? null;
  if (inserted !== undefined && since !== null && !callLog.areDelivered(history(), inserted.page, inserted.marks))
    yield* poll({ since });
});

export const callScenarios: readonly Scenario[] = [
  ...[listing, whole, cut, snapshot, firstPoll, invalid],
  ...[keptPosition, exactPage, smallPages, rareInvalid, final],
];

// Calls that settle while we poll: one snapshot and one poll a minute, and the same calls again at the end.

const rounds = 12;
const roundMs = 60_000;
const fullPagesMax = 3;
/** A late change has had its time by then. */
const finalMs = 180_000;

const read = (params: Readonly<Record<string, string | number>>, label: string) =>
  send({ operation: 'listCalls', params: { ...params, limit: callLog.limitMax }, label });

const callWatchRow = {
  needs: ['watch', 'call-id-field', 'call-ended-at-field'],
  least: 4,
  most: 2 * rounds + fullPagesMax + 2,
  seconds: ((rounds - 1) * roundMs + finalMs) / 1000,
} as const;
export const callWatch = scenario('calls/watch', callWatchRow, function* ({ history }) {
  yield* announce(`Watching the call log for up to ${rounds} minutes, one poll a minute.`);
  for (let round = 1; round <= rounds; round += 1) {
    // A snapshot first, so an end is seen before its delivery.
    yield* read({}, callLog.labels.watchSnapshot);
    if (watchIn(history()) === null) return 'the server sends no Date header, or no list of calls';
    yield* pollAll(history);
    // Once a call has been followed from its end to its delivery, another one would show the same.
    if (watchIn(history())?.isDone) break;
    if (round < rounds) yield* wait(roundMs);
  }
  const { delivered, startMs } = watchIn(history()) ?? { delivered: new Map(), startMs: 0 };
  if (delivered.size === 0) return undefined;
  yield* wait(finalMs);
  // A client that begins again where the watch began must see no more calls than the watch has seen.
  yield* read({ since: formatTimestamp(startMs) }, callLog.labels.watchEnd);
  // A call that has just settled and follows the cursor is not lost: the next poll returns it.
  yield* pollAll(history);
  return undefined;
});

function* pollAll(history: () => History): Asks<void> {
  for (let pages = 1; ; pages += 1) {
    const { since, startMs } = watchIn(history()) ?? { since: null, startMs: 0 };
    const exchange = yield* read({ since: since ?? formatTimestamp(startMs) }, callLog.labels.watchPoll);
    const page = callLog.pageOf(exchange, history().given);
    if (page === null || page.count < callLog.limitMax || pages > fullPagesMax) return;
  }
}
