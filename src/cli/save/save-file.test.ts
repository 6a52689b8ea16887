import * as fs from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { newFolder } from '../../../fixtures/test-kit/own-tmp.ts';
import { SaveFileError } from './save-database.ts';
import { openSaveFile, type SaveFile, type SaveOptions } from './save-file.ts';

const folder = newFolder();
const head = { version: '1.0.0', world: 'default', seed: 1, startMs: 1_000 };
const open: SaveFile[] = [];
let number = 0;

function freshPath(): string {
  number += 1;
  return join(folder, `state-${number}`);
}

afterEach(() => {
  for (const file of open.splice(0)) file.close();
});

/** A mock that stores a list of numbers. Timers run when the test says so. */
async function start(path: string, options: Partial<SaveOptions> = {}) {
  const told: string[] = [];
  const timers: (() => void)[] = [];
  const later = (act: () => void) => void timers.push(act);
  const file = await openSaveFile(path, { head, sync: 'interval', later, tell: (text) => told.push(text), ...options });
  open.push(file);
  const state: unknown[] = [];
  const notice = await file.recall({
    restore: (snapshot) => void state.splice(0, state.length, ...(snapshot as { list: unknown[] }).list),
    replay: (changes) => void state.push(...changes),
  });
  await file.start(file.head, () => ({ list: [...state] }));
  const post = (value: unknown) => {
    state.push(value);
    file.append(value, () => void state.pop());
    return file.pending as Promise<string | null>;
  };
  const tick = () => {
    for (const act of timers.splice(0)) act();
  };
  return { file, notice, told, post, tick, state: () => state };
}

/** Copies the files as a `kill -9` leaves them. */
function killed(path: string): string {
  const copy = freshPath();
  for (const end of ['', '-wal', '-ack']) fs.copyFileSync(path + end, copy + end);
  return copy;
}

async function make(...values: readonly unknown[]): Promise<string> {
  const path = freshPath();
  const { file, post } = await start(path);
  for (const value of values) await post(value);
  file.close();
  return path;
}

async function load(path: string) {
  const { file, notice, state } = await start(path);
  file.close();
  return { state: state(), notice };
}

