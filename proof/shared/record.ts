// The history of a run as clients saw it, and what has to hold of it. It knows the contract and no replica.
import { findContradiction, type Operation } from './linearizable.ts';

/** One request with what came of it. `answer` is null where none came, and where nobody knows what was done. */
export interface Recorded {
  readonly who: string;
  readonly address: string;
  readonly key: string;
  readonly calledMs: number;
  readonly returnedMs: number;
  readonly status: number | null;
  readonly told: Told;
}

/** What a client learns from an answer that the checks below need. */
export type Told =
  | { readonly kind: 'reply'; readonly review: string; readonly text: string }
  | { readonly kind: 'reviews'; readonly texts: Readonly<Record<string, string | null>> }
  | { readonly kind: 'post'; readonly postId: string | null }
  | { readonly kind: 'other' };

/** Throws with the first contradiction, in words. */
export function holdRegisters(history: readonly Recorded[], start: Readonly<Record<string, string | null>>): number {
  let checked = 0;
  for (const [review, text] of Object.entries(start)) {
    const operations = history.flatMap((one) => toOperation(one, review));
    checked += operations.length;
    const wrong = findContradiction(operations, text);
    if (wrong) throw new Error(`no order explains the replies to ${review}: ${wrong.who} saw ${wrong.value}`);
  }
  return checked;
}

/** A reply that was refused is none; one without an answer may have been made. */
function toOperation({ told, who, calledMs, returnedMs, status }: Recorded, review: string): Operation[] {
  const isOpen = status === null;
  if (told.kind === 'reply' && told.review === review && (isOpen || status === 200)) {
    const returned = isOpen ? Number.POSITIVE_INFINITY : returnedMs;
    return [{ kind: 'write', value: told.text, calledMs, returnedMs: returned, who }];
  }
  if (told.kind === 'reviews' && status === 200) {
    return [{ kind: 'read', value: told.texts[review] ?? null, calledMs, returnedMs, who }];
  }
  return [];
}

const windows = [
  { name: 'address', limit: 10, windowMs: 10_000 },
  { name: 'key', limit: 60, windowMs: 60_000 },
] as const;

/**
 * Over all replicas together: never more admitted than the limit in any window. An admission is certain to lie in a
 * window only where all of the request does.
 */
export function holdLimits(history: readonly Recorded[]): number {
  let blocked = 0;
  for (const { name, limit, windowMs } of windows) {
    for (const bucket of groups(history, name)) {
      const admitted = bucket.filter(({ status }) => status !== null && status !== 429);
      admitted.forEach((first, i) => {
        const endMs = first.calledMs + windowMs;
        const inside = admitted.slice(i).filter(({ returnedMs }) => returnedMs < endMs).length;
        if (inside > limit) {
          throw new Error(`${inside} requests of the ${name} ${first[name]} were admitted within ${windowMs} ms`);
        }
      });
      blocked += bucket.length - admitted.length;
    }
  }
  // A block needs a full window before it, of the address or of the key.
  const certain = history.filter(({ status }) => status === 429);
  for (const one of certain) {
    const isFull = windows.some(({ name, limit, windowMs }) => {
      const fromMs = one.calledMs - windowMs;
      const may = history.filter(
        (other) =>
          other[name] === one[name] &&
          other.status !== 429 &&
          other.calledMs <= one.returnedMs &&
          (other.status === null || other.returnedMs > fromMs),
      );
      return may.length >= limit;
    });
    if (!isFull) throw new Error(`${one.who} was blocked at ${one.calledMs}, and no window was full`);
  }
  return blocked;
}

function groups(history: readonly Recorded[], name: 'address' | 'key'): Recorded[][] {
  const found = new Map<string, Recorded[]>();
  for (const one of [...history].sort((a, b) => a.calledMs - b.calledMs)) {
    found.set(one[name], [...(found.get(one[name]) ?? []), one]);
  }
  return [...found.values()];
}

/** Every post whose id a client was told is there, once. */
export function holdPosts(history: readonly Recorded[], found: readonly { postId: string; text: string }[]): number {
  const there = new Set(found.map(({ postId }) => postId));
  if (there.size !== found.length) throw new Error('two posts have one id');
  const texts = found.map(({ text }) => text);
  const twice = texts.find((text, i) => texts.indexOf(text) !== i);
  if (twice !== undefined) throw new Error(`the post "${twice}" was made twice`);
  const told = history.flatMap(({ told }) => (told.kind === 'post' && told.postId !== null ? [told.postId] : []));
  if (new Set(told).size !== told.length) throw new Error('two clients were told of the same post');
  for (const id of told) if (!there.has(id)) throw new Error(`the acknowledged post ${id} is not there`);
  return told.length;
}
