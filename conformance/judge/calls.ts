// Pages of the call log, as judgments: calls that a position returns have been over for minutes (interpretation R39).
import { count } from '../../src/terminal/count.ts';
import { type EndField, endOf, isSettled, isSure, latestOf, mayBeOver } from '../exchange/call-ends.ts';
import type { CallPage } from '../exchange/call-log.ts';
import { isDateTime } from '../exchange/call-timestamps.ts';
import { dataOf } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { serverNowMs } from '../exchange/stated-limits.ts';
import { about } from './expect.ts';
import type { Judgment } from './judge.ts';
import { show } from './ledger.ts';

/** Every call of a page whose end can be read. Returns how many those are. */
export function* areSettled(history: History, page: CallPage, field: EndField): Generator<Judgment, number> {
  const { exchange, calls } = page;
  // The server's clock, not ours: ends of calls are by its clock.
  const nowMs = serverNowMs(exchange);
  const ends = calls.map((call) => endOf(call, field.name));
  if (nowMs === null) return yield* withoutDate();
  for (const [index, end] of ends.entries()) {
    const call = calls[index];
    if (end === null || isSettled(end, nowMs) || mayBeOver(call, end, nowMs)) continue;
    const claim = {
      ...about(exchange, '4.calls.settled-only', `/data/calls/${index}`),
      expected: `calls whose ${field.name} is at least four minutes ago`,
      actual: end === 'running' ? 'a running call' : `a call that ended ${Math.round((nowMs - end) / 1000)} s ago`,
    };
    const isNamed = isSure(field, end, exchange) && (!field.isGuessed || history.given.watch);
    const guessed = 'the suite guessed the field; confirm it with --call-ended-at-field';
    const proxied = 'only a warning, because a proxy might have written the Date header';
    // R39: a guess condemns only where the user let the run watch calls settle.
    if (isNamed && !isSettled(end, latestOf(history, exchange))) yield { ...claim, isTrue: false };
    else yield { ...claim, severity: 'warn', message: isNamed ? proxied : guessed };
  }
  return ends.filter((end) => end !== null).length;
}

function* withoutDate(): Generator<Judgment, number> {
  yield { doubt: 'timing', message: 'the server sends no Date header' };
  return 0;
}

/** Both halves of the rule: null means nothing new, a string means something new. */
export function* hasCursor({ exchange, calls, count: shown, nextCursor: cursor }: CallPage): Iterable<Judgment> {
  const place = about(exchange, '4.calls.next-cursor-null', '/data/nextCursor');
  const raw = dataOf(exchange).nextCursor;
  if (calls.length === 0) {
    yield { ...place, expected: 'null for an empty page', actual: show(raw), isTrue: raw === null };
    return;
  }
  const claim = { ...place, actual: `${show(cursor)} after ${count(shown, 'call')}` };
  yield { ...claim, clause: '4.calls.next-cursor-string', expected: 'a string', isTrue: cursor !== null };
  if (cursor === null) return;
  // The table says a string that is the next `since`; that it is a date-time too follows from another row only (R35).
  const words = { ...claim, clause: '4.calls.since', expected: 'an ISO 8601 date-time' } as const;
  yield isDateTime(cursor) ? { ...words, isTrue: true } : { ...words, severity: 'warn' };
}
