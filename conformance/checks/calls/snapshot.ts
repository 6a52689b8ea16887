// The snapshot next to the log, and the order of both. Calls arrive, settle and are reported late between two reads, so
// a contradiction counts while the calls are shown before and after.
import { count } from '../../../src/terminal/count.ts';
import { endFieldOf } from '../../exchange/call-ends.ts';
import { fieldOf, haveIds, isAge, leavesOf, type Seen, textOf, toMs, whyNoEnd } from '../../exchange/call-fields.ts';
import { type CallPage, deliveriesIn, logIn, pageOf, snapshotsIn } from '../../exchange/call-log.ts';
import { checkOrder, isIdName, readTimestamp, roleOf } from '../../exchange/call-timestamps.ts';
import { isObstacle, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, responsesTo } from '../../exchange/history.ts';
import { about, hasStatus } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';

const ofSnapshot = ['calls/listing', 'calls/log', 'calls/snapshot'] as const;

/** A call with the timestamps that its names report, and what else finds it again. */
type Dated = Seen & { readonly startMs: number; readonly endMs: number; readonly marks: readonly string[] };

/** Only calls with an end after their start. */
function datedOn(pages: readonly CallPage[]): Dated[] {
  const calls = pages.flatMap(({ seen }) => seen);
  return calls.flatMap((seen) => {
    const leaves = [...leavesOf(seen.call)];
    const timestampOf = (role: 'start' | 'end') => {
      const found = leaves.filter(([path]) => roleOf(path) === role).map(([, value]) => readTimestamp(value));
      return found.length === 1 && found[0] != null ? toMs(found[0]) : null;
    };
    const [startMs, endMs] = [timestampOf('start'), timestampOf('end')];
    if (startMs === null || endMs === null || startMs > endMs) return [];
    const ids = leaves.filter(([path, value]) => isIdName(path) && value !== null).map(([, value]) => `id ${value}`);
    return [{ ...seen, startMs, endMs, marks: [`at ${startMs} ${endMs}`, ...ids] }];
  });
}

/** By either mark: an id may be written in two ways at the two places, and two calls may share their timestamps. */
const isAmong = (call: Dated, others: ReadonlySet<string>): boolean => call.marks.some((mark) => others.has(mark));

const marksOf = (calls: readonly Dated[]): ReadonlySet<string> => new Set(calls.flatMap(({ marks }) => marks));

/** Delivered calls that a newest-first snapshot lacks, although it shows an older call. */
function missingIn(snapshot: readonly Dated[], stream: readonly Dated[]): Dated[] {
  const shown = marksOf(snapshot);
  const older = stream.map((call, place) => ({ call, place })).filter(({ call }) => isAmong(call, shown));
  return stream.filter(
    (one, at) =>
      !isAmong(one, shown) &&
      older.some(({ call, place }) => place < at && call.startMs < one.startMs && call.endMs < one.endMs),
  );
}

/** The first snapshot without a limit: a page of one shows no gap. */
const firstOf = (history: History) => snapshotsIn(history).find(({ limit }) => limit === null);

const snapshotDelivered: Judged = {
  id: 'calls/snapshot-delivered',
  title: 'The call log returns identical calls with and without since',
  clauses: ['4.calls.snapshot-order', '4.calls.exactly-once', '3.call.final-outcome'],
  scenarios: ofSnapshot,
  *judge(history) {
    const log = logIn(history);
    const page = firstOf(history);
    if (log === null || page === undefined) return;
    const { chain, end } = log;
    const [snapshot, stream] = [datedOn([page]), datedOn(chain)];
    const delivered = marksOf(stream);
    if (!snapshot.some((call) => isAmong(call, delivered))) {
      yield { doubt: 'vacuous', message: 'needs a call that is listed with since and without' };
      return;
    }
    yield* hasNoGaps(history, page, chain);
    // R35: a call can be reported late, so a missing call is only a warning.
    if (end === 'empty') yield* areInLog(history, page, chain);
    yield* haveSameContent(page, stream);
  },
};

function showsAll({ given }: History, calls: readonly Dated[], isSnapshot: boolean) {
  return (exchange: CallPage['exchange']) => {
    const page = exchange.key === 'good' ? pageOf(exchange, given) : null;
    if (page === null || (page.since === null) !== isSnapshot) return false;
    const shown = marksOf(datedOn([page]));
    return calls.every((call) => isAmong(call, shown));
  };
}

function* hasNoGaps(history: History, page: CallPage, chain: readonly CallPage[]): Iterable<Judgment> {
  const missing = missingIn(datedOn([page]), datedOn(chain));
  const claim = {
    ...about(page.exchange, '4.calls.snapshot-order', '/data/calls'),
    expected: 'no gaps between delivered calls',
  };
  const home = chain.find((each) => missing[0] !== undefined && isAmong(missing[0], marksOf(datedOn([each]))));
  if (home === undefined) {
    yield { ...claim, actual: 'as expected', isTrue: true };
    return;
  }
  const there = marksOf(datedOn([home]));
  const lost = missing.filter((call) => isAmong(call, there));
  const actual = `a list without ${count(lost.length, 'newer call')}, for example ${show(lost[0]?.call)}`;
  const confirmed = { of: [page.exchange], witness: home.exchange, isShownIn: showsAll(history, lost, false) };
  yield { ...claim, actual, isTrue: false, ...confirmed };
}

