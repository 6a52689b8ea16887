import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settledAfterMs } from '../contract/generated/limits.ts';
import { formatTimestamp, parseTimestamp } from '../contract/timestamps.ts';
import { type Call, formatVisibility, type NewCall } from './call.ts';
import { type CallPage, Calls } from './calls.ts';
import type { CallData } from './world-data.ts';

function ring(calls: Calls, call: NewCall, nowMs: number): Call {
  const placed = calls.place(call, nowMs);
  calls.put(placed);
  return placed;
}

function hangUp(calls: Calls, id: string, nowMs: number, outcome?: string): Call | null {
  const ended = calls.ended(id, nowMs, outcome);
  if (ended) calls.put(ended);
  return ended;
}

const startMs = Date.parse('2026-03-02T09:00:00.000Z');

const parties = { direction: 'inbound', from: '+15550100', to: '+15550199', agent: 'Ada' } as const;
const content = { ...parties, provisional: 'answered', outcome: 'voicemail' } as const;

function newCall(id: string, times: { startedAtMs: number; endedAtMs: number; reportedAtMs?: number | null }): NewCall {
  return { id, ...content, reportedAtMs: null, ...times };
}

function callData(id: string, endedAtMs: number, reportedAtMs?: number): CallData {
  const reported = reportedAtMs === undefined ? {} : { reportedAt: formatTimestamp(reportedAtMs) };
  const [startedAt, endedAt] = [formatTimestamp(endedAtMs - 1000), formatTimestamp(endedAtMs)];
  return { id, ...content, startedAt, endedAt, ...reported };
}

const idsOf = ({ calls }: CallPage) => calls.map(({ id }) => id);

/** Polls as section 6 says until nothing is new. */
function drain(calls: Calls, since: string, { limit, nowMs }: { limit: number; nowMs: number }) {
  const ids: string[] = [];
  let cursor = since;
  for (;;) {
    const page = calls.since(cursor, { limit, nowMs });
    ids.push(...idsOf(page));
    if (ids.length > calls.size) throw new Error('The chain repeats calls or has no end.');
    if (page.nextCursor === null) return { ids, cursor };
    cursor = page.nextCursor;
  }
}

describe('a poller', () => {
  it('orders calls of one millisecond by their ordinals, then those without one in the order of the world', () => {
    const visibleAtMs = startMs + settledAfterMs;
    const at = (ordinal: number) => ({ visibleAt: formatVisibility({ visibleAtMs, ordinal }) });
    const calls = new Calls([
      callData('x', startMs),
      { ...callData('b', startMs), ...at(2) },
      callData('y', startMs),
      { ...callData('c', startMs), ...at(3) },
      { ...callData('a', startMs), ...at(1) },
    ]);
    const page = calls.since(formatTimestamp(startMs), { limit: 50, nowMs: visibleAtMs });
    expect(idsOf(page)).toEqual(['a', 'b', 'c', 'x', 'y']);
  });

  it('gets calls of one millisecond apart by a cursor that is a date-time', () => {
    const calls = new Calls(['a', 'b', 'c'].map((id) => callData(id, startMs)));
    const nowMs = startMs + settledAfterMs;
    const first = calls.since(formatTimestamp(startMs), { limit: 2, nowMs });
    expect(first.nextCursor).toBe('2026-03-02T09:05:00.000000002Z');
    expect(idsOf(calls.since(first.nextCursor ?? '', { limit: 2, nowMs }))).toEqual(['c']);
  });
});

// The oracle: a list that each call is appended to when it becomes visible. Every poller must see exactly this list.
type Step =
  | { kind: 'advance'; ms: number }
  | { kind: 'add'; agoMs: number; lengthMs: number; reportedInMs: number | null }
  | { kind: 'hang up' }
  | { kind: 'poll'; limit: number; pages: number };

const edges = [settledAfterMs - 1, settledAfterMs, settledAfterMs + 1];
const spans = fc.constantFrom(0, 1, 2, 999, 1000, 60_000, ...edges, 3_600_000);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('advance' as const), ms: spans }),
  fc.record({ kind: fc.constant('add' as const), agoMs: spans, lengthMs: spans, reportedInMs: fc.option(spans) }),
  fc.record({ kind: fc.constant('hang up' as const) }),
  fc.record({
    kind: fc.constant('poll' as const),
    limit: fc.constantFrom(1, 2, 3, 49, 50, 51, 199, 200),
    pages: fc.integer({ min: 1, max: 4 }),
  }),
);

