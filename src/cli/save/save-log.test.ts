import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diskError, head, SaveSetup, turn } from '../../../fixtures/test-kit/faulty-disk.ts';
import type { SaveSync } from '../settings.ts';

const start = (sync: SaveSync) => new SaveSetup(sync).start();

/** Posts a number, and waits until it is acknowledged or rejected. */
async function save(rig: SaveSetup, number: number): Promise<void> {
  rig.post(number);
  await turn();
  rig.disk.response();
  await turn();
}

/** Long enough for a compaction whose syncs get responses at once. */
async function compacted(rig: SaveSetup): Promise<void> {
  for (let i = 0; i < 4; i += 1) {
    await turn();
    rig.disk.response();
  }
  await turn();
}

const hasSnapshot = (rig: SaveSetup) => readFileSync(rig.path, 'utf8').includes('{"snapshot"');

describe('a response is sent', () => {
  it('with interval once the system has the change', async () => {
    const rig = await start('interval');
    rig.post(1);
    rig.post(2);
    await Promise.resolve();
    expect(rig.acknowledged).toEqual([]);
    await turn();
    expect(rig.acknowledged).toEqual([1, 2]);
    expect(readFileSync(rig.path, 'utf8')).toContain('{"change":2}');
  });

  it('with always once the disk has the change', async () => {
    const rig = await start('always');
    rig.post(1);
    await turn();
    expect(rig.acknowledged).toEqual([]);
    rig.disk.response();
    await turn();
    expect(rig.acknowledged).toEqual([1]);
    expect(rig.log.pending).toBeNull();
  });

  it('after one write for all changes of a turn, and with always after one sync for those made during a sync', async () => {
    const rig = await start('always');
    rig.disk.steps.length = 0;
    for (let i = 0; i < 10; i += 1) {
      rig.post(i);
      rig.post(i + 10);
      await turn();
    }
    rig.disk.response();
    await turn();
    rig.disk.response();
    await turn();
    expect(rig.disk.steps).toEqual(['write', 'sync', 'write', 'sync']);
    expect(rig.acknowledged).toHaveLength(20);
  });
});

describe('a power failure', () => {
  it('takes with interval the changes after the last sync only', async () => {
    const rig = await start('interval');
    await save(rig, 1);
    rig.tick();
    rig.disk.response();
    await save(rig, 2);
    expect((await rig.cutPower(0)).state).toEqual([1]);
  });

  it.each(['interval', 'always'] as const)('takes nothing that a restarted mock has shown: %s', async (sync) => {
    const rig = await start(sync);
    rig.post(1);
    await turn();
    expect((await rig.kill()).state).toEqual([1]);
    expect((await rig.cutPower(0)).state).toEqual([1]);
  });

  it('takes nothing that was acknowledged during a compaction, with always', async () => {
    const rig = await start('always');
    rig.log.compact();
    await Promise.resolve();
    await save(rig, 1);
    expect([rig.acknowledged, hasSnapshot(rig)]).toEqual([[1], true]);
    expect((await rig.cutPower(0)).state).toEqual([1]);
  });

  it.each(['interval', 'always'] as const)('takes nothing after a stop: %s', async (sync) => {
    const rig = await start(sync);
    rig.post(1);
    await turn();
    rig.post(2);
    const closed = rig.close();
    await compacted(rig);
    expect([await closed, rig.acknowledged]).toEqual([true, [1, 2]]);
    expect((await rig.cutPower(0)).state).toEqual([1, 2]);
  });

  it('finds the new name of a rewritten file on the disk', async () => {
    const rig = await start('interval');
    await save(rig, 1);
    rig.disk.steps.length = 0;
    rig.log.compact();
    await compacted(rig);
    expect(rig.disk.steps.slice(-4)).toEqual(['sync', 'rename', 'open', 'syncFolder']);
  });
});

