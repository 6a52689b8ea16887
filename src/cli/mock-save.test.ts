import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startCli } from '../../proof/rigs/command.ts';
import { diskError, FakeDisk } from '../../proof/rigs/fake-disk.ts';
import { startMockProcess } from './mock-process.ts';
import { toLine } from './save/lines.ts';
import { saveSyncs } from './save/save-sync.ts';
import { settle } from './settings.ts';
import { loadWorld } from './world-source.ts';

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

describe('casa mock --save', () => {
  const nowMs = Date.now();
  const clients = [0, 1, 2, 3];
  const headers = { authorization: 'Bearer casa_0123456789abcdef0123456789abcdef' };

  /** What clients were told is done. */
  const acknowledged = { posts: new Set<string>(), labels: new Set<string>(), replies: new Map<string, number>() };
  let written = 0;

  /** Writes one thing after the other until the server is gone. Each client has reviews of its own to reply to. */
  async function writeOn(baseUrl: string, client: number): Promise<void> {
    const { accountId, reviewIds } = await target();
    const own = reviewIds.filter((_, i) => i % clients.length === client);
    const post = async (path: string, body: object) => {
      const response = await fetch(`${baseUrl}/connect/accounts${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      if (response.status !== 200) throw new Error(`${response.status}`);
      return ((await response.json()) as { data: { postId: string } }).data;
    };
    for (let i = 0; ; i += 1) {
      written += 1;
      const mark = written;
      const reviewId = own[i % own.length] as string;
      try {
        acknowledged.posts.add((await post(`/${accountId}/posts`, { text: `post ${mark}` })).postId);
        await post('', { provider: 'tiktok', label: `link ${mark}` });
        acknowledged.labels.add(`link ${mark}`);
        await post(`/${accountId}/reviews/${encodeURIComponent(reviewId)}/reply`, { text: `reply ${mark}` });
        acknowledged.replies.set(reviewId, mark);
      } catch {
        return;
      }
    }
  }

  async function target() {
    const { data } = await loadWorld({ world: 'default', data: null }, 0);
    const account = data.organizations[0]?.accounts.find(
      ({ reviews, status }) => reviews.length > 5 && status === 'connected',
    );
    if (!account) throw new Error('The default world has no account with reviews.');
    return { accountId: account.accountId, reviewIds: account.reviews.map(({ reviewId }) => reviewId) };
  }

  async function recall(path: string) {
    const settings = settle({ save: path, port: '0', relaxed: true });
    const source = await loadWorld(settings, nowMs);
    const mock = await startMockProcess({ settings, source, nowMs, onShutdown: () => {}, onNotice: () => {} });
    const organization = mock.engine.world.organizations.get('org_1');
    const account = organization?.accounts.get((await target()).accountId);
    return {
      mock,
      posts: new Set(account?.posts.toData().map(({ postId }) => postId)),
      labels: new Set([...(organization?.links.values() ?? [])].map(({ label }) => label)),
      reply: (reviewId: string) => account?.reviews.get(reviewId)?.replyText,
    };
  }

  it('loses nothing that was acknowledged when it is killed under load, again and again', {
    timeout: 60_000,
  }, async () => {
    const path = freshPath();
    for (const postsMin of [150, 300, 450]) {
      const { baseUrl, child, ended } = await startCli(['--save', path, '--relaxed', '--quiet']);
      const writers = clients.map((client) => writeOn(baseUrl, client));
      await until(() => acknowledged.posts.size >= postsMin);
      child.kill('SIGKILL');
      await ended;
      await Promise.all(writers);
    }
    const { mock, posts, labels, reply } = await recall(path);
    await mock.stop();
    expect([...acknowledged.posts].filter((id) => !posts.has(id))).toEqual([]);
    expect([...acknowledged.labels].filter((label) => !labels.has(label))).toEqual([]);
    // What was written last may have been kept without having been acknowledged.
    const older = ([id, mark]: [string, number]) => !(Number(/^reply (\d+)$/.exec(reply(id) ?? '')?.[1]) >= mark);
    expect([...acknowledged.replies].filter(older)).toEqual([]);
    expect(acknowledged.posts.size).toBeGreaterThanOrEqual(450);
    expect(acknowledged.replies.size).toBeGreaterThan(0);

    const again = await recall(path);
    await again.mock.stop();
    expect({ posts: again.posts, labels: again.labels }).toEqual({ posts, labels });
  });

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve));
  }

  it('refuses a second process, and a file of another world', async () => {
    const path = freshPath();
    const { child, ended } = await startCli(['--save', path]);
    await expect(recall(path)).rejects.toThrow(`${path} is in use by another casa mock (process ${child.pid})`);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const settings = settle({ save: path, port: '0', world: 'empty' });
    const source = await loadWorld(settings, nowMs);
    await expect(
      startMockProcess({ settings, source, nowMs, onShutdown: () => {}, onNotice: () => {} }),
    ).rejects.toThrow('was saved with world default');
  });

  it('lets flags win over what was saved', async () => {
    const path = freshPath();
    const run = async (flags: Parameters<typeof settle>[0]) => {
      const settings = settle({ ...flags, save: path, port: '0' });
      const mock = await startMockProcess({
        settings,
        source: await loadWorld(settings, nowMs),
        nowMs,
        onShutdown: () => {},
        onNotice: () => {},
      });
      const found = { faults: mock.engine.faults.list().length, enforced: mock.engine.limits.enforced };
      await mock.stop();
      return found;
    };
    expect(await run({ fault: ['*=transient'], relaxed: true })).toEqual({ faults: 1, enforced: false });
    expect(await run({})).toEqual({ faults: 0, enforced: true });
  });

  it('says when it found half a change', async () => {
    const path = freshPath();
    const first = await recall(path);
    await first.mock.stop();
    appendFileSync(path, '{"change":{"kin');
    const second = await recall(path);
    await second.mock.stop();
    expect(second.mock.notices[0]).toMatch(/half a change/);
  });
});

describe('casa mock --save on a disk that becomes full', () => {
  it.each(saveSyncs)(
    'refuses the write, keeps nothing of it in memory, and goes on when there is room: %s',
    async (sync) => {
      const disk = new FakeDisk();
      disk.syncLater = (file, done) => {
        disk.sync(file);
        setImmediate(done, null);
      };
      const settings = settle({ save: '/state', 'save-sync': sync, port: '0', relaxed: true });
      const source = await loadWorld(settings, Date.now());
      const notices: string[] = [];
      const onNotice = (sentence: string) => void notices.push(sentence);
      const mock = await startMockProcess({
        settings,
        source,
        nowMs: Date.now(),
        onShutdown: () => {},
        onNotice,
        disk,
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
      disk.before = (step) => {
        if (step === 'write') throw diskError('ENOSPC');
      };
      const refused = await post('refused');
      expect([refused.status, await refused.json()]).toEqual([
        503,
        {
          error: { code: 'transient', message: expect.stringContaining('/state cannot be written: the disk is full.') },
        },
      ]);
      expect(world()).toBe(before);
      const told = mock.engine.journal.records().map(({ response }) => [response.status, response.body]);
      expect(told).toEqual([
        [200, expect.stringContaining('connectUrl')],
        [503, expect.stringContaining('the disk is full')],
      ]);
      expect(exchanges).toEqual([200, 200, 503]);
      disk.before = () => {};
      expect((await post('after')).status).toBe(200);
      expect(await mock.stop()).toBe(true);
      expect(notices).toEqual(['/state cannot be written: the disk is full. Changes are refused until it can.']);
      expect(disk.text('/state')).toMatch(/before.*after/s);
      expect(disk.text('/state')).not.toContain('refused');
    },
  );
});

describe('casa mock --save on SIGTERM', () => {
  it('ends at once while a large file is loading, and leaves it as it was', { timeout: 60_000 }, async () => {
    const path = freshPath();
    const first = await startCli(['--save', path]);
    first.child.kill('SIGTERM');
    await first.ended;
    const { data } = await loadWorld({ world: 'default', data: null }, 0);
    const account = data.organizations[0]?.accounts[0];
    const post = { postId: 'post_1', permalink: null, text: 'x'.repeat(1_000), postedAt: '2026-01-01T00:00:00.000Z' };
    const change = { kind: 'post', organizationId: 'org_1', accountId: account?.accountId, post };
    appendFileSync(path, toLine({ change: { change, atMs: 1_767_225_600_000, random: 1 } }).repeat(40_000));
    const size = statSync(path).size;
    const { child, ended, stdout } = runCli(['mock', '--port', '0', '--save', path]);
    const isLocked = () => readdirSync(folder).some((name) => name.startsWith('.casa-lock.'));
    while (!isLocked()) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(stdout()).toBe('');
    expect(statSync(path).size).toBe(size);
    expect(isLocked()).toBe(false);
  });
});
