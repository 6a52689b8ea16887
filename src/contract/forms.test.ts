import { describe, expect, test } from 'vitest';
import {
  isTimestampForm,
  joinForms,
  telephoneForm,
  textForm,
  timestampForm,
  timestampStepNs,
  writeTelephone,
  writeTimestamp,
} from './forms.ts';

const go = ['12:00:00.123456789Z', '12:00:00.12345678Z', '12:00:00.5Z', '12:00:00Z'].map((time) =>
  String(timestampForm(`2026-03-01T${time}`)),
);
const second = 1_000_000_000n;

describe('forms of timestamps', () => {
  test.each([
    ['trimmed to one digit or nine', go, 'YYYY-MM-DDThh:mm:ss[.fffffffff]Z'],
    ['trimmed with a comma', ['YYYYMMDDThhmmss,ffZ', 'YYYYMMDDThhmmss,fffZ'], 'YYYYMMDDThhmmss[,fff]Z'],
    [
      'learnt as trimmed and seen again',
      ['YYYY-MM-DDThh:mm:ss[.fff]Z', 'YYYY-MM-DDThh:mm:ssZ'],
      'YYYY-MM-DDThh:mm:ss[.fff]Z',
    ],
    ['groups of three, or none', ['T.fffZ', 'TZ'].map(full), 'YYYY-MM-DDThh:mm:ss.fffZ | YYYY-MM-DDThh:mm:ssZ'],
    ['two zones', ['T.fff+01:00', 'T.fffZ'].map(full), 'YYYY-MM-DDThh:mm:ss.fff+01:00 | YYYY-MM-DDThh:mm:ss.fffZ'],
    ['one alone', ['T.fZ'].map(full), 'YYYY-MM-DDThh:mm:ss.fZ'],
  ])('joins what is %s', (_name, forms, form) => {
    expect(joinForms(forms, 400)).toBe(form);
    expect(joinForms([...forms].reverse(), 400)).toBe(form);
  });

  test('keeps the first where all are too long', () => {
    const zones = ['+01:00', '+02:00', '-03:00'].map((zone) => full(`T.fff${zone}`));
    expect(joinForms(zones, 80)).toBe(zones[0]);
  });

  test.each([
    [second / 2n, '1970-01-01T00:00:00.5Z'],
    [second, '1970-01-01T00:00:01Z'],
    [second + 120_000_000n, '1970-01-01T00:00:01.12Z'],
    [second + 123_456_789n, '1970-01-01T00:00:01.123456Z'],
  ])('writes %d with a trimmed fraction', (timestamp, text) => {
    const form = 'YYYY-MM-DDThh:mm:ss[.ffffff]Z';
    expect(writeTimestamp(timestamp, form)).toBe(text);
    expect(timestampStepNs(form)).toBe(1000n);
  });

  test.each(['YYYY-MM-DDThh:mm:ss[.fffZ', 'YYYY-MM-DDThh:mm:ss.fff]Z', 'YYYY-MM-DDThh:mm:ss[]Z'])(
    'rejects %s',
    (form) => {
      expect(isTimestampForm(form)).toBe(false);
    },
  );
});

function full(short: string): string {
  return short.replace('T', 'YYYY-MM-DDThh:mm:ss');
}

describe('a telephone number', () => {
  test.each(['telephone +9', 'telephone +9 9', 'telephone +9 9 9', 'telephone +9 (9) 9-9', 'telephone +9-9-9-9-9-9'])(
    'is written %s and read back so',
    (form) => {
      for (const chance of [0, 0.31, 0.999]) {
        const text = writeTelephone(form, chance);
        expect(textForm(text)).toBe('telephone');
        expect(telephoneForm(text)).toBe(form);
      }
    },
  );

  test('is a fictitious number', () => {
    expect(writeTelephone('telephone', 0.42)).toBe('+1 555 0142');
    expect(writeTelephone('telephone +9', 0.42)).toBe('+15550142000');
  });
});
