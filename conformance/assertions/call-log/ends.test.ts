import { expect, test } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Probe } from '../../probe/probe.ts';
import { latestOf } from './ends.ts';
import type { CallPage } from './log.ts';

const nowMs = Date.UTC(2026, 4, 1);
const second = 1000;

function response(dateOffMs: number, resetOffMs: number | null): Exchange {
  const reset = resetOffMs === null ? {} : { 'x-ratelimit-reset': String(nowMs + resetOffMs) };
  const headers = { date: new Date(nowMs + dateOffMs).toUTCString(), 'x-ratelimit-limit': '10', ...reset };
  return { headers, sentAt: nowMs, receivedAt: nowMs } as unknown as Exchange;
}

// The address window has ten seconds, so a `Reset` is at most that far ahead of the service's clock.
test.each([
  ['Date is right', 0, null, 1],
  ['Date is of a proxy that is behind', -90, null, 0],
  ['the service is ahead, and Date says so', 300, null, 301],
  ['the service is behind, and its Resets say so', -90, -85, -89],
  ['Date is behind, and the Resets are not', -90, 5, 7],
  ['Date is behind, and the Resets are ahead', -90, 60, 62],
])('the latest that the clock of the service may be where %s', (_, dateOffS, resetOffS, latestS) => {
  const exchange = response(dateOffS * second, resetOffS === null ? null : resetOffS * second);
  const probe = { history: () => [exchange] } as unknown as Probe;
  expect(latestOf(probe, { exchange } as CallPage) - nowMs).toBe(latestS * second);
});
