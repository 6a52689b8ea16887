// Polls the call log as section 6 states. Cites 6.first-poll, 6.poll, 6.store-cursor, 6.keep-since, 6.wait,
// 6.full-page.
import { callsLimit, pollIntervalMs } from '../contract/generated/limits.ts';
import type { Call, ListCallsResponse } from '../contract/generated/types.ts';
import type { Sleep } from './send.ts';

/** Stores the position, so after a restart no call is lost or repeated. */
export interface PositionStore {
  /** Returns the last saved `since`; null or undefined before the first poll. */
  load(): string | null | undefined | Promise<string | null | undefined>;
  save(since: string): unknown;
  /** Returns the last value of `saveNextPoll`: with both, a restart keeps the minute between two polls (6.wait). */
  loadNextPoll?(): number | null | undefined | Promise<number | null | undefined>;
  /** Saves the earliest time of the next poll, in epoch milliseconds. */
  saveNextPoll?(atMs: number): unknown;
}

/**
 * Returns a position store in browser storage: `api.calls({ store: keepPosition(localStorage) })`.
 *
 * @param name Distinguishes several logs in one storage; `casa-calls` by default.
 */
export function keepPosition(storage: Pick<Storage, 'getItem' | 'setItem'>, name = 'casa-calls'): PositionStore {
  const nextPoll = `${name}-next-poll`;
  return {
    load: () => storage.getItem(name),
    save: (since) => storage.setItem(name, since),
    loadNextPoll: () => Number(storage.getItem(nextPoll) ?? 0),
    saveNextPoll: (atMs) => storage.setItem(nextPoll, String(atMs)),
  };
}

/** A poll runs in the background, so it can wait for the window of the key (8.key-window). */
export const pollDeadlineMs = 2 * pollIntervalMs;

export interface PollOptions {
  /** Without a store, the position is in memory, and a new poll starts at the current time. */
  readonly store?: PositionStore | undefined;
  /** Calls per page, 1 to 200; default 200. */
  readonly limit?: number | undefined;
  /** Milliseconds between two polls; default and minimum one minute. */
  readonly intervalMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ends after the calls that are there now, for a job that runs regularly. It needs a store. */
  readonly once?: boolean | undefined;
}

export interface PollParts {
  readonly list: (since: string, limit: number, signal: AbortSignal | undefined) => Promise<ListCallsResponse>;
  readonly sleep: Sleep;
  readonly now: () => number;
}

/**
 * Returns every call that ends from now on, once each, oldest first, until the signal aborts. The position moves after
 * all calls of a page were handled: a loop that ends within a page gets that page again.
 */
export async function* pollCalls(options: PollOptions, parts: PollParts): AsyncGenerator<Call, void> {
  try {
    yield* poll(options, parts);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
}

async function* poll(options: PollOptions, { list, sleep, now }: PollParts): AsyncGenerator<Call, void> {
  const { store, signal, limit = callsLimit.max } = options;
  const intervalMs = Math.max(options.intervalMs ?? pollIntervalMs, pollIntervalMs);
  let since = (await store?.load()) ?? null;
  if (since === null) {
    since = new Date(now()).toISOString();
    await store?.save(since);
  }
  await waitForTurn(store, { intervalMs, sleep, now, signal });
  while (!signal?.aborted) {
    const page: ListCallsResponse = await list(since, limit, signal);
    const { calls, nextCursor } = page.data;
    const isFull = calls.length >= limit && typeof nextCursor === 'string';
    await store?.saveNextPoll?.(now() + (isFull ? 0 : intervalMs));
    yield* calls;
    if (typeof nextCursor === 'string') {
      since = nextCursor;
      await store?.save(since);
    }
    if (options.once && !isFull) return;
    if (!isFull) await sleep(intervalMs, signal);
  }
}

interface Turn extends Pick<PollParts, 'sleep' | 'now'> {
  readonly intervalMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Waits for the rest of the minute since the last poll before a restart, at most `intervalMs`. */
async function waitForTurn(store: PositionStore | undefined, { intervalMs, sleep, now, signal }: Turn): Promise<void> {
  const restMs = Number((await store?.loadNextPoll?.()) ?? 0) - now();
  if (restMs > 0) await sleep(Math.min(restMs, intervalMs), signal);
}
