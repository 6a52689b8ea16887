// When a request may leave. A server sees a request somewhere between the instant it is sent and the instant its answer
// is received; so whoever waits until the request `limit` places back was *received* a window ago can never be the one
// too many, whatever the network does. The even pace on top keeps approximate and fixed windows quiet as well.
import type { KitClock } from './clock.ts';

export interface Lane {
  /** Source address; null for the default one. */
  readonly address: string | null;
  /** Name of the key that the request spends, or null when it carries none that counts. */
  readonly key: string | null;
}

export interface PaceSettings {
  readonly spacingMs: number;
  readonly address: WindowSize | null;
  readonly key: WindowSize | null;
}

export interface WindowSize {
  readonly limit: number;
  readonly windowMs: number;
}

/** Earlier use of a lane, from the traffic file. */
export interface EarlierUse {
  readonly lane: Lane;
  readonly at: number;
}

export interface Pacer {
  /** Sends when both windows have room, evenly spaced; requests leave one at a time. */
  run<T>(lane: Lane, send: () => Promise<T>): Promise<T>;
  /** Waits until the address window is empty and the key window has room, then sends all at once. */
  burst<T>(lane: Lane, sends: ReadonlyArray<() => Promise<T>>): Promise<T[]>;
  /** What `X-RateLimit-*` says of use that the pacer has not seen: other users, earlier runs. */
  learn(lane: Lane, seen: { limit: number; remaining: number }): void;
  recall(uses: readonly EarlierUse[]): void;
  /** Uses of the last minute, for the next run. */
  recent(): EarlierUse[];
}

/** Cites 8.address-window, 8.key-window. */
export const contractWindows = {
  address: { limit: 10, windowMs: 10_000 },
  key: { limit: 60, windowMs: 60_000 },
} as const;

/** A window may count its own edge, and clocks tick in whole milliseconds. */
const EDGE_MS = 25;
const MEMORY_MS = 61_000;

export const unpaced: PaceSettings = { spacingMs: 0, address: null, key: null };

export function autoPace(loopback: boolean): PaceSettings {
  return { spacingMs: loopback ? 1050 : 1250, ...contractWindows };
}

export function makePacer(clock: KitClock, settings: PaceSettings, onWait?: (ms: number) => void): Pacer {
  const uses: { lane: Lane; receivedAt: number }[] = [];
  const learnt = new Set<string>();
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let queue: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const turn = queue.then(task, task);
    queue = turn.catch(() => undefined);
    return turn;
  };
  const receivedIn = (match: (lane: Lane) => boolean) =>
    uses.filter((use) => match(use.lane)).map((use) => use.receivedAt);
  const roomAt = (lane: Lane, count: number) =>
    Math.max(
      dueAt(
        receivedIn((other) => other.address === lane.address),
        settings.address,
        count,
      ),
      lane.key === null
        ? Number.NEGATIVE_INFINITY
        : dueAt(
            receivedIn((other) => other.key === lane.key),
            settings.key,
            count,
          ),
    );
  const waitUntil = async (due: number) => {
    if (due - clock.now() > 0) onWait?.(due - clock.now());
    while (clock.now() < due) await clock.sleep(due - clock.now());
  };
  const note = (lane: Lane) => uses.push({ lane, receivedAt: clock.now() });
  const forget = () => {
    const horizon = clock.now() - MEMORY_MS;
    const kept = uses.filter((use) => use.receivedAt > horizon);
    uses.splice(0, uses.length, ...kept);
  };
  const timed = async <T>(lane: Lane, send: () => Promise<T>) => {
    lastSentAt = clock.now();
    try {
      return await send();
    } finally {
      note(lane);
    }
  };

  return {
    run: (lane, send) =>
      inTurn(async () => {
        await waitUntil(Math.max(lastSentAt + settings.spacingMs, roomAt(lane, 1)));
        forget();
        return timed(lane, send);
      }),
    burst: (lane, sends) =>
      inTurn(async () => {
        const quiet = { ...lane, key: lane.key };
        await waitUntil(
          Math.max(
            emptyAt(
              receivedIn((other) => other.address === quiet.address),
              settings.address,
            ),
            roomAt(quiet, 1),
          ),
        );
        forget();
        return Promise.all(sends.map((send) => timed(lane, send)));
      }),
    learn(lane, { limit, remaining }) {
      const kind = limit === settings.address?.limit ? 'address' : limit === settings.key?.limit ? 'key' : null;
      const name = kind === null ? null : `${kind} ${lane[kind]}`;
      if (kind === null || name === null || learnt.has(name)) return;
      if (kind === 'key' && lane.key === null) return;
      learnt.add(name);
      const size = settings[kind] as WindowSize;
      const horizon = clock.now() - size.windowMs;
      const known = receivedIn((other) => other[kind] === lane[kind]).filter((at) => at > horizon).length;
      const phantom: Lane = kind === 'address' ? { address: lane.address, key: null } : { address: '', key: lane.key };
      for (let missing = limit - remaining - known; missing > 0; missing -= 1) note(phantom);
    },
    recall(earlier) {
      for (const { lane, at } of earlier) if (at <= clock.now()) uses.push({ lane, receivedAt: at });
      uses.sort((a, b) => a.receivedAt - b.receivedAt);
    },
    recent: () => uses.map(({ lane, receivedAt }) => ({ lane, at: receivedAt })),
  };
}

/** The earliest instant at which `count` more requests surely fit into the window. */
function dueAt(received: readonly number[], size: WindowSize | null, count: number): number {
  if (size === null) return Number.NEGATIVE_INFINITY;
  const tooMany = received.length + count - size.limit;
  if (tooMany <= 0) return Number.NEGATIVE_INFINITY;
  const sorted = [...received].sort((a, b) => a - b);
  return (sorted[Math.min(tooMany, sorted.length) - 1] ?? Number.NEGATIVE_INFINITY) + size.windowMs + EDGE_MS;
}

function emptyAt(received: readonly number[], size: WindowSize | null): number {
  if (size === null || received.length === 0) return Number.NEGATIVE_INFINITY;
  return Math.max(...received) + size.windowMs + EDGE_MS;
}
