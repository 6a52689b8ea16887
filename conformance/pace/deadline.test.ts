import { expect, test } from 'vitest';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { makeDeadline, TimeUp } from './clock.ts';

test('allows waits that end in time, and nothing after one that does not', () => {
  const clock = virtualClock(0);
  const deadline = makeDeadline(clock);
  expect(deadline.allowsWait(1e9)).toBe(true);
  deadline.start(10_000);
  clock.advance(4000);
  expect([deadline.allowsWait(5999), deadline.isOver(), deadline.leftMs()]).toEqual([true, false, 6000]);
  expect(() => deadline.rejectWait(6000)).toThrow(new TimeUp(10));
  expect([deadline.allowsWait(1), deadline.isOver()]).toEqual([false, true]);
});

test('is over when its time has passed', () => {
  const clock = virtualClock(0);
  const deadline = makeDeadline(clock);
  deadline.start(1000);
  clock.advance(1000);
  expect(deadline.isOver()).toBe(true);
});
