import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { FaultyDisk } from '../../../fixtures/test-kit/faulty-disk.ts';
import { newFolder } from '../../../fixtures/test-kit/own-tmp.ts';
import { type OpenOptions, openSaveFile } from './save-file.ts';
import { SaveDiskError, SaveFileError, type SaveHead, toLine } from './save-format.ts';

const head: SaveHead = { version: '1.0.0', world: 'default', seed: 1, startMs: 1_000 };
const headLine = toLine({ casaSave: 2, ...head });

const folder = newFolder();
let number = 0;

function freshPath(): string {
  number += 1;
  return join(folder, `state-${number}`);
}

/** Opens a file as a mock would; `snapshot` is its state. */
async function open(path: string, options: Partial<OpenOptions> = {}, snapshot?: object) {
  const file = await openSaveFile(path, { head, sync: 'interval', tell: () => {}, ...options });
  const found = { head: file.head, snapshot: null as unknown, changes: [] as unknown[], notice: null as string | null };
  try {
    found.notice = await file.recall({
      restore: (value) => {
        found.snapshot = value;
      },
      replay: (changes) => void found.changes.push(...changes),
    });
    const log = await file.start(file.head, () => snapshot ?? { found });
    return { ...found, append: (change: unknown) => log.append(change, () => {}), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The state of a file, for a mock that stops at once. */
async function read(path: string, options?: Partial<OpenOptions>) {
  const file = await open(path, options);
  await file.close();
  return file;
}

/** A file with these changes, as a killed process leaves it. */
function make(...changes: readonly unknown[]): string {
  const path = freshPath();
  writeFileSync(path, headLine + changes.map((change) => toLine({ change })).join(''), { mode: 0o600 });
  return path;
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('a save file', () => {
  afterEach(() => expect(readdirSync(folder).filter((name) => !/^state-\d+(-\w+)?$/.test(name))).toEqual([]));

  it('returns its changes in order, with the head it began with', async () => {
    const path = freshPath();
    const first = await open(path);
    first.append({ a: 1 });
    first.append('zwei\n2\u2028');
    await first.close();
    expect(await read(path, { head: { ...head, startMs: 9_999 } })).toMatchObject({
      ...{ head, snapshot: null, changes: [{ a: 1 }, 'zwei\n2\u2028'], notice: null },
    });
  });

  it('returns a snapshot of the earlier starts, and the changes after it', async () => {
    const path = make(1);
    const second = await open(path);
    second.append(2);
    await second.close();
    expect(await read(path)).toMatchObject({ snapshot: { found: { changes: [1] } }, changes: [2] });
  });

  it('is not written again if nothing changed', async () => {
    const path = make(1);
    await read(path);
    const { ino, size } = statSync(path);
    await read(path);
    expect(statSync(path)).toMatchObject({ ino, size });
  });

  it('is private, even if others could read it before', async () => {
    const path = freshPath();
    await read(path);
    expect(modeOf(path)).toBe(0o600);
    chmodSync(path, 0o644);
    await read(path);
    expect(modeOf(path)).toBe(0o600);
  });

  it('can be empty', async () => {
    const path = freshPath();
    writeFileSync(path, '');
    await read(path);
    expect(readFileSync(path, 'utf8')).toBe(headLine);
  });

  it('removes the file of a compaction that was killed', async () => {
    const path = make(1);
    writeFileSync(join(folder, `.${basename(path)}.casa-save`), 'half');
    expect((await read(path)).changes).toEqual([1]);
  });

  it('has short lines, however long the lists of a snapshot are', async () => {
    const path = make(1);
    const list = Array.from({ length: 500 }, (_, i) => ({ i, deep: Array.from({ length: 70 }, () => 'x') }));
    const snapshot = {
      list,
      late: list.slice(0, 300).map((item) => ({ toJSON: () => item })),
      none: [],
      ['__proto__']: 1,
    };
    await (await open(path, {}, snapshot)).close();
    const text = readFileSync(path, 'utf8');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(200_000);
    expect((await read(path)).snapshot).toEqual({ list, late: list.slice(0, 300), none: [], ['__proto__']: 1 });
  });

  it.each([
    ['a change', toLine({ change: 'zwö' }).slice(0, 14)],
    ['a change without its line end', toLine({ change: 'zwö' }).slice(0, -1)],
    ['zeros', '\0'.repeat(5_000)],
    ['noise', '\xff\xfe"{'],
  ])('ends before an unfinished line: %s', async (_what, text) => {
    const path = make('one');
    appendFileSync(path, text, 'latin1');
    const notice = `${path} ended in an unfinished change that was never acknowledged; it was dropped`;
    expect(await read(path)).toMatchObject({ changes: ['one'], notice });
    expect(await read(path)).toMatchObject({ snapshot: { found: { changes: ['one'] } }, changes: [], notice: null });
  });

  const isOther = 'is not a save file of casa mock; choose another name.';
  it.each([
    ['of another program', 'hello\n', isOther],
    ['of another program, without a line end', 'hello', isOther],
    ['with other JSON', '{"a":1}\n', isOther],
    ['of zeros', '\0\0\0\0', isOther],
    [
      'of another version',
      toLine({ casaSave: 2, ...head, version: '0.9.0' }),
      'was saved with version 0.9.0, and this is version 1.0.0; move the file away to start from scratch.',
    ],
    ['of another world', toLine({ casaSave: 2, ...head, world: 'empty' }), 'was saved with world empty, and this is'],
    ['of another seed', toLine({ casaSave: 2, ...head, seed: 2 }), 'was saved with seed 2, and this is seed 1;'],
    ['of an older format', `${JSON.stringify({ casaSave: 1, ...head })}\n`, 'Line 1 of PATH is damaged, edited or of'],
    ['with an edited head', headLine.replace('1000', '2000'), 'Line 1 of PATH is damaged'],
    ['with half a head', headLine.slice(0, 30), 'Line 1 of PATH is damaged'],
    [
      'with an edited change',
      headLine + toLine({ change: 1 }).replace('1', '2'),
      'Line 2 of PATH is damaged, edited or of an older version; restore a copy, or move the file away to start from',
    ],
    ['with a change without a checksum', `${headLine}{"change":1}\n`, 'Line 2 of PATH is damaged'],
    ['with line ends of Windows', headLine.replace('\n', '\r\n'), 'Line 1 of PATH is damaged'],
    ['cut within its snapshot', headLine + toLine({ snapshot: {}, parts: true }), 'Line 3 of PATH is damaged'],
    ['cut in the first line of its snapshot', `${headLine}{"snapshot":{"all"`, 'Line 2 of PATH is damaged'],
    [
      'with a part of no list',
      headLine + toLine({ snapshot: {}, parts: true }) + toLine({ part: ['a'], items: [] }),
      'PATH cannot be loaded: ',
    ],
  ])('%s is rejected in one sentence, and left unchanged', async (_what, content, sentence) => {
    const path = freshPath();
    writeFileSync(path, content, { mode: 0o644 });
    const failure = await open(path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SaveFileError);
    expect((failure as Error).message).toContain(sentence.replace('PATH', path));
    expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual([content, 0o644]);
  });

  it('is read or rejected after any change of bytes', async () => {
    const path = make({ a: 1 }, { b: [2] });
    const whole = readFileSync(path);
    const edit = fc.record({ at: fc.nat(whole.length - 1), remove: fc.nat(3), add: fc.uint8Array({ maxLength: 3 }) });
    const property = fc.asyncProperty(edit, async ({ at, remove, add }) => {
      writeFileSync(path, Buffer.concat([whole.subarray(0, at), add, whole.subarray(at + remove)]));
      const result = await read(path).catch((error: unknown) => error);
      if (result instanceof SaveFileError) return;
      const { changes } = result as { changes: unknown[] };
      expect(changes).toEqual([{ a: 1 }, { b: [2] }].slice(0, changes.length));
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it('of another process is rejected, and released with its process', async () => {
    const path = make(1);
    const first = await open(path);
    await expect(open(path)).rejects.toThrow(`${path} is in use by another casa mock (process ${process.pid})`);
    await first.close();
    await read(path);
  });
});

describe('a path', () => {
  it.each([
    ['a folder', () => folder, 'is a folder, not a file.'],
    ['a device', () => '/dev/null', 'is a pipe or a device, not a file.'],
    ['in a missing folder', () => join(folder, 'none', 'x'), 'cannot be written: its folder does not exist.'],
    ['a symbolic link', () => linked(symlinkSync), 'is a symbolic link; use the path of the file itself.'],
    ['one of two names of a file', () => linked(linkSync), 'has 2 names (hard links); use a copy of it.'],
    ['a pipe', () => piped(), 'is a pipe or a device, not a file.'],
  ])('of %s is rejected', async (_what, makePath, sentence) => {
    const path = makePath();
    await expect(open(path)).rejects.toThrow(`${path} ${sentence}`);
  });

  function linked(link: (target: string, path: string) => void): string {
    const path = make(1);
    link(path, `${path}-link`);
    return `${path}-link`;
  }

  function piped(): string {
    const path = freshPath();
    execFileSync('mkfifo', [path]);
    return path;
  }
});

describe('a start', () => {
  it.each([
    ['open', 'EACCES', SaveFileError, 'this user has no permission'],
    ['open', 'EROFS', SaveFileError, 'the file system is read-only'],
    ['open', 'EMFILE', SaveDiskError, 'too many files are open'],
    ['write', 'ENOSPC', SaveDiskError, 'the disk is full'],
    ['write', 'EDQUOT', SaveDiskError, 'the quota of this user is used up'],
    ['sync', 'EIO', SaveDiskError, 'the disk reports an error (EIO)'],
    ['rename', 'EBUSY', SaveFileError, 'the system is using it (EBUSY)'],
    ['syncFolder', 'EIO', SaveDiskError, 'the disk reports an error (EIO)'],
  ] as const)('on a disk that fails to %s with %s is rejected in one sentence', async (step, code, kind, reason) => {
    const disk = new FaultyDisk(folder);
    disk.fail(step, code);
    const path = make(1);
    const failure = await open(path, { disk: disk.calls }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(kind);
    expect((failure as Error).message).toBe(`${path} cannot be written: ${reason}.`);
    expect((await read(path)).changes).toEqual(step === 'syncFolder' ? [] : [1]);
  });
});
