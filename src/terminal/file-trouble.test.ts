import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseClaims } from '../../conformance/report/claims.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { loadConfig } from './config-file.ts';
import { readNamed } from './file-trouble.ts';

const utf16 = Buffer.from('\ufeff["é"]', 'utf16le');

describe('a file that the user names', () => {
  test.each([
    ['without a byte order mark', Buffer.from('["é"]')],
    ['with a byte order mark', Buffer.from('\ufeff["é"]')],
    ['in UTF-16, as PowerShell writes it', utf16],
    ['in UTF-16, in the other order', Buffer.from(utf16).swap16()],
  ])('%s is read', async (_, bytes) => {
    const file = join(newFolder(), 'a.config.json');
    writeFileSync(file, bytes);
    expect(readNamed(file)).toBe('["é"]');
    expect(await loadConfig(file, '')).toEqual(['é']);
    writeFileSync(file, Buffer.from('\ufeff[]'));
    expect(parseClaims(readNamed(file), []).knownFailures).toEqual([]);
  });

  test('is read to its maximum, and not further', () => {
    const file = join(newFolder(), 'a');
    writeFileSync(file, 'four');
    expect(readNamed(file, file, 4)).toBe('four');
    expect(() => readNamed(file, file, 3)).toThrow('is too large to be read: the maximum is 3 bytes');
  });

  test.runIf(existsSync('/dev/zero'))('can be a device without an end', () => {
    expect(() => readNamed('x', '/dev/zero', 100)).toThrow('x is too large to be read');
  });
});
