import { describe, expect, it } from 'vitest';
import { isDateTime, parseTimestamp, parseTimestampMs } from './timestamps.ts';

const base = Date.UTC(2026, 1, 28, 10, 30, 15, 250);

describe('parseTimestamp', () => {
  it.each([
    ['2026-02-28T10:30:15.250Z', base],
    ['2026-02-28t10:30:15.250z', base],
    ['2026-02-28T10:30:15,250Z', base],
    ['20260228T103015.250Z', base],
    ['2026-02-28T12:30:15.25+02:00', base],
    ['2026-02-28T12:30:15.25+0200', base],
    ['2026-02-28T12:30:15.25+02', base],
    ['2026-02-28T05:00:15.250-05:30', base],
    ['2026-02-28T05:00:15.250−05:30', base],
    ['−000001-02-28T10:30:15.250Z', parseTimestampMs('-000001-02-28T10:30:15.250Z')],
    ['2026-02-28T10:30:15.250000999Z', base],
    ['2026-02-28T10:30Z', base - 15_250],
    ['2026-02-28T10:30', base - 15_250],
    ['2026-02-28T10:30:15', base - 250],
    ['2026-02-28T10:30,5Z', base + 14_750],
    ['2026-02-28T24:00:00Z', Date.UTC(2026, 2, 1)],
    ['+002026-02-28T10:30:15.250Z', base],
    ['2026-059T10:30:15.250Z', base],
    ['2026059T103015.250Z', base],
    ['2026-W09-6T10:30:15.250Z', base],
    ['2026W096T103015.250Z', base],
    ['2024-366T00:00:00Z', Date.UTC(2024, 11, 31)],
    ['2020-W53-5T00:00:00Z', Date.UTC(2021, 0, 1)],
  ])('reads %s', (text, expected) => {
    expect(parseTimestampMs(text)).toBe(expected);
  });

  it.each([
    ...['', 'yesterday', '2026-02-28', '2026-02-28 10:30:15.250Z', '2026-059 10:30:15Z'],
    ...['2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-02-28T25:00:00Z'],
    ...['2026-02-28T10:61:00Z', '2026-02-28T10:30:15+24:00', '2026-02-28T10:30:15.Z', '2026-0228T10:30:15Z'],
    ...['1772274615250', '2026-000T00:00:00Z', '+999999-01-01T00:00:00Z', '-271822-01-01T00:00:00Z'],
    ...['2026-366T00:00:00Z', '2026-W00-1T00:00:00Z', '2026-W54-1T00:00:00Z', '2026-W09-8T00:00:00Z'],
  ])('rejects %j', (text) => {
    expect(isDateTime(text)).toBe(false);
  });

  it('distinguishes timestamps that differ by a nanosecond', () => {
    const earlier = parseTimestamp('2026-02-28T10:30:15.000000001Z');
    const later = parseTimestamp('2026-02-28T10:30:15.000000002Z');
    expect(later !== null && earlier !== null && later - earlier).toBe(1n);
  });

  it('rounds down before the epoch too', () => {
    expect(parseTimestampMs('1969-12-31T23:59:59.9995Z')).toBe(-1);
  });
});