/** By then a call that is over has settled; one that was reported late is rare. */
const lateMs = 30 * 60_000;

/** The last page is read again: a call that was reported late is there by then. */
function* areInLog(history: History, page: CallPage, chain: readonly CallPage[]): Iterable<Judgment> {
  const [snapshot, delivered] = [datedOn([page]), marksOf(datedOn(chain))];
  const isShared = (call: Dated) => isAmong(call, delivered);
  const lost = snapshot.filter(
    (call, index) =>
      !isShared(call) &&
      call.atMs - call.endMs > lateMs &&
      snapshot.slice(0, index).some(isShared) &&
      snapshot.slice(index + 1).some(isShared),
  );
  const last = chain.findLast(({ calls }) => calls.length > 0);
  const claim = {
    ...about(page.exchange, '4.calls.exactly-once', '/data/calls'),
    expected: 'calls that ended more than 30 minutes ago in the log too',
  };
  if (lost.length === 0 || last === undefined) {
    yield { ...claim, actual: 'as expected', isTrue: true };
    return;
  }
  const actual = `${count(lost.length, 'call')} that the log lacks, for example ${show(lost[0]?.call)}`;
  const message = 'polls with nextCursor lost them, unless they were reported late';
  const confirmed = { of: [last.exchange], witness: page.exchange, isShownIn: showsAll(history, lost, true) };
  yield { ...claim, actual, message, severity: 'warn', isTrue: false, ...confirmed };
}

/** A single pair may be two calls that are alike. */
const sameMin = 3;

/** The same id, start and end, and yet another value at a field that both show. */
function* haveSameContent(page: CallPage, stream: readonly Dated[]): Iterable<Judgment> {
  const pairs = pairsOf(datedOn([page]), stream);
  const fields = pairs.length < sameMin ? [] : differing(pairs);
  if (fields.length === 0) return;
  const words = { expected: 'settled calls as in the log', actual: `calls with another ${fields.join(', ')}` };
  const claim = { ...about(page.exchange, '3.call.final-outcome', '/data/calls'), ...words };
  // Other fields have no specified meaning (R34).
  const severity = fields.some((path) => outcome.test(path)) ? 'fail' : 'warn';
  yield { ...claim, severity, isTrue: false, of: [page.exchange] };
}

/** The one field that section 3 names; deeper down it may be that of something else. */
const outcome = /^\/outcome$/i;

type Pair = readonly [shown: Dated, delivered: Dated];

/** Only calls with an id in addition to their timestamps: two calls may begin and end together. */
function pairsOf(snapshot: readonly Dated[], stream: readonly Dated[]): Pair[] {
  const known = new Map(stream.map((call) => [call.marks.join(), call]));
  return snapshot.flatMap((call): Pair[] => {
    const delivered = call.marks.length > 1 ? known.get(call.marks.join()) : undefined;
    return delivered !== undefined && call.atMs - call.endMs > lateMs ? [[call, delivered]] : [];
  });
}

function differing(pairs: readonly Pair[]): string[] {
  const leaves = pairs.map(([shown, delivered]) => [leavesOf(shown.call), leavesOf(delivered.call)] as const);
  const paths = new Set(leaves.flatMap(([one, other]) => [...one.keys()].filter((path) => other.has(path))));
  return [...paths].filter((path) => {
    const doesCount = pairs.every(([shown], index) => isAge(leaves[index]?.[0].get(path), shown));
    return !doesCount && leaves.some(([one, other]) => isOther(one.get(path), other.get(path)));
  });
}

/** An address, a timestamp or nothing may be filled in at another time. */
function isOther(one: unknown, other: unknown): boolean {
  if (one === null || other === null || textOf(one) === textOf(other)) return false;
  return !/^https?:/.test(String(one)) && readTimestamp(one) === null;
}

// The order of calls: oldest first after a position, newest first without one. Records are opaque, so only timestamp
// fields show an order.

type Order = ReturnType<typeof checkOrder>;

function orderOf({ exchange, since }: CallPage, order: Order): Judgment | null {
  if (order === 'unknown') return null;
  const [expected, actual] = since === null ? ['the newest', 'the oldest'] : ['the oldest', 'the newest'];
  return {
    ...about(exchange, since === null ? '4.calls.snapshot-order' : '4.calls.oldest-first', '/data/calls'),
    ...{ expected, actual: `${actual} call first`, message: 'all timestamp fields agree', isTrue: order === 'kept' },
  };
}

function* areOrdered(pages: readonly CallPage[], direction: 'rising' | 'falling'): Iterable<Judgment> {
  const several = pages.filter(({ calls }) => calls.length > 1);
  const orders = several.flatMap((page) => orderOf(page, checkOrder(page.calls, direction)) ?? []);
  yield* orders;
  const why = several.length === 0 ? 'needs at least two calls' : 'no field of the calls reveals their order';
  if (orders.length === 0) yield { doubt: 'vacuous', message: why };
}

