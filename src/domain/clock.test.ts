import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockMaxMs, createClock, steadySource } from './clock.ts';

const startMs = Date.parse('2026-03-02T09:00:00.000Z');

/** A source of time that the test moves. */
function createSource(ms = 1000) {
  const source = { ms };
  return { source, read: () => source.ms };
}

describe('a running clock', () => {
  it('follows its source from where it was started', () => {
    const { source, read } = createSource();
    const clock = createClock(read, { startMs });
    source.ms += 250;
    expect([clock.now(), clock.frozen, clock.scale]).toEqual([startMs + 250, false, 1]);
  });

  it.each([1, 60])('continues at scale %i when its source is set back', (scale) => {
    const { source, read } = createSource();
    const clock = createClock(read, { startMs });
    clock.setScale(scale);
    source.ms += 5000;
    const before = clock.now();
    source.ms -= 3_600_000;
    expect(clock.now()).toBe(before);
    source.ms += 10_000;
    expect(clock.now()).toBe(before + 10_000 * scale);
    expect(clock.state()).toEqual({ baseMs: before + 10_000 * scale, sourceMs: source.ms, scale });
  });

  it('is not moved by a source that was set back while it was frozen', () => {
    const { source, read } = createSource();
    const clock = createClock(read, { startMs });
    clock.freeze();
    source.ms -= 3_600_000;
    clock.resume();
    source.ms += 250;
    expect(clock.now()).toBe(startMs + 250);
    source.ms -= 3_600_000;
    clock.restore({ baseMs: startMs, sourceMs: 0, scale: 1 });
    source.ms += 250;
    expect(clock.now()).toBe(startMs + 250);
  });
});

describe('a frozen clock', () => {
  it('moves on command', () => {
    const { source, read } = createSource();
    const clock = createClock(read, { startMs, frozen: true });
    source.ms += 99_999;
    clock.advance(300_000);
    expect([clock.now(), clock.frozen]).toEqual([startMs + 300_000, true]);
    clock.set(startMs + 300_001);
    expect(clock.now()).toBe(startMs + 300_001);
  });

  it('resumes at the scale that it had', () => {
    const { source, read } = createSource();
    const clock = createClock(read, { startMs });
    clock.setScale(10);
    clock.freeze();
    clock.freeze();
    source.ms += 1000;
    clock.resume();
    source.ms += 10;
    expect(clock.now()).toBe(startMs + 100);
  });
});

describe('a clock rejects', () => {
  const clock = () => createClock(() => 0, { startMs, frozen: true });

  it.each([-1, Number.NaN, clockMaxMs, Number.POSITIVE_INFINITY])('to advance by %d ms', (ms) => {
    expect(() => clock().advance(ms)).toThrow(RangeError);
  });

  it.each([startMs - 1, Number.NaN, clockMaxMs + 1])('to be set to %d', (ms) => {
    expect(() => clock().set(ms)).toThrow(RangeError);
  });

  it.each([0, -1, Number.NaN])('the scale %d', (scale) => {
    expect(() => clock().setScale(scale)).toThrow(RangeError);
  });
});

describe('a restored clock', () => {
  it('continues as the first one would have', () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 0, max: 100_000 }) }),
      fc.record({ kind: fc.constant('advance'), ms: fc.integer({ min: 0, max: 100_000 }) }),
      fc.record({ kind: fc.constantFrom('freeze', 'resume'), ms: fc.constant(0) }),
      fc.record({ kind: fc.constant('scale'), ms: fc.integer({ min: 1, max: 100 }) }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), fc.integer({ min: 0, max: 10_000 }), (acts, laterMs) => {
        const { source, read } = createSource();
        const clock = createClock(read, { startMs });
        let latest = clock.now();
        for (const { kind, ms } of acts) {
          if (kind === 'wait') source.ms += ms;
          if (kind === 'advance') clock.advance(ms);
          if (kind === 'freeze') clock.freeze();
          if (kind === 'resume') clock.resume();
          if (kind === 'scale') clock.setScale(ms);
          expect(clock.now()).toBeGreaterThanOrEqual(latest);
          latest = clock.now();
        }
        const copy = createClock(read, { startMs: 0 });
        copy.restore(JSON.parse(JSON.stringify(clock.state())));
        source.ms += laterMs;
        expect([copy.now(), copy.frozen]).toEqual([clock.now(), clock.frozen]);
      }),
    );
  });
});

describe('a steady source', () => {
  // Each step: how far the wall clock and the monotonic one move, and how far the source has to.
  type Step = [wallMs: number, monotonicMs: number, movesMs: number];
  const [back, sleep]: [Step, Step] = [
    [-3_600_000, 5, 5],
    [28_800_000, 2, 28_800_000],
  ];
  it.each<[name: string, steps: Step[]]>([
    ['follows the wall clock', [[10_000, 10_000, 10_000]]],
    ['continues when the wall clock is set back', [back, [11_000, 11_000, 11_000]]],
    ['counts the time of a small step back in full', [[10_000 - 3_000, 10_000, 10_000]]],
    ['follows the wall clock over the sleep of a machine', [sleep, [10, 10, 10]]],
    ['keeps the later time when the wall clock is set forward and back', [[3_600_000, 1, 3_600_000], back]],
  ])('%s', (_, steps) => {
    let [wallMs, monotonicMs] = [startMs, 77.5];
    const [wall, monotonic] = [() => wallMs, () => monotonicMs];
    const source = steadySource(wall, monotonic);
    for (const [byWall, byMonotonic, moves] of steps) {
      const before = source();
      wallMs += byWall;
      monotonicMs += byMonotonic;
      expect(source() - before).toBe(moves);
    }
  });
});
