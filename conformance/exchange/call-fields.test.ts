import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTimestamp } from '../../src/contract/timestamps.ts';
import { latestOf } from './call-ends.ts';
import { areNamed, compareCalls, fieldOf, haveIds, isPrefix, whyNoEnd, without } from './call-fields.ts';
import { compareReplay } from './call-log.ts';
import {
  checkOrder,
  directionOf,
  hardestCut,
  isIdName,
  readTimestamp,
  roleOf,
  shownTimestamps,
} from './call-timestamps.ts';
import { canonical } from './canonical.ts';
import type { Exchange } from './exchange.ts';
import type { Given } from './history.ts';

const atMs = Date.UTC(2026, 4, 1, 12);
const laterMs = atMs + 30_000;
const call = { id: 'a', startedAt: '2026-05-01T11:00:00Z', outcome: 'answered' };

const unnamed = {
  from: '+493055501234',
  to: '+494055505678',
  minutes: 2.5333333333333332,
  outcome: 'answered',
  endedAt: '2026-05-01T11:00:00Z',
};

describe('two reads of a call', () => {
  test.each([
    ['equal', call, { ...call }],
    ['moved', { ...call, secondsAgo: 3600 }, { ...call, secondsAgo: 3630 }],
    ['moved', { ...call, expiresInMs: 3_600_000 }, { ...call, expiresInMs: 3_630_000 }],
    ['moved', { ...call, readAt: '2026-05-01T12:00:00Z' }, { ...call, readAt: '2026-05-01T12:00:30Z' }],
    ['moved', { ...call, audio: 'https://a.example/1' }, { ...call, audio: 'https://a.example/2' }],
    ['changed', { ...call, audio: 'https://a.example/1' }, { ...call, audio: 'https://b.example/1' }],
    ['changed', call, { ...call, outcome: 'missed' }],
    ['changed', { ...call, talkSeconds: 90 }, { ...call, talkSeconds: 91 }],
    ['changed', { ...call, durationSeconds: 3600 }, { ...call, durationSeconds: 3630 }],
    ['changed', call, { ...call, startedAt: '2026-05-01T11:00:05Z' }],
    ['changed', unnamed, { ...unnamed, outcome: 'missed' }],
    ['other', unnamed, { ...unnamed, outcome: 'missed', from: '+493055501999' }],
    ['other', unnamed, { ...unnamed, from: '+493055501999' }],
    ['other', call, { ...call, id: 'b' }],
    ['other', { startedAt: call.startedAt, outcome: 'answered' }, { startedAt: call.startedAt, outcome: 'missed' }],
    ['other', { customerId: 'x', outcome: 'answered' }, { customerId: 'x', outcome: 'missed' }],
  ])('are %s: %j and %j', (kind, one, other) => {
    expect(compareCalls({ call: one, atMs }, { call: other, atMs: laterMs }).kind).toBe(kind);
  });
});

describe('the name of a field', () => {
  test.each([
    ['/startedAt', 'start'],
    ['/started_at', 'start'],
    ['/timing/start', 'start'],
    ['/callEndTime', 'end'],
    ['/at', 'call'],
    ['/timestamp', 'call'],
    ['/callbackDueAt', null],
    ['/customer/createdAt', null],
    ['/wrapUpEndedAt', null],
    ['/recordingExpiresAt', null],
    ['/calendar', null],
  ])('%s reports %j', (path, role) => {
    expect(roleOf(path)).toBe(role);
  });

  test.each([
    ['/id', true],
    ['/call/uid', true],
    ['/call_sid', true],
    ['/customerId', false],
    ['/a/b/id', false],
  ])('%s is the id of a call: %s', (path, expected) => {
    expect(isIdName(path)).toBe(expected);
  });
});

test.each<[string, string | null, readonly object[], boolean]>([
  ['each call has the field', 'id', [{ id: 1 }, { id: 'b' }], true],
  ['one call lacks it', 'id', [{ id: 1 }, { ref: 2 }], false],
  ['one call has null there', 'id', [{ id: 1 }, { id: null }], false],
  ['no field is named', null, [{ id: 1 }], false],
])('calls are named by --call-id-field only where %s', (_, callIdField, calls, expected) => {
  expect(areNamed(calls, { callIdField } as Given)).toBe(expected);
});

