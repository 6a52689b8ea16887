// The script of section 6: a client begins at the present, and keeps its position while nothing is new.

import { formatTimestamp, parseTimestamp } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import { isObstacle } from '../../assertions/accounts.ts';
import { compareCalls, haveIds, isPrefix, toMs, without } from '../../assertions/call-log/fields.ts';
import {
  areFirstOf,
  type CallLog,
  type CallPage,
  confirmPage,
  expectCursor,
  isSame,
  limitMax,
  readCalls,
  readCallsAgain,
  readLog,
  seenOn,
  toPage,
} from '../../assertions/call-log/log.ts';
import { shownTimestamps } from '../../assertions/call-log/timestamps.ts';
import { nameOfResponse } from '../../exchange/exchange.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const firstPoll: CheckRow = {
  id: 'calls/first-poll',
  title: 'A first poll with since=now returns only new calls',
  cites: ['4.calls.since', '4.calls.exactly-once', '4.calls.next-cursor-null', '4.calls.next-cursor-string'],
  // Again from a timestamp of the service if the current time is rejected: its clock can be late (R38).
  cost: { requests: 1, optional: 1, confirms: 2, uses: ['call log'] },
  async run(probe) {
    const log = await readLog(probe);
    if (probe.requestsLeft() < 1) return probe.stop('budget', 'no requests left for this check');
    const { exchange: last } = log.chain.at(-1) ?? log.head;
    const since = formatTimestamp(serverNowMs(last) ?? last.receivedAt);
    const exchange = await probe.get('listCalls', { since });
    if (isObstacle(exchange)) return probe.stop('platform', `the call log returned ${nameOfResponse(exchange)}`);
    if (exchange.status !== 200) return checkRejection(probe, nameOfResponse(exchange), log);
    const page = await readCalls(probe, { since });
    probe.holds(true, { ...about(exchange, '4.calls.since'), expected: '200', actual: '200' });
    expectNothingAgain(probe, log, page);
    expectCursor(probe, page);
  },
};

/** A timestamp in the service's future may be rejected; one that it has shown itself may not (R38, R43). */
async function checkRejection(probe: Probe, response: string, { chain }: CallLog): Promise<void> {
  const snapshot = await readCallsAgain(probe, {});
  const nowMs = serverNowMs(snapshot.exchange) ?? snapshot.exchange.receivedAt;
  const shown = shownTimestamps(snapshot.calls).map(toMs);
  const newestMs = Math.max(0, ...shown.filter((ms) => ms <= nowMs));
  const since = formatTimestamp(newestMs);
  const older = newestMs > 0 ? await probe.get('listCalls', { since }) : null;
  const claim = { ...about(older ?? snapshot.exchange, '4.calls.since', '#status'), actual: response };
  if (older !== null && older.status !== 200 && !isObstacle(older) && chain[0].exchange.status === 200) {
    probe.holds(false, { ...claim, expected: `200 for since=${since}, a timestamp of a call` });
  } else probe.warn({ ...claim, expected: '200 for since=now', message: 'the clock of the service might be behind' });
}

/** A call that was delivered before a position must not follow it. */
function expectNothingAgain(probe: Probe, log: CallLog, page: CallPage): void {
  const delivered = log.chain.flatMap(({ calls }) => calls);
  const cursor = log.chain.findLast(({ nextCursor }) => nextCursor !== null)?.nextCursor ?? null;
  const claim = about(page.exchange, '4.calls.exactly-once', '/data/calls');
  const marks = log.chain.flatMap((each) => each.marks);
  const known = new Set(marks);
  if (delivered.length === 0) return;
  if (!isBefore(cursor, page.since)) {
    probe.doubt('timing', 'the call log is ahead of the Date header');
    return;
  }
  const again = page.marks.filter((mark) => known.has(mark)).length;
  const expected = `only calls after ${page.since}`;
  // Two calls may look alike (R34), so one of many may be another; where the log holds such, each of them may.
  const isSure = haveIds(delivered) || (again > 1 && known.size === marks.length);
  if (again === 0 || isSure)
    probe.holds(again === 0, { ...claim, expected, actual: `${count(again, 'call')} delivered before` });
  else probe.warn({ ...claim, expected, actual: `${count(again, 'call')} like a delivered one` });
}

