import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lockFile, lockPathOf } from './save-file.ts';
import { SaveFileError } from './save-format.ts';

const file = '/project/casa.state';
const path = lockPathOf(file);
const unusedPid = 4_194_399;
const lock = (startOf?: (pid: number) => string | null) => lockFile('casa.state', file, startOf);
const held = (pid: number | string) =>
  new SaveFileError(`casa.state is in use by another casa mock (process ${pid}); stop it, or choose another file.`);

afterEach(() => rmSync(path, { force: true }));

describe('the lock of a save file', () => {
  it('is held until it is released, and leaves nothing', () => {
    const release = lock();
    expect(() => lock()).toThrow(held(process.pid));
    lockFile('other', `${file}-2`)();
    release();
    lock()();
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['of a process that is gone', `${unusedPid} 1`],
    ['of an earlier process with the id of a running one', `${process.ppid} 1`],
    ['of an earlier process with our own id', `${process.pid} 1`],
    ['without a process', 'notes'],
  ])('%s is replaced', (_what, text) => {
    writeFileSync(path, text);
    const release = lock();
    expect(() => lock()).toThrow(held(process.pid));
    release();
  });

  it('of a process that is just starting is held, unless it is old', () => {
    writeFileSync(path, '');
    expect(() => lock()).toThrow(held('unknown'));
    utimesSync(path, 0, 0);
    lock()();
  });

  it('is next to the file if there is no folder for temporary files', () => {
    const { TMPDIR = '' } = process.env;
    process.env.TMPDIR = '/none';
    expect(dirname(lockPathOf(file))).toBe('/project');
    process.env.TMPDIR = TMPDIR;
    expect(lockPathOf(file)).toBe(path);
  });

  it('is not taken from a process that replaced a stale one first', () => {
    writeFileSync(path, `${unusedPid} 1`);
    const startOf = (pid: number) => {
      if (pid === unusedPid) writeFileSync(path, `${process.ppid} 7`);
      return pid === process.ppid ? '7' : null;
    };
    expect(() => lock(startOf)).toThrow(held(process.ppid));
    expect(statSync(path).size).toBeGreaterThan(0);
  });
});