describe('a change that cannot be written', () => {
  it.each([
    ['ENOSPC', 'the disk is full'],
    ['EDQUOT', 'the quota of this user is used up'],
    ['EIO', 'the disk reports an error (EIO)'],
    ['EROFS', 'the file system is read-only'],
  ])('is rejected and not kept in memory: %s', async (code, reason) => {
    const rig = await start('interval');
    await save(rig, 1);
    rig.disk.fail('write', code);
    rig.post(2);
    await save(rig, 3);
    expect(rig.state).toEqual([1]);
    expect(rig.rejected).toEqual([2, 3].map((number) => ({ number, reason: `FILE cannot be written: ${reason}.` })));
    expect(rig.messages).toEqual([`FILE cannot be written: ${reason}. Changes are rejected until it can be written.`]);
    await save(rig, 4);
    expect(rig.acknowledged).toEqual([1, 4]);
    expect((await rig.kill()).state).toEqual([1, 4]);
    expect(rig.notice).toBeNull();
  });

  it('leaves no unfinished line, even if it could not be removed at once', async () => {
    const rig = await start('interval');
    rig.disk.takesMax = 5;
    rig.disk.before = (step) => {
      if (step === 'write' || step === 'truncate') throw diskError('EIO');
    };
    await save(rig, 1);
    await save(rig, 2);
    rig.disk.before = () => {};
    await save(rig, 3);
    expect([rig.state, rig.acknowledged]).toEqual([[3], [3]]);
    expect((await rig.kill()).state).toEqual([3]);
  });

  it('is rejected with all changes that build on it if a sync fails, with always', async () => {
    const rig = await start('always');
    await save(rig, 1);
    rig.disk.fail('sync', 'EIO');
    rig.post(2);
    await turn();
    await save(rig, 3);
    expect([rig.state, rig.acknowledged]).toEqual([[1], [1]]);
    expect(rig.rejected.map(({ number }) => number).sort()).toEqual([2, 3]);
    expect((await rig.kill()).state).toEqual([1]);
  });

  it('is written again, with all others, if a sync in the background fails', async () => {
    const rig = await start('interval');
    await save(rig, 1);
    rig.disk.fail('sync', 'EIO');
    rig.tick();
    await compacted(rig);
    expect(rig.messages[0]).toContain('FILE cannot be synced: the disk reports an error (EIO). It is written again.');
    expect((await rig.cutPower(0)).state).toEqual([1]);
  });

  it('is one that JSON cannot hold', async () => {
    const rig = await start('interval');
    const endless: unknown[] = [];
    endless.push(endless);
    let isBack = false;
    rig.log.append(endless, () => {
      isBack = true;
    });
    await turn();
    expect(isBack).toBe(true);
  });
});

describe('a file that another program', () => {
  const other = (rig: SaveSetup) => `${rig.path}.other`;

  it.each([
    ['removed', (rig: SaveSetup) => rmSync(rig.path)],
    ['moved', (rig: SaveSetup) => renameSync(rig.path, other(rig))],
    ['appended to', (rig: SaveSetup) => appendFileSync(rig.path, 'more')],
    ['replaced', (rig: SaveSetup) => [writeFileSync(other(rig), 'notes'), renameSync(other(rig), rig.path)]],
  ])('%s is not written, and changes are rejected', async (_what, act) => {
    const rig = await start('interval');
    await save(rig, 1);
    act(rig);
    const files = () => readdirSync(rig.folder).map((name) => [name, readFileSync(`${rig.folder}/${name}`, 'utf8')]);
    const before = files();
    await save(rig, 2);
    rig.log.compact();
    await compacted(rig);
    expect(files()).toEqual(before);
    const reason = 'another program moved, removed or changed it; restart casa mock';
    expect(rig.rejected).toEqual([{ number: 2, reason: `FILE cannot be written: ${reason}.` }]);
  });
});

