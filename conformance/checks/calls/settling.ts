// "About five minutes" (interpretation R39) after the end of a call: under four is a failure, over six a warning.

import { formatTimestamp } from '../../../src/contract/timestamps.ts';
import { dateGrainMs, endFieldOf, endOf, expectSettled, isSettled, nowOf } from '../../assertions/call-log/ends.ts';
import { expectField, fieldOf, textOf } from '../../assertions/call-log/fields.ts';
import {
  type CallPage,
  limitMax,
  passGate,
  readCalls,
  readCallsAgain,
  readLog,
} from '../../assertions/call-log/log.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const deliveredMsMax = 360_000;

const settled: CheckRow = {
  id: 'calls/settled',
  title: 'The call log with since returns a call minutes after it ends',
  cites: ['4.calls.settled-only'],
  cost: { requests: 0, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    const log = await readLog(probe);
    const { chain, end } = log;
    const field = endFieldOf(probe, log);
    if (field.isGuessed) {
      const actual = `${field.name}, which looks like the end of a call`;
      probe.note({ ...about(log.head.exchange, '4.calls.beyond-shape'), expected: 'a documented end field', actual });
    }
    const pages = chain.filter(({ calls }) => calls.length > 0);
    const readable = pages.reduce((total, page) => total + expectSettled(probe, page, field), 0);
    const snapshot = await readCalls(probe, {});
    expectField(probe, [...snapshot.calls, ...pages.flatMap(({ calls }) => calls)], field.name);
    const nowMs = nowOf(probe, snapshot);
    const fresh = snapshot.calls
      .map((call) => endOf(call, field.name))
      .filter((call) => call !== null && !isSettled(call, nowMs));
    if (fresh.length === 0) return probe.stop('vacuous', 'needs a call that is in progress or ended recently');
    if (end !== 'empty') return probe.stop('budget', 'the end of the call log was not reached');
    if (pages.length === 0) return probe.stop('vacuous', 'no settled call among the newest calls of the log');
    if (readable === 0) return probe.stop('vacuous', `no settled call has a readable time in ${field.name}`);
    const claim = about(pages.at(-1)?.exchange, '4.calls.settled-only', '/data/calls');
    const actual = `${fresh.length} of the snapshot left out`;
    probe.holds(true, { ...claim, expected: 'no call that is running or settling', actual });
  },
};

const rounds = 12;
const roundMs = 60_000;
const fullPagesMax = 3;
const finalMs = 180_000;

interface Watch {
  readonly probe: Probe;
  readonly fields: { readonly id: string; readonly end: string };
  readonly startMs: number;
  since: string;
  /** Seen over in a snapshot and not delivered yet: when it ended, or was first seen over if that came later. */
  readonly due: Map<string, number>;
  readonly delivered: Map<string, string>;
  /** Calls seen over in a snapshot first and delivered later. */
  followed: number;
  /** Calls that were not delivered in time. */
  overdue: number;
}

const watch: CheckRow = {
  id: 'calls/watch',
  title: 'The call log delivers a call once, about five minutes after it ends',
  cites: ['4.calls.settled-only', '4.calls.exactly-once', '3.call.final-outcome', '6.no-webhooks'],
  needs: ['watch', 'call-id-field', 'call-ended-at-field'],
  cost: {
    requests: 2 * rounds + fullPagesMax + 2,
    uses: ['call snapshot', 'call gate'],
    seconds: ((rounds - 1) * roundMs + finalMs) / 1000,
  },
  async run(probe) {
    const end =
      probe.settings.callEndedAtField ??
      probe.stop('precondition', 'needs --call-ended-at-field, the field for the end of a call');
    const id =
      probe.settings.callIdField ??
      probe.stop('precondition', 'needs --call-id-field, the field that identifies a call');
    await passGate(probe);
    probe.announce(`Watching the call log for up to ${rounds} minutes, one poll a minute.`);
    const snapshot = await readCalls(probe, {});
    expectField(probe, snapshot.calls, end);
    const startMs = nowOf(probe, snapshot);
    const state: Watch = {
      probe,
      fields: { id, end },
      startMs,
      since: formatTimestamp(startMs),
      due: new Map(),
      delivered: new Map(),
      followed: 0,
      overdue: 0,
    };
    for (let round = 1; round <= rounds; round += 1) {
      await watchOnce(state);
      // Once a call has been followed from its end to its delivery, another one would show the same.
      if (state.followed > 0 && state.due.size === 0) break;
      if (round < rounds) await probe.sleep(roundMs);
    }
    if (state.delivered.size > 0) await expectFinal(state);
    // A warning is kept: a missing call is evidence.
    if (state.followed === 0 && state.overdue === 0)
      probe.doubt('vacuous', 'no call ended and settled during the watch');
  },
};

