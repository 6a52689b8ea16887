// The history of a run as clients saw it, and the laws that it has to obey. It knows the contract and no replica.

/** One request with its response. `returnedMs` is infinite, and `status` null, if the outcome is unknown. */
export interface Recorded {
  readonly who: string;
  readonly calledMs: number;
  readonly returnedMs: number;
  readonly status: number | null;
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly kind: 'reply'; readonly review: string; readonly text: string }
  | { readonly kind: 'reviews'; readonly texts: Readonly<Record<string, string | null>> }
  | { readonly kind: 'post'; readonly postId: string | null }
  | { readonly kind: 'other' };

/** One operation on a register. Both times are by one clock. */
export interface Operation {
  readonly kind: 'write' | 'read';
  readonly value: string | null;
  readonly calledMs: number;
  readonly returnedMs: number;
  readonly who: string;
}

/** Each watched review is a register. Throws with the first contradiction; returns how many operations were checked. */
export function holdRegisters(history: readonly Recorded[], start: Readonly<Record<string, string | null>>): number {
  let checked = 0;
  for (const [review, text] of Object.entries(start)) {
    const operations = history.flatMap((one) => toOperation(one, review));
    checked += operations.length;
    const contradiction = findContradiction(operations, text);
    if (contradiction)
      throw new Error(`no order explains the replies to ${review}: ${contradiction.who} saw ${contradiction.value}`);
  }
  return checked;
}

/** A rejected reply is not an operation; one without a response can be. */
function toOperation({ outcome, who, calledMs, returnedMs, status }: Recorded, review: string): Operation[] {
  if (outcome.kind === 'reply' && outcome.review === review && (status === null || status === 200)) {
    return [{ kind: 'write', value: outcome.text, calledMs, returnedMs, who }];
  }
  if (outcome.kind !== 'reviews' || status !== 200) return [];
  return [{ kind: 'read', value: outcome.texts[review] ?? null, calledMs, returnedMs, who }];
}

/** All operations before `first` have taken effect, and those of `done` after it. */
interface Node {
  readonly first: number;
  readonly done: readonly number[];
  readonly value: string | null;
}

/**
 * Null if one register explains the history, else the operation that no explanation reaches. (Wing and Gong's search,
 * with Lowe's cache of states.)
 */
export function findContradiction(history: readonly Operation[], start: string | null): Operation | null {
  const operations = bound(history).sort((a, b) => a.calledMs - b.calledMs);
  const seen = new Set<string>();
  const open: Node[] = [{ first: 0, done: [], value: start }];
  let furthest = 0;
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.first >= operations.length) return null;
    furthest = Math.max(furthest, node.first);
    for (const next of following(operations, node)) {
      const name = `${next.first} ${next.done.join()} ${next.value}`;
      if (!seen.has(name)) open.push(next);
      seen.add(name);
    }
  }
  return operations[furthest] as Operation;
}

/** Ignores writes without a response that were never read; other ones happened before their first read returned. */
function bound(history: readonly Operation[]): Operation[] {
  const firstRead = new Map<string | null, number>();
  for (const { kind, value, returnedMs } of history) {
    if (kind === 'read') firstRead.set(value, Math.min(returnedMs, firstRead.get(value) ?? Number.POSITIVE_INFINITY));
  }
  return history
    .map((one) => {
      const isOpen = one.kind === 'write' && one.returnedMs === Number.POSITIVE_INFINITY;
      return isOpen ? { ...one, returnedMs: firstRead.get(one.value) ?? Number.POSITIVE_INFINITY } : one;
    })
    .filter(({ returnedMs }) => Number.isFinite(returnedMs));
}

/** Any operation may be the next that was called before the first of the others returned. */
function following(operations: readonly Operation[], { first, done, value }: Node): Node[] {
  const next: Node[] = [];
  let returnedMs = Number.POSITIVE_INFINITY;
  for (let i = first; i < operations.length; i += 1) {
    const operation = operations[i] as Operation;
    if (operation.calledMs > returnedMs) break;
    if (done.includes(i)) continue;
    returnedMs = Math.min(returnedMs, operation.returnedMs);
    if (operation.kind === 'read' && operation.value !== value) continue;
    next.push(advance(first, [...done, i], operation.kind === 'write' ? operation.value : value));
  }
  return next;
}

function advance(first: number, done: readonly number[], value: string | null): Node {
  const left = new Set(done);
  let at = first;
  while (left.delete(at)) at += 1;
  return { first: at, done: [...left].sort((a, b) => a - b), value };
}

/** Every acknowledged post exists, and each text once. Returns how many were acknowledged. */
export function holdPosts(history: readonly Recorded[], found: readonly { postId: string; text: string }[]): number {
  const there = new Set(found.map(({ postId }) => postId));
  if (there.size !== found.length) throw new Error('two posts have one id');
  const texts = new Set<string>();
  for (const { text } of found) {
    if (texts.has(text)) throw new Error(`the post "${text}" was made twice`);
    texts.add(text);
  }
  const acknowledged = history.flatMap(({ outcome }) =>
    outcome.kind === 'post' && outcome.postId !== null ? [outcome.postId] : [],
  );
  if (new Set(acknowledged).size !== acknowledged.length) throw new Error('two clients were notified of the same post');
  for (const id of acknowledged) if (!there.has(id)) throw new Error(`the acknowledged post ${id} is not there`);
  return acknowledged.length;
}
