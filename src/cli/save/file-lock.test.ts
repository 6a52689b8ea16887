import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileLock, type Held, lockFile } from './file-lock.ts';
import { lookAt, writeMark } from './lock-mark.ts';

let folder: string;
let file: string;
const servers: Server[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'casa-lock-'));
  file = join(folder, 'state');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true });
});

const marks = () => readdirSync(folder).filter((name) => name.startsWith('.casa-'));

const isLock = (found: FileLock | Held): found is FileLock => 'release' in found;

async function lock(): Promise<FileLock> {
  const found = await lockFile(file);
  if (!isLock(found)) throw new Error(`The file is held by ${found.heldBy}.`);
  return found;
}

/** The start of the names of marks of our file. */
async function markPrefix(): Promise<string> {
  const held = await lock();
  const [name = ''] = marks();
  held.release();
  return name.split('.').slice(0, 3).join('.');
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.end('owner'));
  servers.push(server);
  return new Promise((resolve) => server.listen(path, () => resolve(server)));
}

/** A socket whose process is gone: its file is there, and nobody listens. */
async function leaveDead(path: string): Promise<void> {
  const server = await listen(`${path}.x`);
  linkSync(`${path}.x`, path);
  server.close();
  await once(server, 'close');
}

describe('the lock of a file', () => {
  it('keeps others out until it is released, and leaves nothing behind', async () => {
    const first = await lock();
    expect(await lockFile(file)).toEqual({ heldBy: process.pid });
    first.release();
    (await lock()).release();
    expect(marks()).toEqual([]);
  });

  it('is not that of another file in the folder', async () => {
    const first = await lock();
    const other = await lockFile(`${file}-2`);
    expect(isLock(other)).toBe(true);
    first.release();
    (other as FileLock).release();
  });

  it('is held by a process whose number means nothing here', async () => {
    const prefix = await markPrefix();
    await listen(join(folder, `${prefix}.4194399.abc`));
    expect(await lockFile(file)).toEqual({ heldBy: 4_194_399 });
  });

  it('is taken over from a process that is gone, also when another has its number now', async () => {
    const prefix = await markPrefix();
    for (const pid of [process.pid, process.ppid, 4_194_399]) await leaveDead(join(folder, `${prefix}.${pid}.abc`));
    const held = await lock();
    expect(marks()).toHaveLength(1);
    held.release();
  });

  it('is won by one at most of many starters, over and over, with what dead ones left between them', async () => {
    const prefix = await markPrefix();
    let holders = 0;
    let wins = 0;
    const starter = async (number: number) => {
      for (let round = 0; round < 4; round += 1) {
        await leaveDead(join(folder, `${prefix}.1.${number}-${round}`));
        const found = await lockFile(file);
        if (!isLock(found)) continue;
        holders += 1;
        wins += 1;
        expect(holders).toBe(1);
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        holders -= 1;
        found.release();
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => starter(number)));
    expect(wins).toBeGreaterThan(0);
    (await lock()).release();
    expect(marks()).toEqual([]);
  });

  it('is held by a process that stands still, and free at once when it is killed', async () => {
    const prefix = await markPrefix();
    const path = join(folder, `${prefix}.77.abc`);
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('ready'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(child);
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    expect(await lockFile(file)).toEqual({ heldBy: 77 });
    child.kill('SIGKILL');
    await once(child, 'exit');
    (await lock()).release();
    expect(existsSync(path)).toBe(false);
  });

  it.skipIf(process.platform !== 'linux')('works in a folder with a long name', async () => {
    const deep = join(folder, 'd'.repeat(120));
    mkdirSync(deep);
    file = join(deep, 'f'.repeat(200));
    const first = await lock();
    expect(await lockFile(file)).toEqual({ heldBy: process.pid });
    first.release();
  });

  it('tells why when the folder cannot be written', async () => {
    await expect(lockFile(join(folder, 'none', 'state'))).rejects.toMatchObject({
      code: expect.stringMatching(/^(ENOENT|EACCES)$/),
    });
  });
});

describe('a lock of the first version', () => {
  it.each([
    ['of a process that lives', `${process.ppid}\n`, { heldBy: process.ppid }],
    ['of a process that is gone', '4194399\n', null],
    ['without a number', '', null],
  ])('%s', async (_what, text, expected) => {
    writeFileSync(`${file}.lock`, text);
    const found = await lockFile(file);
    if (expected) expect(found).toEqual(expected);
    else {
      expect(isLock(found)).toBe(true);
      (found as FileLock).release();
      expect(existsSync(`${file}.lock`)).toBe(false);
    }
  });
});

describe('a mark without a socket', () => {
  const name = '.casa-lock.test.1.abc';
  const change = (parts: object) => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...parts }));
  };

  it.each([
    ['of this process lives', {}, 0, 'owner'],
    ['of a number that nobody has is dead', { pid: 4_194_399 }, 0, 'dead'],
    ['of a number that somebody else has now is dead', { began: '1' }, 0, 'dead'],
    ['of another namespace lives while it is touched', { scope: 'other', pid: 4_194_399 }, 0, 'owner'],
    ['of another namespace is dead when it is not', { scope: 'other' }, 60, 'dead'],
  ])('%s', async (_what, parts, ageS, expected) => {
    const mark = writeMark(folder, name);
    change(parts);
    const touched = new Date(Date.now() - ageS * 1_000);
    utimesSync(join(folder, name), touched, touched);
    expect(await lookAt(folder, name)).toBe(expected);
    mark.release();
    expect(await lookAt(folder, name)).toBe('dead');
  });
});
