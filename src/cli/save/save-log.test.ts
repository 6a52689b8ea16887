import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiskStep, diskError, FakeDisk } from '../../../proof/rigs/fake-disk.ts';
import { HandTurns, head, path, SaveRig } from '../../../proof/rigs/save-rig.ts';
import { openSaveFile } from './save-file.ts';
import type { SaveSync } from './save-sync.ts';

const start = (sync: SaveSync, disk?: FakeDisk) => new SaveRig(sync, disk).start();
// Promises that are settled tell their readers.
const settle = () => new Promise((resolve) => setImmediate(resolve));

function failing(disk: FakeDisk, step: DiskStep, code: string, times = 1): void {
  let left = times;
  disk.before = (done) => {
    if (done !== step || left === 0) return;
    left -= 1;
    throw diskError(code);
  };
}

describe('an answer leaves', () => {
  it('with the interval when the system has the change, and not before', async () => {
    const rig = await start('interval');
    rig.post(1);
    rig.post(2);
    await settle();
    expect(rig.acknowledged).toEqual([]);
    rig.turns.turn();
    await settle();
    expect(rig.acknowledged).toEqual([1, 2]);
    expect(rig.disk.text(path)).toContain('{"change":2}');
  });

  it('with always when the medium has the change, and not before', async () => {
    const rig = await start('always');
    rig.post(1);
    rig.turns.turn();
    await settle();
    expect(rig.acknowledged).toEqual([]);
    rig.disk.answer();
    await settle();
    expect(rig.acknowledged).toEqual([1]);
  });

  it('without waiting when nothing is pending', async () => {
    const rig = await start('always');
    expect(rig.log.pending).toBeNull();
  });

  it('in one write for one turn, however many clients there are', async () => {
    const rig = await start('interval');
    const before = rig.disk.steps.length;
    for (let i = 0; i < 50; i += 1) rig.post(i);
    rig.turns.turn();
    expect(rig.disk.steps.slice(before)).toEqual(['write']);
  });

  it('with always in one sync for all that were written while the one before it went on', async () => {
    const rig = await start('always');
    const before = rig.disk.steps.length;
    for (let i = 0; i < 10; i += 1) {
      rig.post(i);
      rig.turns.turn();
    }
    rig.disk.answer();
    rig.disk.answer();
    await settle();
    expect(rig.disk.steps.slice(before).filter((step) => step === 'sync')).toHaveLength(2);
    expect(rig.acknowledged).toHaveLength(10);
  });
});

describe('what a power failure takes', () => {
  it('is nothing that was acknowledged, with always', async () => {
    const rig = await start('always');
    rig.post(1);
    rig.turns.turn();
    rig.disk.answer();
    await settle();
    rig.disk.fail(0);
    expect((await rig.start()).state).toEqual([1]);
  });

  it('is what came after the last sync, with the interval, and not what came before', async () => {
    const rig = await start('interval');
    rig.post(1);
    rig.turns.turn();
    rig.turns.tick();
    rig.disk.answer();
    rig.post(2);
    rig.turns.turn();
    rig.disk.fail(0);
    expect((await rig.start()).state).toEqual([1]);
  });

  it('is nothing that a later process has shown, with always', async () => {
    const rig = await start('always');
    rig.post(1);
    rig.turns.turn();
    rig.disk.kill();
    expect((await rig.start()).state).toEqual([1]);
    rig.disk.fail(0);
    expect((await rig.start()).state).toEqual([1]);
  });

  it('is nothing after a stop', async () => {
    const rig = await start('interval');
    rig.post(1);
    const closed = rig.close();
    rig.turns.turns();
    rig.disk.answer();
    rig.disk.answer();
    rig.turns.turns();
    expect(await closed).toBe(true);
    rig.disk.fail(0);
    expect((await rig.start()).state).toEqual([1]);
  });
});