interface Expected {
  readonly id: string;
  endedAtMs: number;
  visibleAtMs: number;
  order: number;
}

class Oracle {
  readonly settleMs: number;
  readonly calls: Expected[] = [];
  #order = 0;

  constructor(settleMs: number) {
    this.settleMs = settleMs;
  }

  add(id: string, endedAtMs: number, { reportedAtMs, nowMs }: { reportedAtMs: number | null; nowMs: number }): void {
    this.#order += 1;
    const visibleAtMs = Math.max(endedAtMs + this.settleMs, reportedAtMs ?? nowMs, nowMs);
    this.calls.push({ id, endedAtMs, visibleAtMs, order: this.#order });
  }

  hangUp(id: string, nowMs: number, reportedAtMs: number | null): void {
    const at = this.calls.findIndex((call) => call.id === id);
    this.calls.splice(at, 1);
    this.add(id, nowMs, { reportedAtMs, nowMs });
  }

  visible(nowMs: number): string[] {
    return this.calls
      .filter((call) => call.visibleAtMs <= nowMs)
      .sort((a, b) => a.visibleAtMs - b.visibleAtMs || a.order - b.order)
      .map(({ id }) => id);
  }
}

function addCall(calls: Calls, step: Extract<Step, { kind: 'add' }>, { id, nowMs }: { id: string; nowMs: number }) {
  const startedAtMs = nowMs - step.agoMs;
  const reportedAtMs = step.reportedInMs === null ? null : nowMs + step.reportedInMs;
  return ring(calls, newCall(id, { startedAtMs, endedAtMs: startedAtMs + step.lengthMs, reportedAtMs }), nowMs);
}

function playHistory(steps: readonly Step[], settleMs: number): void {
  const calls = new Calls([], settleMs);
  const oracle = new Oracle(settleMs);
  const seen: string[] = [];
  let nowMs = startMs;
  let cursor = formatTimestamp(0);
  const poll = (limit: number): boolean => {
    const page = calls.since(cursor, { limit, nowMs });
    expect(page.calls.length).toBeLessThanOrEqual(limit);
    expect(page.nextCursor === null).toBe(page.calls.length === 0);
    seen.push(...idsOf(page));
    if (page.nextCursor === null) return false;
    expect(parseTimestamp(page.nextCursor) ?? 0n).toBeGreaterThan(parseTimestamp(cursor) ?? 0n);
    cursor = page.nextCursor;
    return true;
  };
  steps.forEach((step, i) => {
    if (step.kind === 'advance') nowMs += step.ms;
    if (step.kind === 'add') {
      const { endedAtMs, reportedAtMs } = addCall(calls, step, { id: `c${i}`, nowMs });
      oracle.add(`c${i}`, endedAtMs, { reportedAtMs, nowMs });
    }
    if (step.kind === 'hang up') {
      const running = oracle.calls.find((call) => call.endedAtMs > nowMs);
      if (running) {
        const known = calls.get(running.id);
        expect(hangUp(calls, running.id, nowMs)).not.toBeNull();
        oracle.hangUp(running.id, nowMs, known?.reportedAtMs ?? null);
      }
    }
    for (let k = 0; step.kind === 'poll' && k < step.pages && poll(step.limit); k += 1);
    // Exactly once and oldest first: the seen calls are a prefix of the visible ones.
    expect(seen).toEqual(oracle.visible(nowMs).slice(0, seen.length));
  });
  while (poll(50));
  expect(seen).toEqual(oracle.visible(nowMs));
  nowMs += 24 * 3_600_000;
  while (poll(7));
  expect(seen).toEqual(oracle.visible(nowMs));
  expect(seen).toHaveLength(calls.size);
}

describe('the call log, against an oracle', () => {
  it.each([
    [settledAfterMs, 1000],
    [0, 500],
    [1, 250],
  ])('delivers every call once, oldest first, with %i ms of settling, over %i histories', (settleMs, numRuns) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => playHistory(steps, settleMs)),
      { numRuns },
    );
  });

