import { describe, expect, it } from 'vitest';
import { LateList } from '../../domain/late-list.ts';
import { addPart, cutSnapshot, type Part } from './parts.ts';

/** As a file has it: each piece through JSON. */
function throughFile(snapshot: unknown): { readonly pieces: number; readonly back: unknown } {
  const pieces = [...cutSnapshot(snapshot)].map((piece) => JSON.parse(JSON.stringify(piece)));
  const [{ rest }, ...parts] = pieces as [{ rest: unknown }, ...Part[]];
  for (const part of parts) expect(addPart(rest, part)).toBe(true);
  return { pieces: pieces.length, back: rest };
}

describe('a snapshot in pieces', () => {
  const rows = Array.from({ length: 300 }, (_, id) => ({ id, tags: { a: [id] } }));
  const late = (length: number) => new LateList(length, (from, to) => rows.slice(from, to));

  it.each([
    ['a list', { world: [{ posts: rows }] }, { world: [{ posts: rows }] }, 4],
    ['a list that is made when it is read', { world: [{ posts: late(300) }] }, { world: [{ posts: rows }] }, 4],
    ['a short one', { world: [{ posts: late(64) }] }, { world: [{ posts: rows.slice(0, 64) }] }, 1],
    ['an empty one', { posts: late(0) }, { posts: [] }, 1],
  ])('is whole again: %s', (_what, snapshot, whole, pieces) => {
    expect(throughFile(snapshot)).toEqual({ pieces, back: whole });
  });

  it('reads no more of a list than the piece needs', () => {
    const read: number[] = [];
    const list = new LateList(300, (from, to) => {
      read.push(from);
      return rows.slice(from, to);
    });
    const pieces = cutSnapshot({ list });
    expect([pieces.next().done, read]).toEqual([false, []]);
    expect([pieces.next().done, read]).toEqual([false, [0]]);
    expect([pieces.next().done, read]).toEqual([false, [0, 128]]);
  });
});
