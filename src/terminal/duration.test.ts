import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.ts';

describe('parseDuration', () => {
  it.each([
    ['5m', 300_000],
    ['90s', 90_000],
    ['250ms', 250],
    ['1h 30m', 5_400_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['0s', 0],
    ['2d', 172_800_000],
    ['1w', 604_800_000],
    [' 5 m ', 300_000],
    ['PT5M', 300_000],
    ['pt5m', 300_000],
    ['P1DT2H3M4.5S', 93_784_500],
    ['PT0,5S', 500],
    ['P2W', 1_209_600_000],
  ])('reads %j as %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', '300000', 'five minutes', '-5m', '5 parsecs', 'P', 'PT', 'P1Y', 'P1M', 'm', '1h-2m', '5m!'])(
    'takes %j for none',
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );
});
