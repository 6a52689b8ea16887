import { describe, expect, test } from 'vitest';
import { compareCalls } from './fields.ts';
import { isIdName, roleOf } from './timestamps.ts';

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
