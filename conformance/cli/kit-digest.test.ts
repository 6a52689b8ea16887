import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { kitDigest } from './kit-digest.ts';

function built(text: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'kit-digest-')), 'dist');
  mkdirSync(join(folder, 'chunks'), { recursive: true });
  writeFileSync(join(folder, 'conformance-cli.js'), 'import "./chunks/a.js";');
  writeFileSync(join(folder, 'chunks', 'a.js'), text);
  return folder;
}
const digestFrom = (folder: string, file: string) => kitDigest(pathToFileURL(join(folder, file)).href);

test('the digest of the kit is that of its whole bundle, from wherever it is asked', () => {
  const [one, two] = [built('1'), built('2')];
  expect(digestFrom(one, 'conformance-cli.js')).toBe(digestFrom(one, 'chunks/a.js'));
  expect(digestFrom(one, 'chunks/a.js')).toBe(digestFrom(built('1'), 'chunks/a.js'));
  expect(digestFrom(one, 'chunks/a.js')).not.toBe(digestFrom(two, 'chunks/a.js'));
});

test('sources have none', () => {
  expect(kitDigest()).toBe(null);
});
