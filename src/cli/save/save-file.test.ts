import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DiskStep, diskError, FakeDisk } from '../../../proof/rigs/fake-disk.ts';
import { SaveDiskError, SaveFileError } from './disk-error.ts';
import type { SaveHead } from './head.ts';
import { seal, toLine } from './lines.ts';
import { type OpenOptions, openSaveFile } from './save-file.ts';

const head: SaveHead = { version: '1.0.0', world: 'default', seed: 1, startMs: 1_000 };

let folder: string;
let number = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'casa-save-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function freshPath(): string {
  number += 1;
  return join(folder, `state-${number}`);
}

/** Opens a file as a mock would, and remembers what it held. */
async function open(path: string, options: Partial<OpenOptions> = {}, check = async () => null as string | null) {
  const file = await openSaveFile(path, { head, sync: 'interval', tell: () => {}, ...options });
  const found = { head: file.head, snapshot: null as unknown, changes: [] as unknown[], notice: null as string | null };
  try {
    found.notice = await file.recall({
      restore: (snapshot) => {
        found.snapshot = snapshot;
        found.changes = [];
      },
      replay: (changes) => void found.changes.push(...changes),
      check,
    });
  } catch (error) {
    await file.close();
    throw error;
  }
  const state = { found };
  const log = file.start(() => ({ state: structuredClone(state) }));
  return { ...found, append: (change: unknown) => log.append(change, () => {}), close: () => file.close() };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** What a mock that opens the file now finds; it then stops. */
async function read(path: string, options?: Partial<OpenOptions>): Promise<Opened> {
  const file = await open(path, options);
  await file.close();
  return file;
}

/** The changes of a file, also those that a stop has put into its snapshot. */
function allChanges({ snapshot, changes }: Pick<Opened, 'snapshot' | 'changes'>): unknown[] {
  const earlier = snapshot as { state: { found: Pick<Opened, 'snapshot' | 'changes'> } } | null;
  return [...(earlier ? allChanges(earlier.state.found) : []), ...changes];
}

/** A file with these changes, as a killed process leaves it. */
async function make(path: string, ...changes: readonly unknown[]): Promise<Buffer> {
  await (await open(path)).close();
  writeFileSync(path, toLine({ casaSave: 2, ...head }) + changes.map((change) => toLine({ change })).join(''));
  return readFileSync(path);
}

const leftovers = () => readdirSync(folder).filter((name) => name.startsWith('.') || name.endsWith('.lock'));

describe('a save file', () => {
  it('gives back what was appended, in order, with the head it began with', async () => {
    const path = freshPath();
    await make(path, { a: 1 }, 'zwei\n2');
    const second = await open(path, { head: { ...head, startMs: 9_999 } });
    await second.close();
    expect(second).toMatchObject({ head, snapshot: null, changes: [{ a: 1 }, 'zwei\n2'], notice: null });
  });

  it('gives back a snapshot and what came after it', async () => {
    const path = freshPath();
    const first = await open(path);
    first.append(1);
    await first.close();
    appendFileSync(path, toLine({ change: 2 }));
    const second = await open(path);
    await second.close();
    expect(second).toMatchObject({ snapshot: { state: expect.anything() }, changes: [2] });
    expect(leftovers()).toEqual([]);
  });

  it('is read by its owner alone, also one that others could read before', async () => {
    const path = freshPath();
    await (await open(path)).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    await (await open(path)).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves a file of another kind as it is', async () => {
    const path = freshPath();
    writeFileSync(path, 'notes\n');
    chmodSync(path, 0o644);
    await expect(open(path)).rejects.toThrow('is not a save file of casa mock');
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['notes\n', 0o644]);
  });

  it('of the first version is read as it was', async () => {
    const path = freshPath();
    const lines = [{ casaSave: 1, ...head }, { snapshot: { all: 1 } }, { change: 'one' }, { change: 'two' }];
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const old = await open(path);
    await old.close();
    expect(old).toMatchObject({ snapshot: { all: 1 }, changes: ['one', 'two'], notice: null });
  });

  it('takes an empty file for a new one', async () => {
    const path = freshPath();
    writeFileSync(path, '');
    await (await open(path)).close();
    expect(readFileSync(path, 'utf8').split('\n')[0]).toBe(toLine({ casaSave: 2, ...head }).trimEnd());
  });

  it('removes what killed processes left', async () => {
    const path = freshPath();
    const left = [`.${basename(path)}.casa-save`, '.12345.casa-save'];
    for (const name of left) writeFileSync(join(folder, name), 'half');
    await (await open(path)).close();
    expect(leftovers()).toEqual([]);
  });

  it('holds as many records as there are, on short lines', async () => {
    const path = freshPath();
    const list = Array.from({ length: 500 }, (_, i) => ({ i, deep: Array.from({ length: 70 }, () => 'x') }));
    const file = await openSaveFile(path, { head, sync: 'interval', tell: () => {} });
    await file.recall({ restore: () => {}, replay: () => {}, check: async () => null });
    file.start(() => ({ list, ['__proto__']: 1 })).append(1, () => {});
    await file.close();
    const text = readFileSync(path, 'utf8');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(200_000);
    expect((await read(path)).snapshot).toEqual({ list, ['__proto__']: 1 });
  });
});

