// Which code judged: the digest of the bundled files, so that a statement can be held against a published package.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * SHA-256 over names and bytes of every script of `dist/`, in the order of their names; null where the kit runs from
 * its sources, which have no such folder.
 */
export function kitDigest(from = import.meta.url): string | null {
  const here = dirname(fileURLToPath(from));
  const folder = basename(here) === 'chunks' ? dirname(here) : here;
  if (basename(folder) !== 'dist') return null;
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  for (const file of files.map((name) => name.replaceAll('\\', '/')).sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  return hash.digest('hex');
}