describe('a save file', () => {
  const long = Array.from({ length: 1_000 }, (_, n) => ({ n, text: 'ö'.repeat(n % 7), list: [n] }));

  it.each([
    ['nothing', []],
    ['some changes', [1, 'zwö', { a: [null, { ['__proto__']: 1 }] }]],
    ['more than one slice', long],
    ['lists of lists', [Array.from({ length: 300 }, () => Array.from({ length: 200 }, (_, n) => n))]],
  ])('returns %s, after a stop, a kill, and from a snapshot', async (_what, values) => {
    const path = freshPath();
    const { post } = await start(path);
    await Promise.all(values.map(post));
    const copy = killed(path);
    expect(await load(copy)).toEqual({ state: values, notice: null });
    expect(await load(copy)).toEqual({ state: values, notice: null });
  });

  it('writes all changes of a turn before their responses, and none twice', async () => {
    const path = freshPath();
    const { file, post, state } = await start(path);
    expect(file.pending).toBeNull();
    expect(await Promise.all([post(1), post(2)])).toEqual([null, null]);
    await post(3);
    expect((await load(killed(path))).state).toEqual(state());
  });

  it('leaves one private file and its counter after a stop, even if others could read it before', async () => {
    const path = await make(1);
    fs.chmodSync(path, 0o644);
    await load(path);
    expect(fs.readdirSync(folder).filter((name) => name.startsWith(path.split('/').at(-1) ?? '?'))).toHaveLength(2);
    expect(fs.statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is compacted whenever its changes have grown, and loses none', async () => {
    const path = freshPath();
    const { post, state } = await start(path, { growthLengthMin: 1_000 });
    for (let n = 0; n < 200; n += 1) {
      await post(n);
      if (n < 100) state().length = 0;
      await post('x'.repeat(90));
    }
    const copy = killed(path);
    const database = new DatabaseSync(copy);
    expect(database.prepare('SELECT count(*) AS rows FROM changes').get()).toSatisfy(({ rows }) => rows < 200);
    database.close();
    expect((await load(copy)).state.slice(-200)).toEqual(state().slice(-200));
  });

  it('moves to another head with its state', async () => {
    const path = await make(1);
    const { file, post } = await start(path);
    await post(2);
    file.moveTo({ ...head, world: 'empty' });
    await post(3);
    file.close();
    await expect(load(path)).rejects.toThrow('was saved with world empty, and this is world default; move the file');
    const other = await start(path, { head: { ...head, world: 'empty' } });
    expect(other.state()).toEqual([1, 2, 3]);
  });

  it.each(['version', 'world', 'seed'] as const)('of another %s is rejected', async (name) => {
    const path = await make(1);
    const failure = start(path, { head: { ...head, [name]: name === 'seed' ? 2 : 'other' } });
    await expect(failure).rejects.toThrow(`${path} was saved with ${name}`);
  });

  it('of a running mock is rejected', async () => {
    const path = freshPath();
    await start(path);
    await expect(start(path)).rejects.toThrow(`${path} is in use by another casa mock; stop it, or choose`);
  });
});

describe('a file that lacks something', () => {
  const half = (path: string) => fs.truncateSync(path, Math.floor(fs.statSync(path).size / 2));
  const sql = (text: string) => (path: string) => {
    const database = new DatabaseSync(path);
    database.exec(text);
    database.close();
  };
  const isOther = 'is not a save file of casa mock; choose another name.';
  const missing = 'is damaged, cut or edited (';
  it.each<[string, (path: string) => void, string]>([
    ['emptied', (path) => fs.truncateSync(path, 0), 'is damaged, cut or edited (it is empty); restore a copy'],
    ['cut in half', half, missing],
    ['without its last byte', (path) => fs.truncateSync(path, fs.statSync(path).size - 1), missing],
    ['without a change', sql('DELETE FROM changes WHERE id = 3'), missing],
    ['with swapped changes', sql('UPDATE changes SET id = -id; UPDATE changes SET id = 6 + id'), missing],
    ['with a change twice', sql('INSERT INTO changes SELECT 5, json, sum FROM changes WHERE id = 3'), missing],
    ['with an edited change', sql(`UPDATE changes SET json = '[7]' WHERE id = 3`), missing],
    ['with an edited head', sql(`UPDATE head SET json = replace(json, '1000', '2000')`), missing],
    ['without a head', sql('DELETE FROM head'), missing],
    ['without its snapshot', sql(`UPDATE head SET json = json; DELETE FROM snapshot`), missing],
    ['of another program', (path) => fs.writeFileSync(path, 'hello\n'), isOther],
    ['of zeros', (path) => fs.writeFileSync(path, '\0\0\0\0'), isOther],
    ['of another database', sql('PRAGMA application_id = 1'), isOther],
    ['of another format', sql('PRAGMA user_version = 4'), 'was written by another version of casa mock; move it away'],
    ['of the text format', (path) => fs.writeFileSync(path, '{"casaSave":2}\n'), 'was written by another version'],
  ])('%s is rejected in one sentence, and left unchanged', async (_what, damage, sentence) => {
    const path = await make(0);
    await load(path);
    const { file, post } = await start(path);
    for (const value of [1, 2, 3]) await post(value);
    file.close();
    damage(path);
    const bytes = fs.readFileSync(path);
    const failure = await load(path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SaveFileError);
    expect((failure as Error).message).toContain(`${path} ${sentence}`);
    expect(fs.readFileSync(path).equals(bytes)).toBe(true);
  });

  it.each<[string, (path: string) => void, string]>([
    ['its last row', sql('DELETE FROM changes WHERE id = 3'), '1 saved writes'],
    ['all rows', sql('DELETE FROM changes'), '3 saved writes'],
    ['its log', (path) => fs.rmSync(`${path}-wal`), '3 saved writes'],
    ['half of its log', (path) => half(`${path}-wal`), 'saved writes'],
    ['the content of its log', (path) => fs.truncateSync(`${path}-wal`, 0), '3 saved writes'],
  ])('%s is read with a notice', async (_what, damage, words) => {
    const path = freshPath();
    const { post } = await start(path);
    for (const value of [1, 2, 3]) await post(value);
    const copy = killed(path);
    damage(copy);
    const { state, notice } = await load(copy);
    expect(state).toEqual([1, 2, 3].slice(0, state.length));
    expect(notice).toContain(`${copy} lacks the last `);
    expect(notice).toContain(words);
    expect((await load(copy)).notice).toBeNull();
  });

  it('is read as a beginning with a notice, or rejected, after any change of bytes', async () => {
    const path = await make({ a: 1 }, { b: [2] });
    const whole = fs.readFileSync(path);
    const ack = fs.readFileSync(`${path}-ack`);
    const edit = fc.record({ at: fc.nat(whole.length - 1), remove: fc.nat(3), add: fc.uint8Array({ maxLength: 3 }) });
    const property = fc.asyncProperty(edit, async ({ at, remove, add }) => {
      const copy = freshPath();
      fs.writeFileSync(copy, Buffer.concat([whole.subarray(0, at), add, whole.subarray(at + remove)]));
      fs.writeFileSync(`${copy}-ack`, ack);
      const result = await load(copy).catch((error: unknown) => error);
      if (result instanceof SaveFileError) return;
      const { state, notice } = result as { state: unknown[]; notice: string | null };
      expect(state).toEqual([{ a: 1 }, { b: [2] }].slice(0, state.length));
      expect(notice === null).toBe(state.length === 2);
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

describe('a change that cannot be written', () => {
  it.each<[string, (path: string) => void]>([
    ['the file is removed', (path) => fs.rmSync(path)],
    ['the file is emptied', (path) => fs.truncateSync(path, 0)],
    ['another file takes its name', (path) => fs.writeFileSync(`${path}.new`, 'x')],
  ])('is rejected and taken back with all others of its turn, and the user hears of it once: %s', async (what, act) => {
    const path = freshPath();
    const { file, post, told, state, tick } = await start(path);
    await post(1);
    tick();
    act(path);
    if (what.startsWith('another')) fs.renameSync(`${path}.new`, path);
    const sentence = `${path} cannot be written: another program moved, removed or changed it; restart casa mock.`;
    expect(await Promise.all([post(2), post(3)])).toEqual([sentence, sentence]);
    expect(await post(4)).toBe(sentence);
    const notices = [`${sentence} Changes are rejected with 503 until it can be.`];
    expect([state(), told, file.isFailing, file.failure]).toEqual([[1], notices, true, sentence]);
  });

  it('is one that JSON cannot hold', async () => {
    const { post, state } = await start(freshPath());
    const loop: unknown[] = [];
    loop.push(loop);
    expect(await post(loop)).toContain('cannot be written');
    expect(state()).toEqual([]);
    expect(await post(1)).toBeNull();
  });
});

describe('a path', () => {
  it.each<[string, () => string, string]>([
    ['a folder', () => folder, 'is a folder, not a file.'],
    ['a device', () => '/dev/null', 'is a pipe or a device, not a file.'],
    ['a missing folder', () => join(folder, 'none', 'x'), 'cannot be written: its folder does not exist.'],
    ['a long name', () => join(folder, 'x'.repeat(300)), 'cannot be written: its name is too long.'],
  ])('of %s is rejected', async (_what, path, sentence) => {
    await expect(start(path())).rejects.toThrow(`${path()} ${sentence}`);
  });

  it('of one of two names is rejected, and a symbolic link is followed', async () => {
    const path = await make(1);
    fs.linkSync(path, `${path}-hard`);
    await expect(start(path)).rejects.toThrow('has 2 names (hard links); use a copy of it.');
    fs.rmSync(`${path}-hard`);
    fs.symlinkSync(path, `${path}-soft`);
    expect((await load(`${path}-soft`)).state).toEqual([1]);
  });
});
