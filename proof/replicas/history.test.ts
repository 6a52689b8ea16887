import { describe, expect, it } from 'vitest';
import { findContradiction, type Operation } from './history.ts';

const write = (value: string, calledMs: number, returnedMs: number): Operation => {
  return { kind: 'write', value, calledMs, returnedMs, who: value };
};
const read = (value: string | null, calledMs: number, returnedMs: number): Operation => {
  return { kind: 'read', value, calledMs, returnedMs, who: 'reader' };
};
const never = Number.POSITIVE_INFINITY;

describe('findContradiction', () => {
  it.each<[string, Operation[]]>([
    ['nothing', []],
    ['a read of the start', [read(null, 1, 2)]],
    ['a read after a write', [write('a', 1, 2), read('a', 3, 4)]],
    ['a read next to a write, old', [write('a', 1, 9), read(null, 2, 3)]],
    ['a read next to a write, new', [write('a', 1, 9), read('a', 2, 3)]],
    ['two writes at once, either first', [write('a', 1, 5), write('b', 1, 5), read('a', 6, 7), read('a', 8, 9)]],
    ['a lost write that was made', [write('a', 1, never), read(null, 2, 3), read('a', 4, 5)]],
    ['a lost write that was not made', [write('a', 1, never), write('b', 2, 3), read('b', 4, 5)]],
    ['a lost write that was made late', [write('a', 1, never), write('b', 2, 3), read('b', 4, 5), read('a', 6, 7)]],
  ])('explains %s', (_what, history) => {
    expect(findContradiction(history, null)).toBeNull();
  });

  it.each<[string, Operation[]]>([
    ['a stale read', [write('a', 1, 2), read(null, 3, 4)]],
    ['a lost update', [write('a', 1, 2), write('b', 3, 4), read('a', 5, 6)]],
    ['a value that was never written', [read('x', 1, 2)]],
    ['a read that goes back', [write('a', 1, 9), read('a', 2, 3), read(null, 4, 5)]],
    ['two readers who disagree', [write('a', 1, 2), write('b', 1, 2), read('a', 3, 4), read('b', 5, 6)]],
    ['a lost write that was made twice', [write('a', 1, never), read('a', 2, 3), write('b', 4, 5), read('a', 6, 7)]],
  ])('finds %s', (_what, history) => {
    expect(findContradiction(history, null)).not.toBeNull();
  });
});
