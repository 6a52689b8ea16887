import { describe, expect, it, test } from 'vitest';
import { hostileText } from '../../fixtures/test-kit/sample-report.ts';
import { parseDuration } from './duration.ts';
import { createLog } from './output.ts';
import { didYouMean, nearest, unknownCommand } from './suggestion.ts';
import { clip, visible, visibleLines } from './visible.ts';

describe('text of a target', () => {
  test.each([
    ['\u001b[31m', '\\u{1b}[31m'],
    ['a\nb', 'a\\u{a}b'],
    ['\u202eevil', '\\u{202e}evil'],
    ['\ud800', '\\u{d800}'],
    ['wärmepumpe 🔥 <b>', 'wärmepumpe 🔥 <b>'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test('keeps its lines where lines are wanted', () => {
    expect(visibleLines('a\r\nb\tc\u0007')).toBe('a\nb\tc\\u{7}');
  });

  test('holds nothing that acts once it is visible', () => {
    expect(visible(hostileText)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  });

  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc…'],
  ])('%s clipped to %i is %s', (text, max, shown) => {
    expect(clip(text, max)).toBe(shown);
  });
});

const words = ['port', 'host', 'relaxed', 'trust-proxy', 'provider_auth'];

describe('a suggestion', () => {
  it.each([
    ['prot', 'port'],
    ['prt', 'port'],
    ['ports', 'port'],
    ['Port', 'port'],
    ['relaxd', 'relaxed'],
    ['trustproxy', 'trust-proxy'],
    ['providerauth', 'provider_auth'],
  ])('for %s is %s', (word, meant) => {
    expect(nearest(word, words)).toBe(meant);
  });

  it.each(['', 'x', 'banana', 'verbose'])('is not made up for "%s"', (word) => {
    expect(nearest(word, words)).toBeNull();
  });

  it('is a question, or nothing', () => {
    expect([didYouMean('hots', words), didYouMean('zzz', words)]).toEqual([' Did you mean "host"?', '']);
  });

  it.each([
    ['casa', 'calibrate', 'conformance calibrate'],
    ['casa', 'diff', 'conformance diff'],
    ['casa', 'mokc', 'mock'],
    ['conformance', 'try', 'casa try'],
  ] as const)('%s %s: suggests %s', (program, word, meant) => {
    expect(unknownCommand(program, word)).toContain(`Unknown command "${word}". Did you mean "${meant}"? Commands: `);
  });
});

describe('a log', () => {
  it('drops lines without a reader, and later reports how many', () => {
    const written: string[] = [];
    let unread = 0;
    const write = createLog({ write: (text) => void written.push(text), error: () => {}, unread: () => unread });
    write('one\n');
    unread = 1024 * 1024 + 1;
    write('two\n');
    write('three\n');
    unread = 0;
    write('four\n');
    write('five\n');
    expect(written).toEqual([
      'one\n',
      '         Dropped 2 lines of the log, because they were not read in time.\n',
      'four\n',
      'five\n',
    ]);
  });

  it('writes everything where it cannot know what was read', () => {
    const written: string[] = [];
    const write = createLog({ write: (text) => void written.push(text), error: () => {} });
    for (let i = 0; i < 3; i += 1) write('line\n');
    expect(written).toHaveLength(3);
  });
});

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