describe('a change that cannot be written', () => {
  it.each([
    ['ENOSPC', 'the disk is full'],
    ['EDQUOT', 'the quota of this user is used up'],
    ['EIO', 'the disk reports an error (EIO)'],
    ['EROFS', 'the file system is read-only'],
  ])('is refused and not kept in memory: %s', async (code, reason) => {
    const rig = await start('interval');
    rig.post(1);
    rig.turns.turn();
    failing(rig.disk, 'write', code);
    rig.post(2);
    rig.post(3);
    rig.turns.turn();
    await settle();
    expect(rig.state).toEqual([1]);
    expect(rig.refused).toEqual([2, 3].map((number) => ({ number, reason: `/state cannot be written: ${reason}.` })));
    expect(rig.told).toEqual([`/state cannot be written: ${reason}. Changes are refused until it can.`]);
    rig.post(4);
    rig.turns.turn();
    await settle();
    expect(rig.acknowledged).toEqual([1, 4]);
    rig.disk.kill();
    expect((await rig.start()).state).toEqual([1, 4]);
    expect(rig.notice).toBeNull();
  });

  it('leaves no half line behind, even when it could not be cut off at once', async () => {
    const rig = await start('interval');
    rig.disk.before = (step) => {
      if (step === 'write' || step === 'truncate') throw diskError('EIO');
    };
    rig.disk.takesMax = 5;
    rig.post(1);
    rig.turns.turn();
    rig.post(2);
    rig.turns.turn();
    rig.disk.before = () => {};
    rig.post(3);
    rig.turns.turn();
    await settle();
    expect([rig.state, rig.acknowledged]).toEqual([[3], [3]]);
    rig.disk.kill();
    expect((await rig.start()).state).toEqual([3]);
  });

  it('is refused with all that build on it when a sync fails, with always', async () => {
    const rig = await start('always');
    rig.post(1);
    rig.turns.turn();
    rig.disk.answer();
    failing(rig.disk, 'sync', 'EIO');
    rig.post(2);
    rig.turns.turn();
    rig.post(3);
    rig.disk.answer();
    await settle();
    expect([rig.state, rig.acknowledged]).toEqual([[1], [1]]);
    expect(rig.refused.map(({ number }) => number)).toEqual([3, 2]);
    rig.turns.turns();
    rig.disk.kill();
    expect((await rig.start()).state).toEqual([1]);
  });

  it('brings the whole state to the medium anew when a sync in the background fails', async () => {
    const rig = await start('interval');
    rig.post(1);
    rig.turns.turn();
    failing(rig.disk, 'sync', 'EIO');
    rig.turns.tick();
    rig.disk.answer();
    rig.turns.turns();
    rig.disk.answer();
    rig.disk.fail(0);
    expect((await rig.start()).state).toEqual([1]);
  });

  it('is one that no text can hold', async () => {
    const rig = await start('interval');
    const endless: unknown[] = [];
    endless.push(endless);
    let isBack = false;
    rig.log.append(endless, () => {
      isBack = true;
    });
    rig.turns.turn();
    expect(isBack).toBe(true);
  });
});

