// A later reading of delivered calls: a call that settled late and took its place before a position already handed out
// is lost for every client that polls, and no page by itself shows it.
import { areNamed, haveIds, isPrefix, without } from './call-fields.ts';
import { type CallPage, deliveriesIn, limitMax } from './call-log.ts';
import type { History } from './history.ts';

/** How a later reading of a page differs from the first; `at` is the place of the first difference. */
export type Replay =
  | { readonly kind: 'kept' }
  /** Between calls that had been delivered. */
  | { readonly kind: 'inserted'; readonly at: number; readonly marks: readonly string[] }
  | { readonly kind: 'reordered' | 'changed' | 'gone'; readonly at: number };

/** `most` is the maximum of the later page. */
export function compareReplay(before: readonly string[], after: readonly string[], most: number = limitMax): Replay {
  if (isPrefix(before, after)) return { kind: 'kept' };
  const at = before.findIndex((mark, index) => mark !== after[index]);
  if (at >= after.length) return { kind: 'gone', at };
  const isCut = after.length >= most;
  const missing = without(before, after);
  const isReplaced = missing.includes(before[at] ?? '') && !before.includes(after[at] ?? '');
  if (missing.length > 0 && !isCut)
    return { kind: isReplaced && before.length <= after.length ? 'changed' : 'gone', at };
  const kept = before.filter((mark) => after.includes(mark));
  const inOrder = after.filter((mark) => before.includes(mark));
  if (!isPrefix(inOrder, kept) && !isPrefix(kept, inOrder)) return { kind: 'reordered', at };
  const lastKept = after.lastIndexOf(inOrder.at(-1) ?? '');
  return { kind: 'inserted', at, marks: without(after.slice(0, lastKept), before) };
}

/** A page that shows new calls between two that another page shows next to each other. */
export interface Inserted {
  readonly page: CallPage;
  readonly at: number;
  readonly marks: readonly string[];
}

/** The first such place of each page, and how many pairs of calls were delivered twice. */
export function insertedIn(history: History): { readonly found: readonly Inserted[]; readonly compared: number } {
  const later = new Map<string, string>();
  const found: Inserted[] = [];
  let compared = 0;
  for (const page of deliveriesIn(history)) {
    const { calls, marks } = page;
    // Calls that look alike cannot be distinguished (R34).
    if (new Set(marks).size < marks.length || !(areNamed(calls, history.given) || haveIds(calls))) continue;
    const places = new Map(marks.map((mark, at) => [mark, at]));
    for (const [at, mark] of marks.entries()) {
      const known = later.get(mark);
      const place = known === undefined ? undefined : places.get(known);
      if (place !== undefined) compared += 1;
      if (place !== undefined && place > at + 1 && found.at(-1)?.page !== page)
        found.push({ page, at: at + 1, marks: marks.slice(at + 1, place) });
      const next = marks[at + 1];
      if (next !== undefined && known === undefined) later.set(mark, next);
    }
  }
  return { found, compared };
}

/** Whether a page after these calls shows the new ones too: then no client has lost them. */
export function areDelivered(history: History, { nextCursor }: CallPage, marks: readonly string[]): boolean {
  const later = deliveriesIn(history).filter(({ since }) => since !== null && since === nextCursor);
  return later.some((page) => without(marks, page.marks).length === 0);
}
