// Whether a recorded history may have come from one register that was asked by one client at a time (Wing and Gong's
// search, with Lowe's memory of states that led nowhere). It knows nothing of how the answers came about.

/** One operation of a client. Both ends are by one clock; `returnedMs` is infinite where no answer came. */
export interface Operation {
  readonly kind: 'write' | 'read';
  readonly value: string | null;
  readonly calledMs: number;
  readonly returnedMs: number;
  /** For messages. */
  readonly who: string;
}

/** Null for a history that one register explains; else the operation at which every explanation ends. */
export function findContradiction(history: readonly Operation[], start: string | null): Operation | null {
  const operations = bound(history).sort((a, b) => a.calledMs - b.calledMs);
  const search = new Search(operations);
  return search.run(start);
}

/**
 * Written values are unique. A write without an answer that nobody read may as well not have happened; one that was
 * read has happened before the first such read returned.
 */
function bound(history: readonly Operation[]): Operation[] {
  const firstRead = new Map<string | null, number>();
  for (const { kind, value, returnedMs } of history) {
    if (kind === 'read') firstRead.set(value, Math.min(returnedMs, firstRead.get(value) ?? Number.POSITIVE_INFINITY));
  }
  return history
    .filter(({ kind, returnedMs }) => kind === 'write' || Number.isFinite(returnedMs))
    .map((one) => {
      if (Number.isFinite(one.returnedMs)) return one;
      return { ...one, returnedMs: firstRead.get(one.value) ?? Number.POSITIVE_INFINITY };
    })
    .filter(({ returnedMs }) => Number.isFinite(returnedMs));
}

interface Node {
  /** All before it have taken effect. */
  readonly first: number;
  /** Those behind it that have as well. */
  readonly done: readonly number[];
  readonly value: string | null;
}

class Search {
  readonly #operations: readonly Operation[];
  readonly #seen = new Set<string>();
  #furthest = 0;

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
  }

  run(start: string | null): Operation | null {
    const open: Node[] = [{ first: 0, done: [], value: start }];
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.first >= this.#operations.length) return null;
      this.#furthest = Math.max(this.#furthest, node.first);
      for (const next of this.#next(node)) {
        const name = `${next.first} ${next.done.join()} ${next.value}`;
        if (this.#seen.has(name)) continue;
        this.#seen.add(name);
        open.push(next);
      }
    }
    return this.#operations[this.#furthest] as Operation;
  }

  /** Any operation may be the next that was called before the first of the others returned. */
  #next({ first, done, value }: Node): Node[] {
    const next: Node[] = [];
    const isDone = new Set(done);
    let returnedMs = Number.POSITIVE_INFINITY;
    for (let i = first; i < this.#operations.length; i += 1) {
      const operation = this.#operations[i] as Operation;
      if (operation.calledMs > returnedMs) break;
      if (isDone.has(i)) continue;
      returnedMs = Math.min(returnedMs, operation.returnedMs);
      if (operation.kind === 'read' && operation.value !== value) continue;
      next.push(this.#advance(first, [...done, i], operation.kind === 'write' ? operation.value : value));
    }
    // One that returned before the call of another cannot come behind it.
    return next;
  }

  #advance(first: number, done: readonly number[], value: string | null): Node {
    const left = new Set(done);
    let at = first;
    while (left.delete(at)) at += 1;
    return { first: at, done: [...left].sort((a, b) => a - b), value };
  }
}