describe('the last line without its end', () => {
  it('is kept when its checksum fits', async () => {
    const path = freshPath();
    const whole = await make(path, 'one', 'two');
    writeFileSync(path, whole.subarray(0, -1));
    const first = await open(path);
    await first.close();
    expect(first).toMatchObject({ changes: ['one', 'two'], notice: null });
    expect(allChanges(await read(path))).toEqual(['one', 'two']);
  });

  it.each([toLine({ change: 'zwö' }), '{"change":"zwö"}\n'])(
    'is dropped at whatever byte %j was torn',
    async (text) => {
      const path = freshPath();
      const whole = await make(path, 'one');
      const line = Buffer.from(text);
      const property = fc.asyncProperty(fc.integer({ min: 1, max: line.length - 2 }), async (bytes) => {
        writeFileSync(path, Buffer.concat([whole, line.subarray(0, bytes)]));
        const torn = await open(path);
        await torn.close();
        expect(torn).toMatchObject({ changes: ['one'] });
        expect(torn.notice).toMatch(/half a change, which was never acknowledged/);
        expect(allChanges(await read(path))).toEqual(['one']);
      });
      await fc.assert(property, { numRuns: 20 });
    },
  );

  it.each([
    ['zeros', Buffer.alloc(5_000)],
    ['noise', Buffer.from([0xff, 0xfe, 0x22, 0x7b])],
  ])('is dropped when it is %s', async (_what, bytes) => {
    const path = freshPath();
    const whole = await make(path, 'one');
    writeFileSync(path, Buffer.concat([whole, bytes]));
    const torn = await open(path);
    await torn.close();
    expect(torn.notice).toMatch(/half a change/);
    expect(torn.changes).toEqual(['one']);
  });
});

