// Decides when a request leaves. A server receives a request between the time it is sent and the time its response is
// received. If the request `limit` places back was *received* a window ago, the next one never exceeds the limit,
// independent of network delays. An even pace also satisfies approximate and fixed windows.

import { addressWindow } from '../../../src/contract/generated/limits.ts';
import type { Lane, PaceSettings, WindowKind } from '../../exchange/lanes.ts';
import type { KitClock } from './clock.ts';
import { makeTraffic } from './traffic.ts';

/** One request of a burst, ready to leave. */
export interface Shot<T> {
  readonly lane: Lane;
  send(): Promise<T>;
}

/** Requests leave one at a time and in order; only a burst leaves together. */
export type Pacer = ReturnType<typeof makePacer>;

/** So about every eighth request is rejected while other clients use the rest of a window. */
const recoveryPerRequest = 0.9;

/**
 * The queue is a chain of promises: a task that throws must not stop later ones. A request is counted when its response
 * arrives, the latest time at which the server can have counted it.
 */
export function makePacer(clock: KitClock, settings: PaceSettings, onWait?: (ms: number) => void) {
  const traffic = makeTraffic(clock, settings);
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let hurried = 0;
  let { spacingMs } = settings;
  let queue: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const turn = queue.then(task, task);
    queue = turn.catch(() => undefined);
    return turn;
  };
  const waitUntil = async (due: number) => {
    if (due - clock.now() > 0) onWait?.(due - clock.now());
    while (clock.now() < due) await clock.sleep(due - clock.now());
  };
  const timed = async <T>(lane: Lane, send: () => Promise<T>) => {
    lastSentAt = clock.now();
    try {
      return await send();
    } finally {
      traffic.note(lane);
    }
  };
  return {
    /** Sends when both windows allow it, evenly spaced. */
    run: <T>(lane: Lane, send: () => Promise<T>) =>
      inTurn(async () => {
        const isHurried = hurried > 0;
        hurried -= 1;
        spacingMs = Math.max(settings.spacingMs, spacingMs * recoveryPerRequest);
        await waitUntil(
          isHurried ? traffic.freeAt(lane, ['key']) : Math.max(lastSentAt + spacingMs, traffic.freeAt(lane)),
        );
        return timed(lane, send);
      }),
    /**
     * The next so many requests of `run` leave without spacing: a client that has waited as stated can fill the window
     * of its address again. The window of the key still applies.
     */
    hurry(requests: number) {
      hurried = requests;
    },
    /** A limiter has rejected a request: others use the window too. The distance doubles, and recovers slowly. */
    slowDown() {
      hurried = 0;
      spacingMs = Math.min(2 * spacingMs, addressWindow.windowMs);
    },
    /** Waits until the windows of one kind are empty for every lane of the burst, or not, then sends all at once. */
    burst: <T>(shots: readonly Shot<T>[], quiet: WindowKind | 'none') =>
      inTurn(async () => {
        const dueFor = ({ lane }: Shot<unknown>) =>
          quiet === 'none' ? lastSentAt : Math.max(traffic.quietAt(lane, quiet), traffic.freeAt(lane));
        hurried = 0;
        await waitUntil(Math.max(...shots.map(dueFor)));
        return Promise.all(shots.map(({ lane, send }) => timed(lane, send)));
      }),
    /** Sends without waiting, and remembers the use. */
    now: <T>(lane: Lane, send: () => Promise<T>) => inTurn(() => timed(lane, send)),
    learn: traffic.learn,
    recall: traffic.recall,
    recent: traffic.recent,
  };
}
