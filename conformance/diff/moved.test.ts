import { describe, expect, test } from 'vitest';
import type { Learnt, Profile } from '../../src/contract/profile.ts';
import { movedReadings } from './moved.ts';

const profile = (readings: Record<string, Learnt>): Profile['readings'] => readings;
const learnt = (value: unknown, seen = 9): Learnt => ({ value: value as Learnt['value'], seen });
const halves = (...values: string[]): Learnt => ({
  ...learnt(values[0]),
  mixed: Object.fromEntries(values.map((value) => [value, 0.5])),
});
const call = (durationS: object, more: object = {}) =>
  learnt({ type: 'object', members: { durationS: { type: 'integer', ...durationS }, ...more } });

describe('a reading has moved', () => {
  test.each([
    ['another word', 'articleOrder', learnt('newest'), learnt('oldest')],
    ['another size', 'callsPageCap', learnt(200), learnt(100)],
    [
      'a word that came up beside the old one',
      'malformedId',
      learnt('not_found'),
      halves('not_found', 'invalid_input'),
    ],
    ['a form that came up beside the old one', 'instantForm', learnt('a'), learnt('a | b')],
    ['a member of another type', 'callRecord', call({}), call({ type: 'string' })],
    ['a further member', 'callRecord', call({}), call({}, { cost: { type: 'integer' } })],
    ['no such members any more', 'extraMembers', call({}), learnt(null)],
  ])('where the deployment shows %s', (_what, id, was, is) => {
    const { moved, compared } = movedReadings(profile({ [id]: was }), profile({ [id]: is }));
    expect([moved.map((row) => row.id), compared]).toEqual([[id], 1]);
  });

  test('and says in words where two shapes differ', () => {
    const was = profile({ callRecord: call({}) });
    const [one] = movedReadings(was, profile({ callRecord: call({ type: 'string' }) })).moved;
    expect(one?.why).toBe('durationS is integer before, string now');
    const [none] = movedReadings(was, profile({ callRecord: learnt(null) })).moved;
    expect(none?.why).toBe('there are none any more');
  });
});

describe('no reading has moved', () => {
  test.each([
    ['a running call that has no duration yet', 'callRecord', call({}), call({ nullable: true })],
    ['a member that some records lack', 'callRecord', call({}), call({}, { note: { type: 'string', optional: true } })],
    ['a word of a mixture', 'malformedId', halves('not_found', 'invalid_input'), learnt('not_found')],
    ['one of several forms', 'instantForm', learnt('a | b'), learnt('a')],
    ['another count', 'articleOrder', learnt('newest', 4), learnt('newest', 400)],
    ['other times', 'latency', learnt({ p50: 1 }), learnt({ p50: 9 })],
    [
      'a second way where the first was seen once',
      'malformedId',
      learnt('not_found', 1),
      halves('not_found', 'invalid_input'),
    ],
    ['the other end of the two that it has', 'reviewEnd', learnt('absent'), learnt('either')],
    ['no replies at all', 'reviewReplied', learnt('when-replied'), learnt('none')],
  ])('where the data of the day show %s', (_what, id, was, is) => {
    expect(movedReadings(profile({ [id]: was }), profile({ [id]: is })).moved).toEqual([]);
  });

  test('where one profile lacks it, and that is said', () => {
    const both = movedReadings(
      profile({ articleOrder: learnt('newest'), reviewEnd: learnt('absent') }),
      profile({ reviewEnd: learnt('either') }),
    );
    expect(both).toEqual({ moved: [], compared: 0, open: ['reviewEnd'], lost: ['articleOrder'] });
  });
});
