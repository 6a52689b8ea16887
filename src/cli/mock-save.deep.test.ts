import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli, startCli } from '../../fixtures/test-kit/command.ts';
import { crash } from '../../fixtures/test-kit/crash.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startMockProcess } from './mock-process.ts';
import { settle } from './settings.ts';
import { loadWorld } from './world-source.ts';

const folder = newFolder();
let number = 0;

function freshPath(): string {
  number += 1;
  return join(folder, `state-${number}`);
}

async function start(path: string, flags: Parameters<typeof settle>[0] = {}) {
  const settings = settle({ ...flags, save: path, port: '0' });
  const nowMs = Date.now();
  const source = await loadWorld(settings);
  return startMockProcess({ settings, source, nowMs, onShutdown: () => {}, onNotice: () => {} });
}

describe('casa mock --save', () => {
  it('loses nothing that was acknowledged when it is killed under load', async () => {
    const { lost, acknowledged } = await crash({ kills: 3, seed: 1 });
    expect(lost).toEqual([]);
    for (const count of Object.values(acknowledged)) expect(count).toBeGreaterThan(5);
  });

  it('rejects a second process, and a file of another world', async () => {
    const path = freshPath();
    const { child, ended } = await startCli(['--save', path]);
    await expect(start(path)).rejects.toThrow(`${path} is in use by another casa mock`);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    await expect(start(path, { world: 'empty' })).rejects.toThrow('was saved with world default');
  });

  it('starts one of several processes after a kill', async () => {
    const argv = ['--save', freshPath()];
    const first = await startCli(argv);
    first.child.kill('SIGKILL');
    await first.ended;
    const starters = Array.from({ length: 3 }, () => runCli(['mock', '--port', '0', ...argv]));
    const codes: (number | null)[] = [];
    for (const { ended } of starters) void ended.then((code) => codes.push(code));
    while (codes.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const { child } of starters) child.kill('SIGTERM');
    await Promise.all(starters.map(({ ended }) => ended));
    expect(codes).toEqual([2, 2, 0]);
  });

  it('lets flags win over what was saved', async () => {
    const path = freshPath();
    const run = async (flags: Parameters<typeof settle>[0]) => {
      const mock = await start(path, flags);
      const found = { faults: mock.engine.faults.list().length, enforced: mock.engine.limits.enforced };
      await mock.stop();
      return found;
    };
    expect(await run({ fault: ['*=transient'], relaxed: true })).toEqual({ faults: 1, enforced: false });
    expect(await run({})).toEqual({ faults: 0, enforced: true });
  });
});

// A file system of half a megabyte. Only root may mount one.
describe.runIf(process.getuid?.() === 0)('casa mock --save on a disk that becomes full', () => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  afterEach(() => execFileSync('umount', ['-l', disk]));

  it.each(['interval', 'always'])(
    'rejects the write, keeps nothing of it in memory, and continues when space is free: %s',
    async (sync) => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk]);
      const path = join(disk, 'state');
      const settings = settle({ save: path, 'save-sync': sync, port: '0', relaxed: true });
      const source = await loadWorld(settings);
      const notices: string[] = [];
      const onNotice = (sentence: string) => void notices.push(sentence);
      const mock = await startMockProcess({ settings, source, nowMs: Date.now(), onShutdown: () => {}, onNotice });
      const exchanges: number[] = [];
      mock.engine.subscribe((event) => event.type === 'exchange' && exchanges.push(event.entry.response.status));
      const world = () => JSON.stringify(mock.engine.snapshot().world);
      const health = async () => (await fetch(new URL('/__admin/health', mock.server.baseUrl))).json();
      const post = (label: string) =>
        fetch(`${mock.server.baseUrl}/connect/accounts`, {
          method: 'POST',
          headers: { authorization: 'Bearer casa_0123456789abcdef0123456789abcdef' },
          body: JSON.stringify({ provider: 'tiktok', label }),
        });
      expect((await post('before')).status).toBe(200);
      const before = world();
      const filler = join(disk, 'filler');
      const full = openSync(filler, 'w');
      expect(() => {
        for (;;) writeSync(full, Buffer.alloc(4096));
      }).toThrow('ENOSPC');
      closeSync(full);
      const rejected = await post('rejected');
      const failure = `${path} cannot be written: the disk is full.`;
      const message = expect.stringContaining(failure);
      expect([rejected.status, await rejected.json()]).toEqual([503, { error: { code: 'transient', message } }]);
      expect(world()).toBe(before);
      expect(await health()).toMatchObject({ status: 'failing', failure });
      expect(exchanges).toEqual([200, 200, 503]);
      rmSync(filler);
      expect((await post('after')).status).toBe(200);
      expect(await health()).toMatchObject({ status: 'ok' });
      await mock.stop();
      expect(notices).toEqual([`${failure} Changes are rejected with 503 until it can be.`]);
      const again = await start(path);
      const links = JSON.stringify(again.engine.snapshot().world);
      await again.stop();
      expect(['before', 'after', 'rejected'].filter((label) => links.includes(label))).toEqual(['before', 'after']);
    },
  );
});
