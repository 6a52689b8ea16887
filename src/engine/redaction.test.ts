import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { undone } from '../../fixtures/test-kit/control-characters.ts';
import { redactCutKeys, redactHeader, redactKey, redactKeys } from './redaction.ts';

const key = 'casa_0123456789abcdef0123456789abcdef';

describe('redaction', () => {
  it.each([
    [`Bearer ${key}`, 'Bearer casa_…cdef'],
    ['Bearer hunter2-is-secret', 'Bearer …cret'],
    [`bearer  ${key}`, 'bearer casa_…cdef'],
    ['Basic dXNlcjpwYXNz', 'Basic …YXNz'],
    [key, '…'],
  ])('shows of the header authorization: %s only %s', (value, shown) => {
    expect(redactHeader('authorization', value)).toBe(shown);
  });

  it.each(['cookie', 'set-cookie', 'x-casa-admin-token'])('shows nothing of %s', (name) => {
    expect(redactHeader(name, 'secret')).toBe('…');
  });

  it('finds keys at any place in a text', () => {
    expect(redactKeys(`{"a":"${key}","b":"sk_${'F'.repeat(32)}"}`)).toBe('{"a":"casa_…cdef","b":"sk_…FFFF"}');
    expect(redactKeys('post_0123456789abcdef')).toBe('post_0123456789abcdef');
  });

  it('never lets more than four characters of a key through', () => {
    const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(hex, fc.string(), (secret, around) => {
        const shown = redactKeys(`${around} casa_${secret} ${around}`);
        expect(shown).not.toContain(secret.slice(0, 28));
        expect(redactKey(`casa_${secret}`)).toBe(`casa_…${secret.slice(-4)}`);
      }),
    );
  });

  it.each([
    [8, '…'],
    [20, '…'],
    [31, '…'],
    [7, '_0123456'],
  ])('finds the first %i characters of one at the end of a text that was cut', (length, left) => {
    const cut = `{"note":"${key.slice(0, 'casa_'.length + length)}`;
    expect(redactCutKeys(cut).endsWith(left)).toBe(true);
    expect(undone(redactCutKeys(encodeURIComponent(cut).replace('_', '%5f'))).endsWith(left)).toBe(true);
    expect(redactKeys(cut)).toBe(cut);
  });

  it('reads a megabyte of half escapes in one pass', () => {
    for (const half of ['%25', '\\', '_%', '&#0', '%5f%30', '_0', '\\u005f\\u003']) {
      const text = half.repeat(1_000_000 / half.length);
      const startMs = performance.now();
      redactCutKeys(text);
      expect(performance.now() - startMs, half).toBeLessThan(1000);
    }
  });
});
