// A snapshot as many short lines, and back. One text cannot be longer than 512 MiB, and one that took a second to make
// would keep every client waiting: so long lists are cut out of the snapshot and follow in slices, each with its place.

import { LateList } from '../../domain/late-list.ts';

/** A slice of a list of the snapshot. Slices come in order, so that each is appended. */
export interface Part {
  /** Names and indexes that lead to the list. */
  readonly part: readonly (string | number)[];
  readonly items: readonly unknown[];
}

const listMax = 64;
const sliceItems = 128;

/** A list that was cut out and waits to be written. */
interface LongList {
  readonly path: readonly (string | number)[];
  readonly items: readonly unknown[] | LateList;
}

/** First the snapshot without its long lists, then their slices. The lists themselves must not change meanwhile. */
export function* cutSnapshot(snapshot: unknown): Generator<{ readonly rest: unknown } | Part> {
  const waiting: LongList[] = [];
  yield { rest: withoutLongLists(snapshot, [], waiting) };
  for (let list = waiting.pop(); list; list = waiting.pop()) {
    const { path, items } = list;
    for (let at = 0; at < items.length; at += sliceItems) {
      const slice = items.slice(at, at + sliceItems);
      yield { part: path, items: slice.map((item, i) => withoutLongLists(item, [...path, at + i], waiting)) };
    }
  }
}

/** A copy with empty lists in the place of long ones; records without inner lists are used as they are. */
function withoutLongLists(value: unknown, path: readonly (string | number)[], waiting: LongList[]): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value) || value instanceof LateList) {
    const items: readonly unknown[] | LateList = value;
    if (items.length <= listMax)
      return items.slice(0, listMax).map((item, i) => withoutLongLists(item, [...path, i], waiting));
    waiting.push({ path, items });
    return [];
  }
  if (isFlat(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    // A member of this name would otherwise set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: member, enumerable: true });
    else copy[name] = withoutLongLists(member, [...path, name], waiting);
  }
  return copy;
}

// Nearly every record holds texts and numbers alone.
function isFlat(record: object): boolean {
  for (const name in record) {
    const member = (record as Record<string, unknown>)[name];
    if (member !== null && typeof member === 'object') return false;
  }
  return true;
}

/** Puts a slice back. False when the snapshot has no such list. */
export function addPart(snapshot: unknown, { part, items }: Part): boolean {
  let list: unknown = snapshot;
  for (const step of part) {
    if (list === null || typeof list !== 'object' || !Object.hasOwn(list, step)) return false;
    list = (list as Record<string | number, unknown>)[step];
  }
  if (!Array.isArray(list)) return false;
  for (const item of items) list.push(item);
  return true;
}

/** Shape only; whether the place exists is `addPart`'s question. */
export function isPart(record: object): record is Part {
  const { part, items } = record as Partial<Part>;
  const isStep = (step: unknown) => typeof step === 'string' || typeof step === 'number';
  return Array.isArray(part) && part.every(isStep) && Array.isArray(items);
}