  it('gives the same sequence for every page size, over ties, late reports and the edges 50 and 200', () => {
    const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.option(fc.integer({ min: 0, max: 60 }))), {
      minLength: 195,
      maxLength: 260,
    });
    fc.assert(
      fc.property(history, fc.constantFrom(1, 3, 49, 50, 51, 199, 200), (shape, limit) => {
        const calls = new Calls(
          shape.map(([end, late], i) =>
            callData(`c${i}`, startMs + end, late === null ? undefined : startMs + settledAfterMs + late),
          ),
        );
        const nowMs = startMs + 2 * settledAfterMs;
        const whole = drain(calls, formatTimestamp(0), { limit: shape.length, nowMs });
        expect(drain(calls, formatTimestamp(0), { limit, nowMs })).toEqual(whole);
        expect(new Set(whole.ids).size).toBe(shape.length);
      }),
      { numRuns: 60 },
    );
  });

  it('continues from its data', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: settledAfterMs }), (steps, laterMs) => {
        const calls = new Calls([]);
        let nowMs = startMs;
        steps.forEach((step, i) => {
          if (step.kind === 'advance') nowMs += step.ms;
          if (step.kind === 'add') addCall(calls, step, { id: `c${i}`, nowMs });
        });
        const copy = new Calls(JSON.parse(JSON.stringify(calls.toData())));
        expect(copy.toData()).toEqual(calls.toData());
        const again = newCall('new', { startedAtMs: nowMs, endedAtMs: nowMs });
        expect(ring(copy, again, nowMs)).toEqual(ring(calls, again, nowMs));
        const at = { limit: 200, nowMs: nowMs + laterMs };
        expect(copy.since(formatTimestamp(0), at)).toEqual(calls.since(formatTimestamp(0), at));
        expect(copy.snapshot({ ...at, unsettled: true })).toEqual(calls.snapshot({ ...at, unsettled: true }));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the snapshot', () => {
  const at = (calls: Calls, nowMs: number, unsettled = true) => calls.snapshot({ limit: 50, nowMs, unsettled });

  it('shows the newest first, running calls included, and has no cursor', () => {
    const ends = { old: startMs - 7_200_000, new: startMs, running: startMs + 500 };
    const calls = new Calls(Object.entries(ends).map(([id, endedAtMs]) => callData(id, endedAtMs)));
    expect(idsOf(at(calls, startMs))).toEqual(['running', 'new', 'old']);
    expect(at(calls, startMs).nextCursor).toBeNull();
    expect(at(calls, startMs).calls.map(({ status }) => status)).toEqual(['in_progress', 'settling', 'final']);
    expect(idsOf(calls.snapshot({ limit: 1, nowMs: startMs, unsettled: true }))).toEqual(['running']);
  });

  it('does not show what has not started, or was not reported yet', () => {
    const calls = new Calls([callData('late', startMs - 1000, startMs + 1000), callData('planned', startMs + 5000)]);
    expect(idsOf(at(calls, startMs))).toEqual([]);
    expect(idsOf(at(calls, startMs + 1000))).toEqual(['late']);
  });

  it('shows an outcome that may still change, and the final one once pollers see the call', () => {
    const calls = new Calls([callData('a', startMs)]);
    const outcomes = [-1, 0, settledAfterMs].map((ms) => at(calls, startMs + ms).calls[0]?.outcome);
    expect(outcomes).toEqual([null, 'answered', 'voicemail']);
  });
});

describe('hanging up', () => {
  it('ends a running call now, so it settles from now on', () => {
    const calls = new Calls([callData('a', startMs + 3_600_000)]);
    const endedAtMs = startMs + 3_599_500;
    const ended = hangUp(calls, 'a', endedAtMs, 'missed');
    expect(ended).toMatchObject({ endedAtMs, visibleAtMs: endedAtMs + settledAfterMs, outcome: 'missed' });
    expect(calls.size).toBe(1);
  });

  it.each(['nobody', 'over'])('returns null for a call that is %s', (id) => {
    const calls = new Calls([callData('over', startMs)]);
    expect(hangUp(calls, id, startMs)).toBeNull();
  });
});