describe('canonical', () => {
  test('does not see the order of fields', () => {
    expect(canonical({ b: [1, { d: 2, c: 'x' }], a: true })).toBe(canonical({ a: true, b: [1, { c: 'x', d: 2 }] }));
  });

  test.each([
    [1, '1'],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: null }, {}],
    [{ a: 1 }, { a: 2 }],
    ['{"a":1}', { a: 1 }],
  ])('distinguishes %j from %j', (left, right) => {
    expect(canonical(left)).not.toBe(canonical(right));
  });

  test('agrees with equality of the parsed text for any value', () => {
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonical(plain(value)))).toEqual(plain(value));
      }),
    );
  });

  test('survives a value that is too deep', () => {
    expect(canonical(JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))).toContain('too deep');
  });
});

describe('fields that can be the id of a call', () => {
  const calls = (count: number, name: string, write: (at: number) => unknown) =>
    Array.from({ length: count }, (_, at) => ({ [name]: write(at), outcome: 'missed' }));

  test.each([
    ['a word with digits', 10, 'ref', (at: number) => `c-${at}`, true],
    ['too few of them', 9, 'ref', (at: number) => `c-${at}`, false],
    ['digits of an id', 10, 'callId', (at: number) => `${1000 + at}`, true],
    ['digits of something else', 10, 'line', (at: number) => `${1000 + at}`, false],
    ['a telephone number', 10, 'phoneId', (at: number) => `+4955${at}`, false],
    ['the id of a person', 10, 'customerId', (at: number) => `p-${at}`, false],
    ['names', 10, 'ref', (at: number) => 'ABCDEFGHIJ'[at], false],
    ['timestamps', 10, 'ref', (at: number) => `2026-01-0${at + 1 > 9 ? 1 : at + 1}T00:00:0${at}Z`, false],
    ['numbers', 10, 'id', (at: number) => at, false],
  ] as const)('%s, in %d calls', (_, count, name, write, expected) => {
    expect(haveIds(calls(count, name, write))).toBe(expected);
  });
});

describe('lists of marks', () => {
  test('without counts how often a mark is there', () => {
    expect(without(['a', 'a', 'b'], ['a'])).toEqual(['a', 'b']);
  });

  test.each([
    [[], [], true],
    [['a'], ['a', 'b'], true],
    [['a', 'b'], ['a'], false],
    [['b'], ['a', 'b'], false],
  ])('%j is a beginning of %j: %s', (start, whole, expected) => {
    expect(isPrefix(start, whole)).toBe(expected);
  });

  test('fieldOf takes names with dots before paths', () => {
    expect(fieldOf({ 'call.id': 1, call: { id: 2 } }, 'call.id')).toBe(1);
    expect(fieldOf({ call: { id: 2 } }, 'call.id')).toBe(2);
    expect(fieldOf({ call: null }, 'call.id')).toBeUndefined();
  });
});

describe('timestamps of opaque calls', () => {
  test.each([
    ['2026-05-01T12:00:00Z', 1_777_636_800_000],
    [1_777_636_800, 1_777_636_800_000],
    [1_777_636_800.5, 1_777_636_800_500],
    [1_777_636_800_000, 1_777_636_800_000],
  ])('%j is read', (value, ms) => {
    expect(readTimestamp(value)).toBe(BigInt(ms) * 1_000_000n);
  });

  test.each(['answered', '12', 42, 999_999_999, 4_000_000_001, null, true, '2026-05-01'])(
    '%j is not a timestamp',
    (value) => {
      expect(readTimestamp(value)).toBeNull();
    },
  );

  test.each([
    [[], 'level'],
    [[1, 1], 'level'],
    [[1, 1, 2], 'rising'],
    [[2, 1, 1], 'falling'],
    [[1, 2, 1], 'mixed'],
  ])('%j goes %s', (timestamps, direction) => {
    expect(directionOf(timestamps.map(BigInt))).toBe(direction);
  });

  const at = (...minutes: number[]) =>
    minutes.map((minute) => ({ at: `2026-05-01T12:${String(minute).padStart(2, '0')}Z`, note: 'x' }));

  test.each([
    [at(1, 2, 3), 'kept'],
    [at(6, 5, 4, 3, 2, 1), 'unknown'],
    [at(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1), 'inverted'],
    [at(6, 5, 4, 3, 2, 1).map(({ at: end }) => ({ startedAt: end, endedAt: end })), 'inverted'],
    [at(5, 4, 3, 2, 1).map(({ at: end }) => ({ startedAt: end, endedAt: end })), 'unknown'],
    [at(12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1).map(({ at: due }) => ({ callbackDueAt: due })), 'unknown'],
    [at(12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1).map((customer) => ({ customer })), 'unknown'],
    [at(4, 3, 2, 1), 'unknown'],
    [at(2, 1), 'unknown'],
    [at(1, 3, 2), 'unknown'],
    [at(1, 2, 3, 4, 6, 5), 'kept'],
    [at(20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 30), 'inverted'],
    [at(20, 19, 18, 17, 30, 16, 15, 29, 14, 13, 28, 12), 'unknown'],
    [at(5, 5, 5), 'unknown'],
    [[{ note: 'x' }, { note: 'y' }, { note: 'z' }], 'unknown'],
    [at(3, 2, 1).map((call, index) => ({ ...call, ended: 1_777_636_800 + index })), 'kept'],
  ])('an order that should rise in %j is %s', (records, expected) => {
    expect(checkOrder(records, 'rising')).toBe(expected);
  });

  test.each([
    [at(1, 2, 3), null],
    [at(1, 2, 2, 3), { at: 2, isTie: true }],
    [at(1, 1, 2, 3, 3, 3, 3, 4), { at: 5, isTie: true }],
    [at(1, 1, 2, 3, 3, 4, 5, 5), { at: 4, isTie: true }],
    [[{ at: '2026-05-01T12:00:00.1Z' }, { at: '2026-05-01T12:00:00.9Z' }], { at: 1, isTie: false }],
    [[], null],
    [[{ note: 'x' }, 'y', null], null],
  ])('the hardest cut of %j is %j', (records, expected) => {
    expect(hardestCut(records, 3)).toEqual(expected);
  });
});

