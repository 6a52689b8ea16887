import { expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { lookAt } from '../exchange/look.ts';
import { snapshotRunning } from './call-log.ts';

const over = { id: 1, startedAt: '2026-03-01T11:00:00Z', endedAt: '2026-03-01T11:05:00Z' };
const open = { ...over, endedAt: null };
const page = (calls: readonly object[], query: string) =>
  ({
    id: `x${query}`,
    operation: 'listCalls',
    status: 200,
    key: 'good',
    problem: 'none',
    url: `http://x/api/v1/connect/calls/log${query}`,
    target: `/connect/calls/log${query}`,
    json: { data: { calls, nextCursor: null }, summary: '' },
  }) as unknown as Exchange;
const polled = (...calls: object[]) => page(calls, '?since=2026-01-01T00:00:00Z');
const snapshot = (...calls: object[]) => page(calls, '');

test.each([
  ['a call without an end, next to settled ones', [polled(over), snapshot(open, over)], ['show']],
  ['an end that is left out', [polled(over), snapshot({ id: 2, startedAt: over.startedAt })], ['show']],
  ['an end deeper in the record', [polled({ timing: over }), snapshot({ timing: open })], ['show']],
  ['settled calls only', [polled(over), snapshot(over)], []],
  ['no settled call that shows the end', [snapshot(open)], []],
  ['a field that settled calls lack too', [polled(over, open), snapshot(open)], []],
  ['no field that says when a call ended', [polled({ id: 1 }), snapshot({ id: 2 })], []],
] as const)('%s', (_name, exchanges, values) => {
  expect(snapshotRunning(lookAt([...exchanges], null)).map(({ value }) => value)).toEqual(values);
});
