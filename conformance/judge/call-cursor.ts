// The cursor of a page of the call log, as judgments.
import { count } from '../../src/terminal/count.ts';
import type { CallPage } from '../exchange/call-log.ts';
import { isDateTime } from '../exchange/call-timestamps.ts';
import { dataOf } from '../exchange/exchange.ts';
import { about } from './claims.ts';
import type { Judgment } from './judge.ts';
import { show } from './ledger.ts';

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