/** False where one of them cannot be read. */
function isBefore(cursor: string | null, since: string | null): boolean {
  const [one, other] = [parseTimestamp(cursor ?? ''), parseTimestamp(since ?? '')];
  return one !== null && other !== null && one <= other;
}

/** With and without a limit, as a client may change it between polls. */
const keptPosition: CheckRow = {
  id: 'calls/kept-position',
  title: 'A poll after a null cursor repeats no calls',
  cites: ['4.calls.exactly-once', '4.calls.next-cursor-null'],
  needs: ['extended'],
  cost: { requests: 2, uses: ['call log'] },
  async run(probe) {
    const log = await readLog(probe);
    const last = log.chain.at(-1);
    if (log.end !== 'empty' || last?.since == null || log.chain.length < 2) {
      return probe.stop('vacuous', 'needs an empty page after a page with calls');
    }
    for (const limit of [undefined, 1]) {
      const params = { since: last.since, ...(limit === undefined ? {} : { limit }) };
      const page = await readCallsAgain(probe, params);
      expectNothingAgain(probe, log, page);
      expectCursor(probe, page);
    }
  },
};

const exactPage: CheckRow = {
  id: 'calls/exact-page',
  title: 'The call log loses no call when a page is exactly full',
  cites: ['4.calls.next-cursor-string', '4.calls.exactly-once', '4.calls.limit'],
  unless: ['calls/exactly-once', 'calls/next-cursor'],
  needs: ['extended'],
  // The large page once more, where the log has changed.
  cost: { requests: 5, confirms: 1, uses: ['call log'] },
  async run(probe) {
    const { head, chain } = await readLog(probe);
    const { since } = [head, ...chain].findLast(({ calls }) => calls.length > 0) ?? head;
    const all = await readCallsAgain(probe, { since: since ?? '', limit: limitMax });
    if (since === null || all.count < 2 || all.count >= limitMax) return probe.stop('vacuous', 'needs 2 to 199 calls');
    const whole = seenOn([all]);
    for (const limit of [all.count, all.count + 1]) {
      const page = await readCallsAgain(probe, { since, limit });
      if (!(await expectSame(probe, page, { all, wanted: whole }))) return;
      expectCursor(probe, page);
    }
    const most = await readCallsAgain(probe, { since, limit: all.count - 1 });
    if (!(await expectSame(probe, most, { all, wanted: whole.slice(0, -1) }))) return;
    expectCursor(probe, most);
    if (most.nextCursor === null || most.count < all.count - 1) return;
    const last = await readCallsAgain(probe, { since: most.nextCursor, limit: 1 });
    await expectSame(probe, last, { all, wanted: whole.slice(-1) });
  },
};

/** The calls that a page must show, and the page that showed them first. */
interface Wanted {
  readonly all: CallPage;
  readonly wanted: ReturnType<typeof seenOn>;
}

/** A short page is legal, and so are calls that have come meanwhile: what both hold is the same. */
async function expectSame(probe: Probe, page: CallPage, { all, wanted }: Wanted): Promise<boolean> {
  const shown = seenOn([page]).slice(0, wanted.length);
  const at = shown.findIndex((seen, index) => !isSame(seen, wanted[index]));
  const isEmpty = shown.length === 0 && wanted.length > 0;
  const isDifferent = at >= 0 || isEmpty;
  if (isDifferent) await confirmPage(probe, all);
  return probe.holds(!isDifferent, {
    ...about(page.exchange, '4.calls.exactly-once', `/data/calls/${Math.max(0, at)}`),
    expected: `the same ${count(wanted.length, 'call')} as in ${all.exchange.id}, with limit=${limitMax}`,
    actual: isEmpty ? 'no calls' : isDifferent ? `another call as number ${at + 1}` : 'the same',
  });
}

export const firstPolls = defineChecks({ phase: 'log', after: ['calls/listing'] }, [
  firstPoll,
  keptPosition,
  exactPage,
]);

// The delivered calls are read once more, as late in the run as can be: a call that settled late and took its place
// before a position already handed out is lost for every client that polls, and no page by itself shows it.

/** How a later reading of a page differs from the first; `at` is the place of the first difference. */
type Replay =
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

