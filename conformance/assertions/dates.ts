// Dates without a promised format (interpretation R7). They support a note or a warning only.
import { dayMs, parseTimestampMs } from '../../src/contract/timestamps.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { serverNowMs } from '../exchange/stated-limits.ts';

/** `2026-02-03`, `20260203`, or a date-time; milliseconds since the epoch, null for anything else. */
export function dayOf(date: unknown): number | null {
  if (typeof date !== 'string') return null;
  return parseTimestampMs(
    /^\d{4}(-?)\d\d\1\d\d$/.test(date) ? `${date}T00${date.includes('-') ? ':00' : '00'}Z` : date,
  );
}

/** Whether a date was over by that many days at the time of the response, in any time zone. */
export function isOver({ exchange, date, days = 1 }: { exchange: Exchange; date: unknown; days?: number }): boolean {
  const ms = dayOf(date);
  return ms !== null && ms < (serverNowMs(exchange) ?? exchange.receivedAt) - days * dayMs;
}