describe('a file that is written anew while the mock runs', () => {
  const large = 'x'.repeat(1_000_000);

  it('is about as large as its state, however much was written to it', async () => {
    const disk = new FakeDisk();
    const turns = new HandTurns();
    const lock = async () => ({ release: () => {} });
    const file = await openSaveFile(path, { head, sync: 'interval', tell: () => {}, disk, turns, lock });
    await file.recall({ restore: () => {}, replay: () => {}, check: async () => null });
    const log = file.start(() => ({ list: [large] }));
    let sizeMax = 0;
    for (let i = 0; i < 30; i += 1) {
      log.append(large, () => {});
      turns.turns();
      disk.answer();
      sizeMax = Math.max(sizeMax, disk.text(path).length);
    }
    expect(sizeMax).toBeLessThan(11_000_000);
  });

  it('keeps what comes meanwhile, in its order', async () => {
    const rig = await start('interval');
    for (let i = 0; i < 1_000; i += 1) rig.post(i);
    rig.turns.turn();
    rig.log.compact();
    for (let i = 1_000; i < 1_020; i += 1) {
      rig.post(i);
      rig.turns.turn();
    }
    rig.turns.turns();
    rig.disk.answer();
    rig.disk.kill();
    const { state } = rig;
    expect(rig.disk.text(path)).toContain('"end":');
    expect((await rig.start()).state).toEqual(state);
  });

  it('stays as it was when the disk is full, and says so', async () => {
    const rig = await start('interval');
    rig.post(1);
    rig.turns.turn();
    failing(rig.disk, 'write', 'ENOSPC');
    rig.log.compact();
    rig.turns.turns();
    expect(rig.told).toEqual(['/state could not be written anew: the disk is full. It is whole, and grows on.']);
    expect(rig.disk.list('/')).toEqual(['', 'state']);
    rig.disk.kill();
    expect((await rig.start()).state).toEqual([1]);
  });

  it.each([
    ['removed', (disk: FakeDisk) => disk.remove(path), '/state was removed by somebody else'],
    ['replaced', (disk: FakeDisk) => disk.put(path, 'edited'), '/state was changed by somebody else'],
  ])('comes back when somebody has %s it', async (_what, act, sentence) => {
    const rig = await start('interval');
    rig.post(1);
    rig.turns.turn();
    act(rig.disk);
    rig.turns.tick();
    rig.turns.turns();
    rig.disk.answer();
    expect(rig.told[0]).toContain(sentence);
    rig.disk.kill();
    expect((await rig.start()).state).toEqual([1]);
  });
});

describe('a stop', () => {
  it('does not wait for a disk that never answers', async () => {
    const rig = await start('interval');
    rig.post(1);
    rig.turns.turn();
    const closed = rig.close();
    rig.turns.turns();
    rig.turns.tick();
    expect(await closed).toBe(false);
  });
});

type Step = 'post' | 'turn' | 'answer' | 'tick' | 'compact' | 'full' | 'broken' | 'kill' | 'power';
const steps: readonly Step[] = ['post', 'post', 'turn', 'turn', 'answer', 'tick', 'compact', 'full', 'broken', 'kill'];

/** Whether all of `part` stands in `whole` in its order. */
function isWithin(part: readonly number[], whole: readonly number[]): boolean {
  let at = 0;
  for (const number of whole) if (number === part[at]) at += 1;
  return at === part.length;
}

describe.each(['interval', 'always'] as const)('whatever happens, with %s', (sync) => {
  const act = async (rig: SaveRig, step: Step, { number, share }: { number: number; share: number }): Promise<void> => {
    const { disk, turns } = rig;
    if (step === 'post') rig.post(number);
    else if (step === 'turn') turns.turn();
    else if (step === 'answer') disk.answer();
    else if (step === 'tick') turns.tick();
    else if (step === 'compact') rig.log.compact();
    else if (step === 'full') {
      disk.takesMax = Math.floor(share * 20);
      failing(disk, 'write', 'ENOSPC');
    } else if (step === 'broken') failing(disk, share < 0.5 ? 'sync' : 'syncFolder', 'EIO');
    await settle();
    if (step === 'full') return;
    disk.takesMax = Number.POSITIVE_INFINITY;
  };

  const happening = fc.record({
    step: fc.constantFrom<Step>(...steps, ...(sync === 'always' ? (['power'] as const) : [])),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });

  it('nothing acknowledged is lost, nothing refused comes back, and the order stays', async () => {
    const property = fc.asyncProperty(fc.array(happening, { maxLength: 60 }), async (happenings) => {
      const rig = await start(sync);
      let number = 0;
      for (const { step, share } of [...happenings, { step: 'kill' as const, share: 0 }]) {
        number += 1;
        if (step !== 'kill' && step !== 'power') {
          await act(rig, step, { number, share });
          continue;
        }
        await settle();
        const { acknowledged, refused, state } = rig;
        if (step === 'kill') rig.disk.kill();
        else rig.disk.fail(share);
        await rig.start();
        expect(isWithin(acknowledged, rig.state)).toBe(true);
        expect(isWithin(rig.state, state)).toBe(true);
        expect(refused.filter((one) => rig.state.includes(one.number))).toEqual([]);
        rig.acknowledged = [...rig.state];
        rig.refused = [];
      }
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
