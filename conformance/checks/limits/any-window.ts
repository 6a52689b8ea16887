// Limiters of other kinds than windows: a bucket that refills too fast, a window that is too short, one for each path,
// key or connection. However it came about, more requests than all windows of a span can hold are too many
// (interpretation R44, R58). Everything that the run has sent is counted.
import { addressWindow, keyWindow } from '../../../src/contract/generated/limits.ts';
import { isAdmitted, mostWithin, oneTooMany } from '../../exchange/bursts.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { headersNamingClient } from '../../exchange/named-clients.ts';
import { addTo } from '../../exchange/shown.ts';
import { about } from '../../judge/claims.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';

/**
 * Of an address: a span of so many windows, and a part of another at each end, is the most that fixed ones bear;
 * sliding ones and buckets bear less.
 */
const windowsIn = (spanMs: number) => Math.floor(spanMs / addressWindow.windowMs) + 2;
const mostOfAddress = (spanMs: number) => windowsIn(spanMs) * addressWindow.limit;
const mostOfKey = mostWithin(keyWindow.windowMs, keyWindow.limit);

export const anyWindow: Judged = {
  id: 'limits/any-window',
  title: 'The rate limits hold for all requests of the run',
  clauses: ['8.address-window', '8.key-window'],
  scenarios: ['limits/address-rounds', 'limits/any-window'],
  *judge({ exchanges, isRecorded }) {
    // Recorded traffic may come from several addresses.
    if (isRecorded) return;
    // limits/address-burst knows why those pass that try one header.
    const passed = exchanges.filter(
      (one) => one.mcpEndpoint === undefined && isAdmitted(one) && headersNamingClient(one).length !== 1,
    );
    // Where the suite can be at the place of the own proxy, requests that name a client count for that one.
    const groups = new Map<string, Exchange[]>();
    for (const one of passed) addTo(groups, `${one.address} ${headersNamingClient(one).length > 0}`, one);
    for (const admitted of groups.values()) yield judgeAddress(admitted);
    // Several addresses are the business of limits/key-window, which bears with an approximation.
    const own = exchanges.find(({ mcpEndpoint }) => mcpEndpoint === undefined)?.address;
    const keyed = passed.filter(({ address, key, status }) => address === own && key === 'good' && status === 200);
    yield {
      ...about(oneTooMany(keyed, mostOfKey)?.later, '8.key-window'),
      proves: [],
      expected: `at most ${keyWindow.limit} requests with one key in any minute`,
      actual: `200 for request ${keyWindow.limit + 1} within a minute`,
      isTrue: oneTooMany(keyed, mostOfKey) === null,
    };
  },
};

function judgeAddress(admitted: readonly Exchange[]): Judgment {
  const found = oneTooMany(admitted, mostOfAddress);
  const windows = windowsIn(found?.spanMs ?? 0);
  const seconds = ((windows - 1) * addressWindow.windowMs) / 1000;
  return {
    ...about(found?.later, '8.address-window'),
    // Fewer could not be too many.
    proves: admitted.length > mostOfAddress(0) ? ['8.address-window'] : [],
    expected: `at most ${windows * addressWindow.limit} requests from one IP address in any ${seconds} seconds`,
    actual: `request ${windows * addressWindow.limit + 1} admitted within ${seconds} seconds`,
    isTrue: found === null,
  };
}
