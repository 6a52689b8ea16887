// The requests of the last minute, by lane, and how many more the windows admit.

import type { EarlierUse, Lane, PaceSettings, WindowKind, WindowSize } from '../../exchange/lanes.ts';
import type { KitClock } from './clock.ts';

/** The way from one run to the next. Reading never fails; writing may silently come to nothing. */
export interface TrafficFile {
  read(): Traces;
  write(traces: Traces): void;
}

export interface Traces {
  readonly uses: readonly EarlierUse[];
  /** How long a response usually took; null if unknown. */
  readonly latencyMs: number | null;
}

export const noTraces: Traces = { uses: [], latencyMs: null };

/** For tests and for a clock that is moved: its minutes are not ours. */
export const noTrafficFile: TrafficFile = { read: () => noTraces, write: () => undefined };

/** A window may count its own edge, and clocks tick in whole milliseconds. */
const edgeMs = 25;
/** The longest window of the contract, and a little. */
export const memoryMs = 61_000;
const never = Number.NEGATIVE_INFINITY;

/**
 * Arithmetic over the timestamps of responses. The invariant: when a request leaves at `freeAt`, the one `limit` places
 * back was received a whole window ago, so the server counted it earlier still. A window that slides, is fixed, or is
 * approximate by a little admits it.
 */
export function makeTraffic(clock: KitClock, sizes: Pick<PaceSettings, WindowKind>) {
  let uses: EarlierUse[] = [];
  const learnt = new Set<string>();
  const receivedIn = (kind: WindowKind, lane: Lane) =>
    uses.filter((use) => use.lane[kind] === lane[kind]).map((use) => use.at);
  const note = (lane: Lane) => {
    const horizon = clock.now() - memoryMs;
    uses = [...uses.filter((use) => use.at > horizon), { lane, at: clock.now() }];
  };
  return {
    /** A request whose response has just come in, or that has just been given up. */
    note,
    /** The earliest timestamp at which one more request surely fits into both windows, or into the named ones. */
    freeAt: (lane: Lane, kinds: readonly WindowKind[] = ['address', 'key']) =>
      Math.max(
        ...kinds.map((kind) =>
          kind === 'key' && lane.key === null ? never : freeIn(receivedIn(kind, lane), sizes[kind]),
        ),
      ),
    /** The earliest timestamp at which the window of the lane's address, or of its key, is surely empty. */
    quietAt(lane: Lane, kind: WindowKind) {
      const received = receivedIn(kind, lane);
      const size = sizes[kind];
      return size === null || received.length === 0 ? never : Math.max(...received) + size.windowMs + edgeMs;
    },
    /**
     * Use by others or by earlier runs. Believed once for each window, at the first response: later the headers would
     * count our own requests twice. Cites 8.headers.remaining.
     */
    learn(lane: Lane, { limit, remaining }: { limit: number; remaining: number }) {
      const kind = limit === sizes.address?.limit ? 'address' : 'key';
      const size = sizes[kind];
      const name = `${kind} ${lane[kind]}`;
      if (size === null || limit !== size.limit || (kind === 'key' && lane.key === null) || learnt.has(name)) return;
      learnt.add(name);
      const known = receivedIn(kind, lane).filter((at) => at > clock.now() - size.windowMs).length;
      // Use by others spends only the window that the headers are about.
      const others: Lane = kind === 'address' ? { address: lane.address, key: null } : { address: '', key: lane.key };
      for (let missing = limit - remaining - known; missing > 0; missing -= 1) note(others);
    },
    recall(earlier: readonly EarlierUse[]) {
      uses = [...earlier.filter(({ at }) => at <= clock.now()), ...uses].sort((a, b) => a.at - b.at);
    },
    /** Uses of the last minute, for the next run. */
    recent: () => uses,
  };
}

/** NEVER means that a request is admitted now. */
function freeIn(received: readonly number[], size: WindowSize | null): number {
  if (size === null || received.length < size.limit) return never;
  const sorted = [...received].sort((a, b) => a - b);
  return (sorted[received.length - size.limit] ?? never) + size.windowMs + edgeMs;
}
