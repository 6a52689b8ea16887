import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCli } from '../../proof/rigs/command.ts';
import { startMockProcess } from './mock-process.ts';
import { openSaveFile, type SaveHead } from './save-file.ts';
import { settle } from './settings.ts';
import { loadWorld } from './world-source.ts';

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

/** Runs a process to its end and gives back its number, which then belongs to nobody. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.on('close', resolve));
  return child.pid as number;
}

describe('a save file', () => {
  it('gives back what was appended, in order, with the head it began with', () => {
    const path = freshPath();
    const first = openSaveFile(path, head);
    first.append({ a: 1 });
    first.append('zwei\n2');
    first.close();
    const second = openSaveFile(path, { ...head, startMs: 9_999 });
    second.close();
    expect(second).toMatchObject({ head, snapshot: null, changes: [{ a: 1 }, 'zwei\n2'], notice: null });
  });

  it('gives back the snapshot and what came after it', () => {
    const path = freshPath();
    const first = openSaveFile(path, head);
    first.append(1);
    first.compact({ all: 1 });
    first.append(2);
    first.close();
    const second = openSaveFile(path, head);
    second.close();
    expect(second).toMatchObject({ snapshot: { all: 1 }, changes: [2] });
    expect(readdirSync(folder).filter((name) => name.endsWith('.casa-save') || name.endsWith('.lock'))).toEqual([]);
  });

  it.each([
    ['snapshot', -3],
    ['head', -200],
  ])('that somebody cut off in its %s is refused, and left as it is', (_what, end) => {
    const path = freshPath();
    const save = openSaveFile(path, head);
    save.compact({ all: 'x'.repeat(120) });
    save.close();
    const cut = readFileSync(path).subarray(0, end);
    writeFileSync(path, cut);
    expect(() => openSaveFile(path, head)).toThrow(/in the middle of its snapshot|is no save file/);
    expect(readFileSync(path)).toEqual(cut);
  });

  it('drops half a last line at whatever byte it was torn, says so, and goes on behind the whole ones', () => {
    const path = freshPath();
    const save = openSaveFile(path, head);
    save.append('one');
    save.close();
    const whole = readFileSync(path);
    const line = Buffer.from('{"change":"zwö"}\n');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: line.length - 1 }), (bytes) => {
        writeFileSync(path, Buffer.concat([whole, line.subarray(0, bytes)]));
        const torn = openSaveFile(path, head);
        torn.append('three');
        torn.close();
        const again = openSaveFile(path, head);
        again.close();
        expect(torn.notice).toMatch(/half a change, which was never acknowledged/);
        expect(again).toMatchObject({ changes: ['one', 'three'], notice: null });
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ['of another program', 'hello\n', 'is no save file of casa mock; choose another name.'],
    ['of another program, without an end of line', 'hello', 'is no save file of casa mock; choose another name.'],
    ['that is JSON of another kind', '{"a":1}\n', 'is no save file of casa mock; choose another name.'],
    [
      'of another version',
      `${JSON.stringify({ casaSave: 1, ...head, version: '0.9.0' })}\n`,
      'was saved with version 0.9.0, and this is version 1.0.0; move the file away to start afresh.',
    ],
    [
      'of another world',
      `${JSON.stringify({ casaSave: 1, ...head, world: 'empty' })}\n`,
      'was saved with world empty, and this is world default; move the file away to start afresh.',
    ],
    [
      'of another seed',
      `${JSON.stringify({ casaSave: 1, ...head, seed: 2 })}\n`,
      'was saved with seed 2, and this is seed 1; move the file away to start afresh.',
    ],
    [
      'that is damaged in the middle',
      `${JSON.stringify({ casaSave: 1, ...head })}\nxx\n{"change":1}\n`,
      'is damaged; move the file away to start afresh.',
    ],
  ])('%s is refused and left as it is', (_what, text, sentence) => {
    const path = freshPath();
    writeFileSync(path, text);
    expect(() => openSaveFile(path, head)).toThrow(sentence);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('takes an empty file for a new one', () => {
    const path = freshPath();
    writeFileSync(path, '');
    openSaveFile(path, head).close();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ casaSave: 1, ...head });
  });
});

describe('the lock of a save file', () => {
  it('keeps a second user out until the first is done', () => {
    const path = freshPath();
    const first = openSaveFile(path, head);
    expect(() => openSaveFile(path, head)).toThrow(`${path} is in use by another casa mock (process ${process.pid})`);
    first.close();
    openSaveFile(path, head).close();
  });

  it('keeps out while another process lives', () => {
    const path = freshPath();
    writeFileSync(`${path}.lock`, `${process.ppid}\n`);
    expect(() => openSaveFile(path, head)).toThrow(`(process ${process.ppid})`);
  });

  it('is taken over from a process that is gone', async () => {
    const path = freshPath();
    writeFileSync(`${path}.lock`, `${await deadPid()}\n`);
    openSaveFile(path, head).close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('is not taken over from a process that is just writing its number', () => {
    const path = freshPath();
    writeFileSync(`${path}.lock`, '');
    expect(() => openSaveFile(path, head)).toThrow(`${path} is in use by another casa mock;`);
  });
});

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
    const mock = await startMockProcess({ settings, source, nowMs, onShutdown: () => {} });
    const organization = mock.engine.world.organizations.get('org_1');
    const account = organization?.accounts.get((await target()).accountId);
    return {
      mock,
      posts: new Set(account?.posts.map(({ postId }) => postId)),
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
    await expect(startMockProcess({ settings, source, nowMs, onShutdown: () => {} })).rejects.toThrow(
      'was saved with world default',
    );
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
