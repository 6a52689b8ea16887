// Calls that a position returns have been over for minutes (interpretation R39), as judgments.
import { type EndField, endOf, isSettled, isSure, latestOf, mayBeOver } from '../exchange/call-ends.ts';
import type { CallPage } from '../exchange/call-log.ts';
import type { History } from '../exchange/history.ts';
import { serverNowMs } from '../exchange/stated-limits.ts';
import { about } from './claims.ts';
import type { Judgment } from './judge.ts';

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