describe('what somebody did to a file', () => {
  it.each([
    ['blank lines', (text: string) => text.replaceAll('\n', '\n\n')],
    ['ends of lines as on Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    ['blanks at ends of lines', (text: string) => text.replaceAll('\n', '  \n')],
    ['no checksums', (text: string) => text.replaceAll(/ #[0-9a-f]{8}\n/g, '\n')],
  ])('is read: %s', async (_what, edit) => {
    const path = freshPath();
    const text = await make(path, 'one', 'two');
    writeFileSync(path, edit(String(text)));
    const edited = await open(path);
    await edited.close();
    expect(edited).toMatchObject({ changes: ['one', 'two'], notice: null });
  });

  it('is read in a line without a checksum when the change can be made, and told when not', async () => {
    const path = freshPath();
    const whole = await make(path, 'one');
    writeFileSync(path, `${whole}{"change":"mine"}\n`);
    const read = await open(path);
    await read.close();
    expect(read.changes).toEqual(['one', 'mine']);
    writeFileSync(path, `${whole}{"change":"mine"}\n`);
    await expect(open(path, {}, async () => 'text: missing')).rejects.toThrow(
      `line 3 of ${path} cannot be read: text: missing. Mend or remove the line, or move the file away to start afresh.`,
    );
  });

  it.each([
    ['another program', 'hello\n', 'is not a save file of casa mock; choose another name.'],
    ['another program, without an end of line', 'hello', 'is not a save file of casa mock; choose another name.'],
    ['JSON of another kind', '{"a":1}\n', 'is not a save file of casa mock; choose another name.'],
    ['a list', '[]\n', 'is not a save file of casa mock; choose another name.'],
    ['zeros', '\0\0\0\0', 'is not a save file of casa mock; choose another name.'],
    [
      'another version',
      toLine({ casaSave: 2, ...head, version: '0.9.0' }),
      'was saved with version 0.9.0, and this is version 1.0.0; move the file away to start afresh.',
    ],
    [
      'another world',
      toLine({ casaSave: 1, ...head, world: 'empty' }),
      'was saved with world empty, and this is world default; move the file away to start afresh.',
    ],
    [
      'another seed',
      toLine({ casaSave: 2, ...head, seed: 2 }),
      'was saved with seed 2, and this is seed 1; move the file away to start afresh.',
    ],
    [
      'a reading that no deployment has',
      toLine({ casaSave: 2, ...head, readings: { chosen: { articleOrder: 'sideways' }, grease: null } }),
      'the reading articleOrder is none of newest, oldest; mend the line',
    ],
    ['a start that is not an instant', toLine({ casaSave: 2, ...head, startMs: 'x' }), 'startMs is not an instant'],
    ['a changed head', seal('{"a":1}').replace('1', '2'), 'line 1 of'],
    [
      'a changed line',
      `${toLine({ change: 1 }).replace('1', '2')}`,
      'line 2 of PATH was changed by hand: its checksum',
    ],
    ['a broken line in the middle', `xx\n${toLine({ change: 1 })}`, 'line 2 of PATH cannot be read: it is not JSON.'],
    ['a line of another kind', toLine({ other: 1 }), 'line 2 of PATH cannot be read: it holds neither a change nor'],
    ['a snapshot that was cut', toLine({ snapshot: {}, parts: true }), 'PATH ends in the middle of its snapshot;'],
    ['half a snapshot', '{"snapshot":{"all"', 'PATH ends in the middle of its snapshot;'],
    [
      'a part of nothing',
      toLine({ snapshot: { a: 1 }, parts: true }) + toLine({ part: ['a'], items: [] }),
      'line 3 of PATH cannot be read: it is not a part of the snapshot before it.',
    ],
  ])('is told, and the file left as it is: %s', async (_what, text, sentence) => {
    const path = freshPath();
    const hasHead = /^(hello|\{"a|\[|\0|\{"casaSave)/.test(text);
    const content = hasHead ? text : toLine({ casaSave: 2, ...head }) + text;
    writeFileSync(path, content);
    const failure = await open(path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SaveFileError);
    expect((failure as Error).message).toContain(sentence.replace('PATH', path));
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(leftovers()).toEqual([]);
  });

  it('is never our bug, whichever byte was changed', async () => {
    const path = freshPath();
    const whole = await make(path, { a: 1 }, { b: [2] });
    const edit = fc.record({
      at: fc.nat(whole.length - 1),
      remove: fc.nat(3),
      add: fc.uint8Array({ maxLength: 3 }),
    });
    const property = fc.asyncProperty(edit, async ({ at, remove, add }) => {
      writeFileSync(path, Buffer.concat([whole.subarray(0, at), add, whole.subarray(at + remove)]));
      const result = await open(path).then(
        (file) => file.close(),
        (error: unknown) => error,
      );
      expect(result === true || result instanceof SaveFileError).toBe(true);
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

describe('a name', () => {
  it('that is a symbolic link stands for the file it leads to', async () => {
    const path = freshPath();
    symlinkSync(path, `${path}-link`);
    const first = await open(`${path}-link`);
    await expect(open(path)).rejects.toThrow(`${path} is in use by another casa mock (process ${process.pid})`);
    first.append(1);
    await first.close();
    expect(statSync(`${path}-link`).ino).toBe(statSync(path).ino);
    expect((await read(path)).snapshot).not.toBeNull();
  });

  it('that is one of several of a file is refused under each of them', async () => {
    const path = freshPath();
    await (await open(path)).close();
    linkSync(path, `${path}-other`);
    for (const name of [path, `${path}-other`]) {
      await expect(open(name)).rejects.toThrow(`${name} has 2 names (hard links), which would part`);
    }
  });

  it.each([
    ['a folder', () => folder, 'is a folder, not a file.'],
    ['a device', () => '/dev/null', 'is a pipe or a device, not a file.'],
    ['in no folder', () => join(folder, 'none', 'x'), 'cannot be written: its folder does not exist.'],
  ])('of %s is refused', async (_what, name, sentence) => {
    await expect(open(name())).rejects.toThrow(`${name()} ${sentence}`);
  });

  it.skipIf(process.platform === 'win32')('of a pipe is refused without waiting for its other end', async () => {
    const path = freshPath();
    execFileSync('mkfifo', [path]);
    await expect(open(path)).rejects.toThrow('is a pipe or a device, not a file.');
  });
});

describe('a start', () => {
  const lock = async () => ({ release: () => {} });

  it.each([
    ['open', 'EACCES', SaveFileError, 'this user has no permission'],
    ['open', 'EROFS', SaveFileError, 'the file system is read-only'],
    ['open', 'EMFILE', SaveDiskError, 'too many files are open'],
    ['write', 'ENOSPC', SaveDiskError, 'the disk is full'],
    ['write', 'EDQUOT', SaveDiskError, 'the quota of this user is used up'],
    ['sync', 'EIO', SaveDiskError, 'the disk reports an error (EIO)'],
    ['rename', 'EBUSY', SaveFileError, 'something else holds it (EBUSY)'],
    ['syncFolder', 'EIO', SaveDiskError, 'the disk reports an error (EIO)'],
  ] as const)('with a disk that fails to %s with %s is refused in one sentence', async (step, code, kind, reason) => {
    const disk = new FakeDisk();
    disk.before = (done: DiskStep) => {
      if (done === step) throw diskError(code);
    };
    const failure = await open('/state', { disk, lock }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(kind);
    expect((failure as Error).message).toBe(`/state cannot be written: ${reason}.`);
  });

  it('with a file that cannot be written is refused, though it can be read', async () => {
    const disk = new FakeDisk();
    disk.put('/state', toLine({ casaSave: 2, ...head }));
    const openAny = disk.open.bind(disk);
    disk.open = (path, how) => {
      if (path === '/state' && how === 'append') throw diskError('EACCES');
      return openAny(path, how);
    };
    await expect(open('/state', { disk, lock })).rejects.toThrow(
      '/state cannot be written: this user has no permission.',
    );
  });
});

describe('names of folders', () => {
  it('are those of the file, so that two files of one folder do not meet', async () => {
    const [a, b] = [freshPath(), freshPath()];
    const first = await open(a);
    const second = await open(b);
    expect(dirname(a)).toBe(dirname(b));
    expect(existsSync(a) && existsSync(b)).toBe(true);
    await Promise.all([first.close(), second.close()]);
  });
});