const oldestFirst: Judged = {
  id: 'calls/oldest-first',
  title: 'The call log returns the oldest calls first with since',
  clauses: ['4.calls.oldest-first'],
  scenarios: ['calls/listing', 'calls/log'],
  judge: (history) => areOrdered(deliveriesIn(history), 'rising'),
};

const snapshotOrder: Judged = {
  id: 'calls/snapshot-order',
  title: 'The call log returns the newest calls first without since',
  clauses: ['4.calls.snapshot-order', '4.calls.endpoint', '4.calls.since'],
  scenarios: ofSnapshot,
  *judge(history) {
    yield* isReturned(history);
    const snapshots = snapshotsIn(history);
    for (const page of snapshots) {
      const { calls, marks, exchange } = page;
      const twice = haveIds(calls) ? marks.findIndex((mark, index) => marks.indexOf(mark) < index) : -1;
      const words = { expected: 'each call once', actual: `a call again, as number ${twice + 1}` };
      if (twice >= 0)
        yield { ...about(exchange, '4.calls.snapshot-order', `/data/calls/${twice}`), ...words, severity: 'warn' };
    }
    yield* areRepeated(snapshots);
    const reversed = snapshots.find(
      (page) => checkOrder(page.calls, 'falling') === 'unknown' && runsLikeTheLog(history, page),
    );
    if (reversed === undefined) yield* areOrdered(snapshots, 'falling');
    else {
      const words = {
        expected: 'the newest call first',
        actual: 'the order of the log with since, the oldest call first',
      };
      yield { ...about(reversed.exchange, '4.calls.snapshot-order', '/data/calls'), ...words, isTrue: false };
    }
  },
};

/** The key of a client can be invalid. */
function* isReturned(history: History): Iterable<Judgment> {
  const [exchange] = responsesTo(history, 'listCalls').filter(({ target }) => !target.includes('?'));
  if (exchange === undefined || history.isRecorded) return;
  const tested = hasStatus(exchange, 200, '4.calls.endpoint');
  if (isObstacle(exchange)) yield { doubt: 'platform', message: `the call log returned ${nameOfResponse(exchange)}` };
  else if (tested !== null) yield tested;
}

/** A snapshot can repeat: reading one must not use it up. */
function* areRepeated(snapshots: readonly CallPage[]): Iterable<Judgment> {
  const [first] = snapshots.filter(({ count: shown }) => shown > 1);
  const none = snapshots.findIndex((page) => page.limit === 1 && page.count === 0);
  const again = none < 0 ? undefined : snapshots.slice(none).find((page) => page.limit === null);
  if (first === undefined || again === undefined) return;
  const actual = `${again.count} calls, after ${first.count} at first and none with limit=1`;
  const claim = about(again.exchange, '4.calls.snapshot-order', '/data/calls');
  yield { ...claim, expected: 'the same calls each time', actual, severity: 'warn' };
}

/** So many calls of one timestamp, in any order, there will hardly be. */
const alikeMin = 12;

/** Whether the snapshot shows the calls that it shares with the log in the very sequence of the log. */
function runsLikeTheLog(history: History, { marks }: CallPage): boolean {
  const { head, chain } = logIn(history) ?? { head: null };
  const pages = head === null ? [] : [head, ...chain];
  const places = new Map(pages.flatMap((page) => page.marks).map((mark, index) => [mark, index]));
  const shared = marks.map((mark) => places.get(mark)).filter((place) => place !== undefined);
  return (
    shared.length >= alikeMin && shared.every((place, index) => index === 0 || place > (shared[index - 1] ?? place))
  );
}

const snapshotRunning: Judged = {
  id: 'calls/snapshot-running',
  title: 'The call log without since includes calls in progress',
  clauses: ['4.calls.snapshot-running', '3.call.snapshot-visibility'],
  level: 'observe',
  scenarios: ofSnapshot,
  *judge(history) {
    const field = endFieldOf(
      deliveriesIn(history).flatMap(({ calls }) => calls),
      history,
    );
    const page = firstOf(history);
    if (page === undefined) return;
    const { calls, exchange } = page;
    if (field === null) {
      yield { doubt: 'precondition', message: 'needs --call-ended-at-field, the field for the end of a call' };
      return;
    }
    const why = whyNoEnd(calls, field.name, history.given);
    const running = calls.filter((call) => (fieldOf(call, field.name) ?? null) === null).length;
    const claim = about(exchange, '4.calls.snapshot-running', '/data/calls');
    if (why !== null) yield { doubt: 'precondition', message: why };
    else if (running === 0) yield { doubt: 'vacuous', message: 'needs a call in progress' };
    else yield { ...claim, expected: 'calls without an end', actual: `${running}`, isTrue: true };
  },
};

export const callSnapshots: readonly Judged[] = [oldestFirst, snapshotOrder, snapshotDelivered, snapshotRunning];
