import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realDisk, writeWhole } from './disk.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'casa-disk-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** No process has so many files open. */
const noFile = 2 ** 30;

it('asks the system to sync, and tells when it cannot', async () => {
  expect(() => realDisk.sync(noFile)).toThrow('EBADF');
  expect(() => realDisk.syncFolder(join(folder, 'none'))).toThrow('ENOENT');
  const failure = await new Promise<Error | null>((resolve) => realDisk.syncLater(noFile, resolve));
  expect(failure?.message).toContain('EBADF');
});

it('makes files for their owner alone', () => {
  const path = join(folder, 'a');
  const file = realDisk.open(path, 'append');
  writeWhole(realDisk, file, Buffer.from('one'));
  realDisk.truncate(file, 2);
  realDisk.sync(file);
  realDisk.close(file);
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['on', 0o600]);
  expect(() => realDisk.open(path, 'fresh')).toThrow('EEXIST');
});

it('writes all bytes however few are taken at a time, and none behind a full disk', () => {
  const taken: number[] = [];
  const disk = { ...realDisk, write: (_file: number, bytes: Uint8Array) => taken.push(bytes.length) && 2 };
  writeWhole(disk, 1, Buffer.from('seven b'));
  expect(taken).toEqual([7, 5, 3, 1]);
  expect(() => writeWhole({ ...realDisk, write: () => 0 }, 1, Buffer.from('x'))).toThrow(
    'The disk takes no more bytes.',
  );
});
