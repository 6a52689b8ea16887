import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startTestEngine } from '../../fixtures/test-kit/engine.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { parseFlags } from '../terminal/flag-parser.ts';
import { mock, noticeSilence } from './mock.ts';
import { mockFlags } from './mock-flags.ts';
import { describePort, type MockProcess, startMockProcess } from './mock-process.ts';
import { settle } from './settings.ts';
import { loadWorld } from './world-source.ts';

const folder = newFolder();
const nowMs = Date.parse('2026-01-25T12:00:00.000Z');

/** The notices of a start with this data file. */
async function noticesOf(world: unknown): Promise<readonly string[]> {
  const data = join(folder, 'world.json');
  writeFileSync(data, JSON.stringify(world));
  const settings = settle(parseFlags(['--port', '0', '--data', data], mockFlags));
  const source = await loadWorld({ world: null, data });
  const named = { ...source, name: 'w.json' };
  const started = await startMockProcess({ settings, source: named, nowMs, onShutdown() {}, onNotice() {} });
  await started.stop();
  return started.notices;
}

const moved =
  'all times of w.json are moved by 10 days, because its "anchor" 2026-01-15T12:00:00Z becomes the start of the clock';

describe('the start of casa mock', () => {
  it.each<[object, readonly string[]]>([
    [{ anchor: '2026-01-15T12:00:00Z', calls: [] }, [moved]],
    [{ anchor: '2026-01-25T12:00:00Z', calls: [] }, []],
    [{ calls: [{ startedAt: '2026-01-24T12:00:00Z' }] }, []],
  ])('with the data %j states how far its times are moved', async (world, notices) => {
    expect(await noticesOf(world)).toEqual(notices);
  });

  it.each([
    [6000, 'browsers and fetch() block port 6000, so they cannot reach this mock; choose another port with --port'],
    [10080, 'browsers and fetch() block port 10080'],
    [4010, null],
    [600, null],
  ])('on port %i states whether browsers block it', (port, sentence) => {
    expect(describePort(port)).toEqual(sentence === null ? null : expect.stringContaining(sentence));
  });

  it.each([
    [0, ['http://127.0.0.1:4010/api/v1. GET http://127.0.0.1:4010/ returns 200 here']],
    [1, []],
  ])('after %i requests in 30 seconds has these notices about a silent client', (count, expected) => {
    const { engine, ask } = startTestEngine();
    for (let i = 0; i < count; i += 1) ask('GET /sites');
    const notices: string[] = [];
    const server = { baseUrl: 'http://127.0.0.1:4010/api/v1' } as MockProcess['server'];
    const stop = vi.fn();
    const after = vi.fn((act: () => void, _ms: number) => {
      act();
      return stop;
    });
    noticeSilence({ engine, server }, (sentence) => notices.push(sentence), after)();
    expect(notices).toEqual(expected.map((text) => expect.stringContaining(text)));
    expect(after.mock.calls[0]?.[1]).toBe(30_000);
    expect(stop).toHaveBeenCalledOnce();
  });

  it('closes its server if something fails after it listens', async () => {
    let url = '';
    const write = (text: string) => {
      url = /Base URL +(\S+)/.exec(text)?.[1] ?? '';
      throw new Error('the banner failed');
    };
    await expect(mock(['--port', '0'], { write, error: () => {} })).rejects.toThrow('the banner failed');
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});