/** The last page that had calls: there late ones are likeliest to come in. */
const final: CheckRow = {
  id: 'calls/final',
  title: 'Delivered calls do not change during the run',
  cites: ['3.call.final-outcome', '4.calls.exactly-once', '4.calls.next-cursor-string'],
  after: ['calls/listing'],
  // The page, and the page after its cursor if new calls arrived.
  cost: { requests: 1, confirms: 1, uses: ['call log'] },
  async run(probe) {
    const { head, chain } = await readLog(probe);
    const before = [head, ...chain].findLast(({ calls }) => calls.length > 0);
    if (before?.since == null) return probe.stop('vacuous', 'no call has settled');
    // A page with exactly as many rows as exist is full, but it has a cursor.
    const params = { since: before.since, limit: Math.min(limitMax, before.count) };
    const exchange = await probe.send({ operation: 'listCalls', params });
    if (isObstacle(exchange)) return probe.stop('platform', `the call log returned ${nameOfResponse(exchange)}`);
    // A position that was accepted once is accepted again, after any requests in between.
    if (!probe.expectStatus(exchange, 200, { clause: '4.calls.since', proves: [] })) return;
    const after = toPage(probe, exchange, params);
    expectCursor(probe, after);
    const replay = compareReplay(before.marks, after.marks, params.limit);
    const claim = {
      pointer: '/data/calls',
      expected: `the same as ${before.exchange.id}`,
      exchange: after.exchange,
    } as const;
    if (replay.kind === 'kept' || areFirstOf([before], [after])) return checkContent(probe, before, after);
    const place = `call ${replay.at + 1}`;
    if (replay.kind === 'gone') {
      // A call that is gone may have been removed; nothing explains that it comes back (R59).
      const isBack = areFirstOf([before], [await readCallsAgain(probe, params)]);
      if (!isBack) return probe.stop('interference', `${place} was removed from the call log`);
      const actual = `a page without ${place}, which a repeated request returns`;
      return void probe.holds(false, { ...claim, clause: '4.calls.exactly-once', actual });
    }
    if (replay.kind === 'inserted' && (await isDelivered(probe, before, replay.marks))) {
      return probe.stop('interference', 'a new call was inserted, and is still delivered');
    }
    const actual = {
      inserted: `a new call before ${place}, which clients with a later cursor never receive`,
      reordered: `another order from ${place} on`,
      changed: `${place} with a changed ${fieldsThatDiffer(before, after, replay.at)}`,
    }[replay.kind];
    const clause = replay.kind === 'changed' ? '3.call.final-outcome' : '4.calls.exactly-once';
    probe.holds(false, { ...claim, clause, actual });
  },
};

/** The calls are the same ones, but their fields may have changed. A field that moves with the clock has not. */
function checkContent(probe: Probe, before: CallPage, after: CallPage): void {
  const [earlier, later] = [seenOn([before]), seenOn([after])];
  const pairs = earlier.flatMap((seen, index) =>
    later[index] === undefined ? [] : [compareCalls(seen, later[index])],
  );
  const at = pairs.findIndex(({ changed }) => changed.length > 0);
  const changed = pairs.find(({ fields }) => fields.length > 0);
  const claim = {
    ...about(after.exchange, '3.call.final-outcome', `/data/calls/${Math.max(0, at)}`),
    expected: `the same as ${before.exchange.id}`,
  };
  const actual = at < 0 ? 'the same' : `call ${at + 1} with a changed ${pairs[at]?.changed.join(', ')}`;
  probe.holds(at < 0, { ...claim, actual });
  if (at >= 0 || changed === undefined) return;
  probe.note({ ...claim, actual: `the same except ${changed.fields.join(', ')}, which changes with time` });
}

/** Paths of fields, for the report. */
function fieldsThatDiffer(before: CallPage, after: CallPage, at: number): string {
  const [earlier, later] = [seenOn([before])[at], seenOn([after])[at]];
  return earlier && later ? compareCalls(earlier, later).fields.join(', ') : '/data/calls';
}

/** Whether all of them still follow the cursor: then no client has lost them. */
async function isDelivered(probe: Probe, before: CallPage, marks: readonly string[]): Promise<boolean> {
  if (before.nextCursor === null) return false;
  const next = await readCallsAgain(probe, { since: before.nextCursor, limit: limitMax });
  return without(marks, next.marks).length === 0;
}

export const finality = defineChecks({ phase: 'writes' }, [final]);
