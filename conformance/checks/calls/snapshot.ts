// Compares the snapshot and the log. Calls arrive, settle and are reported late between two reads, so every
// contradiction is read again.

import { count } from '../../../src/terminal/count.ts';
import { isObstacle } from '../../assertions/accounts.ts';
import { endFieldOf } from '../../assertions/call-log/ends.ts';
import {
  expectField,
  fieldOf,
  haveIds,
  isAge,
  leavesOf,
  type Seen,
  textOf,
  toMs,
} from '../../assertions/call-log/fields.ts';
import {
  beginningOf,
  type CallPage,
  isShortByDefault,
  limitDefault,
  limitMax,
  passGate,
  readCalls,
  readCallsAgain,
  readLog,
  seenOn,
  toPage,
} from '../../assertions/call-log/log.ts';
import { checkOrder, isIdName, readTimestamp, roleOf } from '../../assertions/call-log/timestamps.ts';
import { type Exchange, nameOfResponse } from '../../exchange/exchange.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { repeatsMax } from '../../judge/standing.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** A call with the timestamps that its names report, and what else finds it again. */
interface Dated extends Seen {
  readonly startMs: number;
  readonly endMs: number;
  /** Its timestamps and its unique id. */
  readonly marks: readonly string[];
}

/** Only calls with an end after their start. */
function datedOn(pages: readonly CallPage[]): Dated[] {
  return seenOn(pages).flatMap((seen) => {
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
function isAmong(call: Dated, others: ReadonlySet<string>): boolean {
  return call.marks.some((mark) => others.has(mark));
}

/** The marks of all of them together. */
function marksOf(calls: readonly Dated[]): ReadonlySet<string> {
  return new Set(calls.flatMap(({ marks }) => marks));
}

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

const snapshotWhole: CheckRow = {
  id: 'calls/snapshot-whole',
  title: 'The call log without since has no gaps',
  cites: ['4.calls.snapshot-order'],
  // The snapshot and the last page of the log again when a call is missing.
  cost: { requests: 0, confirms: 2, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    const { chain } = await readLog(probe);
    await passGate(probe);
    const page = await readCalls(probe, {});
    const [snapshot, stream] = [datedOn([page]), datedOn(chain)];
    const delivered = marksOf(stream);
    if (snapshot.filter((call) => isAmong(call, delivered)).length === 0) {
      return probe.stop('vacuous', 'needs a call that is listed with since and without');
    }
    const claim = about(page.exchange, '4.calls.snapshot-order', '/data/calls');
    const expected = 'no gaps between delivered calls';
    const missing = missingIn(snapshot, stream);
    if (missing.length === 0) return void probe.holds(true, { ...claim, expected, actual: 'as expected' });
    const again = missingIn(datedOn([await readCallsAgain(probe, {})]), stream);
    const home = chain.find((each) => isAmong(missing[0] as Dated, marksOf(datedOn([each]))));
    const since = home?.since ?? (await beginningOf(probe));
    const kept = marksOf(datedOn([await readCallsAgain(probe, { since, limit: limitMax })]));
    const still = marksOf(again);
    const lost = missing.filter((call) => isAmong(call, still) && isAmong(call, kept));
    if (lost.length === 0) return probe.stop('interference', 'the call log changed during the check');
    const actual = `a list without ${count(lost.length, 'newer call')}, for example ${show(lost[0]?.call)}`;
    probe.holds(false, { ...claim, expected, actual });
  },
};

/** By then a call that is over has settled; one that was reported late is rare. */
const lateMs = 30 * 60_000;

const snapshotDelivered: CheckRow = {
  id: 'calls/snapshot-delivered',
  title: 'The call log returns identical calls with and without since',
  // R35: a call can be reported late, so a missing call is only a warning.
  cites: ['4.calls.exactly-once', '3.call.final-outcome'],
  cost: { requests: 0, confirms: 1 + repeatsMax, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    const { chain, end } = await readLog(probe);
    await passGate(probe);
    const page = await readCalls(probe, {});
    if (end !== 'empty') return probe.stop('budget', 'the end of the call log was not reached');
    const stream = datedOn(chain);
    const delivered = marksOf(stream);
    const snapshot = datedOn([page]);
    const isShared = (call: Dated | undefined) => call !== undefined && isAmong(call, delivered);
    if (!snapshot.some(isShared)) {
      return probe.stop('vacuous', 'needs a call that is listed with since and without');
    }
    const lost = snapshot.filter(
      (call, index) =>
        !isShared(call) &&
        call.atMs - call.endMs > lateMs &&
        snapshot.slice(0, index).some(isShared) &&
        snapshot.slice(index + 1).some(isShared),
    );
    await checkLost(probe, { lost, chain, page });
    await checkContent(probe, stream, page.exchange);
  },
};

/** Calls of the snapshot that the log seems to lack, and where both were read. */
interface Lost {
  readonly lost: readonly Dated[];
  readonly chain: readonly CallPage[];
  readonly page: CallPage;
}

/** Reads the last page again: a call that was reported late is there by now. */
async function checkLost(probe: Probe, { lost, chain, page }: Lost): Promise<void> {
  const last = chain.findLast(({ calls }) => calls.length > 0);
  const isShown = lost.length > 0 && last?.since != null;
  const again = isShown ? datedOn([await readCallsAgain(probe, { since: last.since ?? '', limit: limitMax })]) : [];
  const delivered = marksOf(again);
  const still = lost.filter((call) => !isAmong(call, delivered));
  const claim = {
    ...about(page.exchange, '4.calls.exactly-once', '/data/calls'),
    expected: 'calls that ended more than 30 minutes ago in the log too',
  };
  if (still.length === 0) return void probe.holds(true, { ...claim, actual: 'as expected' });
  const actual = `${count(still.length, 'call')} that the log lacks, for example ${show(still[0]?.call)}`;
  probe.warn({ ...claim, actual, message: 'polls with nextCursor lost them, unless they were reported late' });
}

/** A single pair may be two calls that are alike. */
const sameMin = 3;

/** The same id, start and end, and yet another value at a field that both show. */
async function checkContent(probe: Probe, stream: readonly Dated[], snapshot: Exchange): Promise<void> {
  await probe.judge([snapshot], ([one]) => {
    const pairs = pairsOf(datedOn([toPage(probe, one, {})]), stream);
    const fields = pairs.length < sameMin ? [] : differing(pairs);
    const words = { expected: 'settled calls as in the log', actual: `calls with another ${fields.join(', ')}` };
    const claim = { ...about(one, '3.call.final-outcome', '/data/calls'), ...words };
    // Other fields have no specified meaning (R34).
    const severity = fields.some((path) => outcome.test(path)) ? {} : ({ severity: 'warn' } as const);
    return fields.length === 0 ? [] : [{ ...claim, ...severity }];
  });
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

/** Fields that differ and do not just count with the clock. */
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

export const snapshots = defineChecks({ phase: 'log', after: ['calls/listing'] }, [snapshotWhole, snapshotDelivered]);

// The order of calls: oldest first after a position, newest first without one. Records are opaque, so only timestamp
// fields show an order.

interface Ordered {
  readonly calls: readonly unknown[];
  readonly exchange: Exchange;
  readonly clause: '4.calls.oldest-first' | '4.calls.snapshot-order';
}

/** Inconclusive without timestamps. */
function expectOrder(probe: Probe, { calls, exchange, clause }: Ordered): void {
  if (calls.length < 2) probe.stop('vacuous', 'needs at least two calls');
  const isOldestFirst = clause === '4.calls.oldest-first';
  const order = checkOrder(calls, isOldestFirst ? 'rising' : 'falling');
  if (order === 'unknown') probe.stop('vacuous', 'no field of the calls reveals their order');
  const [expected, actual] = isOldestFirst ? ['the oldest', 'the newest'] : ['the newest', 'the oldest'];
  const message = 'all timestamp fields agree';
  probe.holds(order === 'kept', {
    ...about(exchange, clause, '/data/calls'),
    expected,
    actual: `${actual} call first`,
    message,
  });
}

const oldestFirst: CheckRow = {
  id: 'calls/oldest-first',
  title: 'The call log returns the oldest calls first with since',
  cites: ['4.calls.oldest-first'],
  cost: { requests: 0, uses: ['call log'] },
  async run(probe) {
    const { head } = await readLog(probe);
    expectOrder(probe, { calls: head.calls, exchange: head.exchange, clause: '4.calls.oldest-first' });
  },
};

const snapshotOrder: CheckRow = {
  id: 'calls/snapshot-order',
  title: 'The call log returns the newest calls first without since',
  cites: ['4.calls.snapshot-order', '4.calls.endpoint', '4.calls.since'],
  cost: { requests: 0, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    await passGate(probe);
    const exchange = await probe.get('listCalls');
    if (isObstacle(exchange)) return probe.stop('platform', `the call log returned ${nameOfResponse(exchange)}`);
    if (!probe.expectStatus(exchange, 200, '4.calls.endpoint')) return;
    const { calls, marks } = await readCalls(probe, {});
    const twice = haveIds(calls) ? marks.findIndex((mark, index) => marks.indexOf(mark) < index) : -1;
    if (twice >= 0) {
      const words = { expected: 'each call once', actual: `a call again, as number ${twice + 1}` };
      probe.warn({ clause: '4.calls.snapshot-order', pointer: `/data/calls/${twice}`, exchange, ...words });
    }
    if (checkOrder(calls, 'falling') === 'unknown' && (await runsLikeTheStream(probe, marks))) {
      const words = {
        expected: 'the newest call first',
        actual: 'the order of the log with since, the oldest call first',
      };
      probe.holds(false, { clause: '4.calls.snapshot-order', pointer: '/data/calls', exchange, ...words });
      return;
    }
    expectOrder(probe, { calls, exchange, clause: '4.calls.snapshot-order' });
  },
};

/** So many calls of one timestamp, in any order, there will hardly be. */
const alikeMin = 12;

/** Whether the snapshot shows the calls that it shares with the stream in the very sequence of the stream. */
async function runsLikeTheStream(probe: Probe, marks: readonly string[]): Promise<boolean> {
  const { head, chain } = await readLog(probe);
  const places = new Map([head, ...chain].flatMap((page) => page.marks).map((mark, index) => [mark, index]));
  const shared = marks.map((mark) => places.get(mark)).filter((place) => place !== undefined);
  return (
    shared.length >= alikeMin && shared.every((place, index) => index === 0 || place > (shared[index - 1] ?? place))
  );
}

const snapshotLimit: CheckRow = {
  id: 'calls/snapshot-limit',
  title: 'The call log without since returns at most limit calls (default 50)',
  cites: ['4.calls.limit-ceiling', '4.calls.limit', '4.calls.snapshot-order'],
  cost: { requests: 1, optional: 1, confirms: 4, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    const { head } = await readLog(probe);
    const whole = await readCalls(probe, {});
    const claim = { clause: '4.calls.limit-ceiling', pointer: '/data/calls' } as const;
    const shown = whole.count;
    if (Math.max(shown, head.calls.length) > limitDefault) {
      probe.holds(shown <= limitDefault, {
        ...claim,
        expected: `at most ${limitDefault}`,
        actual: count(shown, 'call'),
        exchange: whole.exchange,
      });
    }
    // It can be short, unless the same server fills it when the limit is explicit.
    if (shown < limitDefault && head.calls.length >= limitDefault) {
      const words = { expected: `${limitDefault}`, actual: count(shown, 'call') };
      const short = { ...about(whole.exchange, '4.calls.limit', '/data/calls'), ...words };
      const message = `limit=${limitDefault} returns ${limitDefault}`;
      if (await isShortByDefault(probe, whole)) probe.holds(false, { ...short, message });
      else probe.note(short);
    }
    if (shown < 2) return probe.stop('vacuous', 'needs at least two calls');
    if (probe.requestsLeft() < 1) return probe.stop('budget', 'no requests left for this check');
    const one = await readCalls(probe, { limit: 1 });
    const words = { expected: 'at most 1', actual: count(one.count, 'call') };
    const proves = ['4.calls.limit-ceiling', '4.calls.limit'] as const;
    probe.holds(one.count <= 1, { ...claim, ...words, proves, exchange: one.exchange });
    if (one.count > 0) return;
    // A snapshot can repeat: reading one must not use it up.
    const again = await readCallsAgain(probe, {});
    const actual = `${again.count} calls, after ${shown} at first and none with limit=1`;
    const repeats = about(again.exchange, '4.calls.snapshot-order', '/data/calls');
    probe.warn({ ...repeats, expected: 'the same calls each time', actual });
  },
};

const snapshotRunning: CheckRow = {
  id: 'calls/snapshot-running',
  title: 'The call log without since includes calls in progress',
  cites: ['4.calls.snapshot-running', '3.call.snapshot-visibility'],
  level: 'observe',
  cost: { requests: 0, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    const { name: field } = endFieldOf(probe, await readLog(probe));
    const { calls, exchange } = await readCalls(probe, {});
    expectField(probe, calls, field);
    const hasEnd = (call: unknown) => (fieldOf(call, field) ?? null) !== null;
    const running = calls.filter((call) => !hasEnd(call)).length;
    if (running === 0) return probe.stop('vacuous', 'needs a call in progress');
    const claim = about(exchange, '4.calls.snapshot-running', '/data/calls');
    probe.holds(true, { ...claim, expected: 'calls without an end', actual: `${running}` });
  },
};

export const order = defineChecks({ phase: 'log', after: ['calls/listing'] }, [
  oldestFirst,
  snapshotOrder,
  snapshotLimit,
  snapshotRunning,
]);
