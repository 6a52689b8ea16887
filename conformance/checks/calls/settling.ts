// "About five minutes" (interpretation R39) after the end of a call: under four is a failure, over six a warning.
import { endFieldOf, endOf, isSettled } from '../../exchange/call-ends.ts';
import { textOf, whyNoEnd } from '../../exchange/call-fields.ts';
import { deliveriesIn, labels, logIn, pageOf, snapshotsIn } from '../../exchange/call-log.ts';
import { idTextOf, type Watch, watchIn } from '../../exchange/call-watch.ts';
import { type History, labelled } from '../../exchange/history.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { areSettled } from '../../judge/settled.ts';

export const settled: Judged = {
  id: 'calls/settled',
  title: 'The call log with since returns a call minutes after it ends',
  clauses: ['4.calls.settled-only'],
  scenarios: ['calls/listing', 'calls/log', 'calls/snapshot'],
  *judge(history) {
    const pages = deliveriesIn(history).filter(({ calls }) => calls.length > 0);
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
    const snapshots = snapshotsIn(history).filter(({ limit }) => limit === null);
    const shown = snapshots.flatMap((page) => page.calls);
    const fresh = snapshots.slice(0, 1).flatMap((page) => {
      const nowMs = serverNowMs(page.exchange) ?? page.exchange.receivedAt;
      return page.calls.map((call) => endOf(call, field.name)).filter((end) => end !== null && !isSettled(end, nowMs));
    });
    const why = whyNoEnd([...shown, ...calls], field.name, history.given);
    if (why !== null) yield { doubt: 'precondition', message: why };
    else if (fresh.length === 0)
      yield { doubt: 'vacuous', message: 'needs a call that is in progress or ended recently' };
    else if (logIn(history)?.end !== 'empty')
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

export const watch: Judged = {
  id: 'calls/watch',
  title: 'The call log delivers a call once, about five minutes after it ends',
  clauses: ['4.calls.settled-only', '4.calls.exactly-once', '3.call.final-outcome', '6.no-webhooks'],
  scenarios: ['calls/watch'],
  *judge(history) {
    const watched = watchIn(history);
    const name = history.given.callEndedAtField;
    if (watched === null || name === null) return;
    const shown = labelled(history, labels.watchSnapshot).flatMap((one) => pageOf(one, history.given)?.calls ?? []);
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
  for (const exchange of labelled(history, labels.watchEnd)) {
    const { calls } = pageOf(exchange, history.given) ?? { calls: null };
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