describe('the last reading', () => {
  const before = ['a', 'b', 'c'];

  test.each([
    [['a', 'b', 'c'], 'kept'],
    [['a', 'b', 'c', 'd'], 'kept'],
    [['a', 'x', 'b', 'c'], 'inserted'],
    [['x', 'a', 'b', 'c'], 'inserted'],
    [['b', 'a', 'c'], 'reordered'],
    [['a', 'B', 'c'], 'changed'],
    [['a', 'b', 'C', 'd'], 'changed'],
    [['b', 'c'], 'gone'],
    [['b', 'c', 'd'], 'gone'],
    [['a', 'b'], 'gone'],
    [[], 'gone'],
  ])('finds that %j after a, b, c means %s', (after, kind) => {
    expect(compareReplay(before, after).kind).toBe(kind);
  });

  test('finds what came in between at the end of a full page', () => {
    const many = Array.from({ length: 200 }, (_, index) => `call-${index}`);
    expect(compareReplay(many, [...many.slice(0, 10), 'late', ...many.slice(10, 199)])).toMatchObject({
      kind: 'inserted',
      at: 10,
      marks: ['late'],
    });
  });

  test('does not count additional calls after the others as a change', () => {
    const marks = fc.array(fc.string(), { maxLength: 30 });
    fc.assert(fc.property(marks, marks, (first, more) => compareReplay(first, [...first, ...more]).kind === 'kept'));
  });
});

test.each([
  ['endedAt', '--call-ended-at-field endedAt is in no call record; they have id, state'],
  [null, 'no record here has endedAt, as others do; they have id, state'],
])('a field that is in no record is named as a flag only where the user gave it: %s', (callEndedAtField, sentence) => {
  const given = { callEndedAtField } as Given;
  expect(whyNoEnd([{ id: 'a', state: 'ended' }], 'endedAt', given)).toBe(sentence);
  expect(whyNoEnd([{ endedAt: null }], 'endedAt', given)).toBeNull();
});

describe('shownTimestamps', () => {
  const [start, end] = ['2026-03-10T09:00:00Z', '2026-03-10T09:04:00Z'];

  test.each<[string, readonly unknown[], readonly string[]]>([
    ['of no call', [], []],
    ['of a call that runs next to one that is over', [{ endedAt: null }, { endedAt: end }], [end]],
    ['of a field of any name that all have', [{ seen: start }, { seen: end }], [start, end]],
    ['not of a reminder that some have', [{ remind: start }, {}], []],
  ])('%s', (_, records, timestamps) => {
    expect(shownTimestamps(records)).toEqual(timestamps.map((timestamp) => parseTimestamp(timestamp)));
  });
});

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
  expect(latestOf({ exchanges: [exchange] }, exchange) - nowMs).toBe(latestS * second);
});
