import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, startCli } from '../../fixtures/test-kit/command.ts';
import { crash } from '../../fixtures/test-kit/crash.ts';
import { FaultyDisk } from '../../fixtures/test-kit/faulty-disk.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startMockProcess } from './mock-process.ts';
import { lockPathOf } from './save/save-file.ts';
import { toLine } from './save/save-format.ts';
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
    await expect(start(path)).rejects.toThrow(`${path} is in use by another casa mock (process ${child.pid})`);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    await expect(start(path, { world: 'empty' })).rejects.toThrow('was saved with world default');
  });

  it('leaves only its file when it is killed, and one of several processes starts afterwards', async () => {
    const own = join(folder, 'killed');
    mkdirSync(own);
    const argv = ['--save', join(own, 'state')];
    const first = await startCli(argv);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(readdirSync(own)).toEqual(['state']);
    const starters = Array.from({ length: 3 }, () => runCli(['mock', '--port', '0', ...argv]));
    const codes: (number | null)[] = [];
    for (const { ended } of starters) void ended.then((code) => codes.push(code));
    while (codes.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const { child } of starters) child.kill('SIGTERM');
    await Promise.all(starters.map(({ ended }) => ended));
    expect(codes).toEqual([2, 2, 0]);
    expect(readdirSync(own)).toEqual(['state']);
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

  it('prints a notice about an unfinished change', async () => {
    const path = freshPath();
    await (await start(path)).stop();
    appendFileSync(path, '{"change":{"kin');
    const mock = await start(path);
    await mock.stop();
    expect(mock.notices[0]).toMatch(/unfinished change/);
  });
});

describe('casa mock --save on a disk that becomes full', () => {
  it.each(['interval', 'always'])(
    'rejects the write, keeps nothing of it in memory, and continues when space is free: %s',
    async (sync) => {
      const path = freshPath();
      const disk = new FaultyDisk(folder);
      const settings = settle({ save: path, 'save-sync': sync, port: '0', relaxed: true });
      const source = await loadWorld(settings);
      const notices: string[] = [];
      const onNotice = (sentence: string) => void notices.push(sentence);
      const mock = await startMockProcess({
        settings,
        source,
        nowMs: Date.now(),
        onShutdown: () => {},
        onNotice,
        disk: disk.calls,
      });
      const exchanges: number[] = [];
      mock.engine.subscribe((event) => event.type === 'exchange' && exchanges.push(event.entry.response.status));
      const world = () => JSON.stringify(mock.engine.snapshot().world);
      const post = (label: string) =>
        fetch(`${mock.server.baseUrl}/connect/accounts`, {
          method: 'POST',
          headers: { authorization: 'Bearer casa_0123456789abcdef0123456789abcdef' },
          body: JSON.stringify({ provider: 'tiktok', label }),
        });
      expect((await post('before')).status).toBe(200);
      const before = world();
      disk.fail('write', 'ENOSPC', Number.POSITIVE_INFINITY);
      const rejected = await post('rejected');
      expect([rejected.status, await rejected.json()]).toEqual([
        503,
        {
          error: {
            code: 'transient',
            message: expect.stringContaining(`${path} cannot be written: the disk is full.`),
          },
        },
      ]);
      expect(world()).toBe(before);
      const told = mock.engine.requestLog.records().map(({ response }) => [response.status, response.body]);
      expect(told).toEqual([
        [200, expect.stringContaining('connectUrl')],
        [503, expect.stringContaining('the disk is full')],
      ]);
      expect(exchanges).toEqual([200, 200, 503]);
      disk.before = () => {};
      expect((await post('after')).status).toBe(200);
      expect(await mock.stop()).toBe(true);
      expect(notices).toEqual([
        `${path} cannot be written: the disk is full. Changes are rejected until it can be written.`,
      ]);
      const text = readFileSync(path, 'utf8');
      expect(text).toMatch(/before.*after/s);
      expect(text).not.toContain('rejected');
    },
  );
});

describe('casa mock --save on SIGTERM', () => {
  it('ends at once while a large file is loading, and leaves it unchanged', { timeout: 60_000 }, async () => {
    const path = freshPath();
    const first = await startCli(['--save', path]);
    first.child.kill('SIGTERM');
    await first.ended;
    const { data } = await loadWorld({ world: 'default', data: null });
    const account = data.organizations[0]?.accounts[0];
    const post = { postId: 'post_1', permalink: null, text: 'x'.repeat(1_000), postedAt: '2026-01-01T00:00:00.000Z' };
    const change = { kind: 'post', organizationId: 'org_1', accountId: account?.accountId, post };
    appendFileSync(path, toLine({ change: { change, atMs: 1_767_225_600_000, random: 1 } }).repeat(40_000));
    const size = statSync(path).size;
    const { child, ended, stdout } = runCli(['mock', '--port', '0', '--save', path]);
    const isLocked = () => existsSync(lockPathOf(realpathSync(path)));
    while (!isLocked()) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(stdout()).toBe('');
    expect(statSync(path).size).toBe(size);
    expect(isLocked()).toBe(false);
  });
});