/**
 * The calls that were delivered just now are read once more when a late change has had its time. A client that begins
 * again where the watch began must see no more calls than the watch has seen.
 */
async function expectFinal(state: Watch): Promise<void> {
  const { probe, fields, startMs, delivered } = state;
  await probe.sleep(finalMs);
  const page = await readCallsAgain(probe, { since: formatTimestamp(startMs), limit: limitMax });
  await expectNoneLost(state, page);
  for (const [index, call] of page.calls.entries()) {
    const before = delivered.get(show(fieldOf(call, fields.id)));
    if (before === undefined) continue;
    const isSame = before === textOf(call);
    probe.holds(isSame, {
      ...about(page.exchange, '3.call.final-outcome', `/data/calls/${index}`),
      expected: 'the call as delivered',
      actual: isSame ? 'the same' : 'a changed call',
    });
  }
}

/** Polls from the first position again: a call that the cursors never returned is lost to every client. */
async function expectNoneLost(state: Watch, page: CallPage): Promise<void> {
  const { probe, fields, delivered } = state;
  const ids = page.calls.map((call) => show(fieldOf(call, fields.id)));
  // A call that has just settled and follows the cursor is not lost: the next poll returns it.
  if (ids.some((id) => !delivered.has(id))) await pollOnce(state);
  const lost = ids.filter((id) => !delivered.has(id));
  probe.holds(lost.length === 0, {
    ...about(page.exchange, '4.calls.exactly-once', `/data/calls/${Math.max(0, ids.indexOf(lost[0] ?? ''))}`),
    expected: 'only calls that polls with nextCursor returned too',
    actual: lost.length === 0 ? 'as expected' : `call ${lost[0]}, which no poll returned`,
  });
}

/** A snapshot first, so an end is seen before its delivery; then the poll. */
async function watchOnce(state: Watch): Promise<void> {
  const { probe, fields, due, delivered, startMs } = state;
  const snapshot = await readCallsAgain(probe, { limit: limitMax });
  const seenMs = nowOf(probe, snapshot);
  for (const call of snapshot.calls) {
    const end = endOf(call, fields.end);
    const id = show(fieldOf(call, fields.id));
    // A call that ended before the first `since` can be before that position, which is legal (R35).
    const isNew = typeof end === 'number' && end > startMs + dateGrainMs && end <= seenMs;
    if (isNew && !delivered.has(id) && !due.has(id)) due.set(id, Math.max(end, seenMs));
  }
  const polledMs = await pollOnce(state);
  for (const [id, overMs] of due) {
    if (polledMs - overMs <= deliveredMsMax) continue;
    due.delete(id);
    state.overdue += 1;
    const actual = `a log without call ${id} ${Math.round((polledMs - overMs) / 1000)} s after its end`;
    probe.warn({
      // A log that has delivered nothing at all may never deliver anything new.
      clause: delivered.size === 0 ? '6.no-webhooks' : '4.calls.settled-only',
      pointer: '/data/calls',
      expected: 'the call after about five minutes',
      actual,
    });
  }
}

/** Follows the cursor through full pages. Returns the server's time at the last poll, at its earliest. */
async function pollOnce(state: Watch): Promise<number> {
  const { probe, fields, due, delivered } = state;
  for (let pages = 1; ; pages += 1) {
    const page = await readCallsAgain(probe, { since: state.since, limit: limitMax });
    expectSettled(probe, page, { name: fields.end, isGuessed: false, isInAll: true });
    for (const [index, call] of page.calls.entries()) {
      const id = show(fieldOf(call, fields.id));
      const pointer = `/data/calls/${index}`;
      const claim = { ...about(page.exchange, '4.calls.exactly-once', pointer), expected: 'each call once' };
      probe.holds(!delivered.has(id), { ...claim, actual: `call ${id} again` });
      delivered.set(id, textOf(call));
      if (due.delete(id)) state.followed += 1;
    }
    state.since = page.nextCursor ?? state.since;
    if (page.calls.length < limitMax || pages > fullPagesMax) return nowOf(probe, page);
  }
}

export const settling = defineChecks({ phase: 'log', after: ['calls/listing'] }, [settled, watch]);