describe('a compaction', () => {
  it('keeps the file about as large as its state', async () => {
    const rig = await start('interval');
    const large = 'x'.repeat(1_000_000);
    let sizeMax = 0;
    for (let i = 0; i < 30; i += 1) {
      rig.log.append(large, () => {});
      await compacted(rig);
      sizeMax = Math.max(sizeMax, statSync(rig.path).size);
    }
    expect(sizeMax).toBeLessThan(11_000_000);
  });

  it.each(['interval', 'always'] as const)('keeps the changes that are made meanwhile, in order: %s', async (sync) => {
    const rig = await start(sync);
    for (let i = 0; i < 200_000; i += 1) rig.state.push(i);
    await save(rig, 200_000);
    rig.log.compact();
    rig.post(-1);
    for (let i = 1; !hasSnapshot(rig); i += 1) await save(rig, 200_000 + i);
    rig.post(-2);
    await save(rig, -3);
    const { state } = rig;
    expect(rig.acknowledged).toEqual(state.slice(200_000));
    expect((await rig.kill()).state).toEqual(state);
  });

  it('fails on a full disk with a notice, and leaves the file unchanged', async () => {
    const rig = await start('interval');
    await save(rig, 1);
    rig.disk.fail('write', 'ENOSPC');
    rig.log.compact();
    await compacted(rig);
    const sentence = 'FILE could not be compacted: the disk is full. It is complete, and continues to grow.';
    expect(rig.messages).toEqual([sentence]);
    expect(readdirSync(rig.folder)).toEqual(['state']);
    expect((await rig.kill()).state).toEqual([1]);
  });

  it('ends for another world, and starts again under its head', async () => {
    const rig = await start('interval');
    await save(rig, 1);
    rig.log.compact();
    await Promise.resolve();
    rig.log.moveTo({ ...head, seed: 2 });
    await compacted(rig);
    await compacted(rig);
    expect(readFileSync(rig.path, 'utf8')).toMatch(/"seed":2.*\n\{"snapshot":\{"list":\[1\]\}/);
    expect([rig.messages, readdirSync(rig.folder)]).toEqual([[], ['state']]);
  });
});

it('a stop does not wait for a disk that never responses', async () => {
  const rig = await start('interval');
  await save(rig, 1);
  const closed = rig.close();
  await turn();
  rig.tick();
  expect([await closed, rig.log.isWaiting]).toEqual([false, true]);
});

/** Whether `whole` has all of `part`, in its order. */
function isWithin(part: readonly number[], whole: readonly number[]): boolean {
  let at = 0;
  for (const number of whole) if (number === part[at]) at += 1;
  return at === part.length;
}

type Step = 'post' | 'turn' | 'response' | 'tick' | 'compact' | 'full' | 'broken' | 'kill' | 'power';
const weights = { post: 4, turn: 2, response: 3, tick: 1, compact: 2, full: 1, broken: 1, kill: 1 };
const steps = Object.entries(weights).flatMap(([step, weight]) => Array.from({ length: weight }, () => step as Step));

describe.each(['interval', 'always'] as const)('whatever happens, with %s', (sync) => {
  const acts: Record<Step, (rig: SaveSetup, given: { number: number; share: number }) => unknown> = {
    post: (rig, { number }) => rig.post(number),
    turn,
    response: (rig) => rig.disk.response(),
    tick: (rig) => rig.tick(),
    compact: (rig) => rig.log.compact(),
    full: ({ disk }, { share }) => {
      disk.takesMax = Math.floor(share * 20);
      disk.fail('write', 'ENOSPC');
    },
    broken: (rig) => rig.disk.fail('sync', 'EIO'),
    kill: (rig) => rig.kill(),
    power: (rig, { share }) => rig.cutPower(share),
  };
  const happening = fc.record({
    step: fc.constantFrom<Step>(...steps, ...(sync === 'always' ? (['power'] as const) : [])),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });

  it('nothing acknowledged is lost, nothing rejected returns, and the order is kept', async () => {
    const property = fc.asyncProperty(fc.array(happening, { maxLength: 60 }), async (happenings) => {
      const rig = await start(sync);
      let number = 0;
      for (const { step, share } of [...happenings, { step: 'kill' as const, share: 0 }]) {
        number += 1;
        const { state, acknowledged, rejected } = rig;
        await acts[step](rig, { number, share });
        if (step !== 'full') rig.disk.takesMax = Number.POSITIVE_INFINITY;
        if (step !== 'kill' && step !== 'power') continue;
        expect(isWithin(acknowledged, rig.state)).toBe(true);
        expect(isWithin(rig.state, state)).toBe(true);
        expect(rejected.filter((one) => rig.state.includes(one.number))).toEqual([]);
        rig.acknowledged = [...rig.state];
        rig.rejected = [];
      }
      rig.disk.kill();
      rmSync(rig.folder, { recursive: true });
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
