import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startHere } from '../../fixtures/test-kit/test-process.ts';
import { defaultWorld } from '../worlds/load.ts';
import type { MockProcess } from './mock-process.ts';
import { loadWorld } from './world-source.ts';

const folder = newFolder();
let number = 0;
const running = new Set<MockProcess>();

afterEach(async () => {
  for (const mock of running) await mock.stop();
  running.clear();
});

const headers = { authorization: 'Bearer casa_0123456789abcdef0123456789abcdef' };
const [first, ...others] = defaultWorld.organizations;
const account = first?.accounts.find(({ provider, status }) => provider === 'tiktok' && status === 'connected');

/** A world file, a save file, and a mock that is started and stopped over both. */
function scenario() {
  number += 1;
  const [data, save] = [join(folder, `world-${number}.json`), join(folder, `state-${number}`)];
  const title = (text: string) => {
    const articles = first?.articles.map((article) => ({ ...article, title: text }));
    writeFileSync(data, JSON.stringify({ ...defaultWorld, organizations: [{ ...first, articles }, ...others] }));
  };
  title('First');
  const start = async (argv: readonly string[] = ['--watch']): Promise<MockProcess> => {
    const mock = await startHere(['--relaxed', '--data', data, '--save', save, ...argv]);
    running.add(mock);
    return mock;
  };
  const stop = async (mock: MockProcess) => {
    running.delete(mock);
    await mock.stop();
  };
  const reload = async (mock: MockProcess) => mock.reload(await loadWorld({ world: null, data }));
  return { data, save, title, start, stop, reload };
}

async function write(mock: MockProcess, text: string): Promise<void> {
  const path = `${mock.server.baseUrl}/connect/accounts/${account?.accountId}/posts`;
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ text }) });
  expect(response.status).toBe(200);
}

/** The title of the newest article, and the posts of clients. */
async function look(mock: MockProcess): Promise<{ title: string | undefined; posts: readonly string[] }> {
  const response = await fetch(`${mock.server.baseUrl}/articles?limit=1`, { headers });
  const { data } = (await response.json()) as { data: { title: string }[] };
  const organization = mock.engine.world.organizations.get(first?.id ?? '');
  const posts = organization?.accounts.get(account?.accountId ?? '')?.posts.map(({ text }) => text);
  return { title: data[0]?.title, posts: (posts ?? []).filter((text) => text.startsWith('own ')) };
}

describe('casa mock --save with --watch', () => {
  it('continues when the world file is unchanged', async () => {
    const { start, stop } = scenario();
    const before = await start();
    await write(before, 'own 1');
    await stop(before);
    const after = await start();
    expect(after.notices).toEqual([]);
    expect(await look(after)).toEqual({ title: 'First', posts: ['own 1'] });
  });

  it('makes what clients did again on a world that was edited while it was down', async () => {
    const { start, stop, title } = scenario();
    const before = await start();
    await write(before, 'own 1');
    await stop(before);
    title('Second');
    const after = await start();
    expect(after.notices).toEqual(['the world file has changed since; 1 change by clients was made again on it']);
    await write(after, 'own 2');
    expect(await look(after)).toEqual({ title: 'Second', posts: ['own 1', 'own 2'] });
    await stop(after);
    title('Third');
    expect(await look(await start())).toEqual({ title: 'Third', posts: ['own 1', 'own 2'] });
  });

  it('keeps a world that was edited while it ran, and what clients did before and after', async () => {
    const { start, stop, title, reload } = scenario();
    const before = await start();
    await write(before, 'own 1');
    title('Second');
    expect(await reload(before)).toBe(1);
    await write(before, 'own 2');
    await stop(before);
    const after = await start();
    expect(after.notices).toEqual([]);
    expect(await look(after)).toEqual({ title: 'Second', posts: ['own 1', 'own 2'] });
  });

  it('loses nothing when it is killed between the new world and the new file', async () => {
    const { save, start, stop, title, reload } = scenario();
    const before = await start();
    await write(before, 'own 1');
    const old = ['', '-wal', '-ack'].map((end) => [save + end, readFileSync(save + end)] as const);
    title('Second');
    await reload(before);
    await stop(before);
    for (const [path, bytes] of old) writeFileSync(path, bytes);
    expect(await look(await start())).toEqual({ title: 'Second', posts: ['own 1'] });
  });

  it('forgets with a reset what clients did', async () => {
    const { start, stop, title } = scenario();
    const before = await start();
    await write(before, 'own 1');
    before.engine.reset();
    await stop(before);
    title('Second');
    expect(await look(await start())).toEqual({ title: 'Second', posts: [] });
  });

  it('rejects a file whose changes were replaced by a snapshot without --watch', async () => {
    const { start, stop } = scenario();
    const before = await start([]);
    await write(before, 'own 1');
    await stop(before);
    await stop(await start([]));
    await expect(start()).rejects.toThrow('it was written without --watch');
  });

  it('rejects another world without --watch', async () => {
    const { start, stop, title } = scenario();
    await stop(await start());
    title('Second');
    await expect(start([])).rejects.toThrow('was saved with world file');
  });
});
