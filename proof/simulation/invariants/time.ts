// The mock's time: it never goes back, and every answer is dated by it.
import type { Exchange } from '../exchange.ts';
import { hold } from '../violation.ts';

/** The header is in whole seconds, rounded down. */
export function watchTime(): (exchange: Exchange) => void {
  let latestMs = Number.NEGATIVE_INFINITY;
  return ({ nowMs, response: { headers } }) => {
    hold('time', nowMs >= latestMs, () => `the clock went back from ${latestMs} to ${nowMs}`);
    latestMs = nowMs;
    const date = Date.parse(headers.date ?? '');
    hold('time', date === Math.floor(nowMs / 1000) * 1000, () => `an answer at ${nowMs} is dated ${headers.date}`);
  };
}
