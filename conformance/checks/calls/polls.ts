// The script of section 6: a client begins at the present, and keeps its position while nothing is new. A delivered
// call stays unchanged (interpretation R41).
import { parseTimestamp } from '../../../src/contract/timestamps.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import { endFieldOf, endOf, idTextOf, isSettled, type Watch, watchIn } from '../../exchange/call-ends.ts';
import { compareCalls, haveIds, idOf, type Seen, textOf, whyNoEnd } from '../../exchange/call-fields.ts';
import * as callLog from '../../exchange/call-log.ts';
import { type Exchange, isObstacle, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, labelled } from '../../exchange/history.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { areSettled, hasCursor } from '../../judge/calls.ts';
import { about, aboutStatus, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';

const afterLast: Judged = {
  id: 'calls/first-poll',
  title: 'A poll after the last call returns only new calls',
  clauses: ['4.calls.since', '4.calls.exactly-once', '4.calls.next-cursor-null', '4.calls.next-cursor-string'],
  scenarios: ['calls/listing', 'calls/log', 'calls/first-poll', 'calls/kept-position'],
  *judge(history) {
    const log = callLog.logIn(history);
    if (log === null) return;
    for (const exchange of labelled(history, callLog.labels.afterLast)) {
      if (!(yield* judgeable(history, exchange))) continue;
      const page = callLog.pageOf(exchange, history.given);
      if (page !== null) {
        yield { ...about(exchange, '4.calls.since'), expected: '200', actual: '200', isTrue: true };
        yield* hasNothingAgain(log, page);
        yield* hasCursor(page);
      } else if (isObstacle(exchange)) {
        yield { doubt: 'platform', message: `the call log returned ${nameOfResponse(exchange)}` };
      } else yield* isRejectedNow(history, exchange);
    }
  },
};

/** A timestamp in the service's future may be rejected; one that it has shown itself may not (R38, R43). */
function* isRejectedNow(history: History, exchange: Exchange): Iterable<Judgment> {
  const [older] = labelled(history, callLog.labels.shown);
  const claim = { ...aboutStatus(older ?? exchange, '4.calls.since'), actual: nameOfResponse(exchange) };
  const isOlder = older !== undefined && older.status !== 200 && !isObstacle(older);
  if (isOlder && !(yield* judgeable(history, older))) return;
  const expected = `200 for since=${isOlder ? `${callLog.queryOf(older).since}, a timestamp of a call` : 'now'}`;
  if (isOlder) yield { ...claim, expected, isTrue: false };
  else yield { ...claim, expected, message: 'the clock of the service might be late', severity: 'warn' };
}

function* hasNothingAgain({ chain }: callLog.CallLog, page: callLog.CallPage): Iterable<Judgment> {
  const delivered = chain.flatMap(({ calls }) => calls);
  const cursor = chain.findLast(({ nextCursor }) => nextCursor !== null)?.nextCursor ?? null;
  if (delivered.length === 0) return;
  if (!isBefore(cursor, page.since)) {
    yield { doubt: 'timing', message: 'the call log is ahead of the Date header' };
    return;
  }
  const marks = chain.flatMap((each) => each.marks);
  const known = new Set(marks);
  const again = page.marks.filter((mark) => known.has(mark)).length;
  const place = about(page.exchange, '4.calls.exactly-once', '/data/calls');
  const claim = { ...place, expected: `only calls after ${page.since}` };
  // Two calls may look alike (R34), so one of many may be another; where the log holds such, each of them may.
  const isSure = haveIds(delivered) || (again > 1 && known.size === marks.length);
  if (again === 0 || isSure)
    yield { ...claim, actual: `${count(again, 'call')} delivered before`, isTrue: again === 0 };
  else yield { ...claim, actual: `${count(again, 'call')} like a delivered one`, severity: 'warn' };
}

function isBefore(cursor: string | null, since: string | null): boolean {
  const [one, other] = [parseTimestamp(cursor ?? ''), parseTimestamp(since ?? '')];
  return one !== null && other !== null && one <= other;
}

const final: Judged = {
  id: 'calls/final',
  title: 'Delivered calls do not change, and no new call comes before them',
  clauses: [
    ...words('3.call.final-outcome 4.calls.exactly-once 4.calls.since 4.calls.next-cursor-string'),
    '4.calls.next-cursor-null',
  ],
  scenarios: ['calls/listing', 'calls/log', 'calls/final'],
  *judge(history) {
    const gate = callLog.gateIn(history);
    if (gate?.isOpen === false) {
      yield { doubt: 'precondition', message: 'blocked by calls/re-read' };
      return;
    }
    const replay = [...replayOf(history)];
    yield* replay;
    // One finding will do.
    if (replay.some((one) => 'isTrue' in one && one.isTrue === false)) return;
    yield* keptIn(history);
    if (!history.isRecorded) yield* judgeInserted(history);
  },
};

function* replayOf(history: History): Iterable<Judgment> {
  const log = callLog.logIn(history);
  for (const exchange of log === null ? [] : labelled(history, callLog.labels.final)) {
    const after = callLog.pageOf(exchange, history.given);
    if (log === null || after === null) continue;
    yield* hasCursor(after);
    const before = callLog.lastPageOf(log);
    const replay = callLog.compareReplay(before.marks, after.marks, after.limit ?? undefined);
    const claim = {
      ...about(exchange, '4.calls.exactly-once', '/data/calls'),
      expected: `the same as ${before.exchange.id}`,
    };
    if (replay.kind === 'kept' || callLog.areFirstOf(before.seen, after.seen)) {
      yield* hasSameContent(before, after);
      continue;
    }
    const place = `call ${replay.at + 1}`;
    // A call that is gone may have been removed; nothing explains that it comes back (R59).
    const gone = { of: [exchange], isShownIn: callLog.showsInRow(before.seen, history) };
    const actual = `a page without ${place}, which a repeated request returns`;
    if (replay.kind === 'gone') yield { ...claim, ...gone, actual, isTrue: false };
    else if (replay.kind === 'inserted' && callLog.areDelivered(history, before, replay.marks))
      yield { doubt: 'interference', message: 'a new call was inserted, and is still delivered' };
    else {
      const [one, other] = [before.seen[replay.at], after.seen[replay.at]];
      const fields = one && other ? compareCalls(one, other).fields.join(', ') : '/data/calls';
      const words = {
        inserted: `a new call before ${place}, which clients with a later cursor never receive`,
        reordered: `another order from ${place} on`,
        changed: `${place} with a changed ${fields}`,
      }[replay.kind];
      const clause = replay.kind === 'changed' ? '3.call.final-outcome' : '4.calls.exactly-once';
      yield { ...claim, clause, actual: words, isTrue: false };
    }
  }
}

/** The calls are the same ones, but their fields may have changed. A field that moves with the clock has not. */
function* hasSameContent(before: callLog.CallPage, after: callLog.CallPage): Iterable<Judgment> {
  const pairs = before.seen.flatMap((seen, index) => {
    const later = after.seen[index];
    return later === undefined ? [] : [compareCalls(seen, later)];
  });
  const at = pairs.findIndex(({ changed }) => changed.length > 0);
  const moved = pairs.find(({ fields }) => fields.length > 0);
  const place = about(after.exchange, '3.call.final-outcome', `/data/calls/${Math.max(0, at)}`);
  const claim = { ...place, expected: `the same as ${before.exchange.id}` };
  const actual = at < 0 ? 'the same' : `call ${at + 1} with a changed ${pairs[at]?.changed.join(', ')}`;
  yield { ...claim, actual, isTrue: at < 0 };
  if (at >= 0 || moved === undefined) return;
  yield { ...claim, actual: `the same except ${moved.fields.join(', ')}, which changes with time`, severity: 'note' };
}

/** Every delivery of a call with an id, compared with the first one; the first call by its place, too. */
function* keptIn(history: History): Iterable<Judgment> {
  const { again, likeness } = callLog.gateIn(history) ?? { again: null };
  const changed = likeness?.kind === 'changed' ? likeness.changed : [];
  if (again !== null) yield isKept(again.exchange, 0, changed);
  // One finding will do.
  if (changed.length > 0) return;
  const first = new Map<string, Seen>();
  for (const { exchange, seen } of callLog.deliveriesIn(history)) {
    for (const [at, one] of seen.entries()) {
      const id = idOf(one.call, history.given);
      const before = id === null ? undefined : first.get(id);
      if (before !== undefined) yield isKept(exchange, at, compareCalls(before, one).changed);
      else if (id !== null) first.set(id, one);
    }
  }
}

function isKept(exchange: Exchange, at: number, changed: readonly string[]): Judgment {
  return {
    ...about(exchange, '3.call.final-outcome', `/data/calls/${at}`),
    expected: 'the call as in its first delivery',
    actual: `a call with another ${changed.map((path) => path || 'value').join(', ')}`,
    isTrue: changed.length === 0,
  };
}

/** A new call between two delivered ones is lost for clients that had read both, unless it follows them too. */
function* judgeInserted(history: History): Iterable<Judgment> {
  const { found, compared } = callLog.insertedIn(history);
  const words = { expected: 'no new call between delivered calls' };
  for (const { page, at, marks } of found) {
    const actual = `${count(marks.length, 'new call')} between two calls`;
    const claim = { ...about(page.exchange, '4.calls.exactly-once', `/data/calls/${at}`), ...words, actual };
    if (callLog.areDelivered(history, page, marks))
      yield { doubt: 'interference', message: 'the call log changed during the check' };
    else yield { ...claim, isTrue: false, of: [page.exchange] };
  }
  const claim = { ...words, clause: '4.calls.exactly-once', actual: 'as expected', isTrue: true } as const;
  if (found.length === 0 && compared > 0) yield claim;
}

// "About five minutes" (interpretation R39) after the end of a call: under four is a failure, over six a warning.

const settled: Judged = {
  id: 'calls/settled',
  title: 'The call log with since returns a call minutes after it ends',
  clauses: ['4.calls.settled-only'],
  scenarios: ['calls/listing', 'calls/log', 'calls/snapshot'],
  *judge(history) {
    const pages = callLog.deliveriesIn(history).filter(({ calls }) => calls.length > 0);
    const calls = pages.flatMap((page) => page.calls);
    const field = endFieldOf(calls, history);
    if (field === null) {
      yield { doubt: 'precondition', message: 'needs --call-ended-at-field, the field for the end of a call' };
      return;
    }
    if (field.isGuessed) {
      const words = { expected: 'a documented end field', actual: `${field.name}, which looks like the end of a call` };
      yield { ...about(pages[0]?.exchange, '4.calls.beyond-shape'), ...words, severity: 'note' };
    }
    let readable = 0;
    for (const page of pages) readable += yield* areSettled(history, page, field);
    const snapshots = callLog.snapshotsIn(history).filter(({ limit }) => limit === null);
    const shown = snapshots.flatMap((page) => page.calls);
    const fresh = snapshots.slice(0, 1).flatMap((page) => {
      const nowMs = serverNowMs(page.exchange) ?? page.exchange.receivedAt;
      return page.calls.map((call) => endOf(call, field.name)).filter((end) => end !== null && !isSettled(end, nowMs));
    });
    const why = whyNoEnd([...shown, ...calls], field.name, history.given);
    if (why !== null) yield { doubt: 'precondition', message: why };
    else if (fresh.length === 0)
      yield { doubt: 'vacuous', message: 'needs a call that is in progress or ended recently' };
    else if (callLog.logIn(history)?.end !== 'empty')
      yield { doubt: 'budget', message: 'the end of the call log was not reached' };
    else if (readable === 0)
      yield { doubt: 'vacuous', message: `no settled call has a readable time in ${field.name}` };
    else {
      const claim = about(pages.at(-1)?.exchange, '4.calls.settled-only', '/data/calls');
      const actual = `${fresh.length} of the snapshot left out`;
      yield { ...claim, expected: 'no call that is running or settling', actual, isTrue: true };
    }
  },
};

const watch: Judged = {
  id: 'calls/watch',
  title: 'The call log delivers a call once, about five minutes after it ends',
  clauses: ['4.calls.settled-only', '4.calls.exactly-once', '3.call.final-outcome', '6.no-webhooks'],
  scenarios: ['calls/watch'],
  *judge(history) {
    const watched = watchIn(history);
    const name = history.given.callEndedAtField;
    if (watched === null || name === null) return;
    const shown = labelled(history, callLog.labels.watchSnapshot).flatMap(
      (one) => callLog.pageOf(one, history.given)?.calls ?? [],
    );
    const why = whyNoEnd(shown, name, history.given);
    if (why !== null) yield { doubt: 'precondition', message: why };
    for (const page of watched.polls) {
      yield* areSettled(history, page, { name, isGuessed: false, isInAll: true });
      const claim = { ...about(page.exchange, '4.calls.exactly-once', '/data/calls'), expected: 'each call once' };
      const again = watched.repeated.find((one) => one.page === page);
      const place = again === undefined ? {} : { pointer: `/data/calls/${again.at}` };
      if (page.count > 0) yield { ...claim, ...place, actual: `call ${again?.id} again`, isTrue: again === undefined };
    }
    yield* areOverdue(watched);
    yield* areAllDelivered(history, watched);
    // A warning is kept: a missing call is evidence.
    if (watched.followed === 0 && watched.overdue.length === 0)
      yield { doubt: 'vacuous', message: 'no call ended and settled during the watch' };
  },
};

function* areOverdue({ overdue }: Watch): Iterable<Judgment> {
  for (const { id, ms, wasEmpty } of overdue) {
    yield {
      // A log that has delivered nothing at all may never deliver anything new.
      clause: wasEmpty ? '6.no-webhooks' : '4.calls.settled-only',
      pointer: '/data/calls',
      expected: 'the call after about five minutes',
      actual: `a log without call ${id} ${Math.round(ms / 1000)} s after its end`,
      severity: 'warn',
    };
  }
}

/** A call that the cursors never returned is lost to every client, and a delivered one does not change. */
function* areAllDelivered(history: History, { delivered }: Watch): Iterable<Judgment> {
  for (const exchange of labelled(history, callLog.labels.watchEnd)) {
    const { calls } = callLog.pageOf(exchange, history.given) ?? { calls: null };
    if (calls === null) continue;
    const ids = calls.map((call) => idTextOf(call, history));
    const at = ids.findIndex((id) => !delivered.has(id));
    yield {
      ...about(exchange, '4.calls.exactly-once', `/data/calls/${Math.max(0, at)}`),
      expected: 'only calls that polls with nextCursor returned too',
      actual: at < 0 ? 'as expected' : `call ${ids[at]}, which no poll returned`,
      isTrue: at < 0,
    };
    for (const [index, call] of calls.entries()) {
      const before = delivered.get(ids[index] ?? '');
      const isSame = before === textOf(call);
      const claim = {
        ...about(exchange, '3.call.final-outcome', `/data/calls/${index}`),
        expected: 'the call as delivered',
      };
      if (before !== undefined) yield { ...claim, actual: isSame ? 'the same' : 'a changed call', isTrue: isSame };
    }
  }
}

export const callPolls: readonly Judged[] = [afterLast, settled, watch, final];
