import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startHere } from '../../fixtures/test-kit/test-process.ts';
import type { Behaviors } from '../contract/generated/behaviors.ts';
import type { MockProcess } from './mock-process.ts';

const folder = newFolder();
let number = 0;
const running: MockProcess[] = [];

afterEach(async () => {
  for (const mock of running.splice(0)) await mock.stop();
});

function pathOf(name: string): string {
  number += 1;
  return join(folder, `${name}-${number}`);
}

function profileFile(behaviors: Partial<Behaviors>): string {
  const path = pathOf('profile');
  const learnt = Object.fromEntries(Object.entries(behaviors).map(([id, value]) => [id, { value, seen: 1 }]));
  writeFileSync(path, JSON.stringify({ casaProfile: 1, behaviors: learnt }));
  return path;
}

async function start(save: string, ...flags: readonly string[]) {
  const mock = await startHere(['--save', save, '--relaxed', ...flags], { nowMs: Date.UTC(2026, 2, 1) });
  running.push(mock);
  const key = [...mock.engine.world.keys.keys()][0] ?? '';
  const get = async (target: string, wish: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return (await fetch(`${mock.server.baseUrl}${target}`, { headers, ...wish })).text();
  };
  const stop = async () => {
    running.splice(running.indexOf(mock), 1);
    await mock.stop();
  };
  return { mock, key, get, stop };
}

const branch = { method: 'POST', body: JSON.stringify({ provider: 'facebook_page', label: 'Branch' }) };

describe('a save file', () => {
  const behaviors = { idCase: 'upper', idVersion: '7', keyPrefix: 'live', callSummary: 'absent' } as const;

  it.each([
    ['a profile', () => ['--profile', profileFile(behaviors)]],
    ['behavior', () => ['--behavior', 'article-order=oldest', '--behavior', 'id-version=1']],
    ['grease', () => ['--grease=11', '--behavior', 'call-summary=absent']],
  ])('keeps %s over a restart that does not name it', async (_what, flags) => {
    const save = pathOf('state');
    const first = await start(save, ...flags());
    await first.get('/connect/accounts', branch);
    const [sites, source] = [await first.get('/sites'), first.mock.engine.behaviors];
    await first.stop();
    const second = await start(save);
    expect(second.mock.engine.behaviors).toEqual(source);
    expect(second.key).toBe(first.key);
    expect(await second.get('/connect/accounts')).toContain('Branch');
    expect(JSON.parse(await second.get('/sites'))).toEqual(JSON.parse(sites));
    expect(second.mock.notices.join()).toContain(`responses in the behaviors that ${save} was saved in: `);
  });

  it('keeps a profile of a mock that was killed before it wrote a snapshot', async () => {
    const save = pathOf('state');
    const first = await start(save, '--profile', profileFile(behaviors));
    await first.get('/connect/accounts', branch);
    const copy = pathOf('copy');
    for (const end of ['', '-wal']) copyFileSync(save + end, copy + end);
    const second = await start(copy);
    expect(await second.get('/connect/accounts')).toBe(await first.get('/connect/accounts'));
  });

  it('gives way to the command line as a whole, says so once, and keeps that', async () => {
    const save = pathOf('state');
    const first = await start(save, '--profile', profileFile(behaviors));
    await first.get('/connect/accounts', branch);
    await first.stop();
    const second = await start(save, '--behavior', 'review-end=absent');
    expect(second.mock.notices.join()).toContain(
      `${save} was saved in other behaviors; those of the command line hold now, ids and keys stay`,
    );
    expect(second.key).toBe(first.key);
    const shown = await second.get('/connect/accounts');
    expect(shown).toMatch(/"accountId":"[0-9a-f-]{36}"/);
    expect(shown).toContain('Branch');
    await second.stop();
    const third = await start(save);
    expect(third.mock.engine.behaviors).toEqual({ chosen: { reviewEnd: 'absent' }, grease: null });
    expect(await third.get('/connect/accounts')).toBe(shown);
    await third.stop();
    const again = await start(save, '--behavior', 'review-end=absent');
    expect(again.mock.notices).toEqual([]);
  });

  it('brings the times of its profile, and a mock without any says that --latency does nothing', async () => {
    const save = pathOf('state');
    const latency = { p50: 40, p90: 90, p99: 200 };
    await (await start(save, '--profile', profileFile({ latency }))).stop();
    const again = await start(save, '--latency');
    expect(again.mock.notices.join()).not.toContain('--latency');
    const before = performance.now();
    await again.get('/sites');
    expect(performance.now() - before).toBeGreaterThan(15);
    const other = await start(pathOf('state'), '--latency');
    expect(other.mock.notices).toEqual(['--latency does nothing: no profile says how long responses take']);
  });

  it('of a mock without behaviors accepts them later', async () => {
    const save = pathOf('state');
    await (await start(save)).stop();
    const second = await start(save, '--grease=4');
    expect(second.mock.engine.behaviors).toEqual({ chosen: {}, grease: 4 });
    await second.stop();
    expect((await start(save)).mock.engine.behaviors).toEqual({ chosen: {}, grease: 4 });
  });
});
